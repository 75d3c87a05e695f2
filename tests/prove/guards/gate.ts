/** Guards of the gate: what an approval is, what it is for, and what is looked at again before anything becomes public. */
import type { Check, Guard } from './table.ts';

const core = (name: string): Check => ({ test: `tests/core/${name}.test.ts` });
const mutations: Check = { claim: 'mutations', trials: 160 };
const interleavings: Check = { claim: 'gate', trials: 400 };
const histories: Check = { claim: 'histories', trials: 300 };

const COMMAND = 'orchestrator/core/machine/on-card.ts';
const RESULT = 'orchestrator/core/machine/on-result.ts';
const OPEN = 'orchestrator/effects/open-pr.ts';
const OPENING = 'orchestrator/effects/opening.ts';
const heard: Check = { test: 'tests/e2e/gate.test.ts', named: 'L4: hears late' };
const unknown: Check = { test: 'tests/contracts/late-answers.test.ts' };
const anew: Check = { test: 'tests/e2e/gate.test.ts', named: 'L6: opens no second' };

const SEALED = ['title', 'body', 'baseRef', 'headSha', 'tree', 'diff', 'evidence'] as const;

export const GATE: readonly Guard[] = [
  ...SEALED.map((field): Guard => ({
    ...{ rule: 'G2', name: `the seal covers ${field}`, file: 'orchestrator/engine/digest.ts', by: mutations },
    find: 'digest: sha256(canonical(fields))',
    put: `digest: sha256(canonical({ ...fields, ${field}: undefined }))`,
  })),
  {
    ...{ rule: 'G2', name: 'mode bits are part of a change', file: 'executors/workspace/harvest.ts' },
    find: "(file.stats.mode & 0o100) !== 0 ? '100755' : '100644'",
    put: "'100644'",
    by: { test: 'tests/adapters/harvest-commit.test.ts' },
  },
  {
    ...{ rule: 'G1', name: 'an opening has consumed its approval', file: OPEN, by: mutations },
    find: 'if (!(await authorised(claim, approvalId, digest))) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'G2', name: 'what is kept is what was approved', file: OPEN, by: mutations },
    find: 'if (seal(fields).digest !== digest)',
    put: 'if (false)',
  },
  {
    ...{ rule: 'G2', name: 'the digest is made again before the call', file: OPEN, by: mutations },
    find: 'if (now.digest === digest && !now.fields.conflicts) return null;',
    put: 'return null;',
  },
  {
    ...{ rule: 'G2', name: 'more is compared than the head', file: OPEN, by: mutations },
    find: 'if (now.digest === digest && !now.fields.conflicts) return null;',
    put: 'if (now.fields.headSha === fields.headSha && !now.fields.conflicts) return null;',
  },
  {
    ...{ rule: 'G2', name: 'the branch on the code host is looked at', file: OPEN, by: mutations },
    find: 'if (head !== now.fields.headSha) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'G1', name: 'the lease and the epoch are looked at last', file: OPEN, by: interleavings },
    find: 'ledger.renew(claim, parts.clock.now() + LEASE_MS);',
    put: 'ledger.renew(claim, parts.clock.now() + LEASE_MS).then(() => true);',
  },
  {
    ...{ rule: 'G1', name: 'what the code host shows is read back', file: OPENING, by: histories },
    find: 'const wrong = differences(pull, o);',
    put: 'const wrong: string[] = [];',
  },
  {
    ...{ rule: 'L6', name: 'a pull request of an earlier try is adopted', file: OPENING, by: histories },
    find: 'const ours = pulls.find((p) => isOurs(p, o));',
    put: 'const ours = pulls.find(() => false);',
  },
  {
    ...{ rule: 'G6', name: 'nothing is pushed to a pull request that the run does not know', by: unknown },
    ...{ file: 'orchestrator/effects/push.ts', find: 'if (open) return open;', put: '' },
  },
  {
    ...{ rule: 'G6', name: 'an unsigned push is judged by what the run has become', by: unknown },
    ...{
      file: 'orchestrator/effects/push.ts',
      find: ' || needsSignature(run, evaluation.assessment)',
      put: '',
    },
  },
  {
    ...{ rule: 'L6', name: 'one run opens one pull request', file: OPENING, by: anew },
    find: 'const earlier = pulls.find((p) => isOfRun(p, o));',
    put: 'const earlier = pulls.find(() => false);',
  },
  {
    ...{ rule: 'L4', name: 'an opening is heard of late', file: OPENING, by: heard },
    find: "if (run.pr || consumed?.kind !== 'open_pr') return null;",
    put: 'if (run.pr || consumed !== undefined) return null;',
  },
  {
    ...{ rule: 'G4', name: 'a signature is for the live card', file: COMMAND, by: core('gate') },
    find: 'if (approval.id !== input.approvalId || approval.kind !== kind) return',
    put: 'if (approval.kind !== kind) return',
  },
  {
    ...{ rule: 'G4', name: 'a signature is for the digest that was shown', file: COMMAND, by: core('gate') },
    find: 'if (approval.digest !== input.digest || proposal.digest !== input.digest)',
    put: 'if (false)',
  },
  {
    ...{ rule: 'G3', name: 'an approval expires', file: COMMAND, by: core('gate') },
    find: 'if (d.stamp.at >= approval.expiresAt) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'G3', name: 'whoever asked does not approve', file: COMMAND, by: core('gate') },
    find: 'if (!run.order.bounds.requesterMayApprove && input.by.id === run.order.requester.id)\n',
    put: 'if (false)\n',
  },
  {
    ...{ rule: 'G3', name: 'nobody signs twice', file: COMMAND, by: core('gate') },
    find: 'if (approval.signatures.some((s) => s.id === input.by.id)) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'G3', name: 'N of M sign', file: COMMAND, by: core('gate') },
    find: 'if (signatures.length < approval.needed) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'G3', name: 'an approval is used once', file: COMMAND, by: core('gate') },
    find: '  run.approval = null;\n  run.consumed = {',
    put: '  run.consumed = {',
  },
  {
    ...{ rule: 'G1', name: 'a pull request is linked to its approval only', file: RESULT, by: core('gate') },
    find: "if (run.consumed?.kind !== 'open_pr' || run.consumed.id !== input.approvalId) {",
    put: 'if (false) {',
  },
  {
    ...{ rule: 'G3', name: 'an approval is void when the run moves on', by: core('facts') },
    file: 'orchestrator/core/machine/draft.ts',
    find: "  closeApproval(d, 'void', reason);\n  // The card",
    put: '  // The card',
  },
  {
    ...{ rule: 'G6', name: 'high risk is signed', file: RESULT, by: core('machine') },
    find: "  risk === 'high' ||\n",
    put: '',
  },
  {
    ...{
      rule: 'G6',
      name: 'pushes of fixes are signed, where that is the rule',
      file: RESULT,
      by: histories,
    },
    find: "(pr !== null && !(order.bounds.autoIterate && risk === 'low'))",
    put: 'false',
  },
  {
    ...{
      rule: 'G6',
      name: 'a signed push publishes what was signed',
      by: { test: 'tests/contracts/late-answers.test.ts' },
    },
    file: 'orchestrator/effects/push.ts',
    find: 'if (now.digest === row.digest) return null;',
    put: 'return null;',
  },
  {
    ...{ rule: 'S2', name: 'a foreign head is nobody’s approval', by: core('facts') },
    file: 'orchestrator/core/machine/foreign.ts',
    find: 'head !== null && pushed !== null && !ours.includes(head)',
    put: 'false',
  },
  {
    ...{ rule: 'P1', name: 'nothing is allowed without an explicit allow', by: core('govern') },
    file: 'orchestrator/core/govern/policy.ts',
    find: 'if (!permitted) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'P1', name: 'only a small change goes by itself', by: core('govern') },
    file: 'orchestrator/core/govern/policies/evidence.ts',
    find: "(f) => f.level !== 'low' && !CALM",
    put: "(f) => f.level === 'high' && !CALM",
  },
  {
    ...{ rule: 'P1', name: 'a denial outweighs an allow', by: core('govern') },
    file: 'orchestrator/core/govern/policy.ts',
    find: 'reasons.sort((a, b) => RANK[b.verdict] - RANK[a.verdict]);',
    put: '',
  },
  {
    ...{ rule: 'P3', name: 'secrets are looked for', by: core('govern-policies') },
    file: 'orchestrator/core/govern/policies/content.ts',
    find: "...of(action, ['secret'], deny, 'secret'),",
    put: '',
  },
  {
    ...{ rule: 'P3', name: 'a denied change is not pushed', file: RESULT, by: core('machine') },
    find: "if (assessment.decision === 'deny') {",
    put: 'if (false) {',
  },
];
