/** A hundred unusual cards, judged by the real policies: no checks, binary changes, any script. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { CheckResult } from '#model/evidence';
import type { DiffFacts, FileChange, Finding } from '#model/change';
import type { CompetingPull } from '#model/pull';
import type { SealFields } from '#model/seal';
import type { ClusterView } from '#model/chat';
import { assessAction } from '../../governor/assess-action.ts';
import { gradeAttempt } from '../../governor/grade-attempt.ts';
import type { Run } from '#run';
import type { ViewScene } from '../../bot/views/scene.ts';
import type { ApprovalRow } from '#ports/ledger';
import type { ClusterScene } from '../../bot/views/cluster-card.ts';
import { context, contract } from './actions.ts';
import { aRun } from './ledger.ts';
import { HEAD, someCommit, someProposal } from './ready-run.ts';

export const NOON = Date.UTC(2026, 0, 5, 12, 0);
const OPEN_FOR = 3_240_000;

/** Expected content of the card. */
export type OddCard = {
  title: string;
  files: readonly FileChange[];
  checks?: readonly CheckResult[];
  findings?: readonly Finding[];
  patch?: string;
  repo?: string;
  kind?: 'open_pr' | 'push' | 'fix' | 'both';
  run?: RunPatch;
  fields?: Partial<SealFields>;
  needed?: number;
  signed?: readonly string[];
};

export const file = (
  path: string,
  added: number,
  deleted: number,
  more: Partial<FileChange> = {},
): FileChange => ({
  path,
  oldPath: null,
  status: 'modified',
  oldMode: '100644',
  newMode: '100644',
  added,
  deleted,
  binary: false,
  ...more,
});

export const ran = (command: string, more: Partial<CheckResult> = {}): CheckResult => ({
  name: command.split(' ').at(-1) ?? command,
  command,
  exitCode: more.outcome === undefined || more.outcome === 'passed' ? 0 : 1,
  outcome: 'passed',
  ms: 900,
  tail: '',
  ...more,
});
type Before = NonNullable<CheckResult['onBase']>;
export const failedBefore: Before = { outcome: 'failing', excused: false, newFailures: [] };
export const redBefore: Before = { outcome: 'failing', excused: true, newFailures: [] };

const diffOf = ({ files, findings = [], patch = '' }: OddCard): DiffFacts => ({
  files: [...files],
  added: files.reduce((n, f) => n + f.added, 0),
  deleted: files.reduce((n, f) => n + f.deleted, 0),
  digest: 'a'.repeat(64),
  bytes: patch.length,
  documentBytes: patch.length,
  findings: [...findings],
});

export const patchOf = (path: string, ...lines: readonly string[]): string =>
  [
    `diff --git a/${path} b/${path}`,
    'index 1..2 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    '@@ -1,3 +1,3 @@',
    ...lines,
    '',
  ].join('\n');

const isPush = (kind: OddCard['kind']): boolean => kind === 'push' || kind === 'fix';

export const sceneOf = (odd: OddCard, now = NOON): ViewScene => {
  const {
    title,
    checks = [ran('npm test')],
    kind = 'open_pr',
    repo = 'acme/patient',
    needed = 1,
    signed = [],
  } = odd;
  const commit = { ...someCommit(diffOf(odd)), message: `${title}\n` };
  const change = { commit, branch: 'fix/waits', baseRef: 'main', passed: true, checks: [...checks] };
  const words = { title, body: 'Says what it changes.', draft: false };
  const assessment = isPush(kind)
    ? assessAction({ kind: 'push', iteration: kind === 'fix', ...change }, context)
    : assessAction({ kind: 'open_pr', ...change, ...words }, context);
  const grade = gradeAttempt({
    commit,
    checks: [...checks],
    contract,
    ordered: true,
    summary: '',
    claims: { status: 'done', ran: [] },
  });
  const pushes = kind === 'both' ? ({ pushes: true } as const) : {};
  const proposal = someProposal({
    action: isPush(kind) ? 'push' : 'open_pr',
    title,
    assessment,
    ...pushes,
    ...odd.fields,
  });
  const approval = {
    id: 'a',
    kind: isPush(kind) ? ('push' as const) : ('open_pr' as const),
    digest: proposal.digest,
    expiresAt: now + OPEN_FOR,
    needed,
    signatures: signed.map((name) => ({ id: name, name, at: now })),
  };
  const pr = { id: '#12', url: `https://github.com/${repo}/pull/12` };
  const open: RunPatch =
    kind === 'fix'
      ? {
          lifecycle: { state: 'ITERATING' },
          upstream: { pullRequest: pr },
          change: { pushedHead: { branch: 'fix/waits', sha: 'c'.repeat(40) } },
        }
      : kind === 'open_pr'
        ? { lifecycle: { state: 'PUSHED' }, change: { pushedHead: { branch: 'fix/waits', sha: HEAD } } }
        : { lifecycle: { state: 'LOCAL_VALIDATING' } };
  const run: Run = patchRun(
    aRun('r7k2', now - 600_000, { repo, goal: title.slice(0, 500) || 'Mend it' }),
    {
      target: { base: { ref: 'main', sha: commit.base, repoId: '1' } },
      change: {
        commit,
        evaluation: { commitSha: HEAD, passed: true, checks: [...checks], assessment, grade },
      },
      gate: { proposal, approval },
      agent: { containment: 'bwrap' },
      lifecycle: { workedMs: 360_000 },
    },
    open,
    odd.run ?? {},
  );
  const row: ApprovalRow = {
    id: 'a',
    kind: approval.kind,
    digest: proposal.digest,
    expiresAt: now + OPEN_FOR,
    needed,
    runId: run.id,
    state: 'open',
    reason: null,
    consumedBy: null,
    passedTo: null,
    openedAt: now,
    closedAt: null,
  };
  const patch = odd.patch === undefined ? null : { text: odd.patch, omitted: 0 };
  return { run, approval: row, attempts: [], patch, now, serverUrl: 'https://github.com' };
};

const WAITS = file('src/waits.js', 2, 2);
const WAITS_TEST = file('test/waits.test.js', 6, 0);
const MEND: Pick<OddCard, 'title' | 'files' | 'patch'> = {
  title: 'Wait as long as the README says before the first retry',
  files: [WAITS_TEST, WAITS, file('CHANGELOG.md', 4, 0)],
  patch: [
    patchOf(
      'CHANGELOG.md',
      ' # Changelog',
      '+',
      '+## Unreleased',
      '+',
      '+- The first wait is as long as documented.',
    ),
    patchOf('src/waits.js', ' const waits = [];', '-  factor ** failed,', '+  factor ** (failed - 1),'),
    patchOf(
      'test/waits.test.js',
      '+test("waits as long as the README says", () => {',
      '+  assert.deepEqual(waits({ tries: 4 }), [100, 200, 400]);',
      '+});',
    ),
  ].join(''),
};

const WORKFLOW = file('.github/workflows/test.yml', 12, 0, { status: 'added', oldMode: '000000' });
const many = (n: number, at = (i: number): string => `src/part-${i}.ts`): FileChange[] =>
  Array.from({ length: n }, (_, i) => file(at(i), 3 + (i % 7), i % 4));
const deleted = (path: string, lines: number): FileChange =>
  file(path, 0, lines, { status: 'deleted', newMode: '000000' });
const rival = (id: string, author: string, by: CompetingPull['matchedBy']): CompetingPull => ({
  id,
  author,
  matchedBy: by,
  title: 'The same',
  url: `https://github.com/acme/patient/pull/${id.slice(1)}`,
});

const KINDS: Readonly<Record<string, OddCard>> = {
  usual: MEND,
  mended: { ...MEND, checks: [ran('npm test', { onBase: failedBefore })] },
  flaky: { ...MEND, checks: [ran('npm test', { flaky: true })] },
  'no checks': { title: 'Say what one try does', files: [file('README.md', 3, 1)], checks: [] },
  'red before': {
    ...MEND,
    checks: [ran('npm test', { outcome: 'failed', onBase: redBefore, failing: ['a'] }), ran('npm run lint')],
  },
  'no test ran': { ...MEND, checks: [ran('npm test', { outcome: 'ran_no_test', exitCode: 0 })] },
  'not run': {
    ...MEND,
    checks: [ran('cargo test', { outcome: 'not_run', exitCode: null }), ran('npm test')],
  },
  'six checks': {
    ...MEND,
    checks: ['test', 'lint', 'types', 'build', 'format', 'docs'].map((one) => ran(`npm run ${one}`)),
  },
  workflow: {
    title: 'Run npm test on each pull request',
    files: [WORKFLOW],
    kind: 'both',
    patch: patchOf(
      WORKFLOW.path,
      '+name: test',
      '+on: pull_request',
      '+jobs:',
      '+  test:',
      '+    runs-on: ubuntu-latest',
    ),
  },
  'three risks': {
    title: 'Move the build to Node 24',
    kind: 'both',
    files: [
      WORKFLOW,
      file('package.json', 2, 2),
      file('package-lock.json', 300, 280),
      file('scripts/install.sh', 4, 1, { newMode: '100755' }),
      deleted('test/old.test.js', 40),
    ],
    findings: [
      { kind: 'test_removed', path: 'test/old.test.js', line: 0, note: { kind: 'test_file_deleted' } },
    ],
  },
  '300 files': { title: 'Replace var by const', files: many(300), kind: 'both' },
  'binary only': {
    title: 'Compress the logo',
    files: [file('assets/logo.png', 0, 0, { binary: true })],
    kind: 'both',
  },
  'mode only': {
    title: 'Make the release script executable',
    files: [file('release.sh', 0, 0, { newMode: '100755' })],
    kind: 'both',
  },
  'rename only': {
    title: 'Name the module after what it exports',
    files: [file('src/waits.ts', 0, 0, { status: 'renamed', oldPath: 'src/delay.ts' })],
  },
  deletions: {
    title: 'Remove the adapter that nobody loads',
    files: [deleted('src/old/adapter.ts', 240), deleted('src/old/index.ts', 12)],
    kind: 'both',
  },
  'right to left': { title: 'إصلاح وقت الانتظار الأول في ‮patient‬', files: [WAITS] },
  'very long title': { title: 'Wait longer '.repeat(342).slice(0, 4_096), files: [WAITS] },
  'one long word': { title: 'W'.repeat(4_096), files: [WAITS] },
  'tappable title': {
    title: 'Ask @ana about https://evil.example and /cancel r7k2 <b>now</b> #12',
    files: [WAITS],
  },
  'empty title': { title: '', files: [WAITS] },
  'five rivals': {
    ...MEND,
    run: {
      target: {
        competingPulls: ['#3', '#4', '#5', '#6', '#7'].map((id, i) =>
          rival(id, `dev-${i}`, i % 2 === 0 ? 'issue' : 'files'),
        ),
      },
    },
  },
  conflicts: { ...MEND, kind: 'push', fields: { conflicts: true } },
  'two of three': { ...MEND, needed: 3, signed: ['Ana', 'Bo'] },
  'none of two': { ...MEND, needed: 2 },
  fix: { ...MEND, title: 'Name the limit in the README', kind: 'fix' },
  fork: { ...MEND, run: { target: { fork: { repo: 'agentpr-bot/patient', id: '9' } } } },
  'weak sandbox': { ...MEND, run: { agent: { containment: 'group' } } },
  'left out': {
    ...MEND,
    findings: [{ kind: 'hard_link', path: 'pipe', line: 0, note: { kind: 'linked_from_outside' } }],
  },
  'hidden lines': {
    ...MEND,
    kind: 'both',
    findings: [
      { kind: 'hidden_line', path: 'src/waits.js', line: 3, count: 4, note: { kind: 'looks_same' } },
    ],
  },
  'long paths': {
    title: 'Give the field its documented name',
    files: many(
      9,
      (i) => `packages/very-long-name-of-a-package/src/components/part-${i}/of/it/index.module.tsx`,
    ),
  },
  'long repository': { ...MEND, repo: `${'o'.repeat(39)}/${'n'.repeat(100)}` },
  'other people’s words': {
    ...MEND,
    run: {
      gate: {
        editedPrText: { by: 'Ana', title: MEND.title, description: null, original: '', reason: 'shorter' },
      },
    },
  },
  'unseen characters': { title: 'Mend\u200b the\u202e wait\u0007', files: [WAITS] },
};

/** Each kind as it is, and mixed with another one. */
export const oddCards = (): (OddCard & { name: string })[] => {
  const names = Object.keys(KINDS);
  const kindAt = (i: number): [string, OddCard] => {
    const name = names[i % names.length] ?? 'usual';
    return [name, KINDS[name] ?? MEND];
  };
  return Array.from({ length: 100 }, (_, i) => {
    const [name, own] = kindAt(i);
    if (i < names.length) return { ...own, name };
    const [other, mixed] = kindAt(i * 7 + Math.floor(i / names.length) + 3);
    return {
      ...mixed,
      ...own,
      files: [...own.files, ...mixed.files.filter((f) => own.files.every(({ path }) => path !== f.path))],
      findings: [...(own.findings ?? []), ...(mixed.findings ?? [])],
      checks: own.checks ?? mixed.checks ?? [ran('npm test')],
      run: patchRun(mixed.run ?? {}, own.run ?? {}),
      name: `${name}, ${other}`,
    };
  });
};

/** One card for a campaign's alike changes. */
export const waveOf = (repos: readonly string[], now = NOON): { view: ClusterView; scene: ClusterScene } => {
  const members = repos.map((repo, i) => {
    const { run, approval } = sceneOf({ ...MEND, title: 'Say where the package is kept', repo }, now);
    const id = `w${i + 1}abc`;
    const { digest = '' } = approval ?? {};
    return { member: { run: id, approval: 'a', digest, around: 'same' }, run: { ...run, id }, approval };
  });
  return {
    view: {
      view: 'cluster',
      campaign: 'c-7hq2ma',
      kind: 'open_pr',
      members: members.map(({ member }) => member),
      apart: 1,
      left: members.length,
      armedBy: null,
      armedUntil: null,
    },
    scene: {
      members,
      common: {
        title: 'Say where the package is kept',
        text: patchOf('package.json', ' {', '+  "repository": "acme/api",', '   "version": "1.2.0"'),
        as: 'acme/api',
      },
      name: 'Say where packages are kept',
      now,
    },
  };
};
