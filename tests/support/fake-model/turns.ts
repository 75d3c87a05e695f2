/**
 * The language of a scripted model: what it does when it is asked, one turn for each request of the
 * agent.
 */

export type Turn =
  /** Runs a shell command with the agent's own tool. */
  | { run: string }
  /** Calls a tool by its name; several where there are more. */
  | { calls: readonly { name: string; input: unknown }[]; say?: string }
  /** Says something; without a tool call this ends the agent's turn. */
  | { say: string }
  /** Ends the turn with a report, in the way the agent asked for. */
  | { report: Readonly<Record<string, unknown>> }
  /** Answers with an error; `retryAfter` in seconds. */
  | { status: number; message: string; type?: string; code?: string; retryAfter?: number }
  /** Cuts the connection in the middle of the answer. */
  | { cut: true }
  /** Accepts the request and never answers. */
  | { silent: true };

/** What an API dialect makes of a turn: a whole JSON body, or the pieces of an event stream. */
export type Answer = { body: unknown } | { events: readonly { event?: string; data: unknown }[] };

export type Asked = { id: string; model: string; body: Readonly<Record<string, unknown>> };

export type Spoken = Extract<
  Turn,
  { run: string } | { calls: readonly object[] } | { say: string } | { report: object }
>;

/** Tokens that every answered request costs: 1200 read (200 of them cached) and 80 written. */
export const COST = { fresh: 1000, cached: 200, written: 80 } as const;

export const wordsOf = (turn: Exclude<Spoken, { run: string }>): string =>
  'report' in turn ? JSON.stringify(turn.report) : (turn.say ?? '');
