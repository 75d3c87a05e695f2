/** Timers of a round for silence and provider waits, and a gauge of its usage. */
import { NO_USAGE } from '#model/reports';
import { KB, formatTimeSpan } from '#model/values';
import type { RoundReading } from './round-reading.ts';

/** Times in ms: before the first event, between events, and during a command. */
export type SilenceLimits = { first: number; between: number; command?: number };

export const describeSilenceLimit = (engine: string, ms: number, { first }: { first: boolean }): string => {
  const [time, setting] = first
    ? [`in its first ${formatTimeSpan(ms)}`, 'firstEventSeconds']
    : [`for ${formatTimeSpan(ms)}`, 'silentMinutes'];
  return `The agent printed nothing ${time} (engines.${engine}.${setting}) and was stopped; its model may not answer.`;
};

export const createProviderWaitTimer = (ms: number, onTimeout: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    watch: (waits: boolean): void => {
      if (waits) timer ??= setTimeout(onTimeout, ms);
      else stop();
    },
    stop,
  };
};

/** A running command (`works`) may take long. */
export const createSilenceTimer = (
  silence: SilenceLimits,
  onTimeout: (ms: number, first: boolean) => void,
) => {
  let timer = setTimeout(() => onTimeout(silence.first, true), silence.first);
  return {
    heard: (works: boolean): void => {
      clearTimeout(timer);
      const ms = works ? (silence.command ?? silence.between) : silence.between;
      timer = setTimeout(() => onTimeout(ms, false), ms);
    },
    stop: (): void => clearTimeout(timer),
  };
};

export const createUsageReporter = (say: (reading: RoundReading, outputBytes: number) => void) => {
  let told = NO_USAGE;
  let toldSession: string | undefined;
  let toldBytes = 0;
  let bytes = 0;
  return {
    printed: (chunk: Buffer): void => void (bytes += chunk.length),
    look: (reading: RoundReading): void => {
      const { inputTokens, outputTokens, costUsd } = reading.usage;
      const more =
        inputTokens > told.inputTokens || outputTokens > told.outputTokens || costUsd > told.costUsd;
      const named = reading.session?.id !== toldSession;
      if (!more && !named && bytes - toldBytes < GAUGE_BYTES) return;
      told = reading.usage;
      toldSession = reading.session?.id;
      toldBytes = bytes;
      say(reading, bytes);
    },
  };
};
const GAUGE_BYTES = 256 * KB;
