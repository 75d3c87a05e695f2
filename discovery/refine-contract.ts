/** Adds what an agent read to the contract, but only text that stands in the base commit (E7). */
import { z } from 'zod';
import type { ContractCheck, Contract, InstallCommand } from '#model/contract';
import type { PlanEscalation } from '#model/assessment';
import { REPORTABLE_RULES, parseReportedRule, isSameOrStricter } from './agent-reported-rules.ts';
import { findBranchPattern } from './commit-rules.ts';
import { createQuoteFinder, type QuoteFinder } from './find-quote.ts';
import { isThirdPartyFile } from './rule-files.ts';

type Read = (path: string) => string | null;
type Rule = Contract['rules'][number];

const MAX_EVIDENCE_LINES = 60;
const MOST_CHECKS = 5;
const MOST_RULES = 10;
const MOST_FLAGS = 10;

/** One claim: the words of that line of that file, or the command. */
const Told = z.object({
  kind: z.enum(['check', 'install', 'risk', ...REPORTABLE_RULES]),
  value: z.string().trim().max(100).optional(),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/)
    .catch('check'),
  text: z
    .string()
    .min(3)
    .max(1_000)
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/, 'must be plain text'),
  file: z.string().min(1).max(300),
  line: z.int().min(1),
});
type Told = z.infer<typeof Told>;

export type RefinedContract = {
  contract: Contract;
  added: number;
  /** Unusable claims, each a sentence for the agent and the user. */
  refused: string[];
  /** A rule that a user must see before work begins. */
  escalate: PlanEscalation | null;
};

const normalizeSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();

const commandIn = (text: string): string => text.replace(/^[\s`]+|(?<![\s`])[\s`]+$/g, '');

const placeOf = (command: string, line: number, content: string): number | null => {
  const words = normalizeSpaces(command);
  if (words.length < 3) return null;
  const there = content.split('\n').flatMap((l, i) => (normalizeSpaces(l).includes(words) ? [i + 1] : []));
  return there.sort((a, b) => Math.abs(a - line) - Math.abs(b - line))[0] ?? null;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const parseNamedFiles = (text: string): string[] => {
  const files = linesOf(text).map((line) => Told.safeParse(jsonOf(line)).data?.file);
  return [...new Set(files.filter((f) => f !== undefined))];
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MAX_EVIDENCE_LINES);

const createGrowing = (before: Contract) => {
  const contract = { ...before };
  const countByAgent = (list: readonly { by?: 'agent' | undefined }[]): number =>
    list.filter(({ by }) => by === 'agent').length;
  let added = 0;
  const addOnce = (known: boolean, full: boolean, change: () => void): boolean => {
    if (known || full) return known;
    change();
    added += 1;
    return true;
  };
  return {
    contract,
    added: () => added,
    check: (check: ContractCheck): boolean =>
      addOnce(
        contract.checks.some(({ command }) => command === check.command),
        countByAgent(contract.checks) >= MOST_CHECKS,
        () => (contract.checks = [...contract.checks, check]),
      ),
    rule: (rule: Rule): boolean =>
      addOnce(
        false,
        countByAgent(contract.rules) >= MOST_RULES,
        () => (contract.rules = [...contract.rules, rule]),
      ),
    flag: (flag: string): boolean =>
      addOnce(
        contract.riskFlags.includes(flag),
        contract.riskFlags.length >= before.riskFlags.length + MOST_FLAGS,
        () => (contract.riskFlags = [...contract.riskFlags, flag]),
      ),
    // guard: E7-agent-adds-only
    install: (install: InstallCommand): boolean =>
      addOnce(contract.installs.length > 0, false, () => (contract.installs = [install])),
  };
};

const createFinders = () => {
  const finders = new Map<string, QuoteFinder>();
  return (file: string, content: string): QuoteFinder => {
    const finder = finders.get(file) ?? createQuoteFinder(file, content);
    finders.set(file, finder);
    return finder;
  };
};

/** The agent's text is hostile. `read` gives files of the base commit. */
export const refineContract = (before: Contract, text: string, read: Read): RefinedContract => {
  const growing = createGrowing(before);
  const { contract } = growing;
  const finderOf = createFinders();
  const refused: string[] = [];
  let escalate: PlanEscalation | null = null;
  const takeRule = (rule: Rule): boolean => {
    const { quote, file, line } = rule;
    // guard: E7-both-readings
    if (contract.rules.some((ours) => isSameOrStricter(ours, rule))) return true;
    // The agent may have misread it, so a person decides.
    if (rule.kind === 'ai_ban') {
      escalate = { kind: 'ban_read_by_agent', quote, file, line };
      return growing.rule({ kind: 'other', quote, file, line, by: 'agent' });
    }
    if (rule.kind === 'cla') escalate ??= { kind: 'agreement_required', file, line };
    if (rule.kind === 'branch_name') contract.branchRule ??= findBranchPattern({ plain: quote, quote });
    if (rule.kind === 'commit_style' && rule.value === 'conventional' && /\bconventional\b/i.test(quote))
      contract.titleRule ??= 'conventional';
    return growing.rule(rule);
  };
  const addLine = (line: string): string | null => {
    const given = Told.safeParse(jsonOf(line));
    if (!given.success) {
      const [issue] = given.error.issues;
      return `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is no JSON object'}`;
    }
    const { kind, text: words, file, line: said, name, value } = given.data;
    const content = read(file);
    if (content === null) return `${file} is no text file of the base commit`;
    const nowhere = `those words do not stand in ${file}:${said}`;
    const full = `there are enough of the kind ${kind}`;
    if (kind === 'check' || kind === 'install') {
      const command = commandIn(words);
      if (command.includes('\n')) return 'text: must be one line';
      const place = placeOf(command, said, content);
      // guard: E7-place-known
      if (place === null) return nowhere;
      const found = { command, dir: '', source: `${file}:${place}`, by: 'agent' } as const;
      return (kind === 'check' ? growing.check({ name, ...found }) : growing.install(found)) ? null : full;
    }
    const place = finderOf(file, content)(words, said);
    // guard: E7-words-known
    if (place === null) return nowhere;
    if (kind === 'risk') return growing.flag(`${place.quote} (${file}:${place.line})`) ? null : full;
    // guard: E7-others-rules
    if (isThirdPartyFile(file)) return `${file} holds no rules of this repository`;
    const made = parseReportedRule({ kind, value }, place, file);
    if ('problem' in made) return made.problem;
    return takeRule(made.rule) ? null : full;
  };
  for (const [i, line] of linesOf(text).entries()) {
    const why = addLine(line);
    if (why !== null) refused.push(`line ${i + 1}: ${why}`);
  }
  return { contract, added: growing.added(), refused, escalate };
};
