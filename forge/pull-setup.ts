/** Labels, reviewers, assignees and milestone of an open pull request, and the end of its draft (F13). */
import { z } from 'zod';
import type { PullSetup, PullSetupRefusal } from '#model/opening';
import { OutsideFailure } from '#ports/forge';
import type { ForgeSetup } from '#ports/roles';
import { pullNumber } from './github-facts.ts';
import { isWithheldPart, type GitHubClient, type RepositoryParams } from './github-client.ts';
import { repositoryHasLabel } from './repository-has-label.ts';

const Named = z.object({ login: z.string() });
const Shown = z.object({
  node_id: z.string(),
  draft: z.boolean().default(false),
  user: Named.nullish(),
  labels: z.array(z.object({ name: z.string() })).default([]),
  requested_reviewers: z.array(Named).default([]),
  requested_teams: z.array(z.object({ slug: z.string() })).default([]),
  assignees: z.array(Named).default([]),
  milestone: z.object({ title: z.string() }).nullish(),
});
const Milestones = z.array(z.object({ number: z.number(), title: z.string() }));
const Assigned = z.object({ assignees: z.array(Named).default([]) });
const Answer = z.object({
  errors: z.array(z.object({ type: z.string().nullish(), message: z.string() })).optional(),
});

const PULL = '/repos/{owner}/{repo}/pulls/{pull_number}';
const ISSUE = '/repos/{owner}/{repo}/issues/{issue_number}';
const READY =
  'mutation($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }';
const MAX_REFUSAL_LENGTH = 500;

const hasName = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

type Field = PullSetupRefusal['field'];
/** Characters that a refusal keeps of what was asked. */
const MAX_VALUE_LENGTH = 200;
const refusal = (field: Field, value: string, says: string | null): PullSetupRefusal => ({
  field,
  value: value.slice(0, MAX_VALUE_LENGTH),
  why: says === null ? 'missing' : 'refused',
  says: (says ?? '').slice(0, MAX_REFUSAL_LENGTH),
});

/** GitHub, "Request reviewers" and "Add labels": 403, 404 and 422 are about what was asked. */
const isAboutIt = (error: unknown): error is OutsideFailure =>
  isWithheldPart(error) ||
  (error instanceof OutsideFailure &&
    (error.class === 'permission_denied' || (error.class === 'forge_refused' && error.status === 422)));

/** Gives the refusal of one value, or null. */
const attempt = async (
  field: Field,
  value: string,
  go: () => Promise<unknown>,
): Promise<PullSetupRefusal[]> => {
  try {
    await go();
    return [];
  } catch (error) {
    if (!isAboutIt(error)) throw error;
    return [refusal(field, value, error.message)];
  }
};

type Place = { client: GitHubClient; at: RepositoryParams; number: number };

const addLabels = async (
  { client, at, number }: Place,
  wanted: readonly string[],
): Promise<PullSetupRefusal[]> => {
  const missing: string[] = [];
  // GitHub would make a label that is not there, misspelt or not.
  for (const label of wanted) if (!(await repositoryHasLabel(client, at, label))) missing.push(label);
  const labels = wanted.filter((label) => !missing.includes(label));
  const add = () => client.post(`${ISSUE}/labels`, { ...at, issue_number: number, labels }, z.unknown());
  return [
    ...missing.map((label) => refusal('label', label, null)),
    ...(labels.length === 0 ? [] : await attempt('label', labels.join(', '), add)),
  ];
};

/** One name that GitHub refuses makes it refuse all of a request, so then each is asked for alone. */
const requestReviews = async (
  { client, at, number }: Place,
  people: readonly string[],
  teams: readonly string[],
): Promise<PullSetupRefusal[]> => {
  const request = (reviewers: readonly string[], team_reviewers: readonly string[]) =>
    client.post(
      `${PULL}/requested_reviewers`,
      { ...at, pull_number: number, reviewers, team_reviewers },
      z.unknown(),
    );
  if (people.length + teams.length === 0) return [];
  try {
    await request(people, teams.map(slugOf));
    return [];
  } catch (error) {
    if (!isAboutIt(error)) throw error;
  }
  const refused: PullSetupRefusal[] = [];
  for (const one of people) refused.push(...(await attempt('reviewer', one, () => request([one], []))));
  for (const one of teams) refused.push(...(await attempt('team', one, () => request([], [slugOf(one)]))));
  return refused;
};
const slugOf = (team: string): string => team.slice(team.indexOf('/') + 1);

/** GitHub leaves out who may not be assigned, without a word. */
const setAssignees = async (
  { client, at, number }: Place,
  assignees: readonly string[],
): Promise<PullSetupRefusal[]> => {
  if (assignees.length === 0) return [];
  const on = { ...at, issue_number: number, assignees };
  try {
    const shown = await client.post(`${ISSUE}/assignees`, on, Assigned);
    const names = shown.assignees.map(({ login }) => login);
    return assignees
      .filter((one) => !hasName(names, one))
      .map((one) => refusal('assignee', one, 'GitHub did not assign it.'));
  } catch (error) {
    if (!isAboutIt(error)) throw error;
    return assignees.map((one) => refusal('assignee', one, error.message));
  }
};

const setMilestone = async (
  { client, at, number }: Place,
  title: string | null,
): Promise<PullSetupRefusal[]> => {
  if (title === null) return [];
  const open = await client.pages(
    '/repos/{owner}/{repo}/milestones',
    { ...at, state: 'open' },
    Milestones,
    (page) => page,
  );
  const found = open.find((one) => one.title.toLowerCase() === title.toLowerCase());
  if (!found) return [refusal('milestone', title, null)];
  const on = { ...at, issue_number: number, milestone: found.number };
  return attempt('milestone', title, () => client.patch(ISSUE, on, z.unknown()));
};

const without = (wanted: readonly string[], shown: readonly string[]): string[] =>
  wanted.filter((one) => !hasName(shown, one));

const setUp = async (place: Place, setup: PullSetup): Promise<PullSetupRefusal[]> => {
  const { client, at, number } = place;
  const shown = await client.get(PULL, { ...at, pull_number: number }, Shown);
  const author = shown.user?.login ?? '';
  const reviewers = without(
    setup.reviewers,
    shown.requested_reviewers.map(({ login }) => login),
  );
  const teams = setup.teams.filter((team) => !hasName(shown.requested_teams.map(({ slug }) => slug), slugOf(team))); // oxfmt-ignore
  const others = reviewers.filter((one) => !hasName([author], one));
  return [
    ...(await addLabels(
      place,
      without(
        setup.labels,
        shown.labels.map(({ name }) => name),
      ),
    )),
    ...reviewers
      .filter((one) => hasName([author], one))
      .map((one): PullSetupRefusal => ({ field: 'reviewer', value: one, why: 'is_author', says: '' })),
    ...(await requestReviews(place, others, teams)),
    ...(await setAssignees(
      place,
      without(
        setup.assignees,
        shown.assignees.map(({ login }) => login),
      ),
    )),
    ...(await setMilestone(
      place,
      hasName([shown.milestone?.title ?? ''], setup.milestone ?? '') ? null : setup.milestone,
    )),
  ];
};

const endDraft = async ({ client, at, number }: Place): Promise<PullSetupRefusal | null> => {
  const shown = await client.get(PULL, { ...at, pull_number: number }, Shown);
  if (!shown.draft) return null;
  // GitHub offers this only by GraphQL ("markPullRequestReadyForReview").
  const { errors = [] } = await client.graphql(at, READY, { id: shown.node_id }, Answer);
  const [first] = errors;
  if (first?.type === 'RATE_LIMITED') throw new OutsideFailure('rate_limited', first.message);
  return first ? refusal('ready', '', first.message) : null;
};

export const createSetupRole = (
  client: GitHubClient,
  canonical: (fullName: string) => Promise<RepositoryParams>,
): ForgeSetup => {
  const placeOf = async (fullName: string, id: string): Promise<Place> => ({
    client,
    at: await canonical(fullName),
    number: pullNumber(id),
  });
  return {
    setUpPull: async (fullName, id, setup) => setUp(await placeOf(fullName, id), setup),
    markReady: async (fullName, id) => endDraft(await placeOf(fullName, id)),
  };
};
