/** `agentpr set-aside`: shows what was given up or set aside, and has it retried or dropped. */
import { InvalidArgumentError, type Command } from 'commander';
import { setAsideLine } from '#views';
import { escapeControlCharacters, printJson, printRedacted } from './output.ts';
import { EXIT_CODES } from './exit-codes.ts';
import {
  addChangingOptions,
  addCommonOptions,
  describeControlAnswer,
  submitControlOrder,
  idempotencyKeyOf,
  toJsonAnswer,
  type ChangingOptions,
} from './host-orders.ts';
import { cliWords } from './language.ts';
import { withLedgerReader, type CommonOptions } from './show-runs.ts';

const MAX_LISTED_ROWS = 200;

const listSetAside = async (options: CommonOptions): Promise<void> => {
  const rows = await withLedgerReader(options, ({ query }) => query.deadInbox(MAX_LISTED_ROWS));
  if (options.json) return printJson(rows);
  const scene = { now: Date.now(), withWords: true };
  const lines = rows.map((row) => setAsideLine(row, scene, cliWords()));
  printRedacted(
    (lines.length === 0 ? [cliWords().setAside.nothing] : lines).map(escapeControlCharacters).join('\n'),
  );
};

const readNumber = (text: string): number => {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new InvalidArgumentError('');
};

const decideSetAside = async (act: 'retry' | 'drop', id: number, options: ChangingOptions): Promise<void> => {
  const answer = await submitControlOrder(options, {
    key: idempotencyKeyOf(options),
    setAside: { do: act, id },
  });
  if (options.json) printJson(toJsonAnswer(answer));
  else printRedacted(describeControlAnswer(answer) ?? answer.kind);
  if (answer.kind === 'refused') process.exitCode = EXIT_CODES.refused;
};

const ABOUT = {
  retry: 'handle it once more, as it was received',
  drop: 'never handle it',
} as const;

export const addSetAsideCommands = (program: Command): void => {
  const setAside = program.command('set-aside');
  addCommonOptions(setAside.command('list').description('what it was and why, newest first')).action(
    listSetAside,
  );
  for (const act of ['retry', 'drop'] as const)
    addChangingOptions(
      setAside.command(act).description(ABOUT[act]).argument('<number>', '', readNumber),
    ).action((id: number, options: ChangingOptions) => decideSetAside(act, id, options));
};
