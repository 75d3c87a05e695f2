/** Guards of the record: leases, causes, commits, bounds, marks and the chain. */
import type { Check, Guard } from './table.ts';

const core = (name: string): Check => ({ test: `tests/core/${name}.test.ts` });
const contract = (name: string): Check => ({ test: `tests/contracts/${name}.test.ts` });
const caps: Check = { claim: 'caps', trials: 8 };
const tampering = contract('audit-tampering');
const ledger = contract('ledger');
const found = (named: string): Check => ({ test: 'tests/contracts/audit-tampering.test.ts', named });
const RESULT = 'orchestrator/core/machine/on-result.ts';
const DRAFT = 'orchestrator/core/machine/draft.ts';
const STEPS = 'db/ledger/steps.ts';
const anchored = found('beside the key counts');
const REPLAY = 'orchestrator/engine/replay.ts';
const LEGAL = 'orchestrator/core/machine/legal.ts';
const threads: Check = { test: 'tests/adapters/replay-threads.test.ts' };

export const RECORD: readonly Guard[] = [
  {
    ...{ rule: 'S2', name: 'a result is of the present epoch', file: RESULT, by: core('pausing') },
    find: "const current = stamp.effectEpoch === run.epoch && run.state !== 'PAUSED';",
    put: "const current = run.state !== 'PAUSED';",
  },
  {
    ...{ rule: 'S2', name: 'work of an earlier epoch is void', file: STEPS, by: ledger },
    find: 'if (before && before.run.epoch !== run.epoch) {',
    put: 'if (false) {',
  },
  {
    ...{
      rule: 'S7',
      name: 'each round has its bound',
      file: 'orchestrator/core/machine/rounds.ts',
      by: caps,
    },
    find: 'if (tries >= Number(bounds[bound.most]) || msLeft === 0) return',
    put: 'if (msLeft === 0) return',
  },
  {
    ...{
      rule: 'S7',
      name: 'retries of a step have their bound',
      file: 'orchestrator/core/machine/on-failure.ts',
      by: caps,
    },
    find: 'if (waits === null && tries >= maxStepRetries) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'S7', name: 'failures outside in a row pause the run', by: core('gate') },
    file: 'orchestrator/core/machine/on-failure.ts',
    find: 'if (failedOutside < order.bounds.maxFailedOutside) return false;',
    put: 'if (failedOutside > 0) return false;',
  },
  {
    ...{
      rule: 'S7',
      name: 'the end of a bound calls a person',
      file: DRAFT,
      by: { claim: 'histories', trials: 60 },
    },
    find: "if (asked) tell(d, { view: 'attention' }, { slot: attentionSlot(run), urgent: true, sound: true });",
    put: '',
  },
  {
    ...{
      rule: 'S6',
      name: 'whoever is waited for is reminded',
      file: DRAFT,
      by: { claim: 'histories', trials: 60 },
    },
    find: "if (asked || (isWaiting(run.state) && run.state !== 'PUSHED')) remind(d);",
    put: '',
  },
  {
    ...{
      rule: 'L4',
      name: 'a lease is fenced by its epoch',
      file: 'db/ledger/claim-statements.ts',
      by: ledger,
    },
    find: "      .where('lease_epoch', '=', a.lease_epoch)\n",
    put: '',
  },
  {
    ...{ rule: 'L4', name: 'a lease is of this boot', file: 'db/ledger/claim-statements.ts', by: ledger },
    find: "      .where('lease_owner', '=', a.boot)\n",
    put: '',
  },
  {
    ...{ rule: 'L4', name: 'what happened is a fact, lease or not', by: contract('late-answers') },
    file: 'orchestrator/engine/dispatch.ts',
    find: "if (said.kind === 'fenced' && FACTS.includes(outcome.input.type))",
    put: 'if (false)',
  },
  {
    ...{ rule: 'S4', name: 'a cause is known when it comes again', file: 'db/ledger/causes.ts', by: ledger },
    find: 'const row = { source, key, body, received_at: now };',
    put: 'const row = { source, key: `${key} ${Math.random()}`, body, received_at: now };',
  },
  {
    ...{ rule: 'S4', name: 'a message is handled once', file: 'db/ledger/step-statements.ts', by: ledger },
    find: "      .where('state', '=', sql.lit<'new'>('new'))\n      .returning('id'),",
    put: "      .returning('id'),",
  },
  {
    ...{ rule: 'L2', name: 'a message ends with its step, not before it', file: 'bot/commands/context.ts' },
    find: "    cause: { kind: 'inbox', id: c.row.id },\n    // What was done",
    put: "    cause: { kind: 'none' },\n    // What was done",
    by: { claim: 'histories', trials: 10 },
  },
  {
    ...{ rule: 'L3', name: 'a commit is on the disk', file: 'db/directory/open.ts' },
    find: "db.pragma('synchronous = FULL');",
    put: "db.pragma('synchronous = NORMAL');",
    by: { test: 'tests/adapters/sqlite.test.ts', named: 'L3: is journalled' },
  },
  {
    ...{ rule: 'L6', name: 'one process for a data directory', file: 'db/directory/lock.ts' },
    find: "db.exec('begin exclusive');",
    put: '',
    by: { test: 'tests/adapters/sqlite.test.ts', named: 'second process is refused' },
  },
  {
    ...{
      rule: 'G1',
      name: 'an approval is consumed for its digest',
      file: 'db/ledger/step-statements.ts',
      by: ledger,
    },
    find: "      .where('digest', '=', a.digest)\n",
    put: '',
  },
  {
    ...{
      rule: 'L5',
      name: 'an effect that is not ours is not done',
      file: 'db/ledger/claims.ts',
      by: tampering,
    },
    find: 'if (!effects.ours(row)) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'L5', name: 'a state that is not ours is not built on', file: STEPS, by: tampering },
    find: 'if (!sameMark(mark, row.head_mac)) {',
    put: 'if (false) {',
  },
  {
    ...{
      rule: 'L5',
      name: 'a wrong mark is never made right',
      file: 'db/integrity/marked-table.ts',
      by: tampering,
    },
    find: 'if (!sameMark(before.mark, row.mark)) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'L5', name: 'somebody’s rights are ours to give', file: 'db/ledger/house.ts', by: tampering },
    find: ' || !isHouse(seal, row)) throw',
    put: ') throw',
  },
  {
    ...{ rule: 'L5', name: 'a right that went stays away', file: 'db/ledger/house.ts', by: tampering },
    find: 'row.seq < (known?.row.seq ?? 0) || ',
    put: '',
  },
  {
    ...{ rule: 'L5', name: 'rights follow from their log', file: 'db/audit/house.ts', by: tampering },
    find: 'if (next !== row.hash) return',
    put: 'if (false) return',
  },
  {
    ...{
      rule: 'L5',
      name: 'each event follows the one before',
      file: 'db/integrity/chain.ts',
      by: tampering,
    },
    find: 'if (linkHash(prev, e) !== e.hash) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'L5', name: 'the books add up', file: 'db/audit/audit.ts', by: tampering },
    find: 'if (written === count && known === found) return [];',
    put: 'if (written === count) return [];',
  },
  {
    ...{ rule: 'L5', name: 'rows are what the log makes', file: 'db/audit/audit.ts', by: tampering },
    find: 'faults: [...unmarked, ...compare(runId, steps, stored)],',
    put: 'faults: unmarked,',
  },
  {
    ...{
      rule: 'L5',
      name: 'there are books once only',
      file: 'db/audit/audit.ts',
      by: found('one row of books'),
    },
    find: 'if (book?.id !== 1 || more.length > 0)',
    put: 'if (!book)',
  },
  {
    ...{
      rule: 'L5',
      name: 'books of somebody else are never made right',
      file: 'db/integrity/books.ts',
      by: found('one row of books'),
    },
    find: 'isBook(seal, row) ? { ...after, mark: bookMark(seal, after) } : after',
    put: '{ ...after, mark: bookMark(seal, after) }',
  },
  {
    ...{
      rule: 'L5',
      name: 'a log without its run is found',
      file: 'db/audit/audit.ts',
      by: found('run that is not there'),
    },
    find: 'union select run_id from events where ${those} union',
    put: 'union',
  },
  {
    ...{
      rule: 'L5',
      name: 'an approval without its run is found',
      file: 'db/audit/audit.ts',
      by: found('run that is not there'),
    },
    find: 'union select run_id from approvals where ${those} order by 1',
    put: 'order by 1',
  },
  {
    ...{
      rule: 'L5',
      name: 'a number that is left out is named',
      file: 'db/audit/audit.ts',
      by: found('numbers that are left out'),
    },
    find: '...(await gaps(tallies)), ',
    put: '',
  },
  {
    ...{
      rule: 'L5',
      name: 'a log does not end early',
      file: 'db/integrity/chain.ts',
      by: found('wrong with a chain'),
    },
    find: 'if ((last?.seq ?? 0) !== head.seq || prev !== head.hash)',
    put: 'if (false)',
  },
  {
    ...{ rule: 'L5', name: 'a remembered state is compared whole', file: STEPS, by: found('just written') },
    find: 'HEAD.every((column) => last.row[column] === row[column])',
    put: 'last.row.head_mac === row.head_mac',
  },
  {
    ...{
      rule: 'L5',
      name: 'what an older copy lost stays lost',
      file: 'db/integrity/anchor.ts',
      by: anchored,
    },
    find: "write(changes < known ? 'Infinity' : String(changes));",
    put: 'write(String(changes));',
  },
  {
    ...{
      rule: 'L5',
      name: 'how far the books had come is ours to say',
      file: 'db/integrity/anchor.ts',
      by: anchored,
    },
    find: 'return sameMark(markOf(changes), mark) ? Number(changes) : null;',
    put: 'return Number(changes);',
  },
  {
    ...{ rule: 'L4', name: 'a run’s work is done in turn', file: 'db/ledger/outbox.ts', by: ledger },
    find: "    case 'look':\n      return null;",
    put: "    case 'look':\n    case 'push':\n      return null;",
  },
  {
    ...{ rule: 'E6', name: 'a run that was queued again counts again', file: STEPS, by: ledger },
    find: "(started === null || before?.state === 'QUEUED')",
    put: 'started === null',
  },
  {
    ...{ rule: 'S6', name: 'a clock that was put back keeps nobody waiting', by: contract('ledger') },
    file: 'db/ledger/ledger.ts',
    find: 'if (before - now > PUT_BACK) yield* claims',
    put: 'if (false) yield* claims',
  },
  {
    ...{ rule: 'S6', name: 'nor one that was put back while we were away', by: contract('ledger') },
    file: 'db/ledger/ledger.ts',
    find: 'yield* follow(lastSeenAt ?? now, now);\n    return',
    put: 'return',
  },
  {
    ...{ rule: 'L4', name: 'one try of an effect at a time', file: 'orchestrator/engine/dispatch.ts' },
    ...{ find: 'const before = running.get(claim.n);', put: 'const before = undefined as Try | undefined;' },
    by: contract('one-try'),
  },
  {
    ...{ rule: 'L5', name: 'what a thread saw at another moment does not count', file: REPLAY, by: threads },
    find: 'part?.moment === look.moment ? part : null',
    put: 'part',
  },
  {
    ...{ rule: 'L5', name: 'a recorded step keeps to the table', file: LEGAL, by: core('legal') },
    find: 'if (!targets(before.state, input.type).has(after.state))',
    put: 'if (false)',
  },
  {
    ...{
      rule: 'L5',
      name: 'a recorded signature is of whoever gave the command',
      file: LEGAL,
      by: core('legal'),
    },
    find: 'signer(input) === c.by && ',
    put: '',
  },
  {
    ...{ rule: 'L5', name: 'a recorded approval has its signatures', file: LEGAL, by: core('legal') },
    find: ' || card.signatures.length < card.needed',
    put: '',
  },
  {
    ...{ rule: 'L5', name: 'what goes outside uses its approval up', file: LEGAL, by: core('legal') },
    find: "return same ? loose(step) : 'leaves",
    put: "return same ? null : 'leaves",
  },
  {
    ...{
      rule: 'S9',
      name: 'what is gone is told',
      file: 'orchestrator/core/machine/changes.ts',
      by: core('changes'),
    },
    find: 'for (const name of gone ?? []) delete next[name];',
    put: '',
  },
];
