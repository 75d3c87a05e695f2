/** Options with which a pull request opens: asked for by settings, files and orders, and sealed (F13). */
import { z } from 'zod';

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{C}]*$/u, 'must be one line of plain text');
const account = z
  .string()
  .regex(
    /^@?[A-Za-z0-9][\w.-]{0,99}(?:\[bot\])?$/,
    'must be the name of an account; organisation/team stands in teams',
  )
  .transform((name) => name.replace(/^@/, ''));
const team = z
  .string()
  .regex(/^@?[A-Za-z0-9][\w.-]{0,99}\/[A-Za-z0-9][\w.-]{0,99}$/, 'must be organisation/team')
  .transform((name) => name.replace(/^@/, ''));

const MAX_NAMES = 20;
export const DRAFT_WAYS = ['yes', 'no', 'until_green'] as const;

/** `until_green`: a draft that turns ready by itself once its checks are green. */
export const PullOptions = z
  .strictObject({
    draft: z.union([z.boolean(), z.literal('until_green', 'must be true, false or until_green')]),
    labels: z.array(line(50)).max(MAX_NAMES),
    reviewers: z.array(account).max(MAX_NAMES),
    teams: z.array(team).max(MAX_NAMES),
    assignees: z.array(account).max(MAX_NAMES),
    milestone: line(100),
  })
  .partial();
export type PullOptions = z.infer<typeof PullOptions>;

const NAMED_FIELDS = ['labels', 'reviewers', 'teams', 'assignees', 'milestone'] as const;
/** What is left out of everything asked for; all of the field without a name. */
const Removal = z.object({ field: z.enum(NAMED_FIELDS), name: z.string().max(200).exactOptional() });
type Removal = z.infer<typeof Removal>;

/** What a person says at the card: unlike settings and orders, it takes off names as well. */
export const PullEdit = PullOptions.extend({
  without: z.array(Removal).min(1).max(MAX_NAMES),
}).partial();
export type PullEdit = z.infer<typeof PullEdit>;

/** Keys of `repositories` are `owner/name` with `*` and `?`: lists extend, the rest replaces. */
export const PullSettings = PullOptions.extend({
  repositories: z
    .record(
      z
        .string()
        .max(200)
        .regex(/^[^/\s]+(?:\/[^/\s]+)+$/, 'must be owner/name; `*` and `?` may stand in each part'),
      PullOptions,
    )
    .default({}),
});
export type PullSettings = z.infer<typeof PullSettings>;

/** What is set after the opening, as it was sealed. */
export const PullSetup = z.object({
  readyWhenGreen: z.boolean(),
  labels: z.array(z.string()),
  reviewers: z.array(z.string()),
  teams: z.array(z.string()),
  assignees: z.array(z.string()),
  milestone: z.string().nullable(),
});
export type PullSetup = z.infer<typeof PullSetup>;

export const PullSetupRefusal = z.object({
  field: z.enum(['label', 'reviewer', 'team', 'assignee', 'milestone', 'ready']),
  value: z.string().max(200),
  /** `missing`: there is none of that name; `says` are the host's words for the rest. */
  why: z.enum(['missing', 'is_author', 'refused']),
  says: z.string().max(500),
});
export type PullSetupRefusal = z.infer<typeof PullSetupRefusal>;

const joinNames = (first: readonly string[] = [], more: readonly string[] = []): string[] => {
  const known = new Set(first.map((one) => one.toLowerCase()));
  return [...first, ...more.filter((one) => !known.has(one.toLowerCase()))];
};

export const joinPullOptions = (...all: readonly (PullOptions | undefined)[]): PullOptions =>
  all.reduce<PullOptions>(
    (now, more = {}) => ({
      draft: more.draft ?? now.draft,
      milestone: more.milestone ?? now.milestone,
      labels: joinNames(now.labels, more.labels),
      reviewers: joinNames(now.reviewers, more.reviewers),
      teams: joinNames(now.teams, more.teams),
      assignees: joinNames(now.assignees, more.assignees),
    }),
    {},
  );

const isRemoved = (all: readonly Removal[], field: Removal['field'], name: string): boolean =>
  all.some((one) => one.field === field && (one.name ?? name).toLowerCase() === name.toLowerCase());

const takeOff = (options: PullOptions, removals: readonly Removal[]): PullOptions => {
  const kept = (field: Exclude<Removal['field'], 'milestone'>): string[] =>
    (options[field] ?? []).filter((name) => !isRemoved(removals, field, name));
  const { milestone } = options;
  const off = milestone !== undefined && isRemoved(removals, 'milestone', milestone);
  return {
    draft: options.draft,
    milestone: off ? undefined : milestone,
    labels: kept('labels'),
    reviewers: kept('reviewers'),
    teams: kept('teams'),
    assignees: kept('assignees'),
  };
};

const namesIn = (options: PullOptions, field: Removal['field']): readonly string[] =>
  field === 'milestone' ? [options.milestone ?? []].flat() : (options[field] ?? []);

/** What was said last counts: a name that is wanted again is taken off no longer. */
export const joinPullEdits = (before: PullEdit = {}, { without = [], ...now }: PullEdit = {}): PullEdit => {
  const { without: off = [], ...wanted } = before;
  const stays = off.filter(({ field, name }) =>
    name === undefined
      ? namesIn(now, field).length === 0
      : !namesIn(now, field).some((one) => one.toLowerCase() === name.toLowerCase()),
  );
  const removed = [...stays, ...without].slice(-MAX_NAMES);
  return {
    ...joinPullOptions(takeOff(wanted, without), now),
    ...(removed.length > 0 ? { without: removed } : {}),
  };
};

export const hasSetupFields = (setup: PullSetup): boolean =>
  setup.milestone !== null ||
  [setup.labels, setup.reviewers, setup.teams, setup.assignees].some((names) => names.length > 0);

/** F13: in a repository that is not ours, labels and people are what `theirs`, its own rule, asks for. */
export const pullOpeningOf = (
  { draft = false, without = [], ...wanted }: PullEdit,
  { mayPush, theirs }: { mayPush: boolean; theirs?: PullOptions | undefined },
): { draft: boolean; setup?: PullSetup } => {
  // guard: F13-strangers-left-alone
  const asked = joinPullOptions(theirs, mayPush ? wanted : {});
  // guard: F13-taken-off
  const names = takeOff(asked, without);
  const setup: PullSetup = {
    readyWhenGreen: draft === 'until_green',
    labels: names.labels ?? [],
    reviewers: names.reviewers ?? [],
    teams: names.teams ?? [],
    assignees: names.assignees ?? [],
    milestone: names.milestone ?? null,
  };
  return {
    draft: draft !== false,
    ...(setup.readyWhenGreen || hasSetupFields(setup) ? { setup } : {}),
  };
};
