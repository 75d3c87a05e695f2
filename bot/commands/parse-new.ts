/** C1: reads what `/new` is told: a repository, a goal and options. Pure. */
import { BUDGETS } from '../../orchestrator/core/bounds.ts';
import { readGranted, type Granted } from '../../orchestrator/core/machine/budget.ts';
import { BranchName, OFFERED, RepoName, type ENGINES } from '../../orchestrator/core/order.ts';
import type { Words } from '../language/language.ts';

type Engine = (typeof ENGINES)[number];
export type NewRun = {
  repo: string;
  goal: string;
  base: string | null;
  engine: Engine | null;
  flow: 'direct' | 'plan' | null;
  discovery: 'files' | 'agent' | null;
  promptVersion: string | null;
  /** Of this run alone. */
  budgets: Granted[];
  checks: string[];
  branch: string | null;
  title: string | null;
};

type Problems = Words['problems'];
type Read = { kind: 'new'; order: NewRun } | { kind: 'wrong'; command: 'new'; why: string | null };

const OPTIONS = [
  'base',
  'engine',
  'flow',
  'discovery',
  'budget',
  'prompt_version',
  'check',
  'branch',
  'title',
] as const;
type Option = (typeof OPTIONS)[number];
const REPEATABLE: ReadonlySet<Option> = new Set(['check', 'budget']);
const ONE = `(${OPTIONS.join('|')})=(?:"([^"]*)"|([^\\s"]+))`;
const LEADING = new RegExp(`^${ONE}(?:\\s+|$)`, 'i');
const TRAILING = new RegExp(`(?:^|\\s+)${ONE}$`, 'i');

/** Options stand right after the repository or at the very end; what is between is the goal, word for word. */
export const readNew = (args: string, problems: Problems): Read => {
  const wrong = (why: string | null = null): Read => ({ kind: 'wrong', command: 'new', why });
  const [repo = ''] = args.split(/\s+/);
  if (repo === '') return wrong();
  if (!RepoName.safeParse(repo).success) return wrong(problems.repo(repo.slice(0, 60)));
  const given: [Option, string][] = [];
  let goal = args.slice(repo.length).trim();
  const take = (match: RegExpExecArray): void => {
    given.push([(match[1] ?? '').toLowerCase() as Option, (match[2] ?? match[3] ?? '').trim()]);
    goal = goal.replace(match[0], () => '').trim();
  };
  for (let m = LEADING.exec(goal); m; m = LEADING.exec(goal)) take(m);
  const leading = given.length;
  for (let m = TRAILING.exec(goal); m; m = TRAILING.exec(goal)) {
    given.splice(leading, 0, [(m[1] ?? '').toLowerCase() as Option, (m[2] ?? m[3] ?? '').trim()]);
    goal = goal.slice(0, m.index).trim();
  }
  goal = goal.replace(/^"([^"]*)"$/, '$1').trim();
  if (goal === '') return wrong(problems.goal);
  return assemble(repo, goal, given, wrong, problems);
};

const assemble = (
  repo: string,
  goal: string,
  given: [Option, string][],
  wrong: (why: string) => Read,
  problems: Problems,
): Read => {
  const all = (option: Option): string[] => given.filter(([k]) => k === option).map(([, v]) => v);
  for (const option of OPTIONS) {
    if (all(option).some((v) => v === '')) return wrong(problems.value(option));
    if (!REPEATABLE.has(option) && all(option).length > 1) return wrong(problems.twice(option));
  }
  const one = (option: Option): string | null => all(option)[0] ?? null;
  const engine = one('engine')?.toLowerCase() ?? null;
  const known = OFFERED.find((e) => e === engine) ?? null;
  if (engine !== null && !known) return wrong(problems.engine(engine.slice(0, 40), OFFERED.join(', ')));
  const flow = one('flow')?.toLowerCase() ?? null;
  if (flow !== null && flow !== 'direct' && flow !== 'plan') return wrong(problems.flow(flow.slice(0, 40)));
  const discovery = one('discovery')?.toLowerCase() ?? null;
  if (discovery !== null && discovery !== 'files' && discovery !== 'agent')
    return wrong(problems.discovery(discovery.slice(0, 40)));
  const budgets: Granted[] = [];
  for (const text of all('budget')) {
    const granted = readGranted(text);
    if ('budget' in granted) budgets.push(granted);
    else if (granted.problem === 'budget')
      return wrong(problems.budget(granted.text.slice(0, 40), BUDGETS.join(', ')));
    else return wrong(problems.amount(granted.text.slice(0, 40)));
  }
  for (const option of ['base', 'branch'] as const) {
    const value = one(option);
    if (value !== null && !BranchName.safeParse(value).success)
      return wrong(problems.branch(value.slice(0, 60)));
  }
  const [title, promptVersion] = [one('title'), one('prompt_version')];
  if (title !== null && title.length > 200) return wrong(problems.longTitle);
  if (goal.length > 8_000) return wrong(problems.longGoal);
  return {
    kind: 'new',
    order: {
      repo,
      goal,
      base: one('base'),
      engine: known,
      flow,
      discovery,
      promptVersion,
      budgets,
      checks: all('check'),
      branch: one('branch'),
      title,
    },
  };
};
