/** Offers an input to the machine and writes the result; the only writer of runs. */
import type { Input, InputStamp } from '../run/input-types.ts';
import { InputSchema, isFromChatAlone } from '../inputs/inputs.ts';
import { type Step, recordStep } from '../effects/recorded-step.ts';
import { decide } from '../lifecycle/decide.ts';
import type { Refusal } from '../run/refusals.ts';
import type { Run } from '../run/run.ts';
import type { StepCause, StepPlan, ChatReply, NewStepArtifact, StepOutcome } from '#ports/steps';
import type { SystemClock, IdSource } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

export const CHAT_KEY = 'chat:';

export type InputSubmission = {
  runId: string;
  input: Input;
  /** S4: identifies the cause: an update, an effect with its lease, a timer, a CLI key. */
  key: string;
  cause: StepCause;
  /** Results only: the run's epoch when the effect was requested. */
  effectEpoch?: number | null;
  /** May share a database commit with other inputs of the same moment. */
  shared?: boolean;
  replies?: (step: Step, before: Run | null) => ChatReply[];
  artifacts?: readonly NewStepArtifact[];
};

/** Steps of one run are serialised by the ledger's transaction. Repeating a key changes nothing. */
export type SubmitInput = (submission: InputSubmission) => Promise<StepOutcome>;

export type SubmitParts = {
  ledger: Ledger;
  clock: SystemClock;
  ids: IdSource;
  onWritten?: (run: Run, before: Run | null) => void;
};

export const createSubmitInput =
  ({ ledger, clock, ids, onWritten }: SubmitParts): SubmitInput =>
  async ({ runId, input, key, cause, effectEpoch = null, shared = false, replies, artifacts = [] }) => {
    const now = clock.now();
    // The only place where inputs are validated.
    const parsed = InputSchema.parse(input);
    const closed = isFromChatAlone(parsed.type) ? await onlyFromChat(ledger, key, cause) : null;
    const stamp: InputStamp = { at: now, nonce: ids.nonce(), effectEpoch };
    const plan = (run: Run | null): StepPlan => {
      if (closed !== null) return { kind: 'refused', reason: closed, replies: [] };
      const result = decide(run, parsed, stamp);
      const answers = replies?.(result, run) ?? [];
      if (result.kind !== 'moved') return { ...result, replies: answers };
      const { effects, approvals } = result;
      const event = { type: parsed.type, body: recordStep(parsed, stamp, result), at: now };
      return { kind: 'write', run: result.run, event, effects, approvals, replies: answers };
    };
    const outcome = await ledger.step({ runId, key, cause, now, shared, artifacts, plan });
    if (outcome.kind === 'written') onWritten?.(outcome.run, outcome.before);
    return outcome;
  };

/** G3: approvals are accepted from the chat only. */
const onlyFromChat = async (ledger: Ledger, key: string, cause: StepCause): Promise<Refusal | null> => {
  const row = cause.kind === 'inbox' ? await ledger.query.incoming(cause.id) : null;
  return row?.source === 'chat' && key.startsWith(CHAT_KEY) ? null : { kind: 'chat_only' };
};
