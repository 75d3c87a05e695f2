/** Acts that a browser may send (G11). Each answer is JSON, and says in a sentence what became of it. */
import { z } from 'zod';
import { KeyDecision, NewPasskey, registerPasskey, type KeyDecisionOutcome } from '#passkeys';
import { sayRecord } from '#chat-text';
import { renderReason, createRenderContext } from '#views';
import type { BoardAnswer, PageContext } from './board-context.ts';
import { listShownFacts, type ShownFact } from './pages/decide.ts';

type BoardAct = {
  method: 'POST';
  /** Below `/board`; never inside Telegram, whose frame others may draw over. */
  path: string;
  act: (c: PageContext & { cookie: string }, body: unknown) => Promise<BoardAnswer>;
};

const toAnswer = (
  ok: boolean,
  says: string,
  status = ok ? 200 : 409,
  more: { now?: readonly ShownFact[] } = {},
): BoardAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ ok, says, ...more }),
});

const saysOf = (outcome: KeyDecisionOutcome, { words, now }: PageContext): string => {
  const { decide: t } = words.board;
  switch (outcome.kind) {
    case 'approved':
    case 'signed':
    case 'denied':
    case 'changes':
    case 'asked':
      return t.done[outcome.kind];
    case 'role':
      return t.role;
    case 'moved':
      return outcome.run ? `${t.moved} ${renderReason(outcome.run, now, words)}` : t.moved;
    case 'lapsed':
      return t.lapsed(outcome.names.join(', '));
    case 'fault':
      return t.faults[outcome.why];
    case 'refused':
      return sayRecord(words.refusals, outcome.reason, createRenderContext(now, words));
    default:
      return outcome satisfies never;
  }
};

const DONE: readonly KeyDecisionOutcome['kind'][] = ['approved', 'signed', 'denied', 'changes', 'asked'];

const decideByKey: BoardAct['act'] = async (context, body) => {
  const { keys } = context.parts;
  const read = KeyDecision.safeParse(body);
  if (!keys || !read.success) return toAnswer(false, context.words.board.decide.failed, 400);
  const outcome = await keys.decisions.decide(context.visitor.id, context.params.run ?? '', read.data);
  const now = outcome.kind === 'moved' && outcome.run ? { now: listShownFacts(outcome.run, context) } : {};
  return toAnswer(DONE.includes(outcome.kind), saysOf(outcome, context), undefined, now);
};

const registerKey: BoardAct['act'] = async (context, body) => {
  const { keys, access } = context.parts;
  const { passkeys: t } = context.words.board;
  const at = keys?.origin() ?? null;
  const read = NewPasskey.safeParse(body);
  if (!keys || !at || !read.success) return toAnswer(false, t.failed, 400);
  const { id: user, registers } = context.visitor;
  // guard: G11-link-for-a-key
  if (!registers) return toAnswer(false, t.fromChat, 403);
  const added = await registerPasskey(
    { passkeys: keys.passkeys, user, at, ...registers },
    read.data,
    context.now,
    // guard: G11-link-once
    () => access.useRegistration(context.cookie),
  );
  if (typeof added === 'string') return toAnswer(false, t.refused[added]);
  const person = { id: user, name: registers.name };
  try {
    await keys.onRegistered(person, added.fingerprint);
  } catch (error) {
    // Nobody adds a key unseen.
    await keys.passkeys.revoke(user, added.fingerprint, person);
    throw error;
  }
  return toAnswer(true, t.done(added.fingerprint));
};

const Told = z.strictObject({ words: z.string().trim().min(1).max(2_000), when: z.enum(['now', 'after']) });
const tellAgent: BoardAct['act'] = async (context, body) => {
  const { parts, visitor, params, words, now } = context;
  const { tell: t } = words.board;
  const read = Told.safeParse(body);
  if (!parts.tell || !read.success) return toAnswer(false, t.failed, 400);
  const outcome = await parts.tell(visitor, params.run ?? '', read.data.words, read.data.when);
  if (outcome.kind === 'queued') return toAnswer(true, t.queued[read.data.when]);
  if (outcome.kind === 'role') return toAnswer(false, t.role, 403);
  return toAnswer(
    false,
    outcome.reason ? sayRecord(words.refusals, outcome.reason, createRenderContext(now, words)) : t.failed,
  );
};

export const BOARD_ACTS: readonly BoardAct[] = [
  { method: 'POST', path: '/run/:run/decide', act: decideByKey },
  { method: 'POST', path: '/run/:run/words', act: tellAgent },
  { method: 'POST', path: '/passkeys', act: registerKey },
];
