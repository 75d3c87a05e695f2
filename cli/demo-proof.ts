/** Shows that what the code host holds is what was approved, byte for byte, from the host's own repository. */
import { canonical } from '../orchestrator/core/seal.ts';
import { withoutReceipt } from '../orchestrator/core/publish.ts';
import type { Run } from '../orchestrator/core/run.ts';
import { sha256 } from '../orchestrator/digest.ts';
import type { Ledger } from '../orchestrator/ports.ts';
import { spawnProcess } from '../executors/spawn.ts';
import type { GitHub } from '../playground/index.ts';

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
    timeoutMs: 60_000,
    maxOutputBytes: 200_000_000,
  });
  return ended.stdoutBytes;
};

export const provePull = async (ledger: Ledger, github: GitHub, run: Run): Promise<Proof> => {
  const repo = github.repo(run.order.repo);
  const pull = repo.pulls[0];
  const fields = run.proposal?.fields;
  const approval = (await ledger.query.approvals({ runId: run.id, state: 'consumed' })).find(
    (a) => a.kind === 'open_pr',
  );
  if (!pull || !fields || !approval || !run.consumed)
    return { holds: false, lines: ['✘ There is no pull request with an approval.'], seal: '' };
  const tree = (await git(repo.dir, ['rev-parse', `${pull.headSha}^{tree}`])).toString().trim();
  const patch = await git(repo.dir, [
    'diff-tree',
    '-p',
    '--binary',
    '--full-index',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '-a',
    fields.mergeBase,
    pull.headSha,
  ]);
  const checks: [string, boolean][] = [
    [`one pull request: #${pull.number}`, repo.pulls.length === 1],
    [`head ${pull.headSha} is the approved one`, pull.headSha === fields.headSha],
    [`tree ${tree} is the approved one`, tree === fields.tree],
    [`diff sha256:${sha256(patch).slice(0, 16)}… is the approved one`, sha256(patch) === fields.diff],
    [
      'title and description are the approved ones',
      pull.title === fields.title && withoutReceipt(pull.body ?? '').trimEnd() === fields.body.trimEnd(),
    ],
    [
      'the approval was used exactly once',
      approval.digest === sha256(canonical(fields)) && approval.consumedBy !== null,
    ],
    ['nobody asked for a merge over the API', github.mergeCalls().length === 0],
  ];
  const signer = `Approved by ${run.consumed.by} (approval ${approval.id})`;
  const lines = [
    `Seal sha256:${approval.digest}`,
    signer,
    ...checks.map(([text, ok]) => `  ${ok ? '✔' : '✘'} ${text}`),
  ];
  return { holds: checks.every(([, ok]) => ok), lines, seal: approval.digest };
};
