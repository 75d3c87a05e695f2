/** F5: parses `campaign.yml`. Strict: unknown keys are errors with a line number. Pure. */
import {
  isMap,
  isSeq,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLParseError,
} from 'yaml';
import { z } from 'zod';
import { RepeatRule } from '../model/repeat-schedule.ts';
import { CampaignLimits, CampaignPace, TargetVariables } from '../model/campaign-order.ts';
import { LINK_OUTCOMES, linkProblemIn, MAX_LINKS, type TargetLink } from '../model/wave-links.ts';
import { isOpenQuery, MAX_CAMPAIGN_QUERIES, queryIn } from '../model/repository-query.ts';
import { withLines } from '../model/line-end.ts';
import { withoutTraces } from '../model/without-traces.ts';
import { hasMoreTokens } from '../model/yaml-cost.ts';
import {
  selectClearestIssue,
  validationIssueOf,
  ruleOf,
  type ValidationIssue,
} from '../model/validation-issue.ts';
import { nearestWord } from '../model/spelling.ts';
import { INSTALL_MODES, MAX_ORDERED_FIXES, OrderedFix } from '../model/order.ts';
import { checkVariables, EVERY_REPOSITORY, type NewCampaign } from './campaign-order.ts';
import { MAX_LISTED_REPOSITORIES, repoIn, visibleText } from './repository-list.ts';
import { deepLine } from './yaml-nesting.ts';
import { readOrder, type ParsedOption } from './order-argument.ts';
import { isWrong, wrongArgument, type WrongArgument } from '../model/command-problems.ts';

export const MAX_CAMPAIGN_FILE_BYTES = 1_000_000;
const MAX_TOKENS = 250_000;

const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((said) => said.trim() !== '', ruleOf('filled'));
const Link = z.union([
  text(400),
  z.strictObject({ repo: text(400), until: z.enum(LINK_OUTCOMES).default('merged') }),
]);
const Repository = z.union([
  text(400),
  z.strictObject({
    repo: text(400),
    vars: TargetVariables.default({}),
    after: z.union([Link, z.array(Link).min(1).max(MAX_LINKS)]).optional(),
    goal: text(8_000).optional(),
    title: text(200).optional(),
    script: text(100_000).optional(),
  }),
]);

const CampaignFile = z.strictObject({
  name: text(80),
  repositories: z.array(Repository).max(MAX_LISTED_REPOSITORIES).default([]),
  /** `org:…`, `team:…/…`, `repos:…` or `code:…`. */
  query: z.union([text(400), z.array(text(400)).max(MAX_CAMPAIGN_QUERIES)]).default([]),
  goal: text(8_000).optional(),
  /** Runs instead of an agent; gets the goal on standard input. */
  script: text(100_000).optional(),
  /** Fixes instead of one goal; each repository gets one pull request for all of them. */
  fixes: z
    .array(
      z.strictObject({ title: text(200), goal: text(8_000).optional(), script: text(100_000).optional() }),
    )
    .min(2)
    .max(MAX_ORDERED_FIXES)
    .optional(),
  engine: text(100).optional(),
  flow: z.enum(['direct', 'plan']).optional(),
  base: text(200).optional(),
  branch: text(200).optional(),
  title: text(200).optional(),
  checks: z.array(text(10_000)).max(50).default([]),
  install: z.enum(INSTALL_MODES).optional(),
  approvers: z
    .array(z.union([text(100), z.int()]).transform(String))
    .min(1)
    .max(20)
    .optional(),
  pace: CampaignPace.prefault({}),
  limits: CampaignLimits.prefault({}),
  every: RepeatRule.optional(),
});
type CampaignFile = z.infer<typeof CampaignFile>;

const CAMPAIGN_KEY = /^(?:name|goal|script|fixes|query|pace|limits|approvers|every)[ \t]*:/m;

/** Detects campaigns by content, since lists may be `.yml` too. */
export const isCampaignFile = (source: string): boolean => CAMPAIGN_KEY.test(withLines(source));

/** `vars` are defaults for every repository. */
export const readCampaignFile = (
  source: string,
  vars: TargetVariables = {},
): { value: NewCampaign } | WrongArgument => {
  if (source.length > MAX_CAMPAIGN_FILE_BYTES)
    return wrongArgument({ kind: 'file_long', most: MAX_CAMPAIGN_FILE_BYTES });
  const whole = withLines(source);
  const deep = deepLine(whole);
  if (deep !== null) return wrongArgument({ kind: 'file_deep', line: deep });
  if (hasMoreTokens(whole, MAX_TOKENS)) return wrongArgument({ kind: 'file_hard' });
  const lines = new LineCounter();
  // `silent` would hide a second document; pretty errors and the key check are slow.
  const document = withoutTraces(() =>
    parseDocument(whole, {
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
      uniqueKeys: false,
    }),
  );
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const [error] = document.errors;
  if (error) return unreadable(error, lineAt(error.pos[0]));
  const twice = twiceIn(document);
  if (twice !== null) return wrongArgument({ kind: 'file_twice', line: lineAt(twice) });
  const alias = aliasIn(document);
  if (alias !== null) return wrongArgument({ kind: 'file_alias', line: lineAt(alias) });
  const input: unknown = document.toJS({ maxAliasCount: 0 });
  const read = CampaignFile.safeParse(input);
  if (read.success) {
    const made = batchOf(read.data, vars);
    return isWrong(made) ? made : (linkMisfit(made.value, document, lineAt) ?? made);
  }
  const issue = selectClearestIssue(read.error.issues);
  return issue
    ? misfitIn(document, validationIssueOf(issue, input), { source: whole, lineAt })
    : wrongArgument();
};

const linkMisfit = (
  { named }: NewCampaign,
  document: Document,
  lineAt: (offset: number) => number,
): WrongArgument | null => {
  const found = linkProblemIn(named);
  if (!found) return null;
  const path = ['repositories', found.at, 'after'];
  const own = isSeq(document.getIn(path, true)) ? [...path, found.link] : path;
  const line = lineAt(offsetOf(document, own));
  const repo = found.repo.slice(0, 60);
  return wrongArgument(
    found.kind === 'circle'
      ? { kind: 'file_circle', line, way: found.way.slice(0, 400) }
      : { kind: `file_after_${found.kind}`, line, repo },
  );
};

const unreadable = ({ code, message }: YAMLParseError, line: number): WrongArgument => {
  if (code === 'MULTIPLE_DOCS') return wrongArgument({ kind: 'file_documents', line });
  return wrongArgument({ kind: 'file_yaml', line, says: message });
};

type Written = { source: string; lineAt: (offset: number) => number };

const twiceIn = (document: Document): number | null => {
  let found: number | null = null;
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (known.has(name)) found = (isNode(key) ? key.range?.[0] : null) ?? 0;
        known.add(name);
        if (found !== null) return visit.BREAK;
      }
      return undefined;
    },
  });
  return found;
};

/** Aliases can expand exponentially or recursively, so they are rejected. */
const aliasIn = (document: Document): number | null => {
  let found: number | null = null;
  visit(document, {
    Alias: (_, node) => {
      found = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
};

const misfitIn = (
  document: Document,
  misfit: ValidationIssue,
  { source, lineAt }: Written,
): WrongArgument => {
  const { path } = misfit;
  if (misfit.kind === 'value') {
    const node = document.getIn(path, true);
    // Shows the source text, since long numbers are rounded by the parser.
    const found = isScalar(node) && typeof node.value === 'number' ? node.source : undefined;
    const told = found === undefined ? misfit : { ...misfit, found: found.slice(0, 60) };
    return wrongArgument({ kind: 'file_value', line: lineAt(offsetOf(document, path)), misfit: told });
  }
  const node = keyOf(document.getIn(path, true), misfit.key);
  const [from, to] = node?.range ?? [offsetOf(document, path), null];
  const isName = isScalar(node) && typeof node.value === 'string' && node.value !== '';
  const key = isName || to === null ? misfit.key : source.slice(from, to);
  const near = path.length === 0 ? nearestWord(misfit.key, Object.keys(CampaignFile.shape)) : null;
  return wrongArgument({ kind: 'file_key', line: lineAt(from), key: key.slice(0, 60), near });
};

const keyOf = (map: unknown, key: string): Node | null => {
  const keys = isMap(map) ? map.items.flatMap(({ key: own }) => (isNode(own) ? [own] : [])) : [];
  const isText = (node: Node): boolean => isScalar(node) && typeof node.value === 'string';
  return (
    keys.find((node) => isText(node) && String(node) === key) ?? keys.find((node) => !isText(node)) ?? null
  );
};

const offsetOf = (document: Document, path: readonly (string | number)[]): number => {
  const node = document.getIn(path, true);
  if (isNode(node)) return node.range?.[0] ?? 0;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
};

const batchOf = (file: CampaignFile, all: TargetVariables): { value: NewCampaign } | WrongArgument => {
  const { name, pace, limits } = file;
  const fixes = fixesIn(file);
  if (fixes && isWrong(fixes)) return fixes;
  const own = file.repositories.flatMap((one) => (typeof one === 'string' ? [] : [one]));
  const ofOne = own.find((one) => one.script !== undefined)?.script;
  const script = fixes ? joinedScripts(fixes.value) : (file.script ?? ofOne);
  const whole = own.length === file.repositories.length && file.query.length === 0;
  const hasOwn = (key: 'goal' | 'script'): boolean => whole && own.every((one) => one[key] !== undefined);
  const goal = file.goal ?? (fixes || hasOwn('goal') ? name : undefined);
  if (fixes && own.some((one) => one.goal !== undefined || one.script !== undefined))
    return wrongArgument({ kind: 'file_fixes' });
  if (ofOne !== undefined && file.script === undefined && !hasOwn('script'))
    return wrongArgument({ kind: 'file_scripts' });
  const approvers = file.approvers ? [...new Set(file.approvers)] : null;
  if ((goal ?? script) === undefined) return wrongArgument({ kind: 'file_goal' });
  if (script !== undefined && file.engine !== undefined && file.engine !== 'script')
    return wrongArgument({ kind: 'file_engine' });
  const named: NewCampaign['named'] = [];
  for (const [i, one] of file.repositories.entries()) {
    const { repo, vars, after, ...words } =
      typeof one === 'string' ? { repo: one, vars: {}, after: undefined } : one;
    const found = repoIn(visibleText(repo));
    if (!found) return wrongArgument({ kind: 'file_repo', at: i + 1, text: repo.slice(0, 60) });
    const links = after === undefined ? undefined : linksIn(after);
    if (links === null) return wrongArgument({ kind: 'file_repo', at: i + 1, text: 'after:' });
    named.push({
      ...found,
      vars: { ...all, ...vars },
      ...(links ? { after: links } : {}),
      ...(words.goal === undefined ? {} : { goal: words.goal.trim() }),
      ...(words.title === undefined ? {} : { title: words.title.trim() }),
      ...(words.script === undefined ? {} : { script: words.script }),
    });
  }
  const queries: NewCampaign['queries'] = [];
  for (const one of [file.query].flat()) {
    const query = queryIn(visibleText(one));
    if (!query)
      return wrongArgument({ kind: isOpenQuery(one) ? 'query_quote' : 'query', text: one.slice(0, 60) });
    queries.push(query);
  }
  if (named.length + queries.length === 0) return wrongArgument({ kind: 'file_repos' });
  const options: ParsedOption[] = [
    ...(script === undefined ? [] : [['engine', 'script'] as const]),
    ...(['base', 'branch', 'flow', 'install'] as const).flatMap((key) => optionOf(key, file[key])),
    // The title covers all fixes, so no agent may choose it.
    ...optionOf('title', file.title ?? (fixes ? name : undefined)),
    ...(script === undefined ? optionOf('engine', file.engine) : []),
    ...file.checks.map((check) => ['check', check] as const),
  ];
  const order = readOrder(named[0]?.repo ?? EVERY_REPOSITORY, (goal ?? name).trim(), options);
  if (isWrong(order)) return order;
  return checkVariables({
    name,
    named,
    queries,
    order: order.value,
    script: script ?? null,
    fixes: fixes?.value ?? null,
    pace,
    limits,
    approvers,
    every: file.every ?? null,
  });
};

const linksIn = (after: z.infer<typeof Link> | z.infer<typeof Link>[]): TargetLink[] | null => {
  const links = [after].flat().map((one): TargetLink | null => {
    const { repo, until } = typeof one === 'string' ? { repo: one, until: 'merged' as const } : one;
    const found = repoIn(visibleText(repo));
    return found && { repo: found.repo, until };
  });
  return links.every((one) => one !== null) ? links : null;
};

const fixesIn = ({
  fixes,
  script,
  engine,
  flow,
}: CampaignFile): { value: OrderedFix[] } | WrongArgument | null => {
  if (!fixes) return null;
  const scripts = fixes.filter((one) => one.script !== undefined).length;
  const apart = fixes.some((one) => (one.script === undefined) === (one.goal === undefined));
  const several = engine?.includes(',') === true;
  if (apart || several || script !== undefined || flow === 'plan' || ![0, fixes.length].includes(scripts))
    return wrongArgument({ kind: 'file_fixes' });
  const read = fixes.map((one) =>
    OrderedFix.safeParse({
      title: one.title.trim(),
      goal: (one.goal ?? one.title).trim(),
      ...(one.script === undefined ? {} : { script: one.script }),
    }),
  );
  const value = read.flatMap(({ data }) => data ?? []);
  return value.length === fixes.length ? { value } : wrongArgument({ kind: 'file_fixes' });
};

const joinedScripts = (fixes: readonly OrderedFix[]): string | undefined => {
  const scripts = fixes.flatMap(({ script }) => (script === undefined ? [] : [`(\n${script}\n)`]));
  return scripts.length === 0 ? undefined : ['set -e', ...scripts].join('\n');
};

const optionOf = (key: ParsedOption[0], value: string | undefined): ParsedOption[] =>
  value === undefined ? [] : [[key, value]];
