/** Git that trusts no repository: mirrors, remotes, workspaces, and what a change contains. */
export { createRemote, parseServerUrl } from './code-host-remote.ts';
export { findCommitTree } from './find-commit-tree.ts';
export { gitNetworkTo } from './git-network.ts';
export { listMirrors } from './mirror-eviction.ts';
export { DEFAULT_MIRROR_LIMITS, DEFAULT_INSTALL_LIMITS } from './disk-limits.ts';
export { createRepositoryReader } from './reader/repository-reader.ts';
export { checkSigningKey } from './signing-key.ts';
export { assertGit, createGit, gitVersion } from './trusted-git.ts';
export { selectExistingNames, hideAgentSettings } from './workspace/hide-agent-settings.ts';
export { findRunTree } from './workspace/find-run-tree.ts';
export { createNotes } from './workspace/run-notes.ts';
export { createWorkspaces } from './workspace/workspace.ts';
