/** Reads whether a pull request waits in the merge queue; REST shows it by the timeline alone (F12). */
import { z } from 'zod';
import { isWithheldPart, type GitHubClient, type RepositoryParams } from './github-client.ts';

const Event = z.object({ event: z.string().nullish() });
const ROUTE = '/repos/{owner}/{repo}/issues/{issue_number}/timeline';
const QUEUE_EVENTS = ['added_to_merge_queue', 'removed_from_merge_queue', 'merged', 'closed'];

/** Null when it cannot be read. */
export const readInMergeQueue = async (
  client: GitHubClient,
  at: RepositoryParams,
  number: number,
): Promise<boolean | null> => {
  let isCut = false;
  try {
    const events = await client.pages(
      ROUTE,
      { ...at, issue_number: number },
      z.array(Event),
      (page) => page,
      () => {
        isCut = true;
      },
    );
    if (isCut) return null;
    const last = events.findLast(({ event }) => QUEUE_EVENTS.includes(event ?? ''));
    return last?.event === 'added_to_merge_queue';
  } catch (error) {
    if (isWithheldPart(error)) return null;
    throw error;
  }
};
