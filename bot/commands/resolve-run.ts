/** Resolves names of runs, in commands and in free text (C1, C4). */
import { trimEndCharacters } from '#model/values';
import { isTerminal, type RunState } from '#model/run';
import type { Run } from '#run';
import { findRunsByWord, type KnownRun, type AnsweredMessage } from '../phrases/find-meant-runs.ts';
import { listFleetRuns } from '../views/fleet-screen.ts';
import { onwardVerb } from '../views/command-proposal.ts';
import { findSentCards, findDelivery } from './verify-card.ts';
import { findRun, type CommandContext } from './command-context.ts';
import { trimInvisible } from './parse-command.ts';

const MAX_FLEET_RUNS = 200;
const MAX_RECENT_RUNS = 15;
export type FleetRuns = { live: readonly Run[]; all: readonly Run[] };

export const readFleetRuns = async (context: CommandContext): Promise<FleetRuns> => {
  const [live, recent] = await Promise.all([
    context.ledger.query.runs({ live: true, limit: MAX_FLEET_RUNS }),
    context.ledger.query.runs({ live: false, limit: MAX_RECENT_RUNS }),
  ]);
  const ordered = listFleetRuns(live, context.words);
  return {
    live: ordered,
    all: [...ordered, ...recent.filter(({ lifecycle: { state } }) => isTerminal(state))],
  };
};

const STANDING_BY_STATE: { readonly [S in RunState]?: KnownRun['stands'] } = {
  NEEDS_HUMAN_REVIEW: 'failed',
  FAILED_RETRYABLE: 'failed',
  PAUSED: 'paused',
  QUEUED: 'queued',
  LOCAL_VALIDATING: 'checked',
  CI_WAIT: 'watched',
  REVIEW_WAIT: 'watched',
};
export const toNameable = ({
  id,
  order,
  lifecycle: { state },
  gate: { approval },
  upstream: { pullRequest: pr },
}: Run): KnownRun => ({
  id,
  repo: order.repo,
  what: `${order.title ?? ''} ${order.goal.slice(0, 400)}`,
  stands: approval ? 'decision' : isTerminal(state) ? 'ended' : (STANDING_BY_STATE[state] ?? 'works'),
  pull: pr?.url ?? null,
});

/** Returns the live run of the message and whether it waits for an answer, or null. */
export const findAnsweredMessage = async (
  context: CommandContext,
  live: readonly Run[],
  messageId: string,
): Promise<AnsweredMessage | null> => {
  const { query } = context.ledger;
  for (const run of live) {
    const told = await query.effects({ runId: run.id, kind: 'chat_message', state: 'done' });
    const ours = told
      .map(findDelivery)
      .some((sent) => sent?.chat === context.chat && sent.messageId === messageId);
    if (!ours) continue;
    const cards = run.gate.approval
      ? await findSentCards(query, run.id, run.gate.approval.id, context.chat)
      : [];
    if (cards.some((card) => card.messageId === messageId)) return { id: run.id, to: 'card' };
    return { id: run.id, to: !run.gate.approval && onwardVerb(run) !== null ? 'call' : 'progress' };
  }
  return null;
};

const bareName = (word: string): string =>
  trimEndCharacters(trimInvisible(word).replace(/^[#`'"“‘<(（「]+/u, ''), '`\'"”’>)）」.,:;!?。，：；！？');

/** `sure` means the name cannot refer to another run later. */
export const findRunsByName = async (
  context: CommandContext,
  word: string,
): Promise<{ runs: Run[]; sure: boolean }> => {
  const said = bareName(word);
  const exact = await findRun(context.ledger.query, said);
  if (exact) return { runs: [exact], sure: true };
  const { all } = await readFleetRuns(context);
  const { ids, sure } = findRunsByWord(said, { runs: all.map(toNameable), replied: null });
  return { runs: all.filter(({ id }) => ids.includes(id)), sure: sure && ids.length === 1 };
};
