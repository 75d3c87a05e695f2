/** Offers an input to the machine and writes the result; the only writer of runs. */
import type { Input, InputStamp } from '../run/input-types.ts';
import { InputSchema, isFromChatAlone, kindSignedBy } from '../inputs/inputs.ts';
import { type Step, toRecordedEvent } from '../effects/recorded-step.ts';
import { decideStep } from '../lifecycle/decide.ts';
import type { Refusal } from '../run/refusals.ts';
import type { Run } from '../run/run.ts';
import type { StepCause, StepPlan, ChatReply, NewStepArtifact, StepOutcome } from '#ports/steps';
import type { SystemClock, IdSource } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import type { CheckOwnKeys } from '#ports/records';
import type { OwnKeySignature } from '#model/seal';

export const CHAT_KEY = 'chat:';
/** G11: of decisions that came with the signature of a person's own key. */
export const OWN_KEY_PREFIX = 'passkey:';

type InputSubmission = {
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

type SubmitParts = {
  ledger: Ledger;
  clock: SystemClock;
  ids: IdSource;
  onWritten?: (run: Run, before: Run | null) => void;
  /** Without it approvals come from the chat alone. */
  checkOwnKeys?: CheckOwnKeys;
};

export const createSubmitInput =
  ({ ledger, clock, ids, onWritten, checkOwnKeys }: SubmitParts): SubmitInput =>
  async ({ runId, input, key, cause, effectEpoch = null, shared = false, replies, artifacts = [] }) => {
    const now = clock.now();
    // The only place where inputs are validated.
    const parsed = InputSchema.parse(input);
    const closed = isFromChatAlone(parsed.type)
      ? await refuseForeignWord({ ledger, checkOwnKeys }, { runId, key, cause }, parsed)
      : null;
    const stamp: InputStamp = { at: now, nonce: ids.nonce(), effectEpoch };
    const plan = (run: Run | null): StepPlan => {
      if (closed !== null) return { kind: 'refused', reason: closed, replies: [] };
      const result = decideStep(run, parsed, stamp);
      const answers = replies?.(result, run) ?? [];
      if (result.kind !== 'moved') return { ...result, replies: answers };
      const { effects, approvals } = result;
      const event = { type: parsed.type, body: toRecordedEvent(parsed, stamp, result), at: now };
      return { kind: 'write', run: result.run, event, effects, approvals, replies: answers };
    };
    const outcome = await ledger.step({ runId, key, cause, now, shared, artifacts, plan });
    if (outcome.kind === 'written') onWritten?.(outcome.run, outcome.before);
    return outcome;
  };

type KeyParts = Pick<SubmitParts, 'ledger'> & { checkOwnKeys: CheckOwnKeys | undefined };

/** G3: approvals are accepted from a person alone: from the chat, or with their own key's signature. */
const refuseForeignWord = async (
  parts: KeyParts,
  { runId, key, cause }: Pick<InputSubmission, 'runId' | 'key' | 'cause'>,
  input: Input,
): Promise<Refusal | null> => {
  if ('ownKey' in input && input.ownKey !== undefined)
    return checkSignedByKey(parts, { runId, key }, input, input.ownKey);
  const row = cause.kind === 'inbox' ? await parts.ledger.query.incoming(cause.id) : null;
  return row?.source === 'chat' && key.startsWith(CHAT_KEY) ? null : { kind: 'chat_only' };
};

type Signing = Extract<Input, { ownKey?: OwnKeySignature }>;
const checkSignedByKey = async (
  { ledger, checkOwnKeys }: KeyParts,
  { runId, key }: Pick<InputSubmission, 'runId' | 'key'>,
  { type, by, approvalId, digest }: Signing,
  ownKey: OwnKeySignature,
): Promise<Refusal | null> => {
  const run = await ledger.query.run(runId);
  const action = kindSignedBy(type);
  if (
    !checkOwnKeys ||
    !run ||
    by.id === null ||
    action === null ||
    action === 'reply' ||
    !key.startsWith(OWN_KEY_PREFIX)
  )
    return { kind: 'chat_only' };
  const { proposal } = run.gate;
  if (proposal?.digest !== digest) return { kind: 'card_changed' };
  const signed = [{ by: by.id, signature: ownKey }];
  // guard: G11-signed-before-recorded
  const why = await checkOwnKeys({ run, action, approvalId, proposal }, signed, 1);
  return why && { kind: 'own_key_refused', why };
};
