/** Finds misspelt setting names, which would otherwise be ignored silently. */
import { editDistance } from '../orchestrator/model/spelling.ts';

const OWN_PREFIX = /^(AGENTPR|TELEGRAM|SLACK|GITHUB)_/;
/** Maximum edit distance by prefix; GITLAB_TOKEN is 2 letters from GITHUB_TOKEN, but valid. */
const TYPO = { ours: 2, others: 1 } as const;

const folded = (name: string): string => name.toUpperCase().replace(/[-_\s.]/g, '');

const nearest = (name: string, known: readonly string[]): { name: string; off: number } | null => {
  const off = known
    .filter((one) => OWN_PREFIX.test(one))
    .map((one) => ({ name: one, off: editDistance(folded(name), folded(one)) }));
  return off.sort((a, b) => a.off - b.off)[0] ?? null;
};

/** Names in the shared environment are refused only when they nearly match one of ours. */
export type UnknownSetting = { name: string; fromFile: boolean; meant: string | null };

export const findMisspeltSettings = (
  given: { env: readonly string[]; dotEnv: readonly string[] },
  known: readonly string[],
): UnknownSetting[] => {
  const classify = (name: string, fromFile: boolean): UnknownSetting[] => {
    if (known.includes(name)) return [];
    const near = nearest(name, known);
    const close = near !== null && near.off <= (OWN_PREFIX.test(name) ? TYPO.ours : TYPO.others);
    const refused = close || name.startsWith('AGENTPR_') || (fromFile && OWN_PREFIX.test(name));
    if (!refused) return [];
    return [{ name, fromFile, meant: close ? near.name : null }];
  };
  const file = new Set(given.dotEnv);
  return [
    ...given.dotEnv.flatMap((name) => classify(name, true)),
    ...given.env.filter((name) => !file.has(name)).flatMap((name) => classify(name, false)),
  ];
};
