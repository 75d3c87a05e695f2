/**
 * Ordinary and malicious commands, from `tests/fixtures/commands.json`; `trace-commands.ts` records
 * what each executes.
 */
import corpus from '../fixtures/commands.json' with { type: 'json' };

/** Must be allowed without a question, or the reader would be useless. */
export const ORDINARY: readonly string[] = corpus.ordinary;

export const HOSTILE: readonly string[] = [
  // Whitespace, invisible characters and look-alikes inside a command.
  ...corpus.hidden,
  // Programs outside of the system's folders.
  ...corpus.paths,
  // Expansions that execute something.
  ...corpus.expansions,
  // Variables that decide what is executed.
  ...corpus.settings,
  // Options that execute, of programs that otherwise only read.
  ...corpus.options,
];
