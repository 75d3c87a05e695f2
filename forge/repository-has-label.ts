/** Checks that a label exists in a repository (F5). */
import { z } from 'zod';
import { OutsideFailure } from '#ports/forge';
import type { GitHubClient, RepositoryParams } from './github-client.ts';

const Label = z.object({ name: z.string() });

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
