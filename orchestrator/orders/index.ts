/** Reads what people order, typed or as a file, for one repository or for many. */
export { readCampaignFile, MAX_CAMPAIGN_FILE_BYTES, isCampaignFile } from './campaign-file.ts';
export {
  CampaignRequest,
  campaignFrom,
  readCampaignOrder,
  EVERY_REPOSITORY,
  plainCampaign,
  type NewCampaign,
} from './campaign-order.ts';
export {
  enginesIn,
  enginesProblem,
  NewOrder,
  readOrder,
  ORDER_OPTIONS,
  orderTyped,
  type ParsedOption,
  type OrderOption,
} from './order-argument.ts';
export { NamedPull, PullList, readPulls } from './pull-list.ts';
export type { NamedRepo } from './repository-data.ts';
export { readLink, type RepoLink } from './repository-links.ts';
export { readList } from './repository-list.ts';
export { readSentFile } from './sent-file.ts';
export { createLineFinder } from './yaml-places.ts';
