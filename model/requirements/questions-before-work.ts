/** What repositories of a campaign ask before work, grouped so that one card answers them. */
import { z } from 'zod';
import { RULE_KINDS } from '#model/contract';

const Wish = z.object({
  rule: z.enum(RULE_KINDS),
  value: z.string().nullable(),
  quote: z.string(),
  file: z.string(),
  line: z.number(),
});

export const AskedFirst = z.object({ run: z.string(), repo: z.string(), wishes: z.array(Wish) });
export type AskedFirst = z.infer<typeof AskedFirst>;

/** Limits of one card: runs, and characters of possible bans, which the user reads in full. */
export const MAX_QUESTIONED_RUNS = 12;
const MAX_BAN_WORDS_LENGTH = 1_200;
/** Characters of all lines of a card as sent; below the chat's limit, with room for the rest. */
const MOST_SIZE = 3_300;
export const MAX_QUOTE_LENGTH = 110;
export const MAX_SHOWN_FILE_NAME_LENGTH = 80;
/** Characters that surround a line's words, and that stand above the lines of a kind. */
const LINE_MARGINS = { line: 40, wish: 20, kind: 160 };

/** A rule that may be a ban is grouped only with rules of exactly the same words. */
export const mayBan = ({ rule }: AskedFirst['wishes'][number]): boolean => rule === 'other';

const kindOf = ({ wishes }: AskedFirst): string =>
  // guard: F5-bans-weighed-singly
  wishes.map((wish) => (mayBan(wish) ? `${wish.rule} ${wish.quote}` : wish.rule)).join(' ');

export const groupAlikeQuestions = (asked: readonly AskedFirst[]): AskedFirst[][] => [
  ...Map.groupBy(asked, kindOf).values(),
];

const countSentCharacters = (text: string, most: number): number =>
  text.slice(0, most).replaceAll(/[&<>"]/g, '&quot;').length;

const lineOf = ({ repo, wishes }: AskedFirst): number =>
  wishes.reduce(
    (n, wish) => {
      const quote = mayBan(wish) ? 0 : countSentCharacters(wish.quote, MAX_QUOTE_LENGTH);
      const branch = wish.rule === 'base_branch' ? countSentCharacters(wish.value ?? '', Infinity) : 0;
      return (
        n + LINE_MARGINS.wish + branch + quote + countSentCharacters(wish.file, MAX_SHOWN_FILE_NAME_LENGTH)
      );
    },
    LINE_MARGINS.line + countSentCharacters(repo, 60),
  );

export const selectForOneCard = (asked: readonly AskedFirst[]): AskedFirst[] => {
  const words = new Set<string>();
  const kinds = new Set<string>();
  let size = 0;
  const hasRoomFor = (one: AskedFirst): boolean => {
    for (const wish of one.wishes) if (mayBan(wish)) words.add(wish.quote);
    kinds.add(kindOf(one));
    size += lineOf(one);
    const quoted = [...words].reduce((n, quote) => n + countSentCharacters(quote, Infinity), 0);
    return quoted <= MAX_BAN_WORDS_LENGTH && size + kinds.size * LINE_MARGINS.kind + quoted <= MOST_SIZE;
  };
  const some = asked.slice(0, MAX_QUESTIONED_RUNS);
  const over = some.findIndex((one) => !hasRoomFor(one));
  return over < 0 ? some : some.slice(0, Math.max(1, over));
};

export const selectStillAsked = (shown: readonly AskedFirst[], now: readonly AskedFirst[]): AskedFirst[] => {
  const words = new Map(now.map((one) => [one.run, JSON.stringify(one.wishes)]));
  // guard: F5-answers-what-was-shown
  return shown.filter(({ run, wishes }) => words.get(run) === JSON.stringify(wishes));
};
