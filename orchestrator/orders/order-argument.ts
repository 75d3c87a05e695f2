/** Parses an order: repository, goal and options, once for chat and command line (C1). Pure. */
import { z } from 'zod';
import { BudgetKind, BUDGET_KINDS, parseGrantedBudget } from '#model/limits';
import {
  BranchName,
  enginesInTurn,
  INSTALL_MODES,
  OrderProposers,
  readProposer,
  RepositoryName,
  type Order,
  SentPicture,
} from '#model/order';
import { DRAFT_WAYS, PullOptions } from '#model/opening';
import { nearestWord } from '#model/values';
import {
  isWrongArgument,
  MAX_ARGUMENT_LENGTHS,
  unusableArgument,
  unknownChoice,
  tooLongArgument,
  toWrongArgument,
  type CommandProblem,
  type WrongArgument,
} from '#model/chat';
import { branchOf, parseRepoLink } from './repository-links.ts';

const FLOWS = ['direct', 'plan'] as const;
const DISCOVERIES = ['files', 'agent'] as const;

export const NewOrder = z.object({
  repo: RepositoryName,
  /** Host of the given URL; the shell checks it. */
  host: z.string().nullable().default(null),
  goal: z.string().min(1).max(MAX_ARGUMENT_LENGTHS.goal),
  base: BranchName.nullable(),
  branch: BranchName.nullable(),
  title: z.string().max(MAX_ARGUMENT_LENGTHS.title).nullable(),
  engine: z.string().nullable(),
  flow: z.enum(FLOWS).nullable(),
  discovery: z.enum(DISCOVERIES).nullable(),
  promptVersion: z.string().nullable(),
  budgets: z.array(z.object({ budget: BudgetKind, amount: z.number() })),
  install: z.enum(INSTALL_MODES).exactOptional(),
  pull: PullOptions.exactOptional(),
  checks: z.array(z.string()),
  picture: SentPicture.exactOptional(),
});
export type NewOrder = z.infer<typeof NewOrder>;

type Option = {
  form: string | readonly string[];
  many?: true;
};
export const ORDER_OPTIONS = {
  base: { form: '<branch>' },
  engine: { form: '<engine>[,<engine>…]' },
  flow: { form: FLOWS },
  discovery: { form: DISCOVERIES },
  budget: { form: '<budget:amount>', many: true },
  prompt_version: { form: '<version>' },
  check: { form: '<command>', many: true },
  install: { form: INSTALL_MODES },
  branch: { form: '<name>' },
  title: { form: '<title>' },
  draft: { form: DRAFT_WAYS },
  label: { form: '<label>', many: true },
  reviewer: { form: '<account or organisation/team>', many: true },
  assignee: { form: '<account>', many: true },
  milestone: { form: '<milestone>' },
} as const satisfies Record<string, Option>;
export type OrderOption = keyof typeof ORDER_OPTIONS;
const ORDER_OPTION_NAMES = Object.keys(ORDER_OPTIONS) as OrderOption[];
const isMany = (name: OrderOption): boolean => (ORDER_OPTIONS[name] satisfies Option as Option).many === true;

export type ParsedOption = readonly [OrderOption, string];

/** Also matches unknown names, so that typos are reported. A mark within its own kind has a backslash. */
const ORDER_OPTION_PATTERN = String.raw`([a-z][a-z_-]{0,30})=(?!=)(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|((?:[^\s"'][^\s"]*)?))`;
const LEADING = new RegExp(`^${ORDER_OPTION_PATTERN}(?:\\s+|$)`, 'i');
const WHOLE_OPTION = new RegExp(`^${ORDER_OPTION_PATTERN}$`, 'i');
/** A model's name after the colon keeps its case. */
const ENGINE_NAME = /(?<=^|,)[^:,]*/g;
const UNCLOSED_ORDER_OPTION = /(?:^|\s)([a-z][a-z_-]{0,30})=(?:"(?:[^"\\]|\\[^])*|'[^']*)$/i;
const QUOTED_CHECK = /(?:^|\s)check=(["'])/gi;

type Read = { name: string; text: string };
const readOption = ([, name = '', double, single, plain]: RegExpExecArray): Read => ({
  name: name.toLowerCase(),
  text: (double?.replaceAll('\\"', '"') ?? single ?? plain ?? '').trim(),
});

/** Where the words in quotation marks at the end begin. */
const openingMark = (text: string): number => {
  const mark = text.at(-1);
  if (mark !== '"' && mark !== "'") return text.length;
  let from = text.lastIndexOf(mark, text.length - 2);
  while (mark === '"' && from > 0 && text.charAt(from - 1) === '\\') from = text.lastIndexOf(mark, from - 1);
  return from;
};

/** The word at the end, or words in quotation marks with their name; read from behind, once. */
const lastOption = (goal: string): RegExpExecArray | null => {
  let from = openingMark(goal);
  while (from > 0 && /\S/.test(goal.charAt(from - 1))) from -= 1;
  return WHOLE_OPTION.exec(goal.slice(Math.max(from, 0)));
};

/** A command at the end with its own mark within it, so that nobody can tell where it ends. */
const findBrokenOption = (goal: string): string | null => {
  const last = [...goal.matchAll(QUOTED_CHECK)].at(-1);
  return last && goal.endsWith(last[1] ?? '') ? 'check' : null;
};

const unknownIn = (options: readonly Read[]): WrongArgument | null => {
  const found = options.find(({ name }) => !ORDER_OPTION_NAMES.some((one) => one === name));
  if (!found) return null;
  const near = nearestWord(found.name, ORDER_OPTION_NAMES);
  return toWrongArgument({
    kind: 'option',
    option: found.name,
    near,
    all: ORDER_OPTION_NAMES.map((n) => `${n}=`).join(' '),
  });
};

/** Options follow the repository or end the text; the goal between them stays verbatim. */
export const parseTypedOrder = (text: string): { value: NewOrder } | WrongArgument => {
  const [repo = ''] = text.split(/\s+/);
  if (repo === '') return toWrongArgument();
  let goal = text.slice(repo.length).trim();
  const first: Read[] = [];
  const last: Read[] = [];
  for (let m = LEADING.exec(goal); m; m = LEADING.exec(goal)) {
    first.push(readOption(m));
    goal = goal.slice(m[0].length).trim();
  }
  for (let m = lastOption(goal); m; m = lastOption(goal)) {
    last.push(readOption(m));
    goal = goal.slice(0, goal.length - m[0].length).trim();
  }
  const open = /^"[^"]*$/.test(goal)
    ? 'goal'
    : (UNCLOSED_ORDER_OPTION.exec(goal)?.[1] ?? findBrokenOption(goal));
  if (open !== null) return toWrongArgument({ kind: 'quote', option: open.toLowerCase() });
  const options = [...first, ...last.reverse()];
  const unknown = unknownIn(options);
  if (unknown) return unknown;
  const known = options.flatMap(({ name, text: value }): ParsedOption[] =>
    ORDER_OPTION_NAMES.flatMap((one): ParsedOption[] => (one === name ? [[one, value]] : [])),
  );
  return readOrder(repo, goal.replace(/^"([^"]*)"$/, '$1').trim(), known);
};

const readChoice = <One extends string>(
  name: Parameters<typeof unknownChoice>[0],
  written: string | null,
  choices: readonly One[],
): { one: One | null } | WrongArgument => {
  const one = choices.find((choice) => choice === written) ?? null;
  return written !== null && one === null ? unknownChoice(name, written, choices) : { one };
};

const valuesOf = (options: readonly ParsedOption[], name: OrderOption): string[] =>
  options.filter(([one]) => one === name).map(([, value]) => value);

const checkOptionCounts = (options: readonly ParsedOption[]): WrongArgument | null => {
  for (const name of ORDER_OPTION_NAMES) {
    const values = valuesOf(options, name);
    if (values.includes('')) return toWrongArgument({ kind: 'value', option: name });
    if (!isMany(name) && values.length > 1) return toWrongArgument({ kind: 'twice', option: name });
  }
  return null;
};

export const readOrder = (
  written: string,
  words: string,
  options: readonly ParsedOption[],
): { value: NewOrder } | WrongArgument => {
  const optionValues = (name: OrderOption): string[] => valuesOf(options, name);
  const findValue = (name: OrderOption): string | null => optionValues(name)[0] ?? null;
  // A campaign variable may contain blanks, a branch may not.
  const branchIn = (name: 'base' | 'branch'): string | null =>
    findValue(name)?.replace(/\{\{[ \t]*([a-z][a-z0-9_-]{0,30})[ \t]*\}\}/gi, '{{$1}}') ?? null;
  const findLowerValue = (name: OrderOption): string | null => findValue(name)?.toLowerCase() ?? null;
  const link = parseRepoLink(written);
  const repo = link?.repo ?? written;
  const goal = link?.issue == null ? words : `${words} (${written})`.trim();
  if (!repo.includes('/') || !RepositoryName.safeParse(repo).success)
    return unusableArgument('repo', written);
  if (words === '') return toWrongArgument({ kind: 'no_goal' });
  const miscount = checkOptionCounts(options);
  if (miscount) return miscount;
  const title = findValue('title');
  const flow = readChoice('flow', findLowerValue('flow'), FLOWS);
  if (isWrongArgument(flow)) return flow;
  const discovery = readChoice('discovery', findLowerValue('discovery'), DISCOVERIES);
  if (isWrongArgument(discovery)) return discovery;
  const install = readChoice('install', findLowerValue('install'), INSTALL_MODES);
  if (isWrongArgument(install)) return install;
  const draft = readChoice('draft', findLowerValue('draft'), DRAFT_WAYS);
  if (isWrongArgument(draft)) return draft;
  const pull = readPullOptions(draft.one ?? undefined, findValue('milestone'), {
    labels: optionValues('label'),
    reviewers: optionValues('reviewer'),
    assignees: optionValues('assignee'),
  });
  if (isWrongArgument(pull)) return pull;
  const budgets = readBudgets(optionValues('budget'));
  if (isWrongArgument(budgets)) return budgets;
  const base = branchIn('base') ?? (link ? branchOf(link) : null);
  const branch = branchIn('branch');
  for (const name of [base, branch])
    if (name !== null && !BranchName.safeParse(name).success) return unusableArgument('branch', name);
  if ((title?.length ?? 0) > MAX_ARGUMENT_LENGTHS.title) return tooLongArgument('title');
  if (goal.length > MAX_ARGUMENT_LENGTHS.goal) return tooLongArgument('goal');
  return {
    value: {
      repo,
      host: link?.host ?? null,
      goal,
      base,
      branch,
      title,
      engine: findValue('engine')?.replaceAll(ENGINE_NAME, (name) => name.toLowerCase()) ?? null,
      flow: flow.one,
      discovery: discovery.one,
      promptVersion: findValue('prompt_version'),
      budgets,
      ...(install.one ? { install: install.one } : {}),
      ...(pull.options ? { pull: pull.options } : {}),
      checks: optionValues('check'),
    },
  };
};

type PullNames = { labels: string[]; reviewers: string[]; assignees: string[] };
/** A reviewer with a slash is a team. */
const readPullOptions = (
  draft: (typeof DRAFT_WAYS)[number] | undefined,
  milestone: string | null,
  { labels, reviewers, assignees }: PullNames,
): { options: PullOptions | null } | WrongArgument => {
  const names = reviewers.concat(assignees);
  const given: PullOptions = {
    ...(draft ? { draft: draft === 'until_green' ? draft : draft === 'yes' } : {}),
    ...(milestone === null ? {} : { milestone }),
    ...(labels.length > 0 ? { labels } : {}),
    ...(assignees.length > 0 ? { assignees } : {}),
    ...(reviewers.some((name) => !name.includes('/'))
      ? { reviewers: reviewers.filter((name) => !name.includes('/')) }
      : {}),
    ...(reviewers.some((name) => name.includes('/'))
      ? { teams: reviewers.filter((name) => name.includes('/')) }
      : {}),
  };
  if (Object.keys(given).length === 0) return { options: null };
  const read = PullOptions.safeParse(given);
  if (read.success) return { options: read.data };
  const at = read.error.issues[0]?.path[0];
  const text = at === 'labels' ? labels : at === 'milestone' ? [milestone ?? ''] : names;
  return unusableArgument(
    at === 'labels' ? 'label' : at === 'milestone' ? 'milestone' : 'account',
    text.join(', '),
  );
};

const readBudgets = (texts: readonly string[]): NewOrder['budgets'] | WrongArgument => {
  const budgets: NewOrder['budgets'] = [];
  for (const text of texts) {
    const granted = parseGrantedBudget(text);
    if ('budget' in granted) budgets.push(granted);
    else if (granted.problem === 'budget') return unknownChoice('budget', granted.text, BUDGET_KINDS);
    else return unusableArgument('amount', granted.text);
  }
  return budgets;
};

/** E9: `codex,claude` or `builtin:<model>,builtin:<model>`; null when invalid. */
type Engines = { engine: string; proposers?: string[] };
export const parseEngines = (text: string, flow: Order['flow']): Engines | null => {
  const said = text.split(',').map((one) => one.trim().replace(/^[^:]*/, (name) => name.toLowerCase()));
  const [first = ''] = said;
  if (said.length === 1 && !first.includes(':')) return { engine: first };
  const proposers = OrderProposers.safeParse(said).data;
  if (!proposers || (flow === 'plan' && enginesInTurn({ proposers }).length > 0)) return null;
  return { engine: readProposer(first).engine, proposers };
};

export const findEnginesProblem = (
  { engine, proposers = [] }: Engines,
  all: readonly string[],
  proposing: readonly string[],
): CommandProblem | null => {
  const named = [{ engine, name: null }, ...proposers.map(readProposer)];
  const unknown = named.find((one) => !all.includes(one.engine))?.engine;
  if (unknown !== undefined) return { kind: 'engine', text: unknown.slice(0, 60), all: all.join(', ') };
  const plain = named.find((one) => one.name !== null && !proposing.includes(one.engine))?.engine;
  return plain === undefined ? null : { kind: 'proposers', text: plain, all: proposing.join(', ') };
};
