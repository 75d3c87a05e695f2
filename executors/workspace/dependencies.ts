/** The dependencies that one changed file declares otherwise than before. */
import { dependencyChanges, type DependencyChange } from '../../orchestrator/core/dependencies.ts';
import { textOf, type Side } from '../git/sides.ts';

/** A manifest is not moved to become another one: its new name says what it is. */
export const dependenciesIn = (before: Side | null, after: Side | null): DependencyChange[] => {
  const path = (after ?? before)?.path;
  if (path === undefined) return [];
  const [was, is] = [before, after].map((side) => (side === null ? null : textOf(side.bytes)));
  return dependencyChanges(path, was ?? null, is ?? null);
};
