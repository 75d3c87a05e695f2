/** A campaign's order: one change for many repositories. It never changes after planning. */
import { z } from 'zod';
import { OpeningWindow, RepeatRule, WorkingHours } from '#model/schedule';
import {
  fillVariables,
  fillCommand,
  createUnquotableValueFinder,
  VARIABLE_NAME,
  listVariables,
  findUnknownVariables,
} from '#model/settings';
import {
  CostCaution,
  EXCLUSION_REASONS,
  ExcludedTarget,
  findFollowedPulls,
  hasLinks,
  linkVariables,
  MAX_LINKS,
  TargetLink,
  waveByTarget,
  type LinkResult,
  MAX_CAMPAIGN_QUERIES,
  QueryFound,
  RepoQuery,
} from '#model/targets';
import { CampaignId, Order, Person, RepositoryName, type OrderedFix } from '#model/order';

export { CampaignId };

/** Outcome that one run of a step reaches before the next step, once all of it are settled; the others may fail, as far as `stop` allows. */
const STEP_OUTCOMES = ['approved', 'ci_green', 'merged'] as const;
export type RunOutcome = (typeof STEP_OUTCOMES)[number];

export const MAX_CAMPAIGN_TARGETS = 5_000;

const count = z.int().min(1).max(MAX_CAMPAIGN_TARGETS);
const share = z.number().min(0).max(1);

/** E6, F5: limits of a campaign, in addition to those of all writes. */
export const CampaignLimits = z.strictObject({
  perDay: count.default(100),
  perOwner: count.default(10),
  /** Unfinished runs, including those with an open pull request. */
  open: count.default(20),
  /** Our pull requests waiting in one owner's CI before no more are started there. */
  queued: count.default(3),
});
export type CampaignLimits = z.infer<typeof CampaignLimits>;

export const CampaignPace = z.strictObject({
  canary: count.default(3),
  /** Sizes of later steps; the last one is repeated. */
  steps: z.array(count).min(1).max(20).default([10, 30, 100]),
  next: z.enum(STEP_OUTCOMES).default('approved'),
  /** Repositories start only then: `mon-fri 09:00-17:00 Europe/Berlin`. */
  hours: WorkingHours.exactOptional(),
  /** Shares of a step; above one of them the campaign stops by itself. */
  stop: z
    .strictObject({
      failures: share.default(0.34),
      denials: share.default(0.34),
      /** Refusals by one owner's maintainers before no more of theirs are started. */
      owner: count.default(2),
    })
    .prefault({}),
});
export type CampaignPace = z.infer<typeof CampaignPace>;

export const MAX_VALUE_LENGTH = 2_000;
export const TargetVariables = z.record(z.string().regex(VARIABLE_NAME), z.string().max(MAX_VALUE_LENGTH));
export type TargetVariables = z.infer<typeof TargetVariables>;

export const CampaignTarget = z.object({
  repo: RepositoryName,
  vars: TargetVariables,
  after: z.array(TargetLink).min(1).max(MAX_CAMPAIGN_TARGETS).exactOptional(),
  goal: Order.shape.goal.exactOptional(),
  title: Order.shape.title.unwrap().exactOptional(),
  script: z.string().min(1).max(100_000).exactOptional(),
  /** Filled in already; they replace the checks of the campaign. */
  checks: Order.shape.checks.exactOptional(),
});
export type CampaignTarget = z.infer<typeof CampaignTarget>;

export const CampaignEstimate = z.object({
  of: z.int().min(1),
  /** Time of agents and checks, one after the other (ms). */
  workMs: z.number().min(0),
  costUsd: z.number().min(0),
  attentionMs: z.number().min(0),
});
export type CampaignEstimate = z.infer<typeof CampaignEstimate>;

const Range = z.object({ low: z.number().min(0), high: z.number().min(0) });
/** O4: what one run of it may take, from past runs like it. */
const RunExpectation = z.object({ runs: z.int().min(1), ms: Range, costUsd: Range.nullable() });

const CampaignSchedule = z.object({
  every: RepeatRule,
  named: z.array(CampaignTarget),
  queries: z.array(RepoQuery).max(MAX_CAMPAIGN_QUERIES),
});

export const CampaignOrder = z.object({
  name: z.string().min(1).max(80),
  /** Start order: canaries first. */
  targets: z.array(CampaignTarget).min(1).max(MAX_CAMPAIGN_TARGETS),
  excludedTargets: z.array(ExcludedTarget).max(MAX_CAMPAIGN_TARGETS),
  /** Omitted counts by reason; absent when the list is complete. */
  unnamed: z.partialRecord(z.enum(EXCLUSION_REASONS), z.int()).exactOptional(),
  /** Targets that nobody has read yet: each is judged when its run starts. */
  unseen: z.int().min(0),
  /** Queries and their results; absent when every target was named. */
  found: z.array(QueryFound).exactOptional(),
  estimate: CampaignEstimate.exactOptional(),
  expected: RunExpectation.exactOptional(),
  /** P7: dollars that each campaign may cost in all, as they were set when it was planned. */
  budgetUsd: z.number().exactOptional(),
  cautions: z.array(CostCaution).max(20).exactOptional(),
  /** Order of each run; `{{name}}` in its text is a variable. */
  run: Order.omit({ repo: true, campaign: true }),
  pace: CampaignPace,
  limits: CampaignLimits,
  /** G10: its pull requests are opened only then, within the hours of everything. */
  openings: OpeningWindow.exactOptional(),
  requester: Person,
  chat: z.string().nullable(),
  undoes: CampaignId.exactOptional(),
  /** A schedule starts nothing itself: it shows a new campaign, to be started by a tap. */
  schedule: CampaignSchedule.exactOptional(),
});
export type CampaignOrder = z.infer<typeof CampaignOrder>;

const ownOf = (repo: string): TargetVariables => {
  const at = repo.lastIndexOf('/');
  return { repo, owner: repo.slice(0, Math.max(0, at)), name: repo.slice(at + 1) };
};
const OWN = ['repo', 'owner', 'name'];
export const isCampaignVariable = (name: string): boolean => OWN.includes(name);

export const variablesOfTarget = (
  { repo, vars, after }: CampaignTarget,
  links: readonly LinkResult[] | null = null,
): TargetVariables => ({
  ...Object.fromEntries(Object.entries(vars).map(([name, value]) => [name.toLowerCase(), value])),
  ...linkVariables(after ? { after } : {}, links),
  ...ownOf(repo),
});

type Words = Pick<
  CampaignOrder['run'],
  'goal' | 'title' | 'branch' | 'base' | 'engineArgs' | 'checks' | 'fixes'
>;
const commandsOf = ({ engineArgs, checks, fixes = [] }: Words): string[] => [
  ...fixes.map(({ script = '' }) => script),
  ...engineArgs,
  ...checks,
];
const namesOf = ({ title, branch, base, fixes = [] }: Words): string[] => [
  ...fixes.map((fix) => fix.title),
  ...[title ?? '', branch ?? '', base ?? ''],
];
const wordsOf = (words: Words): string[] => [
  ...namesOf(words),
  ...[words.goal, ...(words.fixes ?? []).map(({ goal }) => goal)],
  ...commandsOf(words),
];

const withTargetTexts = <W extends Words>(words: W, { goal, title, script }: CampaignTarget): W => ({
  ...words,
  ...(goal === undefined ? {} : { goal }),
  ...(title === undefined ? {} : { title }),
  ...(script === undefined ? {} : { engineArgs: [script] }),
});

export const findUnfillableVariable = (words: Words): string | null =>
  namesOf(words).flatMap(findUnknownVariables)[0]?.slice(0, 60) ?? null;

export const createUnquotableVariableFinder = (words: Words): ((target: CampaignTarget) => string | null) => {
  const common = commandsOf(words).map(createUnquotableValueFinder);
  return (target) => {
    const values = variablesOfTarget(target);
    const own = target.script === undefined ? null : commandsOf(withTargetTexts(words, target));
    const commands = own ? own.map(createUnquotableValueFinder) : common;
    return commands.map((find) => find(values)).find((name) => name !== null) ?? null;
  };
};

export const missingVariables = (words: Words, target: CampaignTarget): string[] => {
  const known = new Set(Object.keys(variablesOfTarget(target)));
  return [...new Set(wordsOf(withTargetTexts(words, target)).flatMap(listVariables))].filter(
    (name) => !known.has(name),
  );
};

export const findReservedVariable = (words: Words, target: CampaignTarget): string | null => {
  const { repo, vars, after } = target;
  const own: TargetVariables = { ...linkVariables(after ? { after } : {}, null), ...ownOf(repo) };
  const other = Object.entries(vars).flatMap(([key, value]) => {
    const name = key.toLowerCase();
    return own[name] !== undefined && own[name]?.toLowerCase() !== value.toLowerCase() ? [name] : [];
  });
  const spoken = other.length === 0 ? [] : wordsOf(withTargetTexts(words, target)).flatMap(listVariables);
  return other.find((name) => spoken.includes(name)) ?? null;
};

const fillFix = ({ title, goal, script }: OrderedFix, all: TargetVariables): OrderedFix => ({
  title: fillVariables(title, all),
  goal: fillVariables(goal, all),
  ...(script === undefined ? {} : { script: fillCommand(script, all) }),
});

export const orderForTarget = (
  id: string,
  { run: common, undoes }: Pick<CampaignOrder, 'run' | 'undoes'>,
  target: CampaignTarget,
  links: readonly LinkResult[] | null = null,
): Order => {
  const { repo, vars, after } = target;
  const run = withTargetTexts(common, target);
  const follows = findFollowedPulls(after ? { after } : {}, links ?? []).slice(0, MAX_LINKS);
  const all = variablesOfTarget(target, links);
  const orNull = (text: string | null): string | null => (text === null ? null : fillVariables(text, all));
  return Order.parse({
    ...run,
    repo,
    goal: fillVariables(run.goal, all),
    title: orNull(run.title),
    branch: orNull(run.branch),
    base: orNull(run.base),
    ...(follows.length > 0 ? { follows } : {}),
    ...(undoes === undefined ? {} : { reverts: { pull: vars['pull'], url: vars['link'] } }),
    ...(run.fixes ? { fixes: run.fixes.map((fix) => fillFix(fix, all)) } : {}),
    engineArgs: run.engineArgs.map((arg) => fillCommand(arg, all)),
    checks: target.checks ?? run.checks.map((check) => fillCommand(check, all)),
    campaign: id,
  });
};

/** Spreads canaries: owners take turns, and picks of one owner lie far apart. Deterministic. */
export const spreadTargets = (targets: readonly CampaignTarget[]): CampaignTarget[] => {
  if (!hasLinks(targets)) return spreadOwners(targets);
  const waves = waveByTarget(targets);
  const waveOf = ({ repo }: CampaignTarget): number => waves.get(repo.toLowerCase()) ?? 0;
  const byWave = Map.groupBy(targets, waveOf);
  return [...byWave].sort(([a], [b]) => a - b).flatMap(([, some]) => spreadOwners(some));
};

const spreadOwners = (targets: readonly CampaignTarget[]): CampaignTarget[] => {
  const owners = new Map<string, CampaignTarget[]>();
  for (const target of targets) {
    const owner = target.repo.slice(0, Math.max(0, target.repo.lastIndexOf('/'))).toLowerCase();
    owners.set(owner, [...(owners.get(owner) ?? []), target]);
  }
  const lines = [...owners.values()].map(spreadLine);
  const longest = Math.max(0, ...lines.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lines.flatMap((line) => line.slice(i, i + 1))).flat();
};

const spreadLine = (line: readonly CampaignTarget[]): CampaignTarget[] => {
  const order = new Set<number>([0, line.length - 1]);
  for (let parts = 2; parts / 2 < line.length; parts *= 2)
    for (let i = 1; i < parts; i += 2) order.add(Math.floor(((line.length - 1) * i) / parts));
  line.forEach((_, i) => order.add(i));
  return [...order].flatMap((i) => line[i] ?? []);
};
