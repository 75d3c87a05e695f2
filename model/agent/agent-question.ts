/** Questions of agents to people, and of people to agents (C4, E21). */
import { z } from 'zod';
import { cutText } from '#model/values';
import { Failure } from '#model/failure';

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
export const extractQuestion = (words: string): string | null => {
  const text = words.replaceAll('\r\n', '\n').trim();
  if (!hasQuestion(text)) return null;
  if (text.length <= MAX_QUESTION_LENGTH) return text;
  const parts = text.split(/\n{2,}/);
  const last = parts.findLastIndex(hasQuestion);
  const from = parts.slice(Math.max(0, last)).join('\n\n');
  return cutText(from, MAX_QUESTION_LENGTH);
};

export const MAX_AGENT_ANSWER_LENGTH = 4_000;

/** E21: what became of a person's question. `moved_on`: the run went on before there was an answer. */
export const QuestionOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answered'), text: z.string().min(1).max(MAX_AGENT_ANSWER_LENGTH) }),
  z.object({ kind: z.literal('silent') }),
  z.object({ kind: z.literal('moved_on') }),
  z.object({
    kind: z.literal('failed'),
    ...Failure.shape,
    message: z.string().max(1_000),
  }),
]);
export type QuestionOutcome = z.infer<typeof QuestionOutcome>;

/** The first words of a question that asks for a change. */
const REQUESTS: readonly string[] = [
  ...(['can', 'could', 'would', 'will', 'may', 'should', 'shall', 'please', 'how about', 'what if'] as const),
  ...([
    'why not',
    'why don',
    'isn’t it better',
    '能',
    '可以',
    '请',
    '可否',
    '麻烦',
    '要不要',
    '为什么不',
  ] as const),
];
/** A mark inside a name (`config.ts`, `?a=1`) ends nothing. */
const endsSentence = (mark: string, next: string): boolean =>
  mark === '\n' ||
  '。！？'.includes(mark) ||
  ('.!?'.includes(mark) && (next.trim() === '' || '?!"”’)»'.includes(next)));

/** E21: words that only ask; false where any sentence tells something, or politely requests it. */
export const isMereQuestion = (words: string): boolean => {
  if (words.length > MAX_QUESTION_LENGTH) return false;
  let sentence = '';
  let questions = 0;
  for (const [at, letter] of words.split('').entries()) {
    if (!endsSentence(letter, words[at + 1] ?? '')) {
      sentence += letter;
      continue;
    }
    const said = sentence.trim().toLowerCase();
    sentence = '';
    if (!/[\p{L}\p{N}]/u.test(said)) continue;
    if (!'?？'.includes(letter) || REQUESTS.some((start) => said.startsWith(start))) return false;
    questions += 1;
  }
  return questions > 0 && !/[\p{L}\p{N}]/u.test(sentence);
};
