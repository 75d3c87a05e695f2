/** Parses `campaign.yml` (F5). Strict: every fault is told with its line. Pure. */
import {
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  type Document,
  type YAMLParseError,
} from 'yaml';
import type { TargetVariables } from '#model/campaign';
import { normalizeLineEnds, withoutStackTraces, hasMoreYamlTokens } from '#model/values';
import { issueLocation, validationIssuesOf, type ValidationIssue } from '#model/settings';
import { toWrongArgument, type CommandProblem, type WrongArgument } from '#model/chat';
import type { NewCampaign } from './campaign-argument.ts';
import { buildCampaign, findUnreadableNames } from './campaign-file-order.ts';
import { CampaignFile } from './campaign-file-schema.ts';
import { findTooDeepLine } from './yaml-nesting.ts';
import { findRepeatedKey, nodeOfKey, offsetOf } from './yaml-locations.ts';

export const MAX_CAMPAIGN_FILE_BYTES = 1_000_000;
const MAX_TOKENS = 250_000;
const MAX_TOLD_FAULTS = 10;
const MAX_LOCATED_FAULTS = 100;

const CAMPAIGN_KEY = /^(?:name|goal|script|fixes|query|pace|limits|openings|budget|approvers|every)[ \t]*:/m;

/** Detects campaigns by content, since lists may be `.yml` too. */
export const isCampaignFile = (source: string): boolean => CAMPAIGN_KEY.test(normalizeLineEnds(source));

type Written = {
  document: Document;
  source: string;
  rows: readonly string[];
  lineAt: (offset: number) => number;
};

/** `vars` are defaults for every repository. */
export const readCampaignFile = (
  source: string,
  vars: TargetVariables = {},
): { value: NewCampaign } | WrongArgument => {
  if (source.length > MAX_CAMPAIGN_FILE_BYTES)
    return toWrongArgument({ kind: 'file_long', most: MAX_CAMPAIGN_FILE_BYTES });
  const whole = normalizeLineEnds(source);
  const deep = findTooDeepLine(whole);
  if (deep !== null) return toWrongArgument({ kind: 'file_deep', line: deep });
  if (hasMoreYamlTokens(whole, MAX_TOKENS)) return toWrongArgument({ kind: 'file_hard' });
  const lines = new LineCounter();
  // `silent` would hide a second document; pretty errors and the key check are slow.
  const document = withoutStackTraces(() =>
    parseDocument(whole, {
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
      uniqueKeys: false,
    }),
  );
  const written: Written = {
    document,
    source: whole,
    rows: whole.split('\n'),
    lineAt: (offset) => Math.max(1, lines.linePos(offset).line),
  };
  const unreadable = [...yamlFaults(written), ...doubtfulFaults(written)];
  return unreadable.length > 0 ? faultsTold(unreadable) : readValues(written, vars);
};

const readValues = (written: Written, vars: TargetVariables): { value: NewCampaign } | WrongArgument => {
  const { document, lineAt } = written;
  const input: unknown = document.toJS({ maxAliasCount: 0 });
  const lineOf = (path: readonly (string | number)[]): number => lineAt(offsetOf(document, path));
  const read = CampaignFile.safeParse(input);
  if (read.success) {
    const made = buildCampaign(read.data, vars, lineOf);
    return 'faults' in made ? faultsTold(made.faults) : made;
  }
  const issues = validationIssuesOf(CampaignFile, read.error, input);
  // Each place is looked for in the whole file, and a hostile one is wrong everywhere.
  const located = issues.slice(0, MAX_LOCATED_FAULTS).map((issue) => issueFault(issue, written));
  return faultsTold([...located, ...findUnreadableNames(input, lineOf)], issues.length - located.length);
};

const lineOfFault = (fault: CommandProblem): number => ('line' in fault ? fault.line : Infinity);

/** All at once, from the top of the file to its end. */
const faultsTold = (faults: readonly CommandProblem[], uncounted = 0): WrongArgument => {
  const sorted = faults.toSorted((a, b) => (lineOfFault(a) < lineOfFault(b) ? -1 : 1));
  const [only, ...others] = sorted;
  if (only === undefined || others.length === 0) return toWrongArgument(only ?? null);
  const told = sorted.slice(0, MAX_TOLD_FAULTS);
  return toWrongArgument({
    kind: 'file_faults',
    faults: told,
    more: sorted.length - told.length + uncounted,
  });
};

/** Keys whose value is text, so that quotation marks correct it. */
const TEXT_LINE = /^[ \t]*(?:- +)?(name|goal|title|base|branch|engine|flow|repo|query):[ \t]+([^ \t|>].*)$/;
const QUOTABLE: ReadonlySet<string> = new Set([
  'BLOCK_AS_IMPLICIT_KEY',
  'BAD_SCALAR_START',
  'UNEXPECTED_TOKEN',
]);

const quoteFault = (line: number, { rows }: Pick<Written, 'rows'>): CommandProblem | null => {
  const [, key, value] = TEXT_LINE.exec(rows[line - 1] ?? '') ?? [];
  if (key === undefined || value === undefined) return null;
  const text = value.trim().slice(0, 80);
  return { kind: 'file_quote', line, key, value: text, quoted: `'${text.replaceAll("'", "''")}'` };
};

/** The first error, since it may cause others, or every value that lacks quotation marks. */
const yamlFaults = (written: Written): CommandProblem[] => {
  const { document, lineAt } = written;
  const [first] = document.errors;
  if (!first) return [];
  const toQuotableFault = (error: YAMLParseError): CommandProblem | null =>
    QUOTABLE.has(error.code) ? quoteFault(lineAt(error.pos[0]), written) : null;
  const lines = new Map<number, CommandProblem>();
  for (const error of document.errors.slice(0, 100)) {
    const fault = toQuotableFault(error);
    if (fault) lines.set(lineOfFault(fault), fault);
  }
  if (toQuotableFault(first)) return [...lines.values()];
  const line = lineAt(first.pos[0]);
  if (first.code === 'MULTIPLE_DOCS') return [{ kind: 'file_documents', line }];
  return [{ kind: 'file_yaml', line, says: first.message }];
};

/** What YAML accepts and reads otherwise than it looks; each kind is told once. */
const doubtfulFaults = (written: Written): CommandProblem[] => {
  const { document, lineAt } = written;
  if (document.errors.length > 0) return [];
  const found: CommandProblem[] = [];
  const addOnce = (fault: CommandProblem): void => {
    if (!found.some(({ kind }) => kind === fault.kind)) found.push(fault);
  };
  const repeated = findRepeatedKey(document);
  if (repeated) addOnce({ kind: 'file_twice', line: lineAt(repeated.offset) });
  visit(document, {
    // Aliases can expand exponentially or recursively, so they are rejected.
    Alias: (_, node) => addOnce({ kind: 'file_alias', line: lineAt(node.range?.[0] ?? 0) }),
    // `goal: Fix #12` is `Fix` for YAML.
    Scalar: (_, node, path) => {
      const isCut = node.type === Scalar.PLAIN && /^\S/.test(node.comment ?? '');
      if (!isCut || !isPair(path.at(-1))) return undefined;
      const fault = quoteFault(lineAt(node.range?.[0] ?? 0), written);
      if (fault) addOnce(fault);
      return undefined;
    },
  });
  return found;
};

const issueFault = (issue: ValidationIssue, { document, source, lineAt }: Written): CommandProblem => {
  const { path } = issue;
  if (issue.kind === 'value') {
    const node = document.getIn(path, true);
    // Shows the source text, since long numbers are rounded by the parser.
    const found = isScalar(node) && typeof node.value === 'number' ? node.source : undefined;
    const told = found === undefined ? issue : { ...issue, found: found.slice(0, 60) };
    return { kind: 'file_value', line: lineAt(offsetOf(document, path)), misfit: told };
  }
  const { near, known } = issue;
  const node = nodeOfKey(document.getIn(path, true), issue.key);
  const [from, to] = node?.range ?? [offsetOf(document, path), null];
  const isName = isScalar(node) && typeof node.value === 'string' && node.value !== '';
  const key = isName || to === null ? issue.key : source.slice(from, to);
  return {
    kind: 'file_key',
    line: lineAt(from),
    at: issueLocation(path),
    key: key.slice(0, 60),
    near,
    known,
  };
};
