/** Finds the open pull requests of others for an issue, by its timeline, or for the same files (F10). */
import { z } from 'zod';
import { MAX_COMPETING_PULLS, isIssueNamed, type CompetingPull, type CompetingPulls } from '#model/pull';
import {
  isWithheldPart,
  fallBackWhenHidden,
  ITEMS_PER_PAGE,
  type GitHubClient,
  type RepositoryParams,
} from './github-client.ts';
import { pullId, pullNumber } from './github-facts.ts';

const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
});
type Pull = z.infer<typeof Pull>;
const Files = z.array(z.object({ filename: z.string() }));
/** GitHub, "Timeline events for issues": a source is an issue or a pull request of any repository. */
const Source = Pull.extend({ state: z.string(), pull_request: z.unknown().optional() });
const Event = z.object({
  event: z.string().nullish(),
  source: z.object({ issue: Source.nullish() }).nullish(),
});

const MOST_LISTED = 15;

export const readCompetingPulls = async (
  client: GitHubClient,
  at: RepositoryParams,
  { issue, paths }: { issue: string | null; paths: readonly string[] },
): Promise<CompetingPulls> => {
  const linked: Linked = issue === null ? { pulls: [] } : await readLinkedPulls(client, at, issue);
  const { unread } = linked;
  const open = paths.length > 0 || unread !== undefined ? await listUpdatedPulls(client, at) : [];
  const all = [...new Map([...open, ...linked.pulls].map((pull) => [pull.number, pull])).values()];
  // The order is by number, so that a comment on one of many does not change which ones a signature names.
  const naming = all
    .filter((p) => issue !== null && isIssueNamed(`${p.title}\n${p.body ?? ''}`, issue, homeOf(p)))
    .toSorted((a, b) => a.number - b.number);
  const others = paths.length === 0 ? [] : open.filter((p) => !naming.includes(p)).slice(0, MOST_LISTED);
  const touching = await Promise.all(
    others.map(async (p) => ((await touchesPaths(client, at, p, paths)) ? [p] : [])),
  );
  const pulls = [
    ...naming.map((p) => competingPull(p, 'issue')),
    ...touching.flat().map((p) => competingPull(p, 'files')),
  ].slice(0, MAX_COMPETING_PULLS);
  return { pulls, ...(unread === undefined ? {} : { unread }) };
};

type Linked = { pulls: Pull[]; unread?: string };

const readLinkedPulls = async (
  client: GitHubClient,
  at: RepositoryParams,
  issue: string,
): Promise<Linked> => {
  const route = '/repos/{owner}/{repo}/issues/{issue_number}/timeline';
  let isCut = false;
  try {
    const events = await client.pages(
      route,
      { ...at, issue_number: pullNumber(issue) },
      z.array(Event),
      (page) => page,
      () => {
        isCut = true;
      },
    );
    const sources = events.flatMap(({ source }) => source?.issue ?? []);
    // guard: F10-same-repository
    const pulls = sources.filter((s) => s.pull_request && s.state === 'open' && isAt(homeOf(s), at));
    const countEvents = (kind: string): number => events.filter(({ event }) => event === kind).length;
    // GitHub does not say which pull request was connected by hand.
    const isByHand = pulls.length === 0 && countEvents('connected') > countEvents('disconnected');
    if (isCut) return { pulls, unread: `timeline: ${events.length}+` };
    return { pulls, ...(isByHand ? { unread: 'timeline: connected' } : {}) };
  } catch (error) {
    if (!isWithheldPart(error)) throw error;
    return { pulls: [], unread: `timeline: ${error.status}` };
  }
};

const listUpdatedPulls = (client: GitHubClient, at: RepositoryParams): Promise<Pull[]> => {
  const sorted = { state: 'open', sort: 'updated', direction: 'desc', per_page: ITEMS_PER_PAGE };
  return client.get('/repos/{owner}/{repo}/pulls', { ...at, ...sorted }, z.array(Pull));
};

const touchesPaths = async (
  client: GitHubClient,
  at: RepositoryParams,
  { number }: Pull,
  paths: readonly string[],
): Promise<boolean> => {
  const where = { ...at, pull_number: number, per_page: ITEMS_PER_PAGE };
  const listed = client.get('/repos/{owner}/{repo}/pulls/{pull_number}/files', where, Files);
  return (await fallBackWhenHidden(listed, [])).some((f) => paths.includes(f.filename));
};

const homeOf = ({ html_url: url }: Pull): string => url.replace(/\/pull\/\d+$/, '');
const isAt = (home: string, { owner, repo }: RepositoryParams): boolean =>
  home.toLowerCase().endsWith(`/${owner}/${repo}`.toLowerCase());

const competingPull = (
  { number, html_url: url, title, user }: Pull,
  matchedBy: CompetingPull['matchedBy'],
): CompetingPull => ({
  id: pullId(number),
  url: url.slice(0, 1_000),
  title: title.slice(0, 300),
  author: user?.login ?? 'ghost',
  matchedBy,
});
