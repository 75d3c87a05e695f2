/** Asks questions in a terminal or reads answers from a pipe; secrets are not echoed. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { LanguageTexts } from '#language';

export type SetupPrompt = {
  ask(text: string, options?: { secret?: boolean }): Promise<string | null>;
  say(text: string): void;
  hasEnded(): boolean;
  close(): void;
};

const INTERRUPTED = 130;

export const openPrompt = (words: LanguageTexts['setup']): SetupPrompt => {
  const { stdin, stderr } = process;
  let muted = false;
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      if (!muted) stderr.write(chunk);
      done();
    },
  });
  const terminal = stdin.isTTY;
  const lines = createInterface({ input: stdin, output, terminal });
  const waiting: string[] = [];
  let ended = false;
  let hear: ((line: string | null) => void) | null = null;
  lines.on('line', (line) => {
    const heard = hear;
    hear = null;
    if (heard) heard(line);
    // Piped answers may arrive before their questions.
    else waiting.push(line);
  });
  lines.on('close', () => {
    ended = true;
    hear?.(null);
  });
  const exitOnInterrupt = (): void => {
    muted = false;
    lines.close();
    stderr.write(`${words.stopped}\n`);
    process.exit(INTERRUPTED);
  };
  lines.on('SIGINT', exitOnInterrupt);
  process.once('SIGINT', exitOnInterrupt);
  return {
    say: (text) => void stderr.write(`${text}\n`),
    async ask(text, { secret = false } = {}) {
      if (terminal && !secret) {
        lines.setPrompt(text);
        lines.prompt();
      } else stderr.write(text);
      muted = secret && terminal;
      const given =
        waiting.shift() ?? (ended ? null : await new Promise<string | null>((resolve) => (hear = resolve)));
      if (muted) stderr.write(`${given === null ? '' : words.received(given.trim().length)}\n`);
      else if (!terminal) stderr.write('\n');
      muted = false;
      lines.setPrompt('');
      return given === null ? null : given.trim();
    },
    hasEnded: () => ended && waiting.length === 0,
    close() {
      process.removeListener('SIGINT', exitOnInterrupt);
      lines.close();
      stdin.unref?.();
    },
  };
};
