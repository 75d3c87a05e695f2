/** Reads what people order, typed or as a file, for one repository or for many. */
export { readCampaignFile, MAX_CAMPAIGN_FILE_BYTES, isCampaignFile } from './campaign-file.ts';
export {
  CampaignRequest,
  toCampaignRequest,
  readCampaignOrder,
  EVERY_REPOSITORY,
  plainCampaign,
  type NewCampaign,
} from './campaign-argument.ts';
export {
  parseEngines,
  findEnginesProblem,
  NewOrder,
  readOrder,
  ORDER_OPTIONS,
  parseTypedOrder,
  type ParsedOption,
  type OrderOption,
} from './order-argument.ts';
export { NamedPull, PullList, parsePullList } from './pull-list.ts';
export type { NamedRepo } from './repository-data.ts';
export { parseRepoLink, type RepoLink } from './repository-links.ts';
export { readList } from './repository-list.ts';
export { parseSentCampaign } from './sent-campaign-file.ts';
export { createLineFinder } from './yaml-locations.ts';
