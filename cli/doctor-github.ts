/** Checks the GitHub credentials for `doctor` and `init`. */
import { forgeIn } from '../app/forges.ts';
import { failureLine, goodLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import type { WorkConfig } from '../app/config.ts';
import { wayTo } from './doctor-network.ts';
import { failureWords } from './failure-words.ts';
import type { MissingRight } from '#language';
import { OutsideFailure } from '#ports/forge';
import { accountRights, appRights, missingScopes, tokenRights, type TokenRights } from '#forge';

const clock = { now: (): number => Date.now() };

type Way = ReturnType<typeof wayTo>;
type Missing = Omit<MissingRight, 'level'> & { level?: string; must: boolean };
const toMissingRights = (missing: readonly Missing[]): MissingRight[] =>
  missing.map(({ name, level = null }) => ({ name, level }));
const lineFor = (missing: readonly Missing[]): typeof goodLine =>
  missing.length === 0 ? goodLine : missing.some(({ must }) => must) ? failureLine : warningLine;

/** GitHub offers no checks permission for fine-grained tokens, and reports none for workflows. */
const fineGrained = (login: string, { repo, has, missing }: TokenRights, way: Way): DoctorCheck => {
  if (repo === null) return failureLine('github', { kind: 'github_fine_nowhere', login });
  const check = missing.length === 0 ? warningLine : lineFor(missing);
  const may = has.map(({ name, level }) => `${name}: ${level}`);
  return check('github', {
    kind: 'github_fine',
    login,
    repo,
    has: may,
    missing: toMissingRights(missing),
    way,
  });
};

const classifyGithubFailure = (error: unknown): 'github_unknown' | 'github_away' | 'github_refused' => {
  const failure = error instanceof OutsideFailure ? error : null;
  if (failure?.status === 401) return 'github_unknown';
  return failure?.class === 'forge_unavailable' ? 'github_away' : 'github_refused';
};

const checkAccount = async (config: WorkConfig, way: Way): Promise<DoctorCheck[]> => {
  const { apiUrl, token } = config.github;
  if (token === null) return [];
  try {
    const { login, scopes } = await accountRights({ apiUrl, token, clock });
    if (scopes === null) return [fineGrained(login, await tokenRights({ apiUrl, token }), way)];
    const missing = missingScopes(scopes);
    const given = scopes.filter(Boolean);
    return [
      lineFor(missing)('github', {
        kind: 'github',
        login,
        scopes: given,
        missing: toMissingRights(missing),
        way,
      }),
    ];
  } catch (error) {
    const kind = classifyGithubFailure(error);
    return [failureLine('github', { kind, cause: failureWords(error) })];
  }
};

const checkApp = async (config: WorkConfig, way: Way): Promise<DoctorCheck[]> => {
  if (config.github.app === null) return [];
  try {
    const rights = await appRights(forgeIn(config, clock).credentials);
    if (!rights || rights.on.length === 0)
      return [failureLine('app', { kind: 'app_nowhere', login: rights?.login ?? null })];
    const { login } = rights;
    return rights.on.map(({ owner, suspended, missing }) =>
      suspended
        ? warningLine('app', { kind: 'app_suspended', login, owner, way })
        : lineFor(missing)('app', { kind: 'app', login, owner, missing: toMissingRights(missing), way }),
    );
  } catch (error) {
    return [failureLine('app', { kind: 'app_refused', cause: failureWords(error) })];
  }
};

export const githubChecks = async (config: WorkConfig): Promise<DoctorCheck[]> => {
  const way = wayTo(config, config.github.apiUrl);
  return [...(await checkAccount(config, way)), ...(await checkApp(config, way))];
};
