/** The conversation of an attempt with its model, for people. Drops the middle if too long. */
import type { ModelUsage } from '#model/reports';
import { KB } from '#model/values';

const MAX_TRANSCRIPT_BYTES = 128 * KB;
const MAX_EXCHANGE_LENGTH = 6_000;

type ModelExchange = {
  path: string;
  model: string | null;
  /** HTTP status; null if the client disconnected. */
  status: number | null;
  ms: number;
  usage: ModelUsage;
  priced: boolean;
  estimated: boolean;
  asked: string;
  said: string;
};

type ModelTranscript = {
  add: (exchange: ModelExchange) => void;
  note: (text: string) => void;
  text: () => string;
};

export const clipExchangeText = (text: string): string =>
  text.length <= MAX_EXCHANGE_LENGTH
    ? text
    : `${text.slice(0, MAX_EXCHANGE_LENGTH)}… (${text.length - MAX_EXCHANGE_LENGTH} more characters)`;

export const createModelTranscript = (hide: (text: string) => string): ModelTranscript => {
  const kept: string[] = [];
  let size = 0;
  let count = 0;
  let left = 0;
  const keepEntry = (entry: string): void => {
    const text = hide(entry);
    if (size + text.length > MAX_TRANSCRIPT_BYTES) return void (left += 1);
    size += text.length;
    kept.push(text);
  };
  return {
    add: ({ path, model, status, ms, usage, priced, estimated, asked, said }) => {
      count += 1;
      const { inputTokens, outputTokens, costUsd } = usage;
      const about = estimated ? 'about ' : '';
      const head = [
        `#${count} ${path}`,
        model ?? 'no model',
        status === null ? 'left by the client' : String(status),
        `${about}${inputTokens} in, ${outputTokens} out, ${priced ? `$${costUsd.toFixed(4)}` : 'price unknown'}`,
        `${ms} ms`,
      ].join(' · ');
      keepEntry(`${head}\n> ${asked}\n< ${clipExchangeText(said)}\n`);
    },
    note: (text) => keepEntry(`! ${text}\n`),
    text: () => kept.join('\n') + (left > 0 ? `\n… ${left} more are not kept.\n` : ''),
  };
};
