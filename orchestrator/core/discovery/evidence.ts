/** E7: what an agent read in a repository. It may only add to the contract, and only what stands in a file of the base commit. */
import { z } from 'zod';
import type { Contract } from '../facts.ts';
import { branchPattern } from './rules.ts';

type Read = (path: string) => string | null;
type Rule = Contract['rules'][number];
type Check = Contract['checks'][number];

const RULES = ['ai_ban', 'ai_disclosure', 'dco', 'cla', 'branch_name', 'commit_style', 'other'] as const;
const MOST_LINES = 60;
const MOST_CHECKS = 5;
const MOST_RULES = 10;
const MOST_FLAGS = 10;

/** One line of what it leaves: the words as they stand in that line of that file; of a check or an installation, the command. */
const Told = z.object({
  kind: z.enum(['check', 'install', 'risk', ...RULES]),
  /** Of a check: lint, types, test, build … */
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

export type Refined = {
  contract: Contract;
  added: number;
  /** What could not be used, each as a sentence for the agent and for people. */
  refused: string[];
  /** What a person must see before anything is done. */
  escalate: string | null;
};

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();
const flat = (text: string): string => spaced(text.replaceAll('`', ''));

/** What is executed, without the marks of code around it: a shell would take them for a command of their own. */
const commandIn = (text: string): string => text.replace(/^[\s`]+|[\s`]+$/g, '');
const isExecuted = (kind: Told['kind']): boolean => kind === 'check' || kind === 'install';

/** The line that has those words and is nearest to the one that was named; null when none has. A command stands there as it is. */
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
    return undefined; // Words, not JSON.
  }
};

/** The files that are named in it, for whoever must load them. */
export const namedFiles = (text: string): string[] => {
  const files = linesOf(text).map((line) => Told.safeParse(jsonOf(line)).data?.file);
  return [...new Set(files.filter((f) => f !== undefined))];
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MOST_LINES);

/** Text of an agent: hostile. `read` gives files of the base commit. */
export const refine = (before: Contract, text: string, read: Read): Refined => {
  const contract = { ...before };
  const refused: string[] = [];
  const refuse = (line: number, why: string): void => void refused.push(`line ${line}: ${why}`);
  let added = 0;
  let escalate: string | null = null;
  const count = (list: readonly { by?: 'agent' | undefined }[]): number =>
    list.filter(({ by }) => by === 'agent').length;

  const addCheck = (check: Check): boolean => {
    if (contract.checks.some(({ command }) => command === check.command)) return true;
    if (count(contract.checks) >= MOST_CHECKS) return false;
    contract.checks = [...contract.checks, check];
    added += 1;
    return true;
  };
  const addRule = (rule: Rule): boolean => {
    if (contract.rules.some((r) => r.file === rule.file && r.line === rule.line)) return true;
    if (count(contract.rules) >= MOST_RULES) return false;
    contract.rules = [...contract.rules, rule];
    added += 1;
    return true;
  };
  const addFlag = (flag: string): boolean => {
    if (contract.riskFlags.includes(flag)) return true;
    if (contract.riskFlags.length >= before.riskFlags.length + MOST_FLAGS) return false;
    contract.riskFlags = [...contract.riskFlags, flag];
    added += 1;
    return true;
  };
  /** Whether there was room for it. */
  const add = ({ kind, name, text: words, file }: Told, line: number): boolean => {
    const at = `${file}:${line}`;
    switch (kind) {
      case 'check':
        return addCheck({ name, command: words, source: at, by: 'agent' });
      case 'install':
        // What we found ourselves stands.
        if (contract.install === null) [contract.install, added] = [words, added + 1];
        return true;
      case 'risk':
        return addFlag(`${words} (${at})`);
      case 'ai_ban':
        // It may be misread: a person decides, not the agent.
        escalate = `The agent reads a ban on such changes: “${words}” (${at}). Start only if it is none.`;
        return addRule({ kind: 'other', quote: words, file, line, by: 'agent' });
      case 'cla':
        escalate ??= `The repository asks for a signed agreement (${at}). Start only if you have signed it.`;
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
    return addRule({ kind, quote: words, file, line, by: 'agent' });
  };

  for (const [i, line] of linesOf(text).entries()) {
    const given = Told.safeParse(jsonOf(line));
    if (!given.success) {
      const [issue] = given.error.issues;
      refuse(i + 1, `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is no JSON object'}`);
      continue;
    }
    const { kind, text: words, file, line: said } = given.data;
    const told = { ...given.data, text: isExecuted(kind) ? commandIn(words) : words };
    const content = read(file);
    const place = content === null ? null : placeOf(told, content);
    if (content === null) refuse(i + 1, `${file} is no text file of the base commit`);
    else if (place === null) refuse(i + 1, `those words do not stand in ${file}:${said}`);
    else if (!add(told, place)) refuse(i + 1, `there are enough of the kind ${kind}`);
  }
  return { contract, added, refused, escalate };
};
