/** Defines how commands end: with an exit code, and a failure that the terminal's language tells. */
import type { LanguageTexts } from '#language';
import { sayRecord } from '#chat-text';
import { cliWords } from './language.ts';

export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  findings: 5,
  unavailable: 69,
  config: 78,
} as const;

type Failures = LanguageTexts['commandLine']['failures'];
type FieldsOf<Sentence> = Sentence extends (of: infer Fields) => string ? Fields : never;
type CliFailure = { [K in keyof Failures]: { kind: K } & FieldsOf<Failures[K]> }[keyof Failures];

export class CommandExit extends Error {
  readonly code: number;
  readonly failure: CliFailure;
  constructor(code: number, failure: CliFailure) {
    super(sayRecord<CliFailure>(cliWords().commandLine.failures, failure));
    this.code = code;
    this.failure = failure;
  }
}

/** A closed pipe (`| head`) is no failure. */
export const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
