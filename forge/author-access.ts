/** Decides whose comments may steer a run (P5). */
import { z } from 'zod';
import type { ReviewFacts } from '#ports/forge';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';

export type ReadAuthorAccess = (login: string | null, association: string) => Promise<ReviewFacts['access']>;

const Permission = z.object({ permission: z.string() });

/** Members and collaborators need write access, which GitHub tells only to those with push rights. */
export const createAccessReader = (client: GitHubClient, at: RepositoryParams): ReadAuthorAccess => {
  const asked = new Map<string, Promise<ReviewFacts['access']>>();
  const readAccess = async (username: string): Promise<ReviewFacts['access']> => {
    const route = '/repos/{owner}/{repo}/collaborators/{username}/permission';
    const found = await fallBackWhenHidden(client.get(route, { ...at, username }, Permission), null);
    if (found === null) return 'unknown';
    return ['admin', 'maintain', 'write'].includes(found.permission) ? 'write' : 'read';
  };
  return (login, association) => {
    if (login === null) return Promise.resolve('unknown');
    if (association === 'OWNER') return Promise.resolve('write');
    if (association !== 'MEMBER' && association !== 'COLLABORATOR') return Promise.resolve('read');
    const known = asked.get(login) ?? readAccess(login);
    asked.set(login, known);
    return known;
  };
};
