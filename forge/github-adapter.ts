/** GitHub as the code host of this installation. */
import { capabilitiesOf, type ForgeAdapter } from '#ports/roles';
import type { SystemClock } from '#ports/processes';
import { createAccountCredentials, createForgeCredentials, type ForgeCredentials } from './credentials.ts';
import { createGitHubForge } from './github.ts';
import { isRepositoryAt } from './github-facts.ts';

/** The App is used where it is installed, the token elsewhere. */
export type GitHubSettings = {
  token: string | null;
  app: { id: string; key: string } | null;
  apiUrl: string;
  serverUrl: string;
};

export type GitHubAdapter = ForgeAdapter & { credentials: ForgeAdapter['credentials'] & ForgeCredentials };

const USER_AGENT = 'agentpr';

export const createGitHubAdapter = (
  { apiUrl, serverUrl, token, app }: GitHubSettings,
  clock: SystemClock,
): GitHubAdapter => {
  const credentials =
    app === null
      ? createAccountCredentials(token ?? '')
      : createForgeCredentials({ apiUrl, token, app, clock });
  return {
    name: 'GitHub',
    isRepository: isRepositoryAt(serverUrl),
    credentials: {
      ...credentials,
      mayWork: async (repo) => credentials.hasAccount || (await credentials.app(repo)) !== null,
    },
    connect: ({ limiter, ...more }) => {
      const forge = createGitHubForge({
        ...more,
        apiUrl,
        userAgent: USER_AGENT,
        clock,
        token: (repo, refused) => credentials.token(repo, refused),
        ...(app === null ? {} : { app: credentials }),
        ...(limiter ? { writer: { identity: (repo) => credentials.identity(repo), limiter } } : {}),
      });
      const { roles, branchHead } = forge;
      return { roles, port: forge, capabilities: capabilitiesOf(roles), branchHead };
    },
  };
};
