/** Parses and prints PLAN.md (E8, plan loop). */
import { z } from 'zod';
import type { Feedback } from './feedback.ts';

const PlanStep = z.object({ id: z.string(), text: z.string() });
export type PlanStep = z.infer<typeof PlanStep>;

export const AgentPlan = z.object({
  goal: z.string(),
  acceptance: z.array(z.string()),
  next: PlanStep.nullable(),
  backlog: z.array(PlanStep),
  done: z.array(PlanStep),
  /** Steps that need a user; `notes` holds the question. */
  blocked: z.array(PlanStep),
  notes: z.string(),
});
export type AgentPlan = z.infer<typeof AgentPlan>;

/** Maximum length of a plan (characters). */
const PLAN_LIMIT = 20_000;
const SECTIONS = ['goal', 'acceptance', 'next', 'backlog', 'done', 'blocked', 'notes'] as const;
type Section = (typeof SECTIONS)[number];
const NEEDED: readonly Section[] = ['goal', 'acceptance', 'next', 'backlog', 'done'];
const STEP = /^[-*]\s+(?:\[[ xX]?\]\s*)?\(STEP_ID=([A-Za-z0-9_.-]{1,32})\)\s*(.*)$/;
const ITEM = /^[-*]\s+(?:\[[ xX]?\]\s*)?(.*)$/;
const FORM = '`- [ ] (STEP_ID=001) what to do`';

export const bootstrapPlan = (goal: string, acceptance: readonly string[]): AgentPlan => ({
  goal: goal.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks)).trim(),
  acceptance: [...acceptance],
  next: null,
  backlog: [],
  done: [],
  blocked: [],
  notes: '',
});

const formatItem = (mark: ' ' | 'x', { id, text }: PlanStep): string => `- [${mark}] (STEP_ID=${id}) ${text}`;

export const renderPlanFile = (plan: AgentPlan): string => {
  const formatSection = (title: string, lines: readonly string[]): string =>
    [`## ${title}`, ...lines].join('\n');
  return [
    '# PLAN',
    formatSection('Goal', [`- ${plan.goal}`]),
    formatSection(
      'Acceptance',
      plan.acceptance.map((command) => `- [ ] passes: \`${command}\``),
    ),
    formatSection('Next (exactly ONE item)', plan.next ? [formatItem(' ', plan.next)] : []),
    formatSection(
      'Backlog',
      plan.backlog.map((s) => formatItem(' ', s)),
    ),
    formatSection(
      'Done',
      plan.done.map((s) => formatItem('x', s)),
    ),
    formatSection(
      'Blocked',
      plan.blocked.map((s) => formatItem(' ', s)),
    ),
    formatSection('Notes', plan.notes === '' ? [] : [plan.notes]),
  ]
    .join('\n\n')
    .concat('\n');
};

const sectionOf = (title: string): Section | null =>
  SECTIONS.find((s) => title.toLowerCase().startsWith(s)) ?? null;

type Line = { n: number; text: string };

const splitPlan = (text: string): { sections: Map<Section, Line[]>; problems: string[] } => {
  const sections = new Map<Section, Line[]>();
  const problems: string[] = [];
  let open: Line[] | null = null;
  for (const [i, raw] of text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .entries()) {
    const n = i + 1;
    const [, title] = /^##\s+(.*)$/.exec(raw) ?? [];
    if (title === undefined) {
      if (raw.trim() !== '' && !/^#\s/.test(raw)) open?.push({ n, text: raw.trimEnd() });
      continue;
    }
    const section = sectionOf(title.trim());
    if (section === null) problems.push(`line ${n}: there is no section “${title.trim()}”`);
    else if (sections.has(section)) problems.push(`line ${n}: the section “${title.trim()}” comes twice`);
    open = [];
    if (section !== null && !sections.has(section)) sections.set(section, open);
  }
  for (const needed of NEEDED)
    if (!sections.has(needed))
      problems.push(`the section “## ${needed[0]?.toUpperCase()}${needed.slice(1)}” is missing`);
  return { sections, problems };
};

const stepsIn = (lines: readonly Line[], problems: string[]): PlanStep[] =>
  lines.flatMap(({ n, text }) => {
    const [, id, words] = STEP.exec(text) ?? [];
    if (id !== undefined && words !== undefined && words.trim() !== '') return [{ id, text: words.trim() }];
    problems.push(`line ${n}: a step is written ${FORM}, not “${text.slice(0, 60)}”`);
    return [];
  });

/** Problems are sentences that the agent can act on. */
export const parsePlan = (text: string): { plan: AgentPlan } | { problems: string[] } => {
  if (text.length > PLAN_LIMIT) return { problems: [`the plan has more than ${PLAN_LIMIT} characters`] };
  const { sections, problems } = splitPlan(text);
  const linesIn = (section: Section): Line[] => sections.get(section) ?? [];
  const readSteps = (section: Section): PlanStep[] => stepsIn(linesIn(section), problems);
  const [next, backlog, done, blocked] = [
    readSteps('next'),
    readSteps('backlog'),
    readSteps('done'),
    readSteps('blocked'),
  ];
  if (next.length > 1)
    problems.push(`“Next” has ${next.length} steps; keep exactly one and move the others to Backlog`);
  if (next.length === 0 && backlog.length > 0)
    problems.push('“Next” is empty although Backlog is not; move one step there');
  const ids = [...next, ...backlog, ...done, ...blocked].map((s) => s.id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) problems.push(`STEP_ID=${twice} is used twice`);
  const acceptance = linesIn('acceptance').flatMap(({ text: line }) => /`([^`]+)`/.exec(line)?.[1] ?? []);
  const goal = linesIn('goal')
    .map(({ text: line }) => ITEM.exec(line)?.[1] ?? line)
    .join(' ')
    .trim();
  if (problems.length > 0) return { problems };
  const notes = linesIn('notes')
    .map((l) => l.text)
    .join('\n');
  return { plan: { goal, acceptance, next: next[0] ?? null, backlog, done, blocked, notes } };
};

/** We move a passed step to Done, not the agent. */
export const completePlanStep = (plan: AgentPlan): AgentPlan =>
  plan.next ? { ...plan, next: null, done: [...plan.done, plan.next] } : plan;

export const isPlanFinished = ({ next, backlog, done }: AgentPlan): boolean =>
  next === null && backlog.length === 0 && done.length > 0;

/** Parts that an agent may not edit: goal, acceptance commands and finished steps. */
export const forbiddenPlanChanges = (before: AgentPlan, after: AgentPlan): Feedback[] => {
  const problems: Feedback[] = [];
  if (after.goal !== before.goal) problems.push({ kind: 'goal_changed' });
  const lost = before.acceptance.filter((command) => !after.acceptance.includes(command));
  if (lost.length > 0) problems.push({ kind: 'acceptance_lost', commands: lost });
  const ids = new Set(after.done.map((s) => s.id));
  if (before.done.some((s) => !ids.has(s.id))) problems.push({ kind: 'done_lost' });
  if (after.done.length > before.done.length) problems.push({ kind: 'done_added' });
  return problems;
};
