/** Asks the contract's linters about edited files, in an export that is thrown away (E9, S7). */
import {
  findFileLinters,
  findNewComplaints,
  parsePackageScripts,
  readComplaints,
  type FileLinter,
  type LintComplaint,
} from '#discovery';
import { MINUTE, SECOND } from '#model/values';
import { plainRunner } from '../kernel/handlers/recorded-commands.ts';
import type { EffectContext } from '../kernel/handlers/effect-context.ts';
import { boxWithout, checksOf, installsOf } from '../kernel/preparation/check-selection.ts';
import { findCachedInstall } from '../kernel/preparation/run-baseline.io.ts';
import { OutsideFailure } from '#ports/forge';
import type { CommitExport } from '#ports/workspaces';
import type { EditedFile, LintEdits } from '#ports/processes';
import { workspaceShaOf, type Run } from '../kernel/run/run.ts';

const LINT_LIMITS = { askMs: 20 * SECOND, roundMs: 2 * MINUTE };
/** A shell found no such program, or could not run it. */
const NOT_RUN = 126;

type Needs = Pick<EffectContext, 'workspaces' | 'checks' | 'log'>;
type Ready = { place: CommitExport; linters: readonly FileLinter[] };

const lintersOf = async ({ workspaces }: Needs, run: Run, sha: string): Promise<FileLinter[]> => {
  const planned = checksOf(run).filter(({ name }) => !run.target.waivedChecks.includes(name));
  const manifestOf = (dir: string): string => (dir === '' ? 'package.json' : `${dir}/package.json`);
  const texts = await (await workspaces.tree(run.id, sha)).read(planned.map(({ dir }) => manifestOf(dir)));
  return findFileLinters(planned, (dir) => parsePackageScripts(texts.get(manifestOf(dir)) ?? '{}'));
};

export const createEditLint = (
  needs: Needs,
  run: Run,
  signal: AbortSignal,
  limits: typeof LINT_LIMITS = LINT_LIMITS,
): { lint: LintEdits; end: () => Promise<void> } => {
  const edited = new Map<string, EditedFile>();
  const tired = new Set<FileLinter>();
  const ask = plainRunner(needs.checks, run.id, limits.askMs, signal);
  let ready: Promise<Ready | null> | null = null;
  let spentMs = 0;

  /** Without the base's installation a linter complains about what it lacks. */
  const prepareLinters = async (): Promise<Ready | null> => {
    const sha = workspaceShaOf(run);
    const linters = sha === null ? [] : await lintersOf(needs, run, sha);
    if (sha === null || linters.length === 0) return null;
    const reuse = findCachedInstall(run);
    if (reuse === null && installsOf(run).length > 0) return null;
    const place = await needs.workspaces.export({
      runId: run.id,
      sha,
      signal,
      ...(reuse === null ? {} : { reuse }),
    });
    // guard: E9-lint-installed
    if (reuse === null || place.reused === 'installed') return { place, linters };
    await place.remove();
    return null;
  };

  const listComplaints = async (
    linter: FileLinter,
    place: CommitExport,
    files: readonly string[],
  ): Promise<LintComplaint[]> => {
    const { dir, program } = linter;
    const command = linter.command(files);
    const { result, says } = await ask(
      { kind: 'check', name: program, command, dir, ...boxWithout(run) },
      place,
    );
    spentMs += result.ms;
    // guard: S7-lint-gives-up
    if (result.exitCode === null || result.exitCode >= NOT_RUN) tired.add(linter);
    return readComplaints(linter, files, says);
  };

  const writeSide = (place: CommitExport, side: 'before' | 'after'): Promise<void> =>
    place.write([...edited.values()].map((one) => ({ path: one.path, text: one[side] })));

  const complaintsOf = async (
    linter: FileLinter,
    place: CommitExport,
    now: readonly EditedFile[],
  ): Promise<readonly LintComplaint[]> => {
    const files = linter.meant(now.flatMap(({ path, after }) => (after === null ? [] : [path])));
    if (files.length === 0 || tired.has(linter)) return [];
    await writeSide(place, 'after');
    const after = await listComplaints(linter, place, files);
    const old = linter.meant(now.flatMap(({ path, before }) => (before === null ? [] : [path])));
    if (after.length === 0 || old.length === 0) return after;
    await writeSide(place, 'before');
    return findNewComplaints(await listComplaints(linter, place, old), after);
  };

  return {
    lint: async (files) => {
      for (const one of files) edited.set(one.path, one);
      try {
        const made = await (ready ??= prepareLinters());
        const found: LintComplaint[] = [];
        for (const linter of made?.linters ?? [])
          // guard: S7-lint-bounded
          if (made && spentMs < limits.roundMs && !signal.aborted)
            found.push(...(await complaintsOf(linter, made.place, files)));
        return found;
      } catch (error) {
        if (!(error instanceof OutsideFailure)) throw error;
        // The checks ask the linters anyway.
        needs.log.warn({ run: run.id, failure: error.class }, 'edits could not be linted');
        ready = Promise.resolve(null);
        return [];
      }
    },
    end: async () => {
      const made = await ready?.catch(() => null);
      await made?.place.remove();
    },
  };
};
