/** Finds contribution rules: the owner's files, a vouch list, the issue, and current rules. */
import { type CompetingPull, type CompetingPulls, ownerOf, workOfTitle } from '#model/pull';
import type { Contract } from '#model/contract';
import type { FailureClass } from '#model/failure';
import { findNamedIssue, type IssueFacts, requirementAnswers } from '#model/requirements';
import { type RunTarget, repositoryOf, type Run } from '../run/run.ts';
import {
  CONTRIBUTOR_LIST_PATHS,
  findDenouncement,
  isOnContributorList,
  findNamedGuides,
  OWNER_FILES,
  OWNER_REPOSITORY,
  type OwnerFiles,
  selectContractFiles,
  mergeCurrentRules,
} from '#discovery';
import { REPOSITORY_FILE } from '#governor';
import { OutsideFailure } from '#ports/forge';
import type { ForgeIssues, ForgeRepository } from '#ports/roles';
import { requireValue, type EffectContext, type TextReader } from '../handlers/effect-context.ts';
import { nameUnreadableCommit, refuseKnownUnreadable } from '../handlers/refuse-unreadable.ts';

type Needs = { forge: ForgeRepository & ForgeIssues };

const HIDDEN_CLASSES: readonly FailureClass[] = [
  'repository_missing',
  'repository_archived',
  'not_allowed',
  'forge_refused',
];

/** Only hidden resources get `fallback`; outages are rethrown, as a rule may be missed. */
export const fallbackUnlessUnavailable = async <T, F>(go: Promise<T>, fallback: F): Promise<T | F> => {
  try {
    return await go;
  } catch (error) {
    // guard: G8-unread-no-permission
    if (!(error instanceof OutsideFailure && HIDDEN_CLASSES.includes(error.class))) throw error;
    return fallback;
  }
};

const ownerPrefix = (repo: string): string => `${ownerOf(repo)}/${OWNER_REPOSITORY}/`;

export const ownerFiles = async (
  { forge }: { forge: ForgeRepository },
  repo: string,
): Promise<OwnerFiles | null> => {
  const name = ownerOf(repo);
  if (name === '' || repo === `${name}/${OWNER_REPOSITORY}`) return null;
  const files = await fallbackUnlessUnavailable(forge.files(`${name}/${OWNER_REPOSITORY}`, OWNER_FILES), []);
  return files.length > 0 ? { name, files } : null;
};

export const readOrderedIssue = async (
  { forge }: Needs,
  run: Pick<Run, 'order'> & { target: Pick<RunTarget, 'renamedTo' | 'requirementAnswers'> },
): Promise<IssueFacts | null> => {
  const { order } = run;
  const { requirementAnswers: answers } = run.target;
  const { issue = '' } = requirementAnswers(answers);
  const id = findNamedIssue(`${issue}\n${order.title ?? ''}\n${order.goal}`, order.repo);
  if (id === null) return null;
  const unread: IssueFacts = { id, state: 'unread', assignees: [], ours: false, labels: [] };
  const login = await fallbackUnlessUnavailable(forge.login(repositoryOf(run)), '');
  const found = await fallbackUnlessUnavailable(forge.issue(repositoryOf(run), id), 'unread' as const);
  if (found === 'unread') return unread;
  if (found === null) return { ...unread, state: 'missing' };
  return { id, ...found, ours: found.assignees.includes(login) };
};

/** F10: open pull requests for the issue, or for the files; an outage is rethrown, as one may be missed. */
export const readIssueWithCompetingPulls = async (
  { forge }: { forge: ForgeIssues },
  run: Run,
  issue: IssueFacts | null,
  paths: readonly string[] = [],
): Promise<{ issue: IssueFacts | null; competingPulls: CompetingPull[] }> => {
  const isThere = issue?.state === 'open' || issue?.state === 'closed';
  if (!isThere && paths.length === 0) return { issue, competingPulls: [] };
  const about = { issue: isThere ? issue.id : null, paths };
  const nobody: CompetingPulls = { pulls: [], unread: 'pulls' };
  const { pulls, unread } = await fallbackUnlessUnavailable(
    forge.competingPulls(repositoryOf(run), about),
    nobody,
  );
  return {
    issue: isThere && unread !== undefined ? { ...issue, pullsUnread: unread } : issue,
    competingPulls: pulls,
  };
};

type Read = (path: string) => string | null;

/** Falls back to the known issue when it is unreadable now. */
export const issueToday = async (
  parts: Needs,
  run: Run,
): Promise<{ issue: IssueFacts | null; competingPulls: CompetingPull[] }> => {
  const now = await readOrderedIssue(parts, run);
  const issue = now?.state === 'unread' ? (run.target.issue ?? now) : now;
  if (issue === null || run.upstream.pullRequest) return { issue, competingPulls: [] };
  return readIssueWithCompetingPulls(parts, run, issue);
};

export const withContributorList = async (
  { forge }: { forge: ForgeRepository },
  contract: Contract,
  read: Read,
): Promise<Contract> => {
  const at = contract.rules.findIndex((r) => r.kind === 'vouch');
  const file = CONTRIBUTOR_LIST_PATHS.find((path) => read(path) !== null);
  const list = file === undefined ? null : read(file);
  if (file === undefined || list === null) return contract;
  const login = await fallbackUnlessUnavailable(forge.login(), '');
  if (login === '') return contract;
  const denounced = findDenouncement(list, login);
  const rule = { kind: 'vouch', value: 'denounced', file } as const;
  if (denounced)
    return {
      ...contract,
      rules: [...contract.rules.filter(({ kind }) => kind !== 'vouch'), { ...rule, ...denounced }],
    };
  if (at < 0 || !isOnContributorList(list, login)) return contract;
  return {
    ...contract,
    rules: contract.rules.with(at, { ...requireValue(contract.rules[at], 'rule'), value: 'listed' }),
  };
};

type RepositoryTree = Awaited<ReturnType<EffectContext['workspaces']['tree']>>;

const MOST_STEPS = 2;
/** What discovery reads, and then the files that guides name for contributors. */
export const readContractFiles = async (
  tree: RepositoryTree,
  more: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> => {
  const files = new Map(await tree.read([...selectContractFiles(tree.paths), ...more]));
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const named = findNamedGuides(tree.paths, (path) => files.get(path) ?? null).filter((p) => !files.has(p));
    if (named.length === 0) break;
    for (const [path, text] of await tree.read(named)) files.set(path, text);
  }
  return files;
};

/** G8: current rules of the base branch; the owner's and the agent's findings stay. */
export const contractToday = async (
  parts: Pick<EffectContext, 'workspaces' | 'ledger'> & TextReader & { forge: ForgeRepository },
  run: Run,
  tip: string | undefined,
): Promise<Contract> => {
  const before = requireValue(run.target.contract, 'contract');
  if (tip === undefined || tip === run.target.base?.sha) return before;
  await refuseKnownUnreadable(parts, run, { id: requireValue(run.target.base, 'base').repoId, sha: tip });
  const tree = await parts.workspaces.tree(run.id, tip);
  const files = await readContractFiles(tree, [REPOSITORY_FILE]);
  const findFileText: Read = (path) => files.get(path) ?? null;
  const now = await nameUnreadableCommit(
    tip,
    parts.texts.reader.contribution({
      paths: tree.paths,
      files,
      work: workOfTitle(run.order.goal),
      repo: repositoryOf(run),
    }),
  );
  const today = await withContributorList(parts, { ...before, ...now }, findFileText);
  return mergeCurrentRules(before, { ...now, rules: today.rules }, ownerPrefix(repositoryOf(run)));
};
