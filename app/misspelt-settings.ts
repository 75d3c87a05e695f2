/**
 * Finds settings that are misspelt. A name that we only think we gave is worse than one that is
 * missing: nothing says so.
 */
import { editDistance } from '../orchestrator/core/spelling.ts';

const OWN_PREFIX = /^(AGENTPR|TELEGRAM|GITHUB)_/;
/**
 * As many letters may be wrong, missing, too many or swapped. GITLAB_TOKEN is two letters from
 * GITHUB_TOKEN and no mistake.
 */
const TYPO = { ours: 2, others: 1 } as const;

/**
 * Without what a tired reader overlooks: case, underscores, the blanks and dashes that stand for
 * them.
 */
const folded = (name: string): string => name.toUpperCase().replace(/[-_\s.]/g, '');

const nearest = (name: string, known: readonly string[]): { name: string; off: number } | null => {
  const off = known
    .filter((one) => OWN_PREFIX.test(one))
    .map((one) => ({ name: one, off: editDistance(folded(name), folded(one)) }));
  return off.sort((a, b) => a.off - b.off)[0] ?? null;
};

/**
 * What is wrong with the names, as lines for people. Everything in `.env` is ours to judge; the
 * environment is shared with others (GitHub's own CI sets forty names that begin with GITHUB_):
 * there, only what is almost one of our names is refused.
 */
export const findMisspeltSettings = (
  given: { env: readonly string[]; dotEnv: readonly string[] },
  known: readonly string[],
): string[] => {
  const judge = (name: string, fromFile: boolean): string[] => {
    if (known.includes(name)) return [];
    const near = nearest(name, known);
    const close = near !== null && near.off <= (OWN_PREFIX.test(name) ? TYPO.ours : TYPO.others);
    const refused = close || name.startsWith('AGENTPR_') || (fromFile && OWN_PREFIX.test(name));
    if (!refused) return [];
    const where = fromFile ? ' in .env' : '';
    return [`Unknown setting ${name}${where}${close ? `; did you mean ${near.name}?` : '.'}`];
  };
  const file = new Set(given.dotEnv);
  return [
    ...given.dotEnv.flatMap((name) => judge(name, true)),
    ...given.env.filter((name) => !file.has(name)).flatMap((name) => judge(name, false)),
  ];
};
