/** How a command ends: its code, and the sentence for people. */

/** The program's exit codes; documented in docs/cli.md. */
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

/** Ends the program with a sentence for people on standard error. */
export class CommandExit extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A reader may stop early (`| head`), and that is no failure of ours. */
export const unlessUnread = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
