/** Guards of the doors: taps, typed words, deliveries, strangers, pushes and processes. */
import type { Check, Guard } from './table.ts';

const contract = (name: string): Check => ({ test: `tests/contracts/${name}.test.ts` });
const adapter = (name: string): Check => ({ test: `tests/adapters/${name}.test.ts` });
const interleavings: Check = { claim: 'gate', trials: 400 };
const TAPS = 'bot/commands/taps.ts';
const UPDATES = 'bot/commands/updates.ts';
const EVIDENCE = 'orchestrator/core/discovery/evidence.ts';
const evidence: Check = { test: 'tests/core/evidence.test.ts' };

export const DOORS: readonly Guard[] = [
  {
    ...{ rule: 'G4', name: 'a button is one that we made', file: TAPS, by: contract('commands') },
    find: 'if (!c.tokens.ours(token, c.chat)) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'G4', name: 'a tap needs its role', file: TAPS, by: interleavings },
    find: 'if (!atLeast(c.role, NEEDS[token.verb])) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'G4', name: 'a button counts on its own message', file: TAPS, by: contract('commands') },
    find: 'if (sent.messageId !== tap.messageId) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'G4', name: 'Confirm is for whoever armed it', file: TAPS, by: contract('commands') },
    find: 'if (show.armedBy !== c.user) return',
    put: 'if (false) return',
  },
  {
    ...{
      rule: 'G4',
      name: 'Confirm counts on the newest form of the card',
      file: TAPS,
      by: contract('commands'),
    },
    find: 'if (newest?.n !== row.n) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'G4', name: 'an old button acts on no new failure', file: TAPS, by: contract('commands') },
    find: "message.epoch !== run.epoch && verb !== 'update'",
    put: 'false',
  },
  {
    ...{
      rule: 'G4',
      name: 'a button is bound to its chat',
      file: 'bot/commands/tokens.ts',
      by: contract('tokens'),
    },
    find: "`button|${VERSION}|${verb}|${index ?? ''}|${n}|${chat}`",
    put: "`button|${VERSION}|${verb}|${index ?? ''}|${n}`",
  },
  {
    ...{ rule: 'C2', name: 'high risk is read first', file: TAPS, by: contract('commands') },
    find: "case 'open':\n      if (await mustReadFirst(c.ledger.query, run, c.user)) {",
    put: "case 'open':\n      if (false) {",
  },
  {
    ...{
      rule: 'G4',
      name: 'a typed command needs its role',
      file: 'bot/commands/handler.ts',
      by: interleavings,
    },
    find: 'if (!atLeast(c.role, needed)) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'G4', name: 'a typed confirmation needs a card that was shown', by: contract('commands') },
    file: 'bot/commands/acting.ts',
    find: 'if (!seen) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'G4', name: 'a card that was shown is the live one', by: contract('commands') },
    file: 'bot/commands/cards.ts',
    find: ' && row.do.show.approvalId === approvalId;',
    put: ';',
  },
  {
    ...{ rule: 'G3', name: 'an admin of the configuration stays one', by: contract('people') },
    file: 'bot/commands/roles.ts',
    find: "return { role: 'admin', name: row",
    put: "return { role: row?.role ?? 'admin', name: row",
  },
  ...(['retry', 'resume', 'cancel', 'start', 'rerun'] as const).map((verb): Guard => ({
    ...{ rule: 'G3', name: `the button ${verb} is no viewer’s`, file: TAPS, by: contract('commands') },
    find: `  ${verb}: 'operator',`,
    put: `  ${verb}: 'viewer',`,
  })),
  ...(['open', 'ok', 'back', 'deny', 'fix', 'raise'] as const).map((verb): Guard => ({
    ...{ rule: 'G3', name: `the button ${verb} is an approver’s`, file: TAPS, by: contract('commands') },
    find: `  ${verb}: 'approver',`,
    put: `  ${verb}: 'operator',`,
  })),
  {
    ...{ rule: 'C2', name: 'what one has read another has not', by: contract('commands') },
    file: 'bot/commands/cards.ts',
    find: 'return `risk:${run.id}:${what}:${user}`;',
    put: 'return `risk:${run.id}:${what}`;',
  },
  {
    ...{
      rule: 'P3',
      name: 'an option before a sub-command is not known',
      by: { test: 'tests/core/govern.test.ts' },
    },
    file: 'orchestrator/core/govern/command.ts',
    find: "program === 'git' || program === 'node' ? (args[0] ?? '') : sub",
    put: 'sub',
  },
  {
    ...{ rule: 'G4', name: 'what a channel says is nobody’s word', file: UPDATES, by: contract('updates') },
    find: 'message.sender_chat !== undefined || from?.id === ANONYMOUS_ADMIN',
    put: 'from?.id === ANONYMOUS_ADMIN',
  },
  {
    ...{
      rule: 'G4',
      name: 'a tap of an admin who hides is nobody’s',
      file: UPDATES,
      by: contract('updates'),
    },
    find: 'if (from.id === ANONYMOUS_ADMIN) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'G4', name: 'a tap counts in a chat of ours', file: UPDATES, by: contract('updates') },
    find: '!message || !placed(message.chat.type) ||',
    put: '!message ||',
  },
  {
    ...{ rule: 'G4', name: 'a bot says nothing', file: UPDATES, by: contract('updates') },
    find: 'if (!from || from.is_bot) return nothing;',
    put: 'if (!from) return nothing;',
  },
  {
    ...{ rule: 'L8', name: 'of a strange group nothing is kept', file: UPDATES, by: contract('updates') },
    find: "if (read.kind !== 'message' || !read.private) return null;",
    put: "if (read.kind !== 'message') return null;",
  },
  {
    ...{ rule: 'G4', name: 'an edited message approves nothing', file: UPDATES, by: interleavings },
    find: 'if (message) return said(message);',
    put: 'const told = message ?? edited_message;\n  if (told) return said(told);',
  },
  {
    ...{ rule: 'G4', name: 'a forwarded message approves nothing', file: UPDATES, by: interleavings },
    find: "if (message.forward_origin !== undefined || message.forward_date !== undefined) return mute('forwarded');",
    put: '',
  },
  {
    ...{
      rule: 'L3',
      name: 'an update is stored before it is confirmed',
      by: { test: 'tests/adapters/chat.test.ts', named: 'L3' },
    },
    file: 'bot/intake.ts',
    find: 'await parts.ledger.receive(',
    put: 'void parts.ledger.receive(',
  },
  {
    ...{
      rule: 'F2',
      name: 'a delivery is signed',
      file: 'webhooks/receiver.ts',
      by: { test: 'tests/adapters/webhooks.test.ts', named: 'somebody else' },
    },
    find: 'if (!verify(pieces, head.signature)) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'F8', name: 'a part that cannot be read hides nothing of the rest', by: contract('looks') },
    file: 'orchestrator/effects/look.ts',
    find: 'sight.troubles.push(troubleOf(part, error));',
    put: 'throw error;',
  },
  {
    ...{ rule: 'F8', name: 'who shares a trouble shares its message', by: contract('looks') },
    file: 'orchestrator/effects/observe.ts',
    find: 'return shared?.seen.blind?.spell ?? `${run.id}:${since}`;',
    put: 'return `${run.id}:${since}`;',
  },
  {
    ...{ rule: 'F4', name: 'a delivery is of the repository that it names', by: contract('ledger') },
    file: 'db/ledger/queries.ts',
    find: "newest(db, a).where('repo_id', '=', a.id),",
    put: 'newest(db, a),',
  },
  {
    ...{
      rule: 'P5',
      name: 'a stranger’s thread does not reach the agent',
      by: { claim: 'histories', trials: 300 },
    },
    file: 'orchestrator/effects/evidence.ts',
    find: ".filter((t) => t.access === 'write')",
    put: '',
  },
  {
    ...{ rule: 'P5', name: 'a stranger’s review does not steer', by: { claim: 'histories', trials: 300 } },
    file: 'orchestrator/core/machine/settle.ts',
    find: "review.state === 'changes_requested' && review.access === 'write'",
    put: "review.state === 'changes_requested'",
  },
  {
    ...{
      rule: 'E14',
      name: 'a push overwrites nobody',
      file: 'executors/git/remote.ts',
      by: adapter('push'),
    },
    find: "`--force-with-lease=${ref}:${expect ?? ''}`",
    put: "'--force'",
  },
  {
    ...{
      rule: 'G5',
      name: 'only the code host’s own repositories',
      file: 'executors/git/remote.ts',
      by: { test: 'tests/adapters/workspace.test.ts', named: 'G5' },
    },
    find: 'if (parts.every((part) => /^(?!\\.{1,2}$)[A-Za-z0-9._~-]+$/.test(part))) return cloneUrl;',
    put: 'if (parts.length > 0) return cloneUrl;',
  },
  {
    ...{ rule: 'L6', name: 'a pid of somebody else is left alone', by: adapter('reaper') },
    file: 'executors/process/reaper.ts',
    find: ' && startTime(pid) === pidStart;',
    put: ';',
  },
  {
    ...{ rule: 'E7', name: 'what an agent adds stands where it says', file: EVIDENCE, by: evidence },
    find: 'if (place === null) return `',
    put: 'if (place === undefined) return `',
  },
  {
    ...{ rule: 'E7', name: 'an agent changes nothing that we found', file: EVIDENCE, by: evidence },
    find: 'put(contract.install !== null, false,',
    put: 'put(false, false,',
  },
  {
    ...{ rule: 'E13', name: 'tests that only the agent named give no PASS', by: evidence },
    file: 'orchestrator/core/govern/grade.ts',
    find: '!named.has(command)',
    put: 'command',
  },
  {
    ...{ rule: 'C4', name: 'words are for the halt that they answer', by: contract('commands') },
    file: 'bot/commands/answering.ts',
    find: 'if (said.epoch !== run.epoch) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'C4', name: 'words for an agent need a role', by: contract('commands') },
    file: 'bot/commands/answering.ts',
    find: 'if (!atLeast(c.role, needs)) return',
    put: 'if (false) return',
  },
  {
    ...{ rule: 'E7', name: 'prompts that are ordered are there', by: contract('commands') },
    file: 'bot/commands/acting.ts',
    find: 'if (promptVersion !== null && !c.promptVersions.includes(promptVersion)) {',
    put: 'if (false) {',
  },
  {
    ...{ rule: 'F3', name: 'half of a list is no answer', by: adapter('forge') },
    file: 'forge/client.ts',
    find: 'if (some.length < PAGE && !more) return items;',
    put: 'if (some.length < PAGE || page === MOST_PAGES) return items;',
  },
  {
    ...{ rule: 'E6', name: 'what a timer met too early is told again', by: contract('meter') },
    file: 'orchestrator/effects/meter.ts',
    find: 'const due = late ? LATE_MS :',
    put: 'const due = false ? LATE_MS :',
  },
  {
    ...{ rule: 'E1', name: 'runs are closed to other users', by: adapter('workspace') },
    file: 'executors/process/layout.ts',
    find: '      chmodSync(dir, 0o700);\n',
    put: '',
  },
];
