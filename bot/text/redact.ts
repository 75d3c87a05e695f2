/** C5: what hides secrets in the chat is what the policies judge by. */
import { setImmediate as turn } from 'node:timers/promises';
import { redactSecrets } from '#text-safety';
import { KB } from '../../orchestrator/core/units.ts';

export { redactSecrets };

/** So much is looked through before others have their turn (characters). */
const PART = 64 * KB;

/**
 * The last look at a file whose words were hidden as a whole before: by parts, so that nobody waits
 * for a long one.
 */
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
