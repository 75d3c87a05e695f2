/** Reads labelled issues and who added the label, which payloads cannot prove (F5). */
import { z } from 'zod';
import type { LabelledIssue, AskedIssue } from '#ports/forge';
import { createAccessReader } from './author-access.ts';
import type { GitHubClient, RepositoryParams } from './github-client.ts';
import { isBotAuthor } from './pull-comments.ts';
import { idSchema, pullId, timeSchema } from './github-facts.ts';

const Author = z.object({ login: z.string(), type: z.string().optional() }).nullish();
const Issue = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  updated_at: timeSchema,
  pull_request: z.unknown().optional(),
});
const Event = z.object({
  id: idSchema,
  event: z.string(),
  actor: Author,
  label: z.object({ name: z.string().nullish() }).nullish(),
});

const isLabel = (name: string | null | undefined, label: string): boolean =>
  name?.toLowerCase() === label.toLowerCase();

export const readLabelledIssues = async (
  client: GitHubClient,
  at: RepositoryParams,
  label: string,
): Promise<LabelledIssue[]> => {
  const which = { ...at, state: 'open', labels: label, sort: 'updated', direction: 'asc' };
  const all = await client.pages(
    '/repos/{owner}/{repo}/issues',
    which,
    z.array(Issue),
    (page) => page,
    () => {},
  );
  return all.flatMap(({ number, title, body, updated_at: updatedAt, pull_request: pull }) =>
    pull === undefined ? [{ id: pullId(number), title, body: body ?? '', updatedAt }] : [],
  );
};

export const readIssueLabeller = async (
  client: GitHubClient,
  at: RepositoryParams & { issue_number: number },
  label: string,
): Promise<AskedIssue | null> => {
  const events = await client.pages(
    '/repos/{owner}/{repo}/issues/{issue_number}/events',
    at,
    z.array(Event),
    (page) => page,
  );
  const last = events.findLast(
    ({ event, label: given }) => event === 'labeled' && isLabel(given?.name, label),
  );
  if (!last) return null;
  const { owner, repo } = at;
  const by = last.actor?.login ?? null;
  const bot = isBotAuthor(last.actor);
  // Asks GitHub for everybody, as label events have no reliable association.
  const access = createAccessReader(client, { owner, repo });
  return { event: last.id, by, bot, access: bot ? 'read' : await access(by, 'MEMBER') };
};
