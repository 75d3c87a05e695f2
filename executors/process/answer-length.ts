/** Limits texts that come back from a reader thread, because the main thread reads them again (L9). */
import { KB } from '#model/values';

/** Limits each text in the answer of a task that declares nothing else (characters). */
const MAX_ANSWER_TEXT_LENGTH = 48 * KB;

type Task = (...given: never[]) => unknown;
/** `maxTextLength` is in characters; see `allowLongTexts`. */
export type TaskLength = { maxTextLength?: number };

/** For answers that are shown or sent on, or that what reads them bounds by itself: say which. */
export const allowLongTexts = <T extends Task>(maxTextLength: number, task: T): T & TaskLength =>
  Object.assign(((...given: never[]) => task(...given)) as T, { maxTextLength });

export const maxTextLengthOf = ({ maxTextLength = MAX_ANSWER_TEXT_LENGTH }: TaskLength): number =>
  maxTextLength;

/** Texts at any depth, keys as well; bytes are no text. */
export const hasLongerText = (answer: unknown, maxTextLength: number): boolean => {
  const left: unknown[] = [answer];
  const seen = new Set<object>();
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.length > maxTextLength) return true;
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof Map) for (const pair of value) left.push(...pair);
    else if (value instanceof Set || Array.isArray(value)) for (const one of value) left.push(one);
    else for (const pair of Object.entries(value)) left.push(...pair);
  }
  return false;
};
