/** Applies policies that an operator writes as data: they deny or escalate, never allow (P1). */
import type { Person } from '#model/order';
import { selectTouchedPaths } from '#model/paths';
import type { SignatureAsks } from '#model/assessment';
import { ADMIN_ROLE, type CustomPolicy, type PolicySettings } from '#model/settings';
import { readDuration } from '#model/values';
import { isChangeAction, type GovernedAction } from './governed-action.ts';
import { higherLevel } from './assess-risk.ts';
import type { AssessedRisk, Policy, PolicyContext } from './policy-types.ts';
import { matchesGlob } from '#text-safety';
import { shortenPaths } from './shorten-paths.ts';

/** An unknown requester matches every list of people. */
const isOneOf = (requester: Person | null, authors: readonly string[]): boolean =>
  requester === null ||
  authors.some((author) => author === requester.id || author.toLowerCase() === requester.name.toLowerCase());

const countAddedLines = (action: GovernedAction): number => {
  if (!isChangeAction(action)) return 0;
  const { files, added } = action.commit.diff;
  return Math.max(
    added,
    files.reduce((n, f) => n + f.added, 0),
  );
};

type Demand = Pick<CustomPolicy, 'approvals' | 'approvers' | 'after'>;
/** G10: with the people of each group, so that the seal says who may approve. */
const asksOf = (
  { approvals, approvers, after }: Demand,
  { groups = {} }: Pick<PolicySettings, 'groups'>,
): SignatureAsks | null => {
  const several = approvals !== undefined && approvals > 1 ? approvals : undefined;
  if ((several ?? approvers ?? after) === undefined) return null;
  const named = approvers?.map((name) => {
    if (name === ADMIN_ROLE) return { name, role: ADMIN_ROLE } as const;
    return {
      name,
      ids: name.startsWith('@')
        ? Object.hasOwn(groups, name.slice(1))
          ? (groups[name.slice(1)] ?? [])
          : []
        : [name],
    };
  });
  return {
    ...(several === undefined ? {} : { approvals: several }),
    ...(named === undefined ? {} : { approvers: named }),
    ...(after === undefined ? {} : { afterMs: readDuration(after) ?? 0 }),
  };
};

const findConcernedPaths = (
  custom: CustomPolicy,
  action: GovernedAction,
  context: PolicyContext,
  { level }: AssessedRisk,
): readonly string[] | null => {
  const { actions, paths, minAdded, repos, authors, minRisk } = custom.when;
  if (minRisk !== undefined && higherLevel(level, minRisk) !== level) return null;
  if (actions && !actions.includes(action.kind)) return null;
  if (repos && !matchesGlob(context.repo, repos)) return null;
  if (authors && !isOneOf(context.requester, authors)) return null;
  if (minAdded !== undefined && countAddedLines(action) < minAdded) return null;
  if (!paths) return [];
  const hit = isChangeAction(action)
    ? selectTouchedPaths(action.commit.diff, (path) => matchesGlob(path, paths))
    : [];
  return hit.length > 0 ? hit : null;
};

export const createCustomPolicy = (
  custom: CustomPolicy,
  origin: 'custom' | 'repository' = 'custom',
): Policy => ({
  id: `${origin}:${custom.id}`,
  asks: [
    (action, context, risk) => {
      const paths = findConcernedPaths(custom, action, context, risk);
      if (paths === null) return [];
      // Only changes are signed; for other actions the verdict holds alone.
      const isSigned = isChangeAction(action);
      const asks = isSigned ? asksOf(custom, context.settings) : null;
      return [
        {
          verdict: custom.verdict,
          reason: {
            kind: 'custom_policy',
            says: custom.reason,
            ...shortenPaths(paths),
            // guard: G11-policy-asks
            ...(custom.by === undefined || !isSigned ? {} : { by: custom.by }),
            // guard: G10-policy-asks
            ...(asks === null ? {} : { asks }),
          },
        },
      ];
    },
  ],
});
