/** F5: labels of a repository: only one that somebody made can be given to an issue. */
import { z } from 'zod';
import { OutsideFailure } from '../orchestrator/ports.ts';
import type { GitHubClient, RepositoryParams } from './github-client.ts';

const Label = z.object({ name: z.string() });

/** Rejects where the repository itself is not shown to us. */
export const repositoryHasLabel = async (
  client: GitHubClient,
  at: RepositoryParams,
  label: string,
): Promise<boolean> => {
  try {
    await client.get('/repos/{owner}/{repo}/labels/{name}', { ...at, name: label }, Label);
    return true;
  } catch (error) {
    if (!(error instanceof OutsideFailure) || error.class !== 'repository_missing') throw error;
    await client.get('/repos/{owner}/{repo}', at, z.unknown());
    return false;
  }
};
