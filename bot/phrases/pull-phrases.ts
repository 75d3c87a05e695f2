/** Reads how a pull request is to open from words such as “open it as a draft with label automated” (F13). Pure. */
import { PullEdit } from '#model/opening';
import { wordPatterns } from '#tools/words';

const FIELDS = ['draft', 'ready', 'labels', 'reviewers', 'assignees', 'milestone'] as const;
const PULL_WORDS = wordPatterns('bot/phrases/words', 'pulls', [
  ...FIELDS,
  ...(['parts', 'opens', 'opensAs', 'as', 'pull', 'filler', 'removes', 'denies', 'green', 'until'] as const),
  ...(['joins', 'commas', 'ends', 'leadsOn', 'ofReview', 'isBuilt', 'forbids'] as const),
]);
const fieldOf = (word: string) => FIELDS.find((field) => PULL_WORDS[field].test(word));
const isFiller = (word: string): boolean =>
  [PULL_WORDS.filler, PULL_WORDS.opens, PULL_WORDS.pull].some((says) => says.test(word));
const MAX_WORDS_READ = 300;
const MAX_WORDS_TO_GREEN = 6;

type Token = { text: string; word: string; at: number };
const NO_TOKEN: Token = { text: '', word: '', at: 0 };

const PART_WORDS = new RegExp(`(${PULL_WORDS.parts.source})`, 'u');

/** Words in quotation marks are one; a stop at the end of a word is none of it. */
const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/"[^"]{1,100}"|[^\s,;"，、。；]+|[,;，、。；]/gu)]
    .slice(0, MAX_WORDS_READ)
    .flatMap(({ 0: written, index }): Token[] => {
      let at = index;
      return written.split(PART_WORDS).map((part) => {
        const plain = part.replace(/^"|"$/g, '').replace(/[.!]$/, '');
        const token = { text: plain, word: plain.toLowerCase(), at };
        at += part.length;
        return token;
      });
    })
    .filter(({ word }) => word !== '');

const isWordOfOurs = (word: string): boolean =>
  isFiller(word) ||
  PULL_WORDS.until.test(word) ||
  PULL_WORDS.removes.test(word) ||
  fieldOf(word) !== undefined;

const isJoin = (word: string): boolean => PULL_WORDS.joins.test(word) || PULL_WORDS.commas.test(word);

/** Names that follow, with commas or “and” between them; and where they end. */
const namesAt = (tokens: readonly Token[], from: number): { names: string[]; next: number } => {
  let at = from;
  while (isFiller(tokens[at]?.word ?? '')) at += 1;
  const names: string[] = [];
  for (let token = tokens[at]; token && !isWordOfOurs(token.word); token = tokens[at]) {
    names.push(token.text);
    const joined = isJoin(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
    const after = tokens[joined];
    if (joined === at + 1 || !after || isWordOfOurs(after.word)) return { names, next: at + 1 };
    at = joined;
  }
  return { names, next: at };
};

const greenAt = (tokens: readonly Token[], from: number): number | null => {
  if (!PULL_WORDS.until.test(tokens[from]?.word ?? '')) return null;
  const to = tokens
    .slice(from, from + MAX_WORDS_TO_GREEN + 1)
    .findIndex(({ word }) => PULL_WORDS.green.test(word));
  return to < 0 ? null : from + to + 1;
};

/** Without a name all of them; a reviewer with a slash is a team. */
const removalsOf = (
  field: 'labels' | 'reviewers' | 'assignees' | 'milestone',
  names: readonly string[],
): NonNullable<PullEdit['without']> => {
  if (names.length === 0)
    return (field === 'reviewers' ? (['reviewers', 'teams'] as const) : [field]).map((one) => ({
      field: one,
    }));
  if (field === 'milestone') return [{ field, name: names.join(' ') }];
  return names.map((name) => ({
    field: field === 'reviewers' && name.includes('/') ? 'teams' : field,
    name: field === 'labels' ? name : name.replace(/^@/, ''),
  }));
};

/** A comma alone may begin something else: `without label docs, reviewer kim`. */
const areJoins = (tokens: readonly Token[]): boolean =>
  tokens.every(({ word }) => isJoin(word)) && tokens.some(({ word }) => PULL_WORDS.joins.test(word));

/** Null when a word among them is about something else. */
const readTokens = (tokens: readonly Token[]): PullEdit | null => {
  const said = {
    labels: new Array<string>(),
    reviewers: new Array<string>(),
    teams: new Array<string>(),
    assignees: new Array<string>(),
  };
  const without: NonNullable<PullEdit['without']> = [];
  let draft: PullEdit['draft'];
  let milestone: string | undefined;
  let isDenied = false;
  let isRemoved = false;
  /** Index behind the options that are removed: `without labels and reviewers` removes both. */
  let removedTo: number | null = null;
  for (let at = 0; at < tokens.length;) {
    const word = tokens[at]?.word ?? '';
    const key = fieldOf(word);
    if (key === undefined && PULL_WORDS.removes.test(word)) {
      isRemoved = true;
      at += 1;
      continue;
    }
    if (key === undefined) {
      if (!isFiller(word) && !PULL_WORDS.denies.test(word)) return null;
      isDenied ||= !isFiller(word);
      at += 1;
      continue;
    }
    const isListed = removedTo !== null && areJoins(tokens.slice(removedTo, at));
    removedTo = null;
    if (key === 'draft') {
      if (isListed) return null;
      const green = greenAt(tokens, at + 1);
      draft = isDenied || isRemoved ? false : green === null ? true : 'until_green';
      at = green ?? at + 1;
      if (isRemoved) removedTo = at;
    } else if (key === 'ready') {
      if (isDenied || isRemoved) return null;
      draft = false;
      at += PULL_WORDS.ofReview.test(tokens[at + 2]?.word ?? '') ? 3 : 1;
    } else if (isRemoved || isListed) {
      const { names, next } = namesAt(tokens, at + 1);
      without.push(...removalsOf(key, names));
      removedTo = names.length === 0 ? at + 1 : next;
      at = next;
    } else {
      const { names, next } = namesAt(tokens, at + 1);
      if (names.length === 0 || isDenied) return null;
      if (key === 'milestone') milestone = names.join(' ');
      else if (key === 'reviewers')
        for (const name of names) (name.includes('/') ? said.teams : said.reviewers).push(name);
      else said[key].push(...names);
      at = next;
    }
    isDenied = false;
    isRemoved = false;
  }
  const lists = Object.entries(said).filter(([, names]) => names.length > 0);
  const read = PullEdit.safeParse({
    ...(draft === undefined ? {} : { draft }),
    ...(milestone === undefined ? {} : { milestone }),
    ...Object.fromEntries(lists),
    ...(without.length > 0 ? { without } : {}),
  });
  return read.success && Object.keys(read.data).length > 0 ? read.data : null;
};

const startsOpening = (tokens: readonly Token[], at: number): boolean => {
  const [{ word } = NO_TOKEN, ...after] = tokens.slice(at, at + 4);
  return (
    PULL_WORDS.opens.test(word) ||
    (PULL_WORDS.opensAs.test(word) && after.some((one) => PULL_WORDS.draft.test(one.word)))
  );
};
const namesPull = (tokens: readonly Token[], at: number): boolean =>
  tokens
    .slice(at + 1, at + 4)
    .some(({ word }) => PULL_WORDS.pull.test(word) || PULL_WORDS.draft.test(word)) ||
  PULL_WORDS.as.test(tokens[at]?.word ?? '');

/** The words that say how it opens stand at the end; `rest` is what stands before them. */
export const splitOpeningWords = (text: string): { options: PullEdit; rest: string } | null => {
  const tokens = tokensOf(text);
  for (const [at] of tokens.entries()) {
    if (!startsOpening(tokens, at) || !namesPull(tokens, at)) continue;
    // `a button to open a PR` is what is built.
    const { word } = tokens[at - 1] ?? NO_TOKEN;
    if (PULL_WORDS.isBuilt.test(word) || PULL_WORDS.forbids.test(word)) continue;
    const options = readTokens(tokens.slice(at));
    if (!options) continue;
    return { options, rest: restBefore(text, tokens, at) };
  }
  return null;
};

const isBetween = ({ word }: Token = NO_TOKEN): boolean =>
  PULL_WORDS.leadsOn.test(word) || PULL_WORDS.ends.test(word);
/** As it was written, without what joins the two. */
const restBefore = (text: string, tokens: readonly Token[], at: number): string => {
  let last = at - 1;
  while (isBetween(tokens[last])) last -= 1;
  const end = tokens[last + 1]?.at ?? text.length;
  return text.slice(0, end).trim().replace(/\.$/, '');
};
