/**
 * Which repositories a payload names, found without parsing it: parsing is what most of the time of
 * a delivery goes into.
 */
import type { RepoName } from '../orchestrator/ports.ts';

const MEMBER = 'full_name';
/** GitHub writes every repository in this order. */
const REPO =
  /"id": ?(\d{1,15}),\s*"node_id": ?"[^"\\]*",\s*"name": ?"[^"\\]*",\s*"full_name": ?"([\w.-]+\/[\w.-]+)"/g;

/**
 * All that are named, the delivery's own among them; null when that cannot be said for sure, as of
 * text that speaks of names.
 */
export const namedIn = (text: string): readonly RepoName[] | null => {
  const named = Array.from(text.matchAll(REPO), ([, id = '', fullName = '']) => ({ id, fullName }));
  const mentions = text.split(MEMBER).length - 1;
  if (named.length === 0 || named.length !== mentions) return null;
  return [...new Map(named.map((repo) => [`${repo.id} ${repo.fullName}`, repo])).values()];
};
