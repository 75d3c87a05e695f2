/** Hides secrets in chat with the same rules as the policies (C5). */
import { setImmediate as turn } from 'node:timers/promises';
import { redactSecrets } from '#text-safety';
import { KB } from '#model/values';

export { redactSecrets };

/** Characters processed before yielding to other tasks. */
const PART = 64 * KB;

/** Redacts in parts so that it blocks nobody; the text must be redacted as a whole before. */
export const redactParts = async (text: string): Promise<string> => {
  const shown: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from + PART) + 1 || text.length;
    shown.push(redactSecrets(text.slice(from, end)));
    from = end;
    await turn();
  }
  return shown.join('');
};
