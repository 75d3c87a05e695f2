/**
 * C4: what is written in answer to a message of a run. It changes nothing by itself: it is read back, and a tap makes it the
 * reason of a denial, or what the agent is told when the run goes on.
 */
import { LONGEST } from '../../orchestrator/commands/problems.ts';
import { neededFor, steered } from '../../orchestrator/commands/read.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { say } from '../text/catalogue.ts';
import { onwardVerb, type Advice, type Denial } from '../views/answered.ts';
import { doing } from '../views/scene.ts';
import { person } from './acting.ts';
import { cardsIn, closedBecause, deliveredAs } from './cards.ts';
import { plain, settle, showing, type Context } from './context.ts';
import { submitted, tell, type Said } from './popup.ts';

/** More live runs than this have no messages that somebody still answers. */
const MOST = 200;

/** Decides about a card, or continues a run that waits. */
type Answered = { run: Run; to: 'card' | 'call' };

/** What the message that was answered waits for; null when it waits for nothing. */
export const answered = async (c: Context, messageId: number): Promise<Answered | null> => {
  const { query } = c.ledger;
  for (const run of await query.runs({ live: true, limit: MOST })) {
    if (run.approval) {
      const cards = await cardsIn(query, run.id, run.approval.id, c.chat);
      if (cards.some((card) => card.messageId === messageId)) return { run, to: 'card' };
    } else if (onwardVerb(run) !== null) {
      const told = await query.effects({ runId: run.id, kind: 'tell', state: 'done' });
      const sent = told.map(deliveredAs).filter((one) => one?.chat === c.chat);
      if (sent.some((one) => one?.messageId === messageId)) return { run, to: 'call' };
    }
  }
  return null;
};

export const readBack = async (c: Context, { run, to }: Answered, text: string): Promise<void> => {
  const needs = neededFor(to === 'card' ? 'deny' : 'retry');
  // guard: C4-answer-role
  if (!atLeast(c.role, needs)) return settle(c, 'role', plain(c.words.roles.needs(needs), run.id));
  const words = text.trim();
  const what = to === 'card' ? 'reason' : 'advice';
  if (words.length > LONGEST[what]) {
    const problem = { kind: 'long', what, most: LONGEST[what] } as const;
    return settle(c, 'too long', plain(say(c.words.problems, problem), run.id));
  }
  if (to === 'call')
    return settle(c, 'answer to a call', showing({ view: 'advice', epoch: run.epoch, words }, run.id));
  if (!run.approval) return settle(c, 'free text');
  return settle(
    c,
    'answer to a card',
    showing({ view: 'denial', approvalId: run.approval.id, reason: words }, run.id),
  );
};

/** The words deny the card that they were written about, and no other. */
export const denySo = async (c: Context, run: Run, { approvalId, reason }: Denial): Said => {
  const { tap } = c.words;
  const row = await c.ledger.query.approval(approvalId);
  const closed = row ? closedBecause(run, row, c.clock.now(), c.words) : tap.gone;
  if (closed !== null) return tell(c, closed, true);
  const by = person(c);
  return submitted(
    c,
    run,
    { type: 'command.deny', by, reason, final: false, approvalId },
    { done: () => tap.denied },
  );
};

/** The words are for the halt that they were written about, and no later one. */
export const goOnSo = async (c: Context, verb: 'retry' | 'resume', run: Run, said: Advice): Said => {
  const { tap } = c.words;
  // guard: C4-answer-epoch
  if (said.epoch !== run.epoch) return tell(c, tap.movedOn(doing(run, c.words)), true);
  const input = steered(verb, person(c), { target: null, advice: said.words }, run);
  return submitted(c, run, input, { done: () => tap.done });
};
