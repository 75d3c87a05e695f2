/** Reads how a pull request is to open from words such as “open it as a draft with label automated” (F13). Pure. */
import { PullEdit } from '#model/opening';

const KEYWORDS: Readonly<
  Record<string, 'draft' | 'ready' | 'labels' | 'reviewers' | 'assignees' | 'milestone'>
> = {
  draft: 'draft',
  草稿: 'draft',
  ready: 'ready',
  可评审: 'ready',
  label: 'labels',
  labels: 'labels',
  labeled: 'labels',
  labelled: 'labels',
  标签: 'labels',
  reviewer: 'reviewers',
  reviewers: 'reviewers',
  review: 'reviewers',
  reviews: 'reviewers',
  reviewed: 'reviewers',
  评审人: 'reviewers',
  审阅人: 'reviewers',
  assign: 'assignees',
  assigned: 'assignees',
  assignee: 'assignees',
  assignees: 'assignees',
  指派给: 'assignees',
  milestone: 'milestone',
  里程碑: 'milestone',
};
const VERBS = ['open', 'create', 'raise', 'submit', 'publish', '打开', '创建', '开成'];
const PULLS = ['it', 'this', 'that', 'pr', 'pull', '它', '拉取请求'];
const FILLERS = new Set([
  ...VERBS,
  ...PULLS,
  ...'the a an as with and then please in to for by from also request its of is & , ; ， 、 。 ； 以 用 为 并 和 请 把 加上 作为 成 由'.split(
    ' ',
  ),
]);
const REMOVING = new Set(['without', '不带', '去掉', '不要']);
const GREEN = new Set(['green', 'pass', 'passes', 'passed', 'passing', '绿', '变绿', '通过']);
const UNTIL = new Set(['until', 'till', 'unless', '直到', '等到']);
const JOINS = new Set([',', 'and', '&', '、', '，', '和']);
const CLAUSE_ENDS = [',', ';', '，', '、', '。', '；', '并', '请'];
const MAX_WORDS_READ = 300;
const MAX_WORDS_TO_GREEN = 6;

type Token = { text: string; word: string; at: number };

const CHINESE_WORDS =
  /(草稿|可评审|标签|评审人|审阅人|指派给|里程碑|打开|创建|开成|变绿|通过|直到|等到|拉取请求|加上|作为|以|用|为|并|和|请|把|成|由|它|不带|去掉|不要)/u;

/** Words in quotation marks are one; a stop at the end of a word is none of it. */
const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/"[^"]{1,100}"|[^\s,;"，、。；]+|[,;，、。；]/gu)]
    .slice(0, MAX_WORDS_READ)
    .flatMap(({ 0: written, index }): Token[] => {
      let at = index;
      return written.split(CHINESE_WORDS).map((part) => {
        const plain = part.replace(/^"|"$/g, '').replace(/[.!]$/, '');
        const token = { text: plain, word: plain.toLowerCase(), at };
        at += part.length;
        return token;
      });
    })
    .filter(({ word }) => word !== '');

const isWordOfOurs = (word: string): boolean =>
  FILLERS.has(word) || UNTIL.has(word) || REMOVING.has(word) || Object.hasOwn(KEYWORDS, word);

/** Names that follow, with commas or “and” between them; and where they end. */
const namesAt = (tokens: readonly Token[], from: number): { names: string[]; next: number } => {
  let at = from;
  while (FILLERS.has(tokens[at]?.word ?? '')) at += 1;
  const names: string[] = [];
  for (let token = tokens[at]; token && !isWordOfOurs(token.word); token = tokens[at]) {
    names.push(token.text);
    const joined = JOINS.has(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1;
    const after = tokens[joined];
    if (joined === at + 1 || !after || isWordOfOurs(after.word)) return { names, next: at + 1 };
    at = joined;
  }
  return { names, next: at };
};

const greenAt = (tokens: readonly Token[], from: number): number | null => {
  if (!UNTIL.has(tokens[from]?.word ?? '')) return null;
  const to = tokens.slice(from, from + MAX_WORDS_TO_GREEN + 1).findIndex(({ word }) => GREEN.has(word));
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
  tokens.every(({ word }) => JOINS.has(word)) &&
  tokens.some(({ word }) => !CLAUSE_ENDS.includes(word) || word === '、');

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
    const key = Object.hasOwn(KEYWORDS, word) ? KEYWORDS[word] : undefined;
    if (key === undefined && REMOVING.has(word)) {
      isRemoved = true;
      at += 1;
      continue;
    }
    if (key === undefined && !['not', 'no', '不'].includes(word) && !FILLERS.has(word)) return null;
    if (key === undefined) {
      isDenied ||= !FILLERS.has(word);
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
      at += tokens[at + 2]?.word === 'review' ? 3 : 1;
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

const BUILT = ['to', 'that', 'which', 'can', '来', '以便'];
const DENYING = ['not', 'no', 'never', 'without', "don't", 'don’t', '不', '别', '不要'];
const startsOpening = (tokens: readonly Token[], at: number): boolean => {
  const [verb, ...after] = tokens.slice(at, at + 4);
  return (
    VERBS.includes(verb?.word ?? '') ||
    (['以', '用', '作为'].includes(verb?.word ?? '') && after.some(({ word }) => word === '草稿'))
  );
};
const namesPull = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(at + 1, at + 4).some(({ word }) => PULLS.includes(word) || ['draft', '草稿'].includes(word)) ||
  tokens[at]?.word === '以';

/** The words that say how it opens stand at the end; `rest` is what stands before them. */
export const splitOpeningWords = (text: string): { options: PullEdit; rest: string } | null => {
  const tokens = tokensOf(text);
  for (const [at] of tokens.entries()) {
    if (!startsOpening(tokens, at) || !namesPull(tokens, at)) continue;
    // `a button to open a PR` is what is built.
    if ([...BUILT, ...DENYING].includes(tokens[at - 1]?.word ?? '')) continue;
    const options = readTokens(tokens.slice(at));
    if (!options) continue;
    return { options, rest: restBefore(text, tokens, at) };
  }
  return null;
};

/** As it was written, without what joins the two. */
const restBefore = (text: string, tokens: readonly Token[], at: number): string => {
  let last = at - 1;
  while (['and', 'then', 'please', ...CLAUSE_ENDS].includes(tokens[last]?.word ?? '')) last -= 1;
  const end = tokens[last + 1]?.at ?? text.length;
  return text.slice(0, end).trim().replace(/\.$/, '');
};
