/** Applies policies that an operator writes as data: they deny or escalate, never allow (P1). */
import type { Person } from '#model/order';
import { touchedPaths } from '#model/paths';
import type { CustomPolicy } from '#model/settings';
import { isChange, type GovernedAction } from './governed-action.ts';
import { higherLevel } from './assess-risk.ts';
import type { AssessedRisk, Policy, PolicyContext } from './policy-types.ts';
import { matchesGlob } from '#text-safety';
import { listPaths } from './path-reasons.ts';

/** An unknown requester matches every list of people. */
const isOneOf = (requester: Person | null, authors: readonly string[]): boolean =>
  requester === null ||
  authors.some((author) => author === requester.id || author.toLowerCase() === requester.name.toLowerCase());

const addedLines = (action: GovernedAction): number => {
  if (!isChange(action)) return 0;
  const { files, added } = action.commit.diff;
  return Math.max(
    added,
    files.reduce((n, f) => n + f.added, 0),
  );
};

const about = (
  { when, by }: CustomPolicy,
  action: GovernedAction,
  context: PolicyContext,
  { level }: AssessedRisk,
): readonly string[] | null => {
  const { actions, paths, minAdded, repos, authors, minRisk } = when;
  if (by !== undefined && !isChange(action)) return null;
  if (minRisk !== undefined && higherLevel(level, minRisk) !== level) return null;
  if (actions && !actions.includes(action.kind)) return null;
  if (repos && !matchesGlob(context.repo, repos)) return null;
  if (authors && !isOneOf(context.requester, authors)) return null;
  if (minAdded !== undefined && addedLines(action) < minAdded) return null;
  if (!paths) return [];
  const hit = isChange(action) ? touchedPaths(action.commit.diff, (path) => matchesGlob(path, paths)) : [];
  return hit.length > 0 ? hit : null;
};

export const customPolicy = (custom: CustomPolicy, origin: 'custom' | 'repository' = 'custom'): Policy => ({
  id: `${origin}:${custom.id}`,
  asks: [
    (action, context, risk) => {
      const paths = about(custom, action, context, risk);
      if (paths === null) return [];
      return [
        {
          verdict: custom.verdict,
          reason: {
            kind: 'custom_policy',
            says: custom.reason,
            ...listPaths(paths),
            // guard: G11-policy-asks
            ...(custom.by === undefined ? {} : { by: custom.by }),
          },
        },
      ];
    },
  ],
});
