/** Records what failed in particular, so that each language can say it in its own words (S9). */
import { z } from 'zod';
import { FailureClass } from './failure-classes.ts';
import { HostRefusal } from './host-refusal.ts';

const MAX_WORDS = 500;
/** Somebody else's words, in their own language. */
const says = z.string().max(MAX_WORDS).exactOptional();
/** The engine's program; left out for an engine without one. */
const program = z.string().max(MAX_WORDS).exactOptional();
const name = z.string().max(MAX_WORDS);
const service = name.exactOptional();
const plainDetail = <K extends string>(kind: K) => z.object({ kind: z.literal(kind) });
const ofRepository = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), repo: name });
const BUCKET_REFUSALS = [
  'unreached',
  'other_region',
  'request_refused',
  'key_refused',
  'missing',
  'failed',
  'open_to_all',
  'broke_off',
  'other_bytes',
] as const;
export type BucketRefusal = (typeof BUCKET_REFUSALS)[number];
/** G11: what is wrong with the signatures of approvers' own keys. */
export const OwnKeyFault = z.enum(['too_few', 'unknown_key', 'untrusted_key', 'wrong_signature']);
export type OwnKeyFault = z.infer<typeof OwnKeyFault>;
const detailWithText = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), says });
const ofProgram = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), program, says });
/** `limit` has the unit of its setting: MB, processes, tokens, dollars or requests. */
const detailWithLimit = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), limit: z.number() });
const detailWithStatus = <K extends string>(kind: K) =>
  z.object({ kind: z.literal(kind), status: z.number(), says });

export const FailureDetail = z.discriminatedUnion('kind', [
  /** The code host's own words are in it; more precise than the class. */
  HostRefusal,
  detailWithText('push_refused'),
  detailWithText('branch_moved'),
  detailWithText('branch_name_refused'),
  detailWithText('push_credential_refused'),
  detailWithText('push_forbidden'),
  plainDetail('push_too_large'),
  z.object({ kind: z.literal('branch_differs'), branch: name, found: name.nullable(), expected: name }),
  z.object({ kind: z.literal('own_key'), why: OwnKeyFault }),
  z.object({ kind: z.literal('branch_missing'), repo: name, branch: name }),

  /** Nothing is known beyond the class of the failure. */
  plainDetail('no_space_left'),
  plainDetail('data_disk_full'),
  z.object({ kind: z.literal('mirrors_full'), used: z.number(), limit: z.number() }),
  z.object({ kind: z.literal('checkout_exceeds_disk'), used: z.number(), limit: z.number() }),
  detailWithLimit('disk_nearly_full'),
  detailWithLimit('run_disk_nearly_full'),
  z.object({ kind: z.literal('engine_disk_nearly_full'), limit: z.number(), place: name }),
  detailWithLimit('memory_exceeded'),
  detailWithLimit('memory_ran_out'),
  detailWithLimit('processes_exceeded'),
  detailWithLimit('processes_ran_out'),
  detailWithLimit('disk_exceeded'),
  detailWithLimit('output_exceeded'),

  ofProgram('engine_missing'),
  ofProgram('engine_not_executable'),
  ofProgram('engine_not_started'),
  ofProgram('engine_arguments_refused'),
  ofProgram('conversation_unknown'),
  detailWithText('box_not_started'),
  plainDetail('box_without_git'),
  z.object({ kind: z.literal('engine_timed_out'), seconds: z.number() }),
  /** L9: it was at work when the process hung or crashed, twice. */
  plainDetail('handling_stopped_process'),
  plainDetail('engine_stopped'),
  plainDetail('engine_too_loud'),
  z.object({ kind: z.literal('engine_exited'), exitCode: z.number().nullable(), says }),
  z.object({ kind: z.literal('check_killed'), command: z.string().max(200) }),
  z.object({ kind: z.literal('engine_killed'), signal: name.nullable(), says }),
  plainDetail('permission_undecided'),

  detailWithLimit('run_tokens_used_up'),
  detailWithLimit('run_cost_used_up'),
  detailWithLimit('model_requests_exceeded'),
  detailWithLimit('model_requests_too_fast'),
  detailWithLimit('model_call_repeated'),
  plainDetail('spending_used_up'),
  z.object({ kind: z.literal('price_unnamed'), model: name.nullable() }),

  plainDetail('provider_closed'),
  plainDetail('usage_limit_reached'),
  plainDetail('model_key_missing'),
  plainDetail('model_unnamed'),

  ofRepository('app_has_no_forks'),
  z.object({ kind: z.literal('fork_refused'), repo: name, says }),
  ofRepository('forks_not_allowed'),
  z.object({ kind: z.literal('fork_of_own'), repo: name, owner: name }),
  z.object({ kind: z.literal('repository_forbids_forks'), repo: name, mayPush: z.boolean() }),
  z.object({ kind: z.literal('fork_deleted'), fork: name }),
  z.object({ kind: z.literal('fork_unrelated'), repo: name, fork: name }),
  z.object({ kind: z.literal('fork_stays_empty'), fork: name }),

  /** L7: what was kept of a run elsewhere. */
  plainDetail('stored_by_others'),
  plainDetail('stored_bytes_differ'),
  plainDetail('stored_parts_missing'),
  z.object({ kind: z.literal('stored_start_lost'), branch: name }),
  z.object({
    kind: z.literal('bucket_refused'),
    why: z.enum(BUCKET_REFUSALS),
    status: z.number().nullable(),
  }),

  z.object({ kind: z.literal('chat_unreached'), service }),
  z.object({ kind: z.literal('chat_refused'), service, says }),
  z.object({ kind: z.literal('chat_token_unknown'), service, says }),

  z.object({ kind: z.literal('revert_unmerged'), pull: name }),
  z.object({ kind: z.literal('revert_unreachable'), pull: name, branch: name }),
  z.object({ kind: z.literal('revert_unclear'), pull: name }),
  z.object({ kind: z.literal('revert_needs_agent'), pull: name }),

  plainDetail('no_failed_check'),
  detailWithStatus('host_failed'),
  detailWithStatus('host_refused'),
  detailWithText('host_not_found'),
  detailWithText('host_credential_refused'),
  plainDetail('host_answer_unreadable'),
]);
export type FailureDetail = z.infer<typeof FailureDetail>;

/** One failure, whoever reports it: what to do about it, and which one it is. */
export const Failure = z.object({
  class: FailureClass,
  /** English text of the tool, the code host or the handler, for the log; may be empty. */
  message: z.string(),
  /** Replaces `message` in what people read. */
  detail: FailureDetail.exactOptional(),
});
export type Failure = z.infer<typeof Failure>;

/** Cuts words to what a record holds, and leaves out empty ones. */
export const failureDetail = (detail: FailureDetail): FailureDetail => {
  const fields = Object.entries(detail).filter(([key, value]) => key !== 'says' || value !== '');
  const clipValue = (value: unknown): unknown =>
    typeof value === 'string' ? value.slice(0, MAX_WORDS) : value;
  return FailureDetail.parse(Object.fromEntries(fields.map(([key, value]) => [key, clipValue(value)])));
};
