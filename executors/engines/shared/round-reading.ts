/** The state folded from an engine's events. */
import { z } from 'zod';
import { NO_USAGE, type AgentSession, type ModelUsage } from '#model/reports';
import type { EngineFailure } from './engine-failure.ts';

/** Commands can print events too: counts must not overflow, names not look like options. */
export const tokenCount = z.number().int().min(0).max(1e12).catch(0);
export const dollarsSchema = z.number().min(0).max(1e6).catch(0);
export const sessionId = z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/);
export const modelName = z.string().max(200).nullish().catch(null);

export type RoundReading = {
  session: AgentSession | null;
  /** The session's usage before this round. */
  base: ModelUsage;
  usage: ModelUsage;
  model: string | null;
  says: string | null;
  /** The engine crashed if this stays null. */
  ended: 'completed' | 'failed' | null;
  report: unknown;
  /** What it said to people since it last used a tool, apart from its report. */
  words: string | null;
  failure: EngineFailure | null;
  denied: readonly string[];
  message: string | null;
  /** The provider asked the engine to wait, and nothing has happened since. */
  waits: boolean;
  /** A command of the agent runs, so silence is normal. */
  works: boolean;
  stuck: boolean;
  /** The calls of tools in the last event, see `toCallText`; empty for most events. */
  calls: readonly string[];
  /** The protocol's name of the last call that was counted. */
  callId: string | null;
};

/** A resumed session keeps its name. */
export const sessionNamed = (reading: RoundReading, id: string): AgentSession =>
  reading.session ?? { id, usage: NO_USAGE };

export const createRoundReading = (session: AgentSession | null): RoundReading => ({
  session,
  base: session?.usage ?? NO_USAGE,
  usage: NO_USAGE,
  model: null,
  says: null,
  ended: null,
  report: null,
  words: null,
  failure: null,
  denied: [],
  message: null,
  waits: false,
  works: false,
  stuck: false,
  calls: [],
  callId: null,
});

const MAX_KEPT_WORDS = 8_000;
/** A report is asked for once more after a question, so the earlier words stay beside the later ones. */
export const withWords = (reading: RoundReading, text: string): RoundReading => {
  const said = text.trim();
  if (said === '' || said.startsWith('{')) return reading;
  const words = reading.words === null ? said : `${reading.words}\n\n${said}`;
  return { ...reading, words: words.slice(-MAX_KEPT_WORDS).toWellFormed() };
};

/** A lower total means that the engine restarted its count. */
const usageSince = (before: ModelUsage, total: ModelUsage): ModelUsage => {
  const partSince = (name: keyof ModelUsage): number =>
    total[name] < before[name] ? total[name] : total[name] - before[name];
  return {
    inputTokens: partSince('inputTokens'),
    outputTokens: partSince('outputTokens'),
    costUsd: Math.round(partSince('costUsd') * 1e9) / 1e9,
  };
};

export const withSessionTotal = (reading: RoundReading, id: string, total: ModelUsage): RoundReading => ({
  ...reading,
  session: { ...sessionNamed(reading, id), usage: total },
  usage: usageSince(reading.base, total),
});
