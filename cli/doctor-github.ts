/** What `agentpr doctor` and `agentpr init` say of the credentials for GitHub: what is there, what is missing, and what for. */
import { credentialsOf } from '../app/credentials.ts';
import { bad, good, warn, type DoctorCheck } from '../app/check-line.ts';
import type { WorkConfig } from '../app/config.ts';
import { wayTo } from './doctor-network.ts';
import { failureWords } from './failure-words.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { accountRights, appRights, missingScopes } from '../forge/rights.ts';
import { tokenRights, type TokenRights } from '../forge/token-rights.ts';

const clock = { now: (): number => Date.now() };
const PAGE = 'See docs/github.md.';

type Lacking = { name: string; level?: string; why: string };
const listed = (missing: readonly Lacking[]): string =>
  missing.map(({ name, level, why }) => `${name}${level ? `: ${level}` : ''} (${why})`).join('; ');

/** GitHub has no permission for checks to give to such a token, and tells nothing of workflows. */
const fineGrained = (login: string, { repo, has, missing }: TokenRights): DoctorCheck => {
  const says = `signed in as ${login} with a fine-grained token`;
  const reach =
    'It reaches repositories of the one owner that it was made for, and checks of none. Repositories of others need a classic token.';
  if (repo === null) return bad('github', `${says} that reaches no repository`, `${reach} ${PAGE}`);
  const may = `${says}; on ${repo} it may ${has.map(({ name, level }) => `${name}: ${level}`).join(', ') || 'nothing'}`;
  if (missing.length === 0) return warn('github', may, `${reach} ${PAGE}`);
  const fix = `Missing: ${listed(missing)}. ${reach} ${PAGE}`;
  return missing.some(({ must }) => must) ? bad('github', may, fix) : warn('github', may, fix);
};

/** Whose turn it is: that of whoever made the token, of the network, or of GitHub. */
const stepAfter = (error: unknown): string => {
  const failure = error instanceof OutsideFailure ? error : null;
  if (failure?.status === 401)
    return 'GitHub does not know the token in GITHUB_TOKEN: make another one, then run `npx agentpr init`.';
  return failure?.class === 'forge_unavailable'
    ? 'It is the way to GitHub, not the token: look at GITHUB_API_URL, HTTPS_PROXY and DNS.'
    : 'Check GITHUB_TOKEN and GITHUB_API_URL.';
};

const account = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const { apiUrl, token } = config.github;
  if (token === null) return [];
  try {
    const { login, scopes } = await accountRights({ apiUrl, token, clock });
    if (scopes === null) return [fineGrained(login, await tokenRights({ apiUrl, token }))];
    const says = `signed in as ${login}, scopes: ${scopes.filter(Boolean).join(', ') || 'none'}`;
    const missing = missingScopes(scopes);
    if (missing.length === 0) return [good('github', says)];
    const fix = `Missing: ${listed(missing)}. ${PAGE}`;
    return [missing.some(({ must }) => must) ? bad('github', says, fix) : warn('github', says, fix)];
  } catch (error) {
    return [bad('github', failureWords(error), stepAfter(error))];
  }
};

const app = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  if (config.github.app === null) return [];
  try {
    const rights = await appRights(credentialsOf(config, clock));
    if (!rights || rights.on.length === 0)
      return [
        bad(
          'app',
          `${rights?.login ?? 'The App'} is installed nowhere`,
          'Install it on an account in its settings.',
        ),
      ];
    return rights.on.map(({ owner, suspended, missing }) => {
      const says = `${rights.login} is installed on ${owner}`;
      if (suspended) return warn('app', `${says}, and suspended`, `${owner} can lift that in the settings.`);
      if (missing.length === 0) return good('app', `${says} with all permissions`);
      const fix = `Missing: ${listed(missing)}. ${PAGE}`;
      return missing.some(({ must }) => must) ? bad('app', says, fix) : warn('app', says, fix);
    });
  } catch (error) {
    return [
      bad('app', failureWords(error), 'Check GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_API_URL.'),
    ];
  }
};

export const githubChecks = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const way = wayTo(config, config.github.apiUrl);
  const checks = [...(await account(config)), ...(await app(config))];
  return checks.map((check) => (check.ok ? { ...check, says: `${check.says}${way}` } : check));
};
