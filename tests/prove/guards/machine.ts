/** Guards of the machine that nothing but its own tests can see: targets, clocks, facts of others, bounds beside bounds. */
import type { Check, Guard } from './table.ts';

const core = (name: string): Check => ({ test: `tests/core/${name}.test.ts` });
const CARD = 'orchestrator/core/machine/on-card.ts';
const GOING_ON = 'orchestrator/core/machine/going-on.ts';
const RESULT = 'orchestrator/core/machine/on-result.ts';
const DRAFT = 'orchestrator/core/machine/draft.ts';
const SETTLE = 'orchestrator/core/machine/settle.ts';
const VERDICT = 'orchestrator/core/machine/verdict.ts';
const ROUNDS = 'orchestrator/core/machine/rounds.ts';

export const MACHINE: readonly Guard[] = [
  {
    ...{ rule: 'G2', name: 'the same value is one text', by: core('order') },
    file: 'orchestrator/core/seal.ts',
    find: '    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));\n',
    put: '',
  },
  {
    ...{ rule: 'G2', name: 'a signature is for what would be published', file: CARD, by: core('gate') },
    find: ' || proposal.digest !== input.digest)',
    put: ')',
  },
  {
    ...{ rule: 'G3', name: 'rights go with an id, not with a name', file: CARD, by: core('gate') },
    find: 'input.by.id === run.order.requester.id',
    put: 'input.by.name === run.order.requester.name',
  },
  {
    ...{ rule: 'G3', name: 'an id of a card cannot be guessed', file: DRAFT, by: core('gate') },
    find: 'const id = d.stamp.nonce;',
    put: 'const id = `${d.run.id}-${d.run.version}`;',
  },
  {
    ...{ rule: 'G3', name: 'a card has the clock that closes it', file: DRAFT, by: core('gate') },
    find: "  wake(d, { type: 'timer.approval.expired', approvalId: id }, approvalMs);\n",
    put: '',
  },
  {
    ...{ rule: 'G4', name: 'a card that is void says so', file: DRAFT, by: core('gate') },
    find: 'state, reason });\n  showGate(d, approval.id, false);',
    put: 'state, reason });',
  },
  {
    ...{
      rule: 'E14',
      name: 'a signed fix leaves from where we left the branch',
      file: CARD,
      by: core('gate'),
    },
    find: 'expect: run.pushed?.sha ?? null, approvalId: id })',
    put: 'expect: null, approvalId: id })',
  },
  {
    ...{ rule: 'P3', name: 'what is denied late is asked nobody', file: RESULT, by: core('pausing') },
    find: "if (proposal && proposal.fields.assessment.decision !== 'deny') run.proposal",
    put: 'if (proposal) run.proposal',
  },
  {
    ...{ rule: 'S2', name: 'a card comes back only for what passed', file: GOING_ON, by: core('pausing') },
    find: 'evaluation?.commitSha === sha && evaluation.passed',
    put: 'evaluation?.passed === true',
  },
  {
    ...{ rule: 'G1', name: 'somebody else’s pull request is not ours', file: SETTLE, by: core('facts') },
    find: 'if (pr ? number !== pr.number : !ours.includes(headSha)) return seen;',
    put: 'if (pr && number !== pr.number) return seen;',
  },
  {
    ...{ rule: 'S2', name: 'a head is of our branch', file: SETTLE, by: core('facts') },
    find: 'fact.branch === run.pushed?.branch && fact.sha !== null',
    put: 'fact.sha !== null',
  },
  {
    ...{ rule: 'F3', name: 'silence counts from when checks may run', file: SETTLE, by: core('facts') },
    find: 'return ci.held ? { ...ci, held, firstAt: at, changedAt: at, confirmed: false } : ci;',
    put: 'return ci.held ? { ...ci, held } : ci;',
  },
  {
    ...{ rule: 'F8', name: 'silence counts from a look that succeeded', file: VERDICT, by: core('facts') },
    find: "ci.partial || !ci.confirmed ? 'PENDING'",
    put: "ci.partial ? 'PENDING'",
  },
  {
    ...{ rule: 'F8', name: 'green was seen when it had settled', file: VERDICT, by: core('facts') },
    find: "if (missing || open || !ci.confirmed) return 'PENDING';",
    put: "if (missing || open) return 'PENDING';",
  },
  {
    ...{ rule: 'S7', name: 'one loop gives another nothing back', file: ROUNDS, by: core('rounds') },
    find: "bound.counts === 'iterations' || bound.counts === 'updates' ? { reflections: 0, repairs: 0 } : {}",
    put: '{ reflections: 0, repairs: 0 }',
  },
  {
    ...{ rule: 'S7', name: 'a provider that says “at once” is counted', by: core('clocks') },
    file: 'orchestrator/core/machine/patience.ts',
    find: 'if (wait > retryMs) return wait;',
    put: 'if (wait > 0) return wait;',
  },
  {
    ...{ rule: 'E17', name: 'an outage uses up no try', by: core('patience') },
    file: 'orchestrator/core/failures.ts',
    find: "model_unavailable: 'wait'",
    put: "model_unavailable: 'retry'",
  },
  {
    ...{ rule: 'E13', name: 'scripts that a command leads to judge', by: core('judges') },
    file: 'orchestrator/core/govern/judges/find.ts',
    find: 'return namesIn(run.join(',
    put: 'return namesIn([].join(',
  },
  {
    ...{ rule: 'E13', name: 'what the base’s judges say counts', by: core('grade') },
    file: 'orchestrator/core/govern/grade.ts',
    find: 'return names.length === 0 ? [touched]',
    put: 'return names.length >= 0 ? [touched]',
  },
  {
    ...{ rule: 'E17', name: 'a long wait is told once', by: core('patience') },
    file: 'orchestrator/core/machine/patience.ts',
    find: 'if (long && !told) tell',
    put: 'if (long) tell',
  },
  {
    ...{ rule: 'E17', name: 'edits of a killed agent stay', file: 'orchestrator/effects/implement.ts' },
    find: 'if (await workspaces.exists(run.id)) {',
    put: 'if (false) {',
    by: { test: 'tests/e2e/work-kept.test.ts' },
  },
  {
    ...{ rule: 'E8', name: 'a plan is made without a change', file: ROUNDS, by: core('rounds') },
    find: "what became of its last step',\n    writes: 'note',",
    put: "what became of its last step',\n    writes: 'change',",
  },
  {
    ...{
      rule: 'E6',
      name: 'a card outlives a budget that is used up meanwhile',
      file: RESULT,
      by: core('budget'),
    },
    find: 'spendsIn(run, at) && !run.approval;',
    put: 'spendsIn(run, at);',
  },
];
