/** What `agentpr doctor` and `agentpr init` say of the credentials for GitHub: what is there, what is missing, and what for. */
import { credentialsOf } from '../app/github-credentials.ts';
import { failedLine, passedLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import type { WorkConfig } from '../app/config.ts';
import { wayTo } from './doctor-network.ts';
import { failureWords } from './failure-words.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { accountRights, appRights, missingScopes, tokenRights, type TokenRights } from '#forge';

const clock = { now: (): number => Date.now() };
const GITHUB_DOCS_HINT = 'See docs/github.md.';

type Lacking = { name: string; level?: string; why: string };
const listed = (missing: readonly Lacking[]): string =>
  missing.map(({ name, level, why }) => `${name}${level ? `: ${level}` : ''} (${why})`).join('; ');

/** GitHub has no permission for checks to give to such a token, and tells nothing of workflows. */
const fineGrained = (login: string, { repo, has, missing }: TokenRights): DoctorCheck => {
  const says = `signed in as ${login} with a fine-grained token`;
  const reach =
    'It reaches repositories of the one owner that it was made for, and checks of none. Repositories of others need a classic token.';
  if (repo === null)
    return failedLine('github', `${says} that reaches no repository`, `${reach} ${GITHUB_DOCS_HINT}`);
  const may = `${says}; on ${repo} it may ${has.map(({ name, level }) => `${name}: ${level}`).join(', ') || 'nothing'}`;
  if (missing.length === 0) return warningLine('github', may, `${reach} ${GITHUB_DOCS_HINT}`);
  const fix = `Missing: ${listed(missing)}. ${reach} ${GITHUB_DOCS_HINT}`;
  return missing.some(({ must }) => must) ? failedLine('github', may, fix) : warningLine('github', may, fix);
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
    if (missing.length === 0) return [passedLine('github', says)];
    const fix = `Missing: ${listed(missing)}. ${GITHUB_DOCS_HINT}`;
    return [
      missing.some(({ must }) => must) ? failedLine('github', says, fix) : warningLine('github', says, fix),
    ];
  } catch (error) {
    return [failedLine('github', failureWords(error), stepAfter(error))];
  }
};

const app = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  if (config.github.app === null) return [];
  try {
    const rights = await appRights(credentialsOf(config, clock));
    if (!rights || rights.on.length === 0)
      return [
        failedLine(
          'app',
          `${rights?.login ?? 'The App'} is installed nowhere`,
          'Install it on an account in its settings.',
        ),
      ];
    return rights.on.map(({ owner, suspended, missing }) => {
      const says = `${rights.login} is installed on ${owner}`;
      if (suspended)
        return warningLine('app', `${says}, and suspended`, `${owner} can lift that in the settings.`);
      if (missing.length === 0) return passedLine('app', `${says} with all permissions`);
      const fix = `Missing: ${listed(missing)}. ${GITHUB_DOCS_HINT}`;
      return missing.some(({ must }) => must) ? failedLine('app', says, fix) : warningLine('app', says, fix);
    });
  } catch (error) {
    return [
      failedLine(
        'app',
        failureWords(error),
        'Check GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY and GITHUB_API_URL.',
      ),
    ];
  }
};

export const githubChecks = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const way = wayTo(config, config.github.apiUrl);
  const checks = [...(await account(config)), ...(await app(config))];
  return checks.map((check) => (check.ok ? { ...check, says: `${check.says}${way}` } : check));
};
