/** Shows an engine's progress at most twice a second; the newest wins. */
import { lastLine } from '../../process/plain-text.ts';

const EVERY_MS = 500;
const MAX_PROGRESS_LENGTH = 200;

type ProgressReporter = {
  say: (text: string) => void;
  end: () => void;
};

export const createProgress = (tell: (text: string) => void): ProgressReporter => {
  let last = -Infinity;
  let waiting: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const emitNow = (text: string): void => {
    last = performance.now();
    waiting = null;
    tell(text);
  };
  return {
    say: (text) => {
      const line = lastLine(text, MAX_PROGRESS_LENGTH);
      if (line === null) return;
      const left = EVERY_MS - (performance.now() - last);
      if (left <= 0 && waiting === null) return emitNow(line);
      waiting = line;
      timer ??= setTimeout(() => {
        timer = undefined;
        if (waiting !== null) emitNow(waiting);
      }, left);
    },
    end: () => {
      clearTimeout(timer);
      waiting = null;
    },
  };
};
