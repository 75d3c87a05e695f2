/**
 * O10: a new reader of strangers' bytes has a row in tests/support/fuzz/parsers.ts: whatever a thread
 * of readers is asked, and every module that parses.
 */
import { readFileSync, globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DOORS, IMPORTED_FILES } from './product.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TABLE = 'tests/support/fuzz/parsers.ts';
const doors = new Set([...DOORS.values()].map((folder) => join(folder, 'index.ts')));
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

type Imported = { from: string; names: string[] };
const namesIn = (list: string): string[] =>
  list.split(',').flatMap((name) => /^\s*(?!type )(\w+)/.exec(name)?.[1] ?? []);
const statementsOf = (file: string, verb: 'import' | 'export'): Imported[] =>
  [...textOf(file).matchAll(new RegExp(`^${verb} (?!type)\\{([^}]*)\\} from '([.#][^']+)';`, 'gms'))].map(
    ([, names = '', to = '']) => ({
      from: IMPORTED_FILES.get(to) ?? relative(ROOT, join(ROOT, dirname(file), to)),
      names: namesIn(names),
    }),
  );
/** Behind a door only the files of the names that are imported through it. */
const importsOf = (file: string): Imported[] =>
  statementsOf(file, 'import').flatMap((one) =>
    doors.has(one.from)
      ? statementsOf(one.from, 'export')
          .map(({ from, names }) => ({ from, names: names.filter((name) => one.names.includes(name)) }))
          .filter(({ names }) => names.length > 0)
      : [one],
  );
const enteredFrom = (file: string): Set<string> => {
  const seen = new Set([file]);
  for (const one of seen) for (const { from } of importsOf(one)) seen.add(from);
  return seen;
};

/** Where a parser stands that reads no bytes of strangers, or so few of them, by what it reads. */
const NO_READERS: Readonly<Record<string, string>> = {
  'bot/commands/answer-stranger.ts': 'a setting of ours',
  'bot/commands/invites.ts': 'a setting of ours',
  'bot/model/chat-model.ts': 'settings of ours',
  'bot/views/permission-card.ts': 'an input that was read before',
  'orchestrator/notices/board-access.ts': 'a setting of ours',
  'orchestrator/repository-notes/note-store.ts': 'settings of ours',
  'orchestrator/receipts/receipt-keys.ts': 'a setting of ours',
  'executors/engines/builtin/box/main.ts': 'what we ask in a box',
  'executors/engines/builtin/govern-action.ts': 'the words of a person who may sign',
  'executors/engines/builtin/ask-model.ts': 'a copy of what was read before',
  'executors/engines/builtin/restore-session.ts': 'texts of turns, within their quota',
  'executors/engines/builtin/conversation.ts': 'texts of turns, within their quota',
  'executors/engines/builtin/stored-session.ts': 'a file of at most 24 MB that we wrote',
  'executors/engines/claude/converse.ts': 'the words of a person who may sign',
  'executors/engines/codex/rollout-usage.ts': 'the end of a file, of a fixed length',
  'executors/engines/opencode/opencode.ts': "the operator's sign-in",
  'executors/engines/script/script.ts': 'a hundred lines of the last 256 KB',
  'executors/sandbox/containers/container-engine.ts': 'what the engine says of itself',
  'executors/sandbox/containers/fetched-images.ts': 'a file of ours',
  'executors/sandbox/hide-exposed-secrets.ts': 'what we serialized just before',
  'executors/outline/map-cache.ts': 'what we kept',
  'executors/git/workspace/install-cache.ts': 'manifests of at most 256 KB',
  'executors/git/workspace/run-transfer.ts': 'what we packed',
  'executors/git/workspace/workspace.ts': 'a file of ours',
  'forge/etag-cache.ts': 'what we kept',
  'forge/download-log.ts': 'an error of the code host, as long as a log may be',
  'orchestrator/workers/run-transfer.ts': 'what we packed',
  'orchestrator/kernel/rounds/decide-permission.io.ts': 'an input that was read before',
  'orchestrator/audit/audit-approvals.ts': 'the ledger',
  'orchestrator/reports/fold-figures.io.ts': 'the ledger',
  'orchestrator/reports/attempt-grades.ts': 'the ledger',
  'orchestrator/reports/plan-round-log.ts': 'the ledger',
  'model/turn/recorded-turns.ts': 'the ledger',
  'orchestrator/audit/redecide-turns.ts': 'the ledger',
  'orchestrator/audit/redecide.ts': 'the ledger',
  'orchestrator/audit/replay-edits.ts': 'the ledger',
  'orchestrator/audit/replay-turns.ts': 'the ledger',
  'orchestrator/audit/replay.ts': 'the ledger',
  'orchestrator/limits/raise-spending.ts': 'a setting that we wrote',
  'orchestrator/passkeys/passkey-store.ts': 'what we wrote into the ledger ourselves',
  'orchestrator/passkeys/verify-signature.ts': 'at most 2,000 characters, as their schema says',
  'slack/web-api.ts': 'answers of the chat itself',
  'slack/socket.ts': 'envelopes of the chat itself, of at most 2 MB; their words have a row',
  'executors/engines/acp/acp-permission-request.ts': 'a message of the protocol that was read before',
  'executors/engines/builtin/parse-thought.ts': 'a thought as the loop kept it',
  'webhooks/receiver.ts': 'a signed body, whose longest turn adapters/held-up judges',
};

const PARSES = /\bJSON\.parse\(|\bparseDocument\(|\bfrom '(?:yaml|smol-toml)'/;
const MODULES = globSync(
  '{bot,discovery,executors,forge,governor,model,orchestrator,pull-text,slack,text-safety,webhooks}/**/*.ts',
  {
    cwd: ROOT,
  },
).sort();

it('O10: whatever a thread of readers is asked has a row', () => {
  const rows = new Set(importsOf(TABLE).flatMap(({ names }) => names));
  // These read files of git, or are given what other rows read.
  rows.add('findHiddenLines');
  // These read nothing.
  for (const name of ['allowLongTexts', 'MB']) rows.add(name);
  // These read files of ours.
  for (const kind of ['Word', 'Outline'])
    for (const verb of ['read', 'write']) rows.add(`${verb}${kind}Cache`);
  const tasks = globSync('{app,executors}/**/*-tasks.ts', { cwd: ROOT });
  expect(tasks.length).toBeGreaterThan(5);
  for (const file of tasks)
    for (const { names } of importsOf(file))
      expect({ file, without: names.filter((name) => !rows.has(name)) }).toEqual({ file, without: [] });
});

it('O10: every module that parses is entered by a row, or is named with what it reads', () => {
  const entered = enteredFrom(TABLE);
  const parsing = MODULES.filter((file) => PARSES.test(textOf(file)));
  expect(parsing.length).toBeGreaterThan(30);
  const known = (file: string): boolean => entered.has(file) || file in NO_READERS;
  expect(parsing.filter((file) => !known(file))).toEqual([]);
  expect(Object.keys(NO_READERS).filter((file) => !parsing.includes(file) || entered.has(file))).toEqual([]);
});
