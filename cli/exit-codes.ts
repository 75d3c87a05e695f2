/** Defines how commands end: exit code and message. */

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

export class CommandExit extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A closed pipe (`| head`) is no failure. */
export const unlessUnread = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
