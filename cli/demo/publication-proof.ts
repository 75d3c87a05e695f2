/** Proves that the code host's repository contains exactly what was approved. */
import { canonicalJson, type SealFields } from '#model/seal';
import { MINUTE } from '#model/values';
import { withoutReceipt } from '#pull-text';
import type { Run } from '#run';
import { sha256Hex } from '#runtime';
import { spawnProcess } from '#process';
import type { PullView, RepoHandle } from '#playground';
import type { DemoStage, DemoWords } from './demo-stage.ts';

export type PublicationProof = { holds: boolean; lines: string[]; seal: string };
type Approval = NonNullable<Run['gate']['consumedApproval']>;
type Proving = Pick<DemoStage, 'github' | 'words'> & { app: Pick<DemoStage['app'], 'ledger'> };
type Claim = [text: string, holds: boolean | null];

const PROOF_MARKS = { true: '✔', false: '✘', null: '·' } as const;
const shortenSha = (sha: string): string => sha.slice(0, 10);
const shortenSealFields = ({
  headSha,
  tree,
  diff,
}: SealFields): Record<'commit' | 'tree' | 'diff', string> => ({
  commit: shortenSha(headSha),
  tree: shortenSha(tree),
  diff: shortenSha(diff),
});
const isGone = (sha: string): boolean => /^0+$/.test(sha);

const runGit = async (dir: string, args: string[]): Promise<Buffer> => {
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
const hasSealedContent = async (
  dir: string,
  { headSha, tree, diff, mergeBase }: SealFields,
): Promise<boolean> => {
  const there = (await runGit(dir, ['rev-parse', `${headSha}^{tree}`])).toString().trim();
  const changes = await runGit(dir, ['diff-tree', '-r', '-z', '--no-renames', mergeBase, headSha]);
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
  const listOwnPushes = (from: number, to?: number): string[] =>
    host.pushes
      .slice(from, to)
      .filter(({ ref, refused, by }) => refs.includes(ref) && refused === null && by === author)
      .map((push) => push.new)
      .filter((sha) => !isGone(sha));
  return { before: listOwnPushes(0, pushesBefore), after: listOwnPushes(pushesBefore) };
};

const listSignedTexts = (fields: SealFields, fixes: readonly Approval[]): string[] => [
  fields.body,
  ...fixes.flatMap((fix) => fix.fields.pullBody ?? []),
];

const proveOpening = async (
  { proof: says }: DemoWords,
  host: RepoHandle,
  pull: PullView,
  { fields }: Approval,
  fixes: readonly Approval[],
): Promise<Claim[]> => {
  const [first, ...later] = pull.writings;
  const { before } = pushesTo(host, fields.branch, pull);
  const earlier = new Set(before.filter((sha) => sha !== fields.headSha)).size;
  const texts = listSignedTexts(fields, fixes).map((text) => text.trimEnd());
  const isSigned = (text: string): boolean =>
    texts.some((one) => withoutReceipt(text).trimEnd().endsWith(one));
  const ours = later.filter(({ by }) => by === pull.author);
  return [
    [
      says.opened(shortenSealFields(fields)),
      first?.headSha === fields.headSha && (await hasSealedContent(host.dir, fields)),
    ],
    [
      says.text(),
      first?.title === fields.title &&
        withoutReceipt(first.body).trimEnd() === texts[0] &&
        ours.every(({ body }) => isSigned(body)),
    ],
    ...formatCountClaims(later.length - ours.length, says.edited),
    ...formatCountClaims(earlier, says.candidates),
  ];
};

const formatCountClaims = (n: number, say: (of: { n: number }) => string): Claim[] =>
  n === 0 ? [] : [[say({ n }), null]];

const proveFixes = async (
  { proof: says }: DemoWords,
  host: RepoHandle,
  pull: PullView,
  { fields: { branch, headSha } }: Approval,
  fixes: readonly Approval[],
): Promise<Claim[]> => {
  const { after } = pushesTo(host, branch, pull);
  const there = fixes.filter(({ fields }) => after.includes(fields.headSha));
  const claims: Claim[] = [];
  for (const { fields } of there)
    claims.push([says.fix(shortenSealFields(fields)), await hasSealedContent(host.dir, fields)]);
  const signed = new Set(there.map(({ fields }) => fields.headSha));
  const isTheirs = ![headSha, ...after].includes(pull.headSha);
  return [
    ...claims,
    ...formatCountClaims(fixes.length - there.length, says.unpushed),
    ...(isTheirs ? [[says.theirs({ commit: shortenSha(pull.headSha) }), null] as Claim] : []),
    [
      says.nothingElse({ commit: isTheirs ? null : shortenSha(pull.headSha) }),
      after.every((sha) => signed.has(sha)) && (isTheirs || pull.headSha === (after.at(-1) ?? headSha)),
    ],
  ];
};

const proveAnswers = (
  { proof: says }: DemoWords,
  repo: RepoHandle,
  pull: PullView,
  states: readonly Run[],
): Claim[] => {
  const answers = repo.lineComments(pull.number).filter((one) => one.user === pull.author);
  const threads = new Set(answers.map(({ inReplyTo }) => inReplyTo));
  const posted = new Set(
    states
      .flatMap(({ review: { postedReplies: replied } }) => replied?.outcomes ?? [])
      .map(({ thread }) => thread),
  );
  const holds = threads.size === answers.length && answers.every((one) => posted.has(String(one.inReplyTo)));
  return answers.length === 0 ? [] : [[says.answers({ n: answers.length }), holds]];
};

const hostOf = (github: DemoStage['github'], run: Run): RepoHandle =>
  github.repo(run.target.fork?.repo ?? run.order.repo);
const proveNoMerge = ({ github, words }: Proving): Claim => [
  words.proof.unmerged(),
  github.mergeCalls().length === 0,
];

const proveNothing = async (proving: Proving, run: Run): Promise<PublicationProof> => {
  const {
    github,
    words: { proof: says },
  } = proving;
  const host = hostOf(github, run);
  const { branch } = run.change.pushedHead ?? { branch: null };
  const owner = host.fullName.split('/')[0];
  const pulls = github.repo(run.order.repo).pulls.filter(({ head }) => head === `${owner}:${branch}`);
  const left = branch === null ? null : await host.head(branch);
  return proofOf([
    [says.unopened(), pulls.length === 0],
    branch === null
      ? [says.nothing(), true]
      : [says.branchGone({ branch }), left === null || !run.change.ownCommits.includes(left)],
    proveNoMerge(proving),
  ]);
};

export const provePublication = async (
  proving: Proving,
  states: readonly Run[],
): Promise<PublicationProof> => {
  const { app, github, words } = proving;
  const { proof: says } = words;
  const run = states.at(-1);
  if (!run) return proofOf([[says.run(), false]]);
  if (!run.upstream.pullRequest) return proveNothing(proving, run);
  const repo = github.repo(run.order.repo);
  const pull = repo.pulls.find(({ number }) => `#${number}` === run.upstream.pullRequest?.id);
  const used = approvalsOf(states);
  const opening = used.findLast(({ kind }) => kind === 'open_pr');
  if (!pull || !opening) return proofOf([[says.approval(), false]]);
  const host = hostOf(github, run);
  const fixes = used.slice(used.indexOf(opening) + 1).filter(({ kind }) => kind === 'push');
  const rows = await app.ledger.query.approvals({ runId: run.id, state: 'consumed' });
  const once = used.every((a) =>
    rows.some(
      (r) => r.id === a.id && r.consumedBy !== null && r.digest === sha256Hex(canonicalJson(a.fields)),
    ),
  );
  const claims: Claim[] = [
    [says.pull({ number: pull.number }), repo.pulls.filter(({ head }) => head === pull.head).length === 1],
    ...(await proveOpening(words, host, pull, opening, fixes)),
    ...(await proveFixes(words, host, pull, opening, fixes)),
    ...proveAnswers(words, repo, pull, states),
    [says.once({ n: used.length }), once],
    proveNoMerge(proving),
  ];
  const above = [says.seal(opening), says.approved(opening)];
  return proofOf(claims, above, opening.digest);
};
