/** Finds the repositories in a payload without parsing it, as parsing is slow. */
import type { RepositoryIdentity } from '#ports/ledger';

const MEMBER = 'full_name';
/** GitHub writes the fields of a repository in this order. */
const REPO =
  /"id": ?(\d{1,15}),\s*"node_id": ?"[^"\\]*",\s*"name": ?"[^"\\]*",\s*"full_name": ?"([\w.-]+\/[\w.-]+)"/g;

const isMentionedAgain = (text: string, times: number): boolean => {
  let left = times;
  for (let at = text.indexOf(MEMBER); at >= 0; at = text.indexOf(MEMBER, at + MEMBER.length)) {
    left -= 1;
    if (left < 0) return true;
  }
  return false;
};

/** Null when uncertain, as in text that mentions names. */
export const findRepositoryNames = (text: string): readonly RepositoryIdentity[] | null => {
  const named = Array.from(text.matchAll(REPO), ([, id = '', fullName = '']) => ({ id, fullName }));
  if (named.length === 0 || isMentionedAgain(text, named.length)) return null;
  return [...new Map(named.map((repo) => [`${repo.id} ${repo.fullName}`, repo])).values()];
};
