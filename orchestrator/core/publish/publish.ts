/** E14, G7: what becomes public under our name: branch, commit message, title and body of a pull request. Facts, then words. */
import type { CheckResult, Commit, Containment, Contract, FileChange, Grade } from '../facts.ts';
import type { Judgement } from '../judgements.ts';
import { applyRule, slug, workType } from '../branches.ts';
import type { Feedback } from '../feedback.ts';
import { BranchName, type Order } from '../order.ts';
import { clip, code, inert, inertPlain, neutral, quoted } from '../public-text.ts';
import { fill, type Parts } from './template.ts';
import { counted } from '../text.ts';

export { Receipt, readReceipt, withoutReceipt, withReceipt } from './receipt.ts';

/** E14: the branch that was ordered, else one by the repository's rule, else ours. */
export const branchFor = (order: Order, contract: Contract | null, runId: string): string => {
  const name = slug(runId, 60) || 'run';
  const ordered = order.branch;
  if (ordered !== null && BranchName.safeParse(ordered).success) return ordered;
  const ruled = contract?.branchRule ? applyRule(contract.branchRule, order.goal, name) : null;
  return ruled ?? `feature/agentpr-${name}`;
};

/** E14: another name, for a host that refused the first; without slashes, since those clash with existing branches. */
export const renamed = (branch: string): string => {
  const flat = branch
    .replaceAll('/', '-')
    .slice(0, 190)
    .replace(/[-.]+$/, '');
  const name = `${flat}-2`;
  return BranchName.safeParse(name).success ? name : `agentpr-${slug(branch, 60) || 'run'}-2`;
};

export const CONVENTIONAL =
  /^(?:feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)(?:\([^()\r\n]+\))?!?: \S/;

const firstLine = (text: string): string => {
  const line = text.trim().split(/\r?\n/)[0] ?? '';
  const sentence = /^(.*?[^.])\.(?:\s|$)/.exec(line)?.[1] ?? line;
  return sentence.replace(/\s+/g, ' ').trim();
};

/** At most `limit` characters, cut between words. A code span is never left open. */
const subject = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1).toWellFormed();
  const words = cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
  const open = (words.match(/`/g) ?? []).length % 2 === 1;
  return `${open ? words.slice(0, words.lastIndexOf('`')) : words}…`;
};

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

const titled = (order: Order, contract: Contract | null, limit: number): string => {
  // A given title stays as given; the governor says when it would trigger something.
  if (order.title !== null && order.title.trim() !== '') return order.title.replace(/\s+/g, ' ').trim();
  const plain = neutral(firstLine(order.goal)).replace(/\s+/g, ' ').trim() || 'Small change';
  if (contract?.titleRule !== 'conventional' || CONVENTIONAL.test(plain)) return subject(plain, limit);
  return subject(`${workType(order.goal)}: ${lowerFirst(plain)}`, limit);
};

/** From the order alone: an agent's words never become a title. */
export const pullTitle = (order: Order, contract: Contract | null): string => titled(order, contract, 100);

/** What a commit on top of an open pull request is for: which fix it is, and what it was asked for. */
export type Fix = { no: number; asked: readonly Feedback[] };

/** From facts alone, so that every fix has a subject of its own. */
const fixSubject = ({ no, asked }: Fix, contract: Contract | null): string => {
  const red = asked.find((f) => f.kind === 'red');
  const what = asked.some((f) => f.kind === 'review')
    ? 'Do what the review asks for'
    : red
      ? `Mend failing checks: ${inertPlain(red.checks.join(', '))}`
      : 'Do what was asked for';
  const plain = `${subject(what, 60)} (fix ${no})`;
  return contract?.titleRule === 'conventional' ? `fix: ${lowerFirst(plain)}` : plain;
};

/** Subject, and the agent's summary made harmless. No trailer is ever written: those are a person's to give. */
export const commitMessage = (
  order: Order,
  contract: Contract | null,
  summary: string,
  fix: Fix | null = null,
): string => {
  const words = inertPlain(clip(summary.trim(), 1_000)).trim();
  const head = fix ? fixSubject(fix, contract) : titled(order, contract, 72);
  return words === '' ? `${head}\n` : `${head}\n\n${words}\n`;
};

/** As git itself words it, or as the repository wants its commits to be called. */
export const baseMessage = (
  ref: string,
  branch: string,
  { titleRule }: Pick<Contract, 'titleRule'>,
): string =>
  titleRule === 'conventional'
    ? `chore: merge ${ref} into ${branch}\n`
    : `Merge branch '${ref}' into ${branch}\n`;

const size = (f: FileChange): string => (f.binary ? 'binary' : `+${f.added} −${f.deleted}`);

const fileLine = (f: FileChange): string => {
  const from = f.oldPath !== null && f.oldPath !== f.path ? ` (was ${code(f.oldPath)})` : '';
  return `- ${code(f.path)}${from}: ${f.status.replace('_', ' ')}, ${size(f)}`;
};

const MOST_FILES = 50;

const changes = (commit: Commit): string => {
  const { files, added, deleted } = commit.diff;
  const more = files.length - MOST_FILES;
  return [
    `${counted(files.length, 'file')}, +${added} −${deleted} lines.`,
    '',
    ...files.slice(0, MOST_FILES).map(fileLine),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
};

const OUTCOMES: Readonly<Record<CheckResult['outcome'], string>> = {
  passed: 'passed',
  failed: 'FAILED',
  timed_out: 'TIMED OUT',
  not_run: 'could not be run',
};

/** Ours, from what we saw; a reason may quote the repository or the agent. */
const graded = (grade: Grade, judgement: BodyInput['judgement']): string =>
  [`Graded ${grade.level} by AgentPR${grade.reasons.length > 0 ? ':' : '.'}`]
    .concat(grade.reasons.map(({ reason }) => `- ${inert(clip(judgement(reason), 300))}`))
    .join('\n');

const evidence = ({ checks, grade, judgement }: Pick<BodyInput, 'checks' | 'grade' | 'judgement'>): string =>
  grade ? `${ofChecks(checks)}\n\n${graded(grade, judgement)}` : ofChecks(checks);

const ofChecks = (checks: readonly CheckResult[]): string => {
  if (checks.length === 0) return 'No check of this repository could be run.';
  const lines = checks.map((c) => {
    const exit = c.exitCode === null ? '' : ` (exit ${c.exitCode})`;
    return `- ${code(c.command)}: ${OUTCOMES[c.outcome]}${exit}`;
  });
  return ['Run on exactly the files of this commit:', '', ...lines].join('\n');
};

const PLACES: Readonly<Record<Containment, string>> = {
  bwrap: ' in a sandbox',
  unshare: ' in a sandbox',
  group: ' without a sandbox',
};

const disclosure = (order: Order, containment: Containment | null): string =>
  `This change was made by a coding agent (${code(order.engine)}, run by AgentPR${containment ? PLACES[containment] : ''}). A person approved exactly this content before the pull request was opened.`;

const TITLES: Readonly<Record<keyof Parts, string>> = {
  goal: '## Goal',
  changes: '## What changed',
  evidence: '## Evidence',
  disclosure: '## Disclosure',
};

export type BodyInput = {
  order: Order;
  contract: Contract | null;
  commit: Commit;
  checks: readonly CheckResult[];
  grade?: Grade | null;
  /** The agent's words: quoted, after the facts. */
  summary: string;
  containment?: Containment | null;
  /** A person's own, in place of goal and summary. */
  description?: string | null;
  /** What a reason of the grade says. */
  judgement: (judgement: Judgement) => string;
};

/** The body to be sealed, without its receipt. The repository's template is kept when it has one. */
export const pullBody = ({
  order,
  contract,
  commit,
  checks,
  grade,
  summary,
  containment,
  description = null,
  judgement,
}: BodyInput): string => {
  const words =
    summary.trim() === '' || description !== null
      ? ''
      : `\n\nThe agent says:\n\n${quoted(summary, 2_000, inert)}`;
  const parts: Parts = {
    // As it was written: the governor says what it would trigger.
    goal: description?.trim() ?? quoted(order.goal, 2_000),
    changes: `${changes(commit)}${words}`,
    evidence: evidence({ checks, grade: grade ?? null, judgement }),
    disclosure: disclosure(order, containment ?? null),
  };
  const template = contract?.template ?? '';
  const filled = fill(template, parts);
  const rest = filled.left.map((part) => `${TITLES[part]}\n\n${parts[part]}`);
  return [...(filled.text === '' ? [] : [filled.text]), ...rest].join('\n\n');
};
