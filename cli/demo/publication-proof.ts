/** Proves that the code host's repository contains exactly what was approved. */
import { canonicalJson, type SealFields } from '../../orchestrator/model/seal.ts';
import { withoutReceipt } from '#pull-text';
import type { Run } from '../../orchestrator/kernel/run/run.ts';
import { sha256Hex } from '../../orchestrator/kernel/runtime/content-hash.ts';
import type { Ledger } from '../../orchestrator/kernel/ports/index.ts';
import { spawnProcess } from '../../executors/process/spawn.ts';
import type { GitHub, PullView, RepoHandle } from '#playground';
import { MINUTE } from '../../orchestrator/model/units.ts';

export type PublicationProof = { holds: boolean; lines: string[]; seal: string };
type Approval = NonNullable<Run['gate']['consumedApproval']>;
type Claim = [text: string, holds: boolean | null];

const PROOF_MARKS = { true: '✔', false: '✘', null: '·' } as const;
const short = (sha: string): string => sha.slice(0, 10);
const isGone = (sha: string): boolean => /^0+$/.test(sha);

const git = async (dir: string, args: string[]): Promise<Buffer> => {
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: '/nonexistent',
  };
  const ended = await spawnProcess({
    argv: ['git', '-c', 'core.quotePath=false', '--git-dir', dir, ...args],
    cwd: '/',
    env,
    timeoutMs: MINUTE,
    maxOutputBytes: 200_000_000,
  });
  return ended.stdoutBytes;
};

const approvalsOf = (states: readonly Run[]): Approval[] => [
  ...new Map(
    states.flatMap(({ gate: { consumedApproval: consumed } }) => (consumed ? [[consumed.id, consumed]] : [])),
  ).values(),
];

/** Git must compute the same tree and the same list of changes. */
const holds = async (dir: string, { headSha, tree, diff, mergeBase }: SealFields): Promise<boolean> => {
  const there = (await git(dir, ['rev-parse', `${headSha}^{tree}`])).toString().trim();
  const changes = await git(dir, ['diff-tree', '-r', '-z', '--no-renames', mergeBase, headSha]);
  return there === tree && sha256Hex(changes) === diff;
};

const proofOf = (claims: readonly Claim[], above: readonly string[] = [], seal = ''): PublicationProof => ({
  holds: claims.every(([, holds]) => holds !== false),
  seal,
  lines: [...above, ...claims.map(([text, holds]) => `  ${PROOF_MARKS[`${holds}`]} ${text}`)],
});

const pushesTo = (
  host: RepoHandle,
  branch: string,
  { head, author, pushesBefore }: PullView,
): { before: string[]; after: string[] } => {
  // The repository's maintainers may have renamed the branch.
  const refs = [branch, head.slice(head.indexOf(':') + 1)].map((name) => `refs/heads/${name}`);
  const ours = (from: number, to?: number): string[] =>
    host.pushes
      .slice(from, to)
      .filter(({ ref, refused, by }) => refs.includes(ref) && refused === null && by === author)
      .map((push) => push.new)
      .filter((sha) => !isGone(sha));
  return { before: ours(0, pushesBefore), after: ours(pushesBefore) };
};

const signedWords = (fields: SealFields, fixes: readonly Approval[]): string[] => [
  fields.body,
  ...fixes.flatMap((fix) => fix.fields.pullBody ?? []),
];

const openedAs = async (
  host: RepoHandle,
  pull: PullView,
  { fields }: Approval,
  fixes: readonly Approval[],
): Promise<Claim[]> => {
  const [first, ...later] = pull.writings;
  const { before } = pushesTo(host, fields.branch, pull);
  const earlier = new Set(before.filter((sha) => sha !== fields.headSha)).size;
  const texts = signedWords(fields, fixes).map((text) => text.trimEnd());
  const isSigned = (text: string): boolean =>
    texts.some((one) => withoutReceipt(text).trimEnd().endsWith(one));
  const ours = later.filter(({ by }) => by === pull.author);
  return [
    [
      `it was opened with commit ${short(fields.headSha)}, tree ${short(fields.tree)}, diff sha256:${short(fields.diff)}…: the approved ones`,
      first?.headSha === fields.headSha && (await holds(host.dir, fields)),
    ],
    [
      'title and description are the approved ones',
      first?.title === fields.title &&
        withoutReceipt(first.body).trimEnd() === texts[0] &&
        ours.every(({ body }) => isSigned(body)),
    ],
    ...told(later.length - ours.length, 'time', 'times', 'its text was changed by people there'),
    ...told(earlier, 'earlier candidate was', 'earlier candidates were', 'pushed, never opened'),
  ];
};

const told = (n: number, one: string, many: string, what: string): Claim[] =>
  n === 0 ? [] : [[`${n} ${n === 1 ? one : many} ${what}`, null]];

const fixedAs = async (
  host: RepoHandle,
  pull: PullView,
  { fields: { branch, headSha } }: Approval,
  fixes: readonly Approval[],
): Promise<Claim[]> => {
  const { after } = pushesTo(host, branch, pull);
  const there = fixes.filter(({ fields }) => after.includes(fields.headSha));
  const claims: Claim[] = [];
  for (const { fields } of there)
    claims.push([
      `the fix ${short(fields.headSha)}, tree ${short(fields.tree)}, diff sha256:${short(fields.diff)}… is the approved one`,
      await holds(host.dir, fields),
    ]);
  const signed = new Set(there.map(({ fields }) => fields.headSha));
  const isTheirs = ![headSha, ...after].includes(pull.headSha);
  return [
    ...claims,
    ...told(fixes.length - there.length, 'approved fix was', 'approved fixes were', 'never pushed'),
    ...(isTheirs
      ? [[`its head is now ${short(pull.headSha)}, a commit of somebody else`, null] as Claim]
      : []),
    [
      `${isTheirs ? '' : `its head is ${short(pull.headSha)}, and `}nothing else was pushed after it was opened`,
      after.every((sha) => signed.has(sha)) && (isTheirs || pull.headSha === (after.at(-1) ?? headSha)),
    ],
  ];
};

const answeredAs = (repo: RepoHandle, pull: PullView, states: readonly Run[]): Claim[] => {
  const answers = repo.lineComments(pull.number).filter((one) => one.user === pull.author);
  const threads = new Set(answers.map(({ inReplyTo }) => inReplyTo));
  const posted = new Set(
    states
      .flatMap(({ review: { postedReplies: replied } }) => replied?.outcomes ?? [])
      .map(({ thread }) => thread),
  );
  const holds = threads.size === answers.length && answers.every((one) => posted.has(String(one.inReplyTo)));
  return answers.length === 0
    ? []
    : [[`${answers.length} answers were posted, each once, in the threads that were signed for`, holds]];
};

const hostOf = (github: GitHub, run: Run): RepoHandle => github.repo(run.target.fork?.repo ?? run.order.repo);
const unmerged = (github: GitHub): Claim => [
  'nobody asked for a merge over the API',
  github.mergeCalls().length === 0,
];

const proveNothing = async (github: GitHub, run: Run): Promise<PublicationProof> => {
  const host = hostOf(github, run);
  const { branch } = run.change.pushedHead ?? { branch: null };
  const owner = host.fullName.split('/')[0];
  const pulls = github.repo(run.order.repo).pulls.filter(({ head }) => head === `${owner}:${branch}`);
  const left = branch === null ? null : await host.head(branch);
  return proofOf([
    ['no pull request was opened for it', pulls.length === 0],
    branch === null
      ? ['nothing was pushed for it', true]
      : [`its branch ${branch} is gone`, left === null || !run.change.ownCommits.includes(left)],
    unmerged(github),
  ]);
};

export const proveRun = async (
  ledger: Ledger,
  github: GitHub,
  states: readonly Run[],
): Promise<PublicationProof> => {
  const run = states.at(-1);
  if (!run) return proofOf([['there is a run', false]]);
  if (!run.upstream.pullRequest) return proveNothing(github, run);
  const repo = github.repo(run.order.repo);
  const pull = repo.pulls.find(({ number }) => `#${number}` === run.upstream.pullRequest?.id);
  const used = approvalsOf(states);
  const opening = used.findLast(({ kind }) => kind === 'open_pr');
  if (!pull || !opening) return proofOf([['there is a pull request with an approval', false]]);
  const host = hostOf(github, run);
  const fixes = used.slice(used.indexOf(opening) + 1).filter(({ kind }) => kind === 'push');
  const rows = await ledger.query.approvals({ runId: run.id, state: 'consumed' });
  const once = used.every((a) =>
    rows.some(
      (r) => r.id === a.id && r.consumedBy !== null && r.digest === sha256Hex(canonicalJson(a.fields)),
    ),
  );
  const claims: Claim[] = [
    [`one pull request: #${pull.number}`, repo.pulls.filter(({ head }) => head === pull.head).length === 1],
    ...(await openedAs(host, pull, opening, fixes)),
    ...(await fixedAs(host, pull, opening, fixes)),
    ...answeredAs(repo, pull, states),
    [
      used.length === 1
        ? 'its one approval was used exactly once'
        : `each of ${used.length} approvals was used exactly once`,
      once,
    ],
    unmerged(github),
  ];
  const above = [`Seal sha256:${opening.digest}`, `Approved by ${opening.by} (approval ${opening.id})`];
  return proofOf(claims, above, opening.digest);
};
