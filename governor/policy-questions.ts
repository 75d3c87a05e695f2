/** Builds the questions of policies: what is asked of a diff, and the verdict on the places that it finds. */
import type { AssessmentReason, PathsKind } from '#model/assessment';
import type { DiffFacts, FileChange, Finding } from '#model/change';
import { findingLocation, selectTouchedPaths } from '#model/paths';
import type { PolicySettings } from '#model/settings';
import { classifyCommand, type CommandFactor } from './classify-command.ts';
import { isChangeAction } from './governed-action.ts';
import { toPathReasons } from './shorten-paths.ts';
import {
  denyOpinion,
  escalateOpinion,
  type AssessedRisk,
  type PolicyOpinion,
  type PolicyQuestion,
} from './policy-types.ts';

export type DiffQuestion = (diff: DiffFacts, settings: PolicySettings) => readonly AssessmentReason[];

export const createDiffQuestion =
  (kind: PathsKind, places: (diff: DiffFacts) => readonly string[]): DiffQuestion =>
  (diff) =>
    toPathReasons(kind, places(diff));

export const createFileQuestion = (kind: PathsKind, is: (file: FileChange) => boolean): DiffQuestion =>
  createDiffQuestion(kind, ({ files }) => files.filter(is).map((f) => f.path));

/** Both names of a rename count. */
export const createPathQuestion =
  (kind: PathsKind, is: (path: string, settings: PolicySettings) => boolean): DiffQuestion =>
  (diff, settings) =>
    toPathReasons(
      kind,
      selectTouchedPaths(diff, (path) => is(path, settings)),
    );

/** Their risk stands in `FINDINGS` of assess-risk.ts. */
export const createFindingQuestion = (kind: PathsKind, ...kinds: readonly Finding['kind'][]): DiffQuestion =>
  createDiffQuestion(kind, ({ findings }) =>
    findings.filter((f) => kinds.includes(f.kind)).map(findingLocation),
  );

const createDiffPolicy =
  (verdict: (reason: AssessmentReason) => PolicyOpinion) =>
  (question: DiffQuestion): PolicyQuestion =>
  (action, { settings }) =>
    isChangeAction(action) ? question(action.commit.diff, settings).map(verdict) : [];

export const denyWhere = createDiffPolicy(denyOpinion);
export const escalateWhere = createDiffPolicy(escalateOpinion);

/** Asks for what makes a change risky. */
export const createFactorQuestion =
  (which: (factor: AssessedRisk['factors'][number]) => boolean): PolicyQuestion =>
  (_action, _context, { factors }) =>
    factors.filter(which).map(({ reason }) => escalateOpinion(reason));

export const createCommandQuestion =
  (
    verdicts: Partial<Record<CommandFactor['id'], (reason: AssessmentReason) => PolicyOpinion>>,
  ): PolicyQuestion =>
  (action) =>
    action.kind === 'command'
      ? classifyCommand(action.command).flatMap(({ id, reason }) => verdicts[id]?.(reason) ?? [])
      : [];
