/** E7: adds what an agent read to the contract, but only text that stands in the base commit. */
import { z } from 'zod';
import type { ContractCheck, Contract, InstallCommand } from '../orchestrator/model/contract.ts';
import type { PlanEscalation } from '../orchestrator/model/change-records.ts';
import { branchPattern } from './contribution-rules.ts';

type Read = (path: string) => string | null;
type Rule = Contract['rules'][number];

const ADDABLE_RULES = [
  'ai_ban',
  'ai_disclosure',
  'dco',
  'cla',
  'branch_name',
  'commit_style',
  'other',
] as const;
const MAX_EVIDENCE_LINES = 60;
const MOST_CHECKS = 5;
const MOST_RULES = 10;
const MOST_FLAGS = 10;

/** One claim: the words of that line of that file, or the command. */
const Told = z.object({
  kind: z.enum(['check', 'install', 'risk', ...ADDABLE_RULES]),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/)
    .catch('check'),
  text: z
    .string()
    .min(3)
    .max(300)
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line'),
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

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();
const flat = (text: string): string => spaced(text.replaceAll('`', ''));

/** Removes backticks, which a shell would execute. */
const commandIn = (text: string): string => text.replace(/^[\s`]+|[\s`]+$/g, '');
const isExecuted = (kind: Told['kind']): boolean => kind === 'check' || kind === 'install';

/** Returns the nearest line with those words; null without one. Commands match exactly. */
const placeOf = ({ kind, text, line }: Told, content: string): number | null => {
  const as = isExecuted(kind) ? spaced : flat;
  const words = as(text);
  if (words.length < 3) return null;
  const there = content.split('\n').flatMap((l, i) => (as(l).includes(words) ? [i + 1] : []));
  return there.sort((a, b) => Math.abs(a - line) - Math.abs(b - line))[0] ?? null;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const namedFiles = (text: string): string[] => {
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
  const count = (list: readonly { by?: 'agent' | undefined }[]): number =>
    list.filter(({ by }) => by === 'agent').length;
  let added = 0;
  const put = (known: boolean, full: boolean, change: () => void): boolean => {
    if (known || full) return known;
    change();
    added += 1;
    return true;
  };
  return {
    contract,
    added: () => added,
    check: (check: ContractCheck): boolean =>
      put(
        contract.checks.some(({ command }) => command === check.command),
        count(contract.checks) >= MOST_CHECKS,
        () => (contract.checks = [...contract.checks, check]),
      ),
    rule: (rule: Rule): boolean =>
      put(
        contract.rules.some((r) => r.file === rule.file && r.line === rule.line),
        count(contract.rules) >= MOST_RULES,
        () => (contract.rules = [...contract.rules, rule]),
      ),
    flag: (flag: string): boolean =>
      put(
        contract.riskFlags.includes(flag),
        contract.riskFlags.length >= before.riskFlags.length + MOST_FLAGS,
        () => (contract.riskFlags = [...contract.riskFlags, flag]),
      ),
    /** Our own findings take precedence. */
    // guard: E7-agent-adds-only
    install: (install: InstallCommand): boolean =>
      put(contract.installs.length > 0, false, () => (contract.installs = [install])),
  };
};

/** The agent's text is hostile. `read` gives files of the base commit. */
export const refineContract = (before: Contract, text: string, read: Read): RefinedContract => {
  const growing = createGrowing(before);
  const { contract } = growing;
  const refused: string[] = [];
  let escalate: PlanEscalation | null = null;
  const add = ({ kind, name, text: words, file }: Told, line: number): boolean => {
    const at = `${file}:${line}`;
    switch (kind) {
      case 'check':
        return growing.check({ name, command: words, dir: '', source: at, by: 'agent' });
      case 'install':
        return growing.install({ command: words, dir: '', source: at, by: 'agent' });
      case 'risk':
        return growing.flag(`${words} (${at})`);
      case 'ai_ban':
        // The agent may have misread it, so a person decides.
        escalate = { kind: 'ban_read_by_agent', quote: words, file, line };
        return growing.rule({ kind: 'other', quote: words, file, line, by: 'agent' });
      case 'cla':
        escalate ??= { kind: 'agreement_required', file, line };
        break;
      case 'branch_name':
        contract.branchRule ??= branchPattern({ plain: words, quote: words });
        break;
      case 'commit_style':
        contract.titleRule ??= /\bconventional\b/i.test(words) ? 'conventional' : null;
        break;
      case 'ai_disclosure':
      case 'dco':
      case 'other':
        break;
      default:
        kind satisfies never;
    }
    return growing.rule({ kind, quote: words, file, line, by: 'agent' });
  };
  /** Returns null when the line was used, else the problem. */
  const take = (line: string): string | null => {
    const given = Told.safeParse(jsonOf(line));
    if (!given.success) {
      const [issue] = given.error.issues;
      return `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is no JSON object'}`;
    }
    const { kind, text: words, file, line: said } = given.data;
    const told = { ...given.data, text: isExecuted(kind) ? commandIn(words) : words };
    const content = read(file);
    if (content === null) return `${file} is no text file of the base commit`;
    const place = placeOf(told, content);
    // guard: E7-place-known
    if (place === null) return `those words do not stand in ${file}:${said}`;
    return add(told, place) ? null : `there are enough of the kind ${kind}`;
  };
  for (const [i, line] of linesOf(text).entries()) {
    const why = take(line);
    if (why !== null) refused.push(`line ${i + 1}: ${why}`);
  }
  return { contract, added: growing.added(), refused, escalate };
};
