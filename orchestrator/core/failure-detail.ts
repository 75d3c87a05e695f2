/** S9: records what failed in particular, so that each language can say it in its own words. */
import { z } from 'zod';

const MAX_WORDS = 500;
/** Somebody else's words, in their own language. */
const says = z.string().max(MAX_WORDS).exactOptional();
/** The engine's program; left out for an engine without one. */
const program = z.string().max(MAX_WORDS).exactOptional();
const name = z.string().max(MAX_WORDS);
const plain = <K extends string>(kind: K) => z.object({ kind: z.literal(kind) });
const said = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), says });
const ofProgram = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), program, says });
/** `limit` has the unit of its setting: MB, or processes. */
const limited = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), limit: z.number() });
const answered = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), status: z.number(), says });

export const FailureDetail = z.discriminatedUnion('kind', [
  said('push_refused'),
  said('branch_moved'),
  said('branch_name_refused'),
  said('push_credential_refused'),
  said('push_forbidden'),
  plain('push_too_large'),
  /** `found` is null when the branch does not exist. */
  z.object({ kind: z.literal('branch_differs'), branch: name, found: name.nullable(), expected: name }),
  z.object({ kind: z.literal('branch_missing'), repo: name, branch: name }),

  /** Nothing is known beyond the class of the failure. */
  plain('no_space_left'),
  z.object({ kind: z.literal('mirrors_full'), used: z.number(), limit: z.number() }),
  limited('disk_nearly_full'),
  limited('run_disk_nearly_full'),
  limited('memory_exceeded'),
  limited('memory_ran_out'),
  limited('processes_exceeded'),
  limited('processes_ran_out'),
  limited('disk_exceeded'),

  ofProgram('engine_missing'),
  ofProgram('engine_not_executable'),
  ofProgram('engine_not_started'),
  ofProgram('engine_arguments_refused'),
  ofProgram('conversation_unknown'),
  said('box_not_started'),
  z.object({ kind: z.literal('engine_timed_out'), seconds: z.number() }),
  plain('engine_stopped'),
  plain('engine_too_loud'),
  z.object({ kind: z.literal('engine_exited'), exitCode: z.number().nullable(), says }),
  z.object({ kind: z.literal('engine_killed'), signal: name.nullable(), says }),
  plain('permission_undecided'),

  plain('provider_closed'),
  plain('usage_limit_reached'),
  plain('model_key_missing'),
  plain('model_unnamed'),

  answered('host_failed'),
  answered('host_refused'),
  said('host_not_found'),
  said('host_credential_refused'),
  plain('host_answer_unreadable'),
]);
export type FailureDetail = z.infer<typeof FailureDetail>;
export type FailureDetailKind = FailureDetail['kind'];

/** Cuts words to what a record holds, and leaves out empty ones. */
export const failureDetail = (detail: FailureDetail): FailureDetail => {
  const fields = Object.entries(detail).filter(([key, value]) => key !== 'says' || value !== '');
  const cut = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, MAX_WORDS) : value);
  return FailureDetail.parse(Object.fromEntries(fields.map(([key, value]) => [key, cut(value)])));
};
