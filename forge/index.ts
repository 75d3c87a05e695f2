/** GitHub out: the adapter of the code host, its credentials and their rights. */
export {
  type AppManifest,
  type CreatedGitHubApp,
  exchangeManifestCode,
  makeAppAt,
  manifestFor,
} from './app-manifest.ts';
export { type ForgeCredentials, privateKey } from './credentials.ts';
export { createClient } from './github-client.ts';
export {
  BaseRepository,
  CheckRun,
  CommitStatus,
  idSchema,
  isRepository,
  isRepositoryAt,
  ofCheckRun,
  ofStatus,
  pullId,
  PullMetadata,
  toPullShown,
} from './github-facts.ts';
export { createGitHubAdapter, type GitHubAdapter, type GitHubSettings } from './github-adapter.ts';
export { repositoryHasLabel } from './repository-labels.ts';
export { missingScopes } from './required-permissions.ts';
export {
  accountRights,
  type AccountRights,
  appRights,
  tokenRights,
  type TokenRights,
} from './token-rights.ts';
