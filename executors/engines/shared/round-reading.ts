/**
 * What was learned so far from an engine's events; each engine folds its own events into this,
 * purely.
 */
import { z } from 'zod';
import { NO_USAGE, type AgentSession, type ModelUsage } from '../../../orchestrator/core/change-facts.ts';
import type { EngineFailure } from './engine-failure.ts';

/*
 * The commands of an agent can write to its standard output, so an event may be anybody's. What it counts must not take back
 * or overflow what was counted, and what it names must not be an option when it is handed to the program again.
 */
export const tokenCount = z.number().int().min(0).max(1e12).catch(0);
export const dollarsSchema = z.number().min(0).max(1e6).catch(0);
export const sessionId = z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/);
export const modelName = z.string().max(200).nullish().catch(null);

export type RoundReading = {
  /** As it was given, until the engine names it. */
  session: AgentSession | null;
  /** What the session had used before this round. */
  base: ModelUsage;
  /** Of this round. */
  usage: ModelUsage;
  model: string | null;
  /** What the newest event says to a person; null when nothing. */
  says: string | null;
  /** Set by the one event that ends the engine's turn; without it the engine crashed. */
  ended: 'completed' | 'failed' | null;
  /** The agent's report, parsed by the engine or in its last words. */
  report: unknown;
  /** Newest evidence of what goes wrong; it counts when the turn failed. */
  failure: EngineFailure | null;
  /** Tools that the agent was denied. */
  denied: readonly string[];
  /** Of the model's newest message whose tokens are counted. */
  message: string | null;
  /** The provider asked the engine to wait, and nothing has happened since. */
  waits: boolean;
  /** A command of the agent runs: silence means nothing yet. */
  works: boolean;
  /** Going on is pointless: the engine turns in a circle. */
  stuck: boolean;
};

/**
 * The first name that is heard in a round is its session's; one that is resumed has its name
 * already.
 */
export const sessionNamed = (reading: RoundReading, id: string): AgentSession =>
  reading.session ?? { id, usage: NO_USAGE };

export const firstReading = (session: AgentSession | null): RoundReading => ({
  session,
  base: session?.usage ?? NO_USAGE,
  usage: NO_USAGE,
  model: null,
  says: null,
  ended: null,
  report: null,
  failure: null,
  denied: [],
  message: null,
  waits: false,
  works: false,
  stuck: false,
});

/**
 * What this round used, from what the engine counted over the whole session. A count below the one
 * before began anew, because the engine lost it.
 */
export const usedSince = (before: ModelUsage, total: ModelUsage): ModelUsage => {
  const part = (name: keyof ModelUsage): number =>
    total[name] < before[name] ? total[name] : total[name] - before[name];
  return {
    inputTokens: part('inputTokens'),
    outputTokens: part('outputTokens'),
    // Prices have a few decimals; sums of them must not show more.
    costUsd: Math.round(part('costUsd') * 1e9) / 1e9,
  };
};

/** The reading with the totals of a session that an engine counts as one. */
export const withSessionTotal = (reading: RoundReading, id: string, total: ModelUsage): RoundReading => ({
  ...reading,
  session: { ...sessionNamed(reading, id), usage: total },
  usage: usedSince(reading.base, total),
});
