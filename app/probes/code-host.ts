/** Checks the credentials of the code host, and the labels that request changes. */
import type { LanguageTexts, MissingRight } from '#language';
import { OutsideFailure } from '#ports/forge';
import {
  readAccountRights,
  type AccountRights,
  appRights,
  createGitHubClient,
  missingScopes,
  repositoryHasLabel,
  readTokenRights,
  type TokenRights,
} from '#forge';
import { systemClock as clock } from '../clock.ts';
import type { ControlConfig, WorkConfig } from '../config.ts';
import { describeFailure } from '../describe-failure.ts';
import { createConfiguredForge } from '../forges.ts';
import { listWatchedRepositories } from '../watched-repositories.ts';
import { findProxyRoute } from './network.ts';
import { failedResult, goodResult, warningResult, type HostResult, type TokenFault } from './host-result.ts';

type Way = ReturnType<typeof findProxyRoute>;
type Missing = Omit<MissingRight, 'level'> & { level?: string; must: boolean };
const toMissingRights = (missing: readonly Missing[]): MissingRight[] =>
  missing.map(({ name, level = null }) => ({ name, level }));
const lineFor = (missing: readonly Missing[]): typeof goodResult =>
  missing.length === 0 ? goodResult : missing.some(({ must }) => must) ? failedResult : warningResult;

/** GitHub offers no checks permission for fine-grained tokens, and reports none for workflows. */
const fineGrained = (login: string, { repo, has, missing }: TokenRights, way: Way): HostResult => {
  if (repo === null) return failedResult('github', { kind: 'github_fine_nowhere', login });
  const check = missing.length === 0 ? warningResult : lineFor(missing);
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

const tokenFaultOf = (texts: LanguageTexts, error: unknown): TokenFault => {
  const { status, class: of } = error instanceof OutsideFailure ? error : { status: null, class: null };
  return {
    kind: status === 401 ? 'unknown' : of === 'forge_unavailable' ? 'away' : 'refused',
    cause: describeFailure(texts, error),
  };
};

export const fetchAccountRights = async (
  texts: LanguageTexts,
  { apiUrl, token }: { apiUrl: string; token: string },
): Promise<AccountRights | TokenFault> => {
  try {
    return await readAccountRights({ apiUrl, token, clock });
  } catch (error) {
    return tokenFaultOf(texts, error);
  }
};

const TOKEN_FAULTS = { unknown: 'github_unknown', away: 'github_away', refused: 'github_refused' } as const;

type Asked = { config: WorkConfig; texts: LanguageTexts; way: Way };

const checkAccount = async ({ config, texts, way }: Asked): Promise<HostResult[]> => {
  const { apiUrl, token } = config.github;
  if (token === null) return [];
  const reject = ({ kind, cause }: TokenFault): HostResult[] => [
    failedResult('github', { kind: TOKEN_FAULTS[kind], cause }),
  ];
  const found = await fetchAccountRights(texts, { apiUrl, token });
  if ('cause' in found) return reject(found);
  const { login, scopes } = found;
  if (scopes === null)
    return readTokenRights({ apiUrl, token }).then(
      (rights) => [fineGrained(login, rights, way)],
      (error: unknown) => reject(tokenFaultOf(texts, error)),
    );
  const missing = missingScopes(scopes);
  return [
    lineFor(missing)('github', {
      kind: 'github',
      login,
      scopes: scopes.filter(Boolean),
      missing: toMissingRights(missing),
      way,
    }),
  ];
};

const checkApp = async ({ config, texts, way }: Asked): Promise<HostResult[]> => {
  if (config.github.app === null) return [];
  try {
    const rights = await appRights(createConfiguredForge(config, clock).credentials);
    if (!rights || rights.on.length === 0)
      return [failedResult('app', { kind: 'app_nowhere', login: rights?.login ?? null })];
    const { login } = rights;
    return rights.on.map(({ owner, suspended, missing }) =>
      suspended
        ? warningResult('app', { kind: 'app_suspended', login, owner, way })
        : lineFor(missing)('app', { kind: 'app', login, owner, missing: toMissingRights(missing), way }),
    );
  } catch (error) {
    return [failedResult('app', { kind: 'app_refused', cause: describeFailure(texts, error) })];
  }
};

export const checkGitHub = async (config: WorkConfig, texts: LanguageTexts): Promise<HostResult[]> => {
  const asked = { config, texts, way: findProxyRoute(config, config.github.apiUrl) };
  return [...(await checkAccount(asked)), ...(await checkApp(asked))];
};

const MAX_REPOSITORIES = 30;

/** F5: returns nothing when GitHub is unreachable, which other checks report. */
export const checkWatchedLabels = async (config: ControlConfig): Promise<HostResult[]> => {
  const { token } = createConfiguredForge(config, clock).credentials;
  const { apiUrl } = config.github;
  const client = createGitHubClient({ apiUrl, token, userAgent: 'agentpr', clock });
  const missing: { repo: string; label: string | null }[] = [];
  let seen = 0;
  for (const { repo: fullName, label } of listWatchedRepositories(config).slice(0, MAX_REPOSITORIES)) {
    const [owner = '', repo = ''] = fullName.split('/');
    try {
      if (!(await repositoryHasLabel(client, { owner, repo }, label)))
        missing.push({ repo: fullName, label });
      seen += 1;
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      if (error.class === 'repository_missing') missing.push({ repo: fullName, label: null });
    }
  }
  if (missing.length > 0)
    return [
      warningResult('labels', {
        kind: 'labels_missing',
        missing: missing.sort((a, b) => (a.repo < b.repo ? -1 : 1)),
      }),
    ];
  return seen === 0 ? [] : [goodResult('labels', { kind: 'labels', repositories: seen })];
};
