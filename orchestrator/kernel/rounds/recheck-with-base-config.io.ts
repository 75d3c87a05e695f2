/** Repeats the checks with the base's version of changed files that configure checks (E13). */
import {
  compareWithBaseline,
  type Baseline,
  isBlockingCheck,
  type CheckResult,
  type CheckConfigFiles,
} from '#model/evidence';
import type { Commit } from '#model/change';
import { firstLine } from '#model/feedback';
import { pathsOf } from '#model/paths';
import type { NotCompared } from '#model/assessment';
import { MB } from '#model/values';
import type { Run } from '../run/run.ts';
import { installsOf, type PlannedCommand } from '../preparation/check-selection.ts';
import { OutsideFailure, UnreadableFailure } from '#ports/forge';
import type { ForgeRepository } from '#ports/roles';
import type { CommitExport, OverlaidPaths } from '#ports/workspaces';
import { requireValue, type EffectContext, type TextReader } from '../handlers/effect-context.ts';
import { ChangeBreaksInstall, prepareExport } from '../handlers/prepare-export.ts';
import type { CommandPass } from '../handlers/recorded-commands.ts';

const MAX_SCRIPT_DEPTH = 5;
const MOST_TEXTS = 60;

const MAX_TEXTS_LENGTH = 16 * MB;
const sizeOf = (texts: ReadonlyMap<string, readonly (string | null)[]>): number =>
  [...texts.values()].flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);

const pathsChangedIn = ({ diff }: Commit): string[] => [...new Set(diff.files.flatMap(pathsOf))];

const findChangedConfig = async (
  { workspaces, texts: { reader } }: Pick<EffectContext, 'workspaces'> & TextReader,
  run: Run,
  commands: readonly { command: string; dir: string }[],
): Promise<OverlaidPaths | null> => {
  const commit = requireValue(run.change.commit, 'commit');
  const changed = pathsChangedIn(commit);
  const [before, after] = await Promise.all([
    workspaces.tree(run.id, commit.base),
    workspaces.tree(run.id, commit.sha),
  ]);
  const paths = [...new Set([...before.paths, ...after.paths])];
  const texts = new Map<string, readonly [string | null, string | null]>();
  const links = new Map((await Promise.all([before.links(), after.links()])).flatMap((all) => [...all]));
  const findConfig = () => reader.checkConfig({ commands, changed, paths, texts, links });
  let found = await findConfig();
  for (let depth = 0; depth < MAX_SCRIPT_DEPTH && found.wants.length > 0; depth += 1) {
    const wanted = found.wants.slice(0, MOST_TEXTS);
    const [old, now] = await Promise.all([before.read(wanted), after.read(wanted)]);
    for (const path of wanted) texts.set(path, [old.get(path) ?? null, now.get(path) ?? null]);
    if (sizeOf(texts) > MAX_TEXTS_LENGTH)
      throw new UnreadableFailure(null, { limit: 'size', limitValue: MAX_TEXTS_LENGTH / MB });
    found = await findConfig();
  }
  if (found.files.length === 0) return null;
  return { base: commit.base, paths: found.files, texts: Object.fromEntries(found.merged) };
};

const withBase = (name: string): string => `${name} (base’s configuration)`;

const toToolMessage = (text: string): NotCompared => ({ kind: 'tool_message', words: firstLine(text) });

export const recheckWithBaseConfig = async (
  parts: Pick<EffectContext, 'workspaces'> & TextReader & { forge: ForgeRepository },
  run: Run,
  planned: readonly PlannedCommand[],
  { runner, meter, signal, baseline }: CommandPass & { baseline: Baseline | null },
): Promise<CheckConfigFiles | null> => {
  const commands = [...planned, ...installsOf(run)];
  const over = await findChangedConfig(parts, run, commands).catch((error: unknown) => {
    if (error instanceof UnreadableFailure) return error;
    throw error;
  });
  if (!over) return null;
  // An unreadable file may configure checks, so a person decides.
  if (over instanceof UnreadableFailure) {
    const { file } = over.unreadable;
    return {
      files:
        file === null
          ? pathsChangedIn(requireValue(run.change.commit, 'commit')).slice(0, MOST_TEXTS)
          : [file],
      baseResults: null,
      notCompared: toToolMessage(over.message),
    };
  }
  const files = over.paths;
  const again = runner(withBase);
  const spent = meter.usedUp();
  if (spent) return { files, baseResults: null, notCompared: { kind: 'no_budget', budget: spent } };
  let place: CommitExport | null = null;
  try {
    const base: CheckResult[] = [];
    for (const [i, one] of planned.entries()) {
      place ??= await prepareExport(parts, run, again, signal, over);
      await place.renew({ last: i === planned.length - 1 });
      const { result } = await again({ kind: 'check', ...one }, place);
      if (result.outcome === 'not_run')
        return { files, baseResults: null, notCompared: toToolMessage(result.tail) };
      const seen = compareWithBaseline(result, baseline);
      base.push(seen);
      if (isBlockingCheck(seen)) break;
    }
    return { files, baseResults: base };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ChangeBreaksInstall)
      return {
        files,
        baseResults: null,
        notCompared: toToolMessage(error.result.commandFailure?.says ?? error.message),
      };
    if (!(error instanceof OutsideFailure)) throw error;
    return { files, baseResults: null, notCompared: toToolMessage(error.message) };
  } finally {
    await place?.remove();
  }
};
