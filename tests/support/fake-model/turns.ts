/** The script language of the fake model: one turn per request. */

export type Turn =
  /** Runs a command with the agent's own shell tool. */
  | { run: string }
  /** Calls tools by name. */
  | { calls: readonly { name: string; input: unknown }[]; say?: string }
  /** Ends the agent's turn, unless it comes with a tool call. */
  | { say: string }
  /** Ends the turn with a report in the requested format. */
  | { report: Readonly<Record<string, unknown>> }
  /** `retryAfter` in seconds. */
  | { status: number; message: string; type?: string; code?: string; retryAfter?: number }
  | { cut: true }
  | { silent: true };

/** An API's form of a turn: one body, or stream events. */
export type Answer = { body: unknown } | { events: readonly { event?: string; data: unknown }[] };

export type Asked = { id: string; model: string; streams: boolean; body: Readonly<Record<string, unknown>> };

export type Spoken = Extract<
  Turn,
  { run: string } | { calls: readonly object[] } | { say: string } | { report: object }
>;

/** Tokens per request: 1200 read (200 cached), 80 written. */
export const COST = { fresh: 1000, cached: 200, written: 80 } as const;

export const wordsOf = (turn: Exclude<Spoken, { run: string }>): string =>
  'report' in turn ? JSON.stringify(turn.report) : (turn.say ?? '');
