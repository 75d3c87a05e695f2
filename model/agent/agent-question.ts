/** C4: finds the question in an agent's text; offers of more work are none. */
import { cutText } from '#model/values';

export const MAX_QUESTION_LENGTH = 1_200;

const CODE = /```[^]*?(?:```|$)|`[^`\n]*`|https?:\S+/g;
const QUESTION_PATTERN =
  /[?？]["'”’»)\]*_]*(?:\s|$)|\b(?:(?:please )?(?:let (?:me|us) know|tell (?:me|us))\b|please (?:confirm|clarify|advise|decide|specify|choose|pick)\b|(?:i|we) need (?:you to|your|a (?:person|human|decision)|more (?:information|details?)|clarification|to know (?:which|what|whether|how))\b|(?:waiting|awaiting) (?:for )?your\b)|请(?:您|你)?(?:告诉|告知|确认|说明|选择|决定|明确)|需要(?:您|你)(?:的)?(?:决定|确认|选择|说明)|(?:吗|呢)[。\s]*$/iu;
const OFFERS =
  /\blet (?:me|us) know if (?:you|there|anything)\b|\b(?:anything|something) else\b|\b(?:would you like|do you want|shall|should) (?:me|i|us|we)? ?(?:to )?(?:also|additionally|go ahead and also)\b|还有(?:什么)?(?:别的|其他)|是否还需要/iu;

const sentencesIn = (text: string): string[] => text.split(/(?<=[.!?。！？]["'”’)]{0,5})\s+|\n+/u);

const hasQuestion = (text: string): boolean =>
  sentencesIn(text.replace(CODE, ' ')).some((one) => QUESTION_PATTERN.test(one) && !OFFERS.test(one));

/** Extends to the end of the text, with the choices; null without a question. */
export const questionIn = (words: string): string | null => {
  const text = words.replaceAll('\r\n', '\n').trim();
  if (!hasQuestion(text)) return null;
  if (text.length <= MAX_QUESTION_LENGTH) return text;
  const parts = text.split(/\n{2,}/);
  const last = parts.findLastIndex(hasQuestion);
  const from = parts.slice(Math.max(0, last)).join('\n\n');
  return cutText(from, MAX_QUESTION_LENGTH);
};
