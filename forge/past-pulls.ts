/** Reads the pull requests that ended last, without those of bots, and when people answered first. */
import { z } from 'zod';
import type { PastPull } from '#model/pull';
import { OutsideFailure } from '#ports/forge';
import { ITEMS_PER_PAGE, type GitHubClient, type RepositoryParams } from './github-client.ts';

const User = z.object({ login: z.string(), type: z.string().nullish() }).nullish();
/** GitHub, "List pull requests". */
const Closed = z.array(
  z.object({
    number: z.number(),
    title: z.string(),
    user: User,
    author_association: z.string().nullish(),
    created_at: z.string(),
    closed_at: z.string().nullish(),
    merged_at: z.string().nullish(),
  }),
);
type Closed = z.infer<typeof Closed>[number];
/** GitHub, "Timeline events for issues": a review has `user` and `submitted_at`, other events `actor`. */
const Events = z.array(
  z.object({
    event: z.string().nullish(),
    actor: User,
    user: User,
    created_at: z.string().nullish(),
    submitted_at: z.string().nullish(),
  }),
);
const OUTSIDERS: readonly string[] = ['CONTRIBUTOR', 'FIRST_TIMER', 'FIRST_TIME_CONTRIBUTOR', 'NONE'];
const ANSWERS: readonly string[] = ['commented', 'reviewed', 'merged', 'closed'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** One request per pull request, so only the newest are asked about. */
const MOST_ASKED = 8;

const isBot = (user: z.infer<typeof User>): boolean =>
  user?.type === 'Bot' || user?.login.endsWith('[bot]') === true;

export const readPastPulls = async (client: GitHubClient, at: RepositoryParams): Promise<PastPull[]> => {
  const sorted = { state: 'closed', sort: 'updated', direction: 'desc', per_page: ITEMS_PER_PAGE };
  const closed = await client.get('/repos/{owner}/{repo}/pulls', { ...at, ...sorted }, Closed);
  const ofPeople = closed.filter(
    (pull) => !isBot(pull.user) && Number.isFinite(hoursUntil(pull, pull.closed_at)),
  );
  const asked = ofPeople.filter(isOutsiders).slice(0, MOST_ASKED);
  const answers = new Map(
    await Promise.all(asked.map(async (pull) => [pull.number, await firstAnswer(client, at, pull)] as const)),
  );
  return ofPeople.map((pull) => {
    const answered = answers.get(pull.number);
    return {
      title: pull.title.slice(0, 300),
      merged: typeof pull.merged_at === 'string',
      hours: hoursUntil(pull, pull.closed_at),
      outsider: isOutsiders(pull),
      ...(answered === undefined ? {} : { answeredHours: answered }),
    };
  });
};

/** Hours until somebody else than its author answered; null where nobody did, undefined where that is unknown. */
const firstAnswer = async (
  client: GitHubClient,
  at: RepositoryParams,
  pull: Closed,
): Promise<number | null | undefined> => {
  const where = { ...at, issue_number: pull.number, per_page: ITEMS_PER_PAGE };
  const route = '/repos/{owner}/{repo}/issues/{issue_number}/timeline';
  const events = await client
    .aged(DAY_MS)
    .get(route, where, Events)
    .catch((error: unknown) => {
      if (!(error instanceof OutsideFailure)) throw error;
      return undefined;
    });
  const hours = events
    ?.filter(({ event, actor, user }) => {
      const by = actor ?? user;
      return ANSWERS.includes(event ?? '') && by && !isBot(by) && by.login !== pull.user?.login;
    })
    .map((one) => hoursUntil(pull, one.submitted_at ?? one.created_at))
    .filter(Number.isFinite);
  return hours?.length === 0 ? null : hours && Math.min(...hours);
};

const isOutsiders = ({ author_association: is }: Closed): boolean => OUTSIDERS.includes(is ?? '');

/** Whole hours, and NaN where a time is missing. */
const hoursUntil = ({ created_at: made }: Closed, then: string | null | undefined): number =>
  Math.max(0, Math.round((Date.parse(then ?? '') - Date.parse(made)) / HOUR_MS));
