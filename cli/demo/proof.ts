/**
 * Shows that what the code host holds is what was approved, byte for byte, from the host's own
 * repository.
 */
import { canonical, type SealFields } from '../../orchestrator/core/seal.ts';
import { withoutReceipt } from '../../orchestrator/core/publish/publish.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { sha256 } from '../../orchestrator/engine/digest.ts';
import type { Ledger } from '../../orchestrator/ports.ts';
import { spawnProcess } from '../../executors/process/spawn.ts';
import type { GitHub } from '#playground';
import { MINUTE } from '../../orchestrator/core/units.ts';

export type Proof = { holds: boolean; lines: string[]; seal: string };

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

/** What was used up over the run's life, in order. */
const approvalsOf = (states: readonly Run[]): NonNullable<Run['consumed']>[] => [
  ...new Map(states.flatMap(({ consumed }) => (consumed ? [[consumed.id, consumed]] : []))).values(),
];

/**
 * Tells whether the host's own repository holds exactly the sealed commit: git there must give the
 * same tree and the same list of changes.
 */
const holds = async (dir: string, { headSha, tree, diff, mergeBase }: SealFields): Promise<boolean> => {
  const there = (await git(dir, ['rev-parse', `${headSha}^{tree}`])).toString().trim();
  const changes = await git(dir, ['diff-tree', '-r', '-z', '--no-renames', mergeBase, headSha]);
  return there === tree && sha256(changes) === diff;
};

/** `states` are all the states the run went through. */
export const provePull = async (ledger: Ledger, github: GitHub, states: readonly Run[]): Promise<Proof> => {
  const run = states.at(-1);
  if (!run) return { holds: false, lines: ['✘ There is no run.'], seal: '' };
  const repo = github.repo(run.order.repo);
  const [pull] = repo.pulls;
  const used = approvalsOf(states);
  const opening = used.find((a) => a.kind === 'open_pr');
  if (!pull || !opening)
    return { holds: false, lines: ['✘ There is no pull request with an approval.'], seal: '' };
  const rows = await ledger.query.approvals({ runId: run.id, state: 'consumed' });
  const { fields } = opening;
  const fixes = used.filter((a) => a.kind === 'push' && a.fields.headSha !== fields.headSha);
  // A signed fix brings its description along.
  const described = fixes.findLast((a) => a.fields.pullBody !== undefined)?.fields.pullBody ?? fields.body;
  // The branch may have been taken away since.
  const heads = (run.fork ? github.repo(run.fork.repo) : repo).pushes
    .filter((p) => p.refused === null && p.ref.endsWith(fields.branch) && !/^0+$/.test(p.new))
    .map((p) => p.new);
  const short = (sha: string): string => sha.slice(0, 10);
  const checks: [string, boolean][] = [
    [`one pull request: #${pull.number}`, repo.pulls.length === 1],
    [
      `it was opened with commit ${short(fields.headSha)}, tree ${short(fields.tree)}, diff sha256:${short(fields.diff)}…: the approved ones`,
      heads[0] === fields.headSha && (await holds(repo.dir, fields)),
    ],
    [
      'title and description are the approved ones',
      pull.title === fields.title && withoutReceipt(pull.body ?? '').trimEnd() === described.trimEnd(),
    ],
  ];
  for (const { fields: fix } of fixes)
    checks.push([
      `the fix ${short(fix.headSha)}, tree ${short(fix.tree)}, diff sha256:${short(fix.diff)}… is the approved one`,
      heads.includes(fix.headSha) && (await holds(repo.dir, fix)),
    ]);
  const answers = repo.lineComments(pull.number).filter((one) => one.user === pull.author);
  const threads = new Set(answers.map(({ inReplyTo }) => inReplyTo));
  const posted = new Set(
    states.flatMap(({ replied }) => replied?.outcomes ?? []).map(({ thread }) => thread),
  );
  if (answers.length > 0)
    checks.push([
      `${answers.length} answers were posted, each once, in the threads that were signed for`,
      threads.size === answers.length && answers.every(({ inReplyTo }) => posted.has(String(inReplyTo))),
    ]);
  checks.push(
    [
      `its head is ${short(pull.headSha)}, and nothing else was pushed`,
      heads.at(-1) === pull.headSha && heads.length === 1 + fixes.length,
    ],
    [
      `each of ${used.length} approvals was used exactly once`,
      used.every((a) =>
        rows.some((r) => r.id === a.id && r.consumedBy !== null && r.digest === sha256(canonical(a.fields))),
      ),
    ],
    ['nobody asked for a merge over the API', github.mergeCalls().length === 0],
  );
  return {
    holds: checks.every(([, ok]) => ok),
    seal: opening.digest,
    lines: [
      `Seal sha256:${opening.digest}`,
      `Approved by ${opening.by} (approval ${opening.id})`,
      ...checks.map(([text, ok]) => `  ${ok ? '✔' : '✘'} ${text}`),
    ],
  };
};
