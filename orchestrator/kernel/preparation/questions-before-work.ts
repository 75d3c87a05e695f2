/** Groups campaign runs by the wishes of their repositories, so that one card answers them. */
import type { AskedFirst } from '../run/asked-first.ts';
import type { Run } from '../run/run.ts';

/** Limits of one card: runs, and characters of possible bans, which the user reads in full. */
export const MAX_QUESTIONED_RUNS = 12;
const MAX_BAN_WORDS_LENGTH = 1_200;
/** Characters of all lines of a card as sent; below the chat's limit, with room for the rest. */
const MOST_SIZE = 3_300;
export const MAX_QUOTE_LENGTH = 110;
export const MAX_SHOWN_FILE_NAME_LENGTH = 80;
/** Characters that surround a line's words, and that stand above the lines of a kind. */
const LINE_MARGINS = { line: 40, wish: 20, kind: 160 };

/** Returns null when nothing is asked, or when the run needs a card of its own. */
export const askedFirst = (run: Run): AskedFirst | null => {
  const {
    order,
    lifecycle: { state },
    target: { escalation },
  } = run;
  if (order.campaign === undefined || state !== 'PLAN_READY' || escalation === null) return null;
  const of = (wishes: AskedFirst['wishes']): AskedFirst => ({ run: run.id, repo: order.repo, wishes });
  switch (escalation.kind) {
    case 'answers_missing':
      return of(escalation.missing.map(({ what: _, ...wish }) => wish));
    case 'rule_unmet': {
      const { kind: _, ...wish } = escalation;
      // guard: F5-some-ask-alone
      return wish.rule === 'base_branch' ? of([wish]) : null;
    }
    case 'possible_ban': {
      const { kind: _, ...place } = escalation;
      return of([{ rule: 'other', value: 'ai', ...place }]);
    }
    default:
      return null;
  }
};

/** A rule that may be a ban is grouped only with rules of exactly the same words. */
export const mayBan = ({ rule }: AskedFirst['wishes'][number]): boolean => rule === 'other';

const kindOf = ({ wishes }: AskedFirst): string =>
  // guard: F5-bans-weighed-singly
  wishes.map((wish) => (mayBan(wish) ? `${wish.rule} ${wish.quote}` : wish.rule)).join(' ');

export const alikeIn = (asked: readonly AskedFirst[]): AskedFirst[][] => [
  ...Map.groupBy(asked, kindOf).values(),
];

const sent = (text: string, most: number): number =>
  text.slice(0, most).replaceAll(/[&<>"]/g, '&quot;').length;

const lineOf = ({ repo, wishes }: AskedFirst): number =>
  wishes.reduce(
    (n, wish) => {
      const quote = mayBan(wish) ? 0 : sent(wish.quote, MAX_QUOTE_LENGTH);
      const branch = wish.rule === 'base_branch' ? sent(wish.value ?? '', Infinity) : 0;
      return n + LINE_MARGINS.wish + branch + quote + sent(wish.file, MAX_SHOWN_FILE_NAME_LENGTH);
    },
    LINE_MARGINS.line + sent(repo, 60),
  );

export const onOneCard = (asked: readonly AskedFirst[]): AskedFirst[] => {
  const words = new Set<string>();
  const kinds = new Set<string>();
  let size = 0;
  const room = (one: AskedFirst): boolean => {
    for (const wish of one.wishes) if (mayBan(wish)) words.add(wish.quote);
    kinds.add(kindOf(one));
    size += lineOf(one);
    const quoted = [...words].reduce((n, quote) => n + sent(quote, Infinity), 0);
    return quoted <= MAX_BAN_WORDS_LENGTH && size + kinds.size * LINE_MARGINS.kind + quoted <= MOST_SIZE;
  };
  const some = asked.slice(0, MAX_QUESTIONED_RUNS);
  const over = some.findIndex((one) => !room(one));
  return over < 0 ? some : some.slice(0, Math.max(1, over));
};

export const stillAsked = (shown: readonly AskedFirst[], now: readonly AskedFirst[]): AskedFirst[] => {
  const words = new Map(now.map((one) => [one.run, JSON.stringify(one.wishes)]));
  // guard: F5-answers-what-was-shown
  return shown.filter(({ run, wishes }) => words.get(run) === JSON.stringify(wishes));
};
