/**
 * Which repositories a payload names, found without parsing it: parsing is what most of the time of
 * a delivery goes into.
 */
import type { ForgeRepository } from '../orchestrator/ports.ts';

const MEMBER = 'full_name';
/** GitHub writes every repository in this order. */
const REPO =
  /"id": ?(\d{1,15}),\s*"node_id": ?"[^"\\]*",\s*"name": ?"[^"\\]*",\s*"full_name": ?"([\w.-]+\/[\w.-]+)"/g;

/** Whether a text has more of the members that name one than those `times` that were read. */
const isMentionedAgain = (text: string, times: number): boolean => {
  let left = times;
  for (let at = text.indexOf(MEMBER); at >= 0; at = text.indexOf(MEMBER, at + MEMBER.length)) {
    left -= 1;
    if (left < 0) return true;
  }
  return false;
};

/**
 * All that are named, the delivery's own among them; null when that cannot be said for sure, as of
 * text that speaks of names.
 */
export const namedIn = (text: string): readonly ForgeRepository[] | null => {
  const named = Array.from(text.matchAll(REPO), ([, id = '', fullName = '']) => ({ id, fullName }));
  if (named.length === 0 || isMentionedAgain(text, named.length)) return null;
  return [...new Map(named.map((repo) => [`${repo.id} ${repo.fullName}`, repo])).values()];
};
