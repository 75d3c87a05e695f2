/** GitHub out: the adapter of the code host, its credentials and their rights. */
export {
  type AppManifest,
  type CreatedGitHubApp,
  exchangeManifestCode,
  appCreationUrl,
  createAppManifest,
} from './app-manifest.ts';
export type { ForgeCredentials } from './credentials.ts';
export { parsePrivateKey } from './private-key.ts';
export { isRepositoryName } from './repository-name.ts';
export { createGitHubClient } from './github-client.ts';
export {
  BaseRepository,
  CheckRun,
  CommitStatus,
  idSchema,
  isRepositoryAt,
  toCheckRunFact,
  toStatusFact,
  pullId,
  PullMetadata,
  toPullShown,
} from './github-facts.ts';
export { createGitHubAdapter, type GitHubAdapter, type GitHubSettings } from './github-adapter.ts';
export { repositoryHasLabel } from './repository-has-label.ts';
export { missingScopes } from './required-permissions.ts';
export {
  readAccountRights,
  type AccountRights,
  appRights,
  readTokenRights,
  type TokenRights,
} from './token-rights.ts';
