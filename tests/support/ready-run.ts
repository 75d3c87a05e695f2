/** Facts of a change ready for a decision, and the inputs that bring a run there. */
import type { Baseline } from '#model/evidence';
import type { Assessment } from '#model/assessment';
import type { Commit, DiffFacts } from '#model/change';
import type { Proposal, SealFields } from '#model/seal';
import type { Input } from '#inputs';
import type { AgentSession } from '#model/reports';
import { sealFields } from '../../orchestrator/kernel/runtime/content-hash.ts';

export const HEAD = 'd4e5f6'.padEnd(40, '0');
export const BASE = '9f3c1e'.padEnd(40, '0');

export const someDiff = (changes: Partial<DiffFacts> = {}): DiffFacts => ({
  files: [file('src/webhook/worker.ts', 21, 9), file('test/worker.test.ts', 15, 3)],
  added: 36,
  deleted: 12,
  digest: 'a'.repeat(64),
  bytes: 1_200,
  documentBytes: 1_200,
  findings: [],
  ...changes,
});

export const file = (path: string, added: number, deleted: number): DiffFacts['files'][number] => ({
  path,
  oldPath: null,
  status: 'modified',
  oldMode: '100644',
  newMode: '100644',
  added,
  deleted,
  binary: false,
});

export const someAssessment = (changes: Partial<Assessment> = {}): Assessment => ({
  decision: 'allow',
  risk: 'low',
  reasons: [],
  factors: [],
  policyVersion: 'p1',
  ...changes,
});

export const someCommit = (diff = someDiff()): Commit => ({
  sha: HEAD,
  tree: 'b'.repeat(40),
  base: BASE,
  message: 'Fix flaky retry in webhook worker',
  diff,
});

export const someProposal = (changes: Partial<SealFields> = {}): Proposal =>
  sealFields({
    action: 'open_pr',
    baseRepoId: '1',
    headRepoId: '1',
    baseRef: 'main',
    rules: [],
    mergeBase: BASE,
    headSha: HEAD,
    tree: 'b'.repeat(40),
    diff: 'a'.repeat(64),
    branch: 'feature/agentpr-x',
    author: 'ana <ana@example.com>',
    title: 'Fix flaky retry in webhook worker',
    body: 'Waits for the retry instead of guessing.',
    draft: false,
    maintainerCanModify: true,
    conflicts: false,
    policyVersion: 'p1',
    assessment: someAssessment(),
    evidence: [{ kind: 'check', name: 'test', command: 'npm test', outcome: 'passed' }],
    ...changes,
  });

/** All checks are green. */
export const someBaseline = (changes: Partial<Baseline> = {}): Baseline => ({
  key: 'k',
  sha: BASE,
  at: 0,
  from: null,
  tools: [],
  installs: [],
  checks: [],
  ...changes,
});

export type Change = {
  /** The agent's conversation; a script has none. */
  session?: AgentSession | null;
  commit?: Commit;
  diff?: DiffFacts;
  assessment?: Assessment;
  fields?: Partial<SealFields>;
};

/** Reaches a gate card, or a push card when the assessment escalates. */
export const inputsToCard = ({
  diff,
  commit = someCommit(diff),
  assessment = someAssessment(),
  fields = {},
  session = null,
}: Change = {}): Input[] => {
  const usage = { inputTokens: 100, outputTokens: 50, costUsd: 0 };
  const proposal = someProposal({ assessment, ...fields });
  const contract = {
    ecosystems: [],
    packageManager: null,
    installs: [],
    checks: [],
    tools: [],
    branchRule: null,
    titleRule: null,
    rules: [],
    template: null,
    riskFlags: [],
  };
  const base = { ref: 'main', sha: BASE, repoId: '1' };
  const check = {
    name: 'test',
    command: 'npm test',
    exitCode: 0,
    outcome: 'passed' as const,
    ms: 900,
    tail: '',
  };
  const push =
    assessment.decision === 'escalate' ? someProposal({ action: 'push', assessment, ...fields }) : null;
  const inputs: Input[] = [
    { type: 'command.discovery.start' },
    { type: 'worker.discovery.completed', contract, base, archived: false, escalate: null },
    { type: 'worker.base.checked', baseline: someBaseline(), ms: 0 },
    { type: 'command.implementation.start', by: null },
    {
      type: 'worker.implementation.completed',
      commit,
      session,
      summary: '',
      usage,
      ms: 360_000,
      containment: 'bwrap',
      violations: 0,
      claims: { status: 'done', ran: [] },
    },
    {
      type: 'worker.validation.completed',
      commitSha: commit.sha,
      passed: true,
      checks: [check],
      assessment,
      grade: null,
      proposal: push,
      failure: null,
      ms: 900,
    },
  ];
  if (push) return inputs;
  return [
    ...inputs,
    { type: 'worker.push.completed', branch: 'feature/agentpr-x', sha: commit.sha, proposal },
  ];
};
