/** Runs the tests of the change on the base without the rest of it: were they ever red? (E19) */
import { isPassingEvidence, type CheckResult } from '#model/evidence';
import { isTest, pathsOf, canRunnerFindTests } from '#model/paths';
import { listsOnlyTests, mayListTests, readTestsOnBase, type TestsOnBase } from './tests-on-base.ts';
import type { PlannedCommand } from '../preparation/check-selection.ts';
import { isTestCheck } from '#governor';
import type { Run } from '../run/run.ts';
import { isDoc } from '#pull-text';
import { OutsideFailure } from '#ports/forge';
import type { ForgeRepository } from '#ports/roles';
import type { CommitExport } from '#ports/workspaces';
import { requireValue, type EffectContext } from '../handlers/effect-context.ts';
import { ChangeBreaksInstall, prepareExport } from '../handlers/prepare-export.ts';
import type { CommandPass } from '../handlers/recorded-commands.ts';

const MAX_CHECKS = 2;

const withNewTests = (name: string): string => `${name} (base, new tests)`;

type NewTests = { paths: string[]; lists: string[] };

/** Build files in which the change only lists tests come along, or nothing would build these. */
const findTestLists = async (
  { workspaces }: Pick<EffectContext, 'workspaces'>,
  run: Run,
): Promise<string[]> => {
  const { sha, base, diff } = requireValue(run.change.commit, 'commit');
  const grown = diff.files.filter(
    (f) => mayListTests(f.path) && f.status === 'modified' && f.added > 0 && f.deleted === 0,
  );
  if (grown.length === 0) return [];
  const paths = grown.map(({ path }) => path);
  const [before, after] = await Promise.all(
    [base, sha].map(async (at) => (await workspaces.tree(run.id, at)).read(paths)),
  );
  return paths.filter((path) => listsOnlyTests(before?.get(path) ?? '', after?.get(path) ?? ''));
};

/** There are no paths when no test was added or altered, or nothing but tests was. */
const findNewTests = async (parts: Pick<EffectContext, 'workspaces'>, run: Run): Promise<NewTests> => {
  const { files } = requireValue(run.change.commit, 'commit').diff;
  const tests = files.filter((f) => isTest(f.path) && f.status !== 'deleted');
  if (!tests.some((f) => f.added > 0)) return { paths: [], lists: [] };
  const lists = await findTestLists(parts, run);
  const isOther = (path: string): boolean => !isTest(path) && !isDoc(path) && !lists.includes(path);
  if (!files.some((f) => isOther(f.path))) return { paths: [], lists: [] };
  return { paths: [...new Set(tests.flatMap(pathsOf))], lists };
};

/** Checks that the base fails or that flake there show nothing by it. */
const isTold = (one: CheckResult): boolean =>
  isTestCheck(one) && isPassingEvidence(one) && one.onBase === undefined && !one.flaky;

export const tryTestsOnBase = async (
  parts: Pick<EffectContext, 'workspaces'> & { forge: ForgeRepository },
  run: Run,
  planned: readonly PlannedCommand[],
  results: readonly CheckResult[],
  { runner, meter, signal }: CommandPass,
): Promise<CheckResult[]> => {
  const { paths, lists } = await findNewTests(parts, run);
  const told = planned.filter(
    ({ name, command }) =>
      canRunnerFindTests(command, paths) && results.some((r) => r.name === name && isTold(r)),
  );
  if (paths.length === 0 || told.length === 0) return [...results];
  const commit = requireValue(run.change.commit, 'commit');
  const onBase: Run = { ...run, change: { ...run.change, commit: { ...commit, sha: commit.base } } };
  const again = runner(withNewTests);
  const tried = new Map<string, TestsOnBase>(told.map(({ name }) => [name, 'not_run']));
  const wanted = told.slice(0, MAX_CHECKS);
  let place: CommitExport | null = null;
  try {
    for (const [i, one] of wanted.entries()) {
      if (signal.aborted || meter.usedUp()) break;
      place ??= await prepareExport(parts, onBase, again, signal, {
        base: commit.sha,
        paths: [...paths, ...lists],
        texts: {},
      });
      await place.renew({ last: i === wanted.length - 1 });
      tried.set(one.name, readTestsOnBase((await again({ kind: 'check', ...one }, place)).result, paths));
    }
  } catch (error) {
    const isOurs = error instanceof OutsideFailure || error instanceof ChangeBreaksInstall;
    if (signal.aborted || !isOurs) throw error;
  } finally {
    await place?.remove();
  }
  return results.map((one) => {
    const withTestsOnBase = tried.get(one.name);
    return withTestsOnBase ? { ...one, withTestsOnBase } : one;
  });
};
