/** Results of the contract's commands on a base commit, reused when sound (E15). */
import { mayFetchProgram, mayUseTool } from '#discovery';
import {
  BASELINE_LASTS,
  gapWithoutInstall,
  isRed,
  type Baseline,
  type ObservedToolchain,
  type CheckResult,
} from '#model/evidence';
import type { ContractTool } from '#model/contract';
import { hasOrderedChecks } from '#model/order';
import { canonicalJson } from '#model/seal';
import {
  satisfiesVersion,
  parseVersion,
  findEnvironmentGap,
  type BoxWish,
  type CheckNeed,
} from '#model/environment';
import { repositoryOf, type Run } from '../run/run.ts';
import {
  boxWithout,
  checksOf,
  installsOf,
  isUnder,
  type CheckSource,
  type PlannedCommand,
} from './check-selection.ts';
import { findHostTool, versionCommand } from '#tools';
import { sha256Hex } from '../runtime/content-hash.ts';
import { type ChecksFacts, OutsideFailure } from '#ports/forge';
import type { ForgeChecks } from '#ports/roles';
import type { CommitExport, CachedInstall } from '#ports/workspaces';
import { readExportHistory } from '../rounds/export-history.io.ts';
import type { EffectContext } from '../handlers/effect-context.ts';
import { installAll, toNotRunResult, type CommandRunner } from '../handlers/recorded-commands.ts';

export const baseStepName = (name: string): string => `${name} (base)`;

type TriedCommands = Pick<Baseline, 'installs' | 'checks'>;
type Wanted = {
  installs: readonly PlannedCommand[];
  checks: readonly PlannedCommand[];
  tools: readonly ContractTool[];
  box?: BoxWish;
};

const MAX_COMPARED_RUNS = 40;

const firstWord = (command: string): string => /^\s*(?:\w+=\S* +)*([\w.+-]+)/.exec(command)?.[1] ?? '';

const toolsOf = ({ installs, checks, tools }: Wanted): ContractTool[] => {
  const named = new Set(tools.map(({ name }) => findHostTool(name)?.name ?? name));
  const used = [...installs, ...checks].map(({ command }) => findHostTool(firstWord(command))?.name);
  const more = [...new Set(used)].filter((name) => name !== undefined && !named.has(name));
  return [...tools, ...more.map((name) => ({ name: name ?? '', asked: null, source: '' }))];
};

/** Runs in the box and in the repository's folder, where version managers read its files. */
export const inspectTools = async (
  run: CommandRunner,
  place: CommitExport,
  wanted: Wanted,
): Promise<ObservedToolchain[]> => {
  const tools = toolsOf(wanted);
  if (tools.length === 0) return [];
  const asked = tools.map(({ name }, i) => {
    const choices = [...new Set([name, ...(findHostTool(name)?.programs.slice(0, 2) ?? [])])].filter((p) =>
      /^[\w.+-]+$/.test(p),
    );
    // Stderr may mention other versions, so it is read only if stdout is empty (Java).
    const ways = choices.map((p) => {
      const ask = versionCommand(p);
      return `{ command -v ${p} >/dev/null 2>&1 && { v=$(${ask} 2>/dev/null) && [ -n "$v" ] || v=$(${ask} 2>&1); }; }`;
    });
    return `v=; ${ways.join(' || ')} || v=; printf '%s\\036%s\\035' ${i} "$v"`;
  });
  const { says } = await run(
    {
      kind: 'check',
      name: 'toolchains',
      command: asked.join('\n'),
      dir: '',
      ...(wanted.box ? { box: wanted.box } : {}),
    },
    place,
  );
  const said = new Map(
    [...says.matchAll(/(\d{1,4})\u001e([^\u001d\u001e]*)\u001d/g)].map(([, i, words = '']) => [
      Number(i),
      words,
    ]),
  );
  return tools.map(({ name, asked: version, source }, i) => {
    const has = parseVersion(said.get(i) ?? '');
    return {
      name,
      asked: version,
      source: source || null,
      version: has,
      fits: satisfiesVersion(name, version, has),
    };
  });
};

/** A check that passes offline although its installation failed needs none of it. */
const toUnpreparedResult = (
  one: PlannedCommand,
  result: CheckResult,
  failed: readonly CheckResult[],
): CheckResult => {
  // guard: E19-passes-without-install
  if (result.outcome === 'passed') return result;
  const gap = gapWithoutInstall(result, failed);
  const commandFailure = { kind: 'not_installed' as const, program: null, says: '' };
  return toNotRunResult(one, { commandFailure, ...(gap ? { environmentGap: gap } : {}) });
};

/** Runs a red check twice to find flaky ones. `goesOn` is asked before each process. */
export const tryCommands = async (
  run: CommandRunner,
  place: CommitExport,
  {
    installs,
    checks,
    ordered,
    goesOn,
    needy = [],
  }: Wanted & { ordered: boolean; goesOn: () => boolean; needy?: readonly string[] },
  signal: AbortSignal,
  installed: (results: readonly CheckResult[]) => Promise<void>,
): Promise<TriedCommands> => {
  const made = place.reused === 'installed' ? [] : await installAll(run, installs, place, signal);
  if (!signal.aborted) await installed(made);
  const failed = installs.flatMap(({ dir }, i) =>
    made[i] && made[i].outcome !== 'passed' ? [{ dir, result: made[i] }] : [],
  );
  const results: CheckResult[] = [];
  for (const one of checks) {
    if (signal.aborted || !goesOn()) break;
    // guard: E19-needs-not-run
    if (one.needs) {
      results.push(toNotRunResult(one, { environmentGap: { kind: 'needs', needs: [...one.needs] } }));
      continue;
    }
    const lacking = ordered ? [] : failed.filter(({ dir }) => isUnder(one.dir, dir));
    if (lacking.length > 0) {
      // guard: E19-no-program-fetched
      const isTried = !mayFetchProgram(one.command);
      if (isTried) await place.renew({ last: false });
      const tried = isTried
        ? (await run({ kind: 'check', ...one, offline: true }, place)).result
        : toNotRunResult(one, {});
      const causes = lacking.map((install) => install.result);
      results.push(toUnpreparedResult(one, tried, causes));
      continue;
    }
    await place.renew({ last: false });
    const { result } = await run({ kind: 'check', ...one }, place);
    // Ordered checks are never excused, so it only matters that they run.
    // guard: E19-needs-once
    const tellsNothing = needy.includes(one.name);
    if (ordered || tellsNothing || result.outcome !== 'failed' || signal.aborted || !goesOn()) {
      results.push(result);
      continue;
    }
    await place.renew({ last: false });
    const again = (await run({ kind: 'check', ...one }, place)).result;
    results.push(again.outcome === 'passed' ? { ...result, flaky: true } : mergeResults(result, again));
  }
  return { installs: made, checks: results };
};

const mergeResults = (first: CheckResult, second: CheckResult): CheckResult =>
  first.failing && second.failing
    ? { ...first, failing: [...new Set([...first.failing, ...second.failing])].sort() }
    : first;

/** Same repository, commit, toolchains and commands give the same result. */
const baselineKey = (
  repo: string,
  sha: string,
  tools: readonly ObservedToolchain[],
  wanted: Pick<Wanted, 'installs' | 'checks' | 'box'>,
): string => {
  const toCommandKeys = (all: readonly PlannedCommand[]): string[][] =>
    all.map((c) => [c.name, c.command, c.dir]);
  const versions = tools.map(({ name, version }) => [name, version]);
  const parts = [repo, sha, versions, toCommandKeys(wanted.installs), toCommandKeys(wanted.checks)];
  // What one system built does not run on another.
  return sha256Hex(canonicalJson(wanted.box ? [...parts, wanted.box] : parts));
};
/** Excludes commit and checks. Includes the branch, as branches may have different authors. */
const toCachedInstall = (
  base: Pick<Base, 'repoId' | 'ref'>,
  tools: readonly ObservedToolchain[],
  { installs, box }: Pick<Wanted, 'installs' | 'box'>,
): CachedInstall => ({
  key: baselineKey(base.repoId, base.ref, tools, { installs, checks: [], ...(box ? { box } : {}) }),
  commands: installs.map((one) => one.command),
});

export const findCachedInstall = (run: Run): CachedInstall | null => {
  const { baseline, base } = run.target;
  const installs = installsOf(run);
  return base && baseline && installs.length > 0
    ? toCachedInstall(base, baseline.tools, { installs, ...boxWithout(run) })
    : null;
};

export const baselineRequestOf = (run: CheckSource): Wanted => ({
  installs: installsOf(run),
  checks: checksOf(run),
  tools: run.target.contract?.tools ?? [],
  ...boxWithout(run),
});

type Base = { repoId: string; ref: string; sha: string };

export const createBaselines = (parts: EffectContext) => {
  const { ledger, workspaces, clock } = parts;

  const findEqualBaseline = async (
    run: Run,
    repoId: string,
    key: string,
    wanted: Wanted,
  ): Promise<Baseline | null> => {
    const runs = await ledger.query.runs({
      live: false,
      limit: MAX_COMPARED_RUNS,
      repo: { fullName: repositoryOf(run), id: repoId },
    });
    const now = clock.now();
    const found = [run, ...runs].find(
      (r) =>
        r.target.baseline?.key === key &&
        now - r.target.baseline.at < BASELINE_LASTS &&
        isWhole(r.target.baseline, wanted),
    );
    if (!found?.target.baseline) return null;
    const from = found.target.baseline.from ?? found.id;
    return { ...found.target.baseline, from: from === run.id ? null : from };
  };

  return async (
    run: Run,
    { repoId, ref, sha }: Base,
    runner: CommandRunner,
    { anew, signal, goesOn }: { anew: boolean; signal: AbortSignal; goesOn: () => boolean },
  ): Promise<Baseline | null> => {
    const wanted = baselineRequestOf(run);
    const nothing = { key: '', sha, at: clock.now(), from: null, tools: [], installs: [], checks: [] };
    if (wanted.installs.length + wanted.checks.length === 0) return nothing;
    const past = await readExportHistory(parts, run);
    let place: CommitExport | null = await workspaces.export({ runId: run.id, sha, signal, ...past });
    try {
      const tools = await inspectTools(runner, place, wanted);
      if (signal.aborted) return null;
      const key = baselineKey(repoId, sha, tools, wanted);
      const before = anew ? null : await findEqualBaseline(run, repoId, key, wanted);
      if (before) return before;
      const kept = toCachedInstall({ repoId, ref }, tools, wanted);
      if (!anew && wanted.installs.length > 0) {
        await place.remove();
        place = null;
        place = await workspaces.export({ runId: run.id, sha, signal, reuse: kept, ...past });
      }
      const trial = place;
      const needy = checksWithNeeds(run);
      const of = { ...wanted, ordered: hasOrderedChecks(run), goesOn, needy };
      const tried = await tryCommands(runner, trial, of, signal, async (made) => {
        const isDone = made.length > 0 && made.every((r) => r.outcome === 'passed');
        if (isDone) await trial.keep(kept);
      });
      if (signal.aborted) return null;
      if (trial.reused === 'installed') tried.installs = wanted.installs.map(asReused);
      return {
        ...nothing,
        key,
        tools,
        ...(await withEnvironmentGaps(parts, run, { sha, ref, tools }, tried)),
      };
    } finally {
      if (signal.aborted) place?.leave();
      else await place?.remove();
    }
  };
};

const unmetNeeds = ({ target: { contract } }: Run, name: string): CheckNeed[] =>
  (contract?.checks.find((c) => c.name === name)?.needs ?? []).filter(({ kind }) => kind !== 'history');

const checksWithNeeds = (run: Run): string[] =>
  (run.target.contract?.checks ?? []).flatMap(({ name }) => (unmetNeeds(run, name).length > 0 ? [name] : []));

/** E19: names what speaks against our machine, so that the base is not blamed for it. */
const withEnvironmentGaps = async (
  { forge }: { forge: ForgeChecks },
  run: Run,
  { sha, ref, tools }: { sha: string; ref: string; tools: readonly ObservedToolchain[] },
  tried: TriedCommands,
): Promise<TriedCommands> => {
  const { installs, checks } = tried;
  if (hasOrderedChecks(run) || ![...installs, ...checks].some(isRed)) return tried;
  const ciGreen = await forge.checks(repositoryOf(run), sha, ref).then(isAllGreen, (error: unknown) => {
    if (error instanceof OutsideFailure) return false;
    throw error;
  });
  const withGap = (one: CheckResult): CheckResult => {
    // CI reads the exit code alone, and so does not contradict what a summary counts.
    if (!isRed(one) || one.exitCode === 0) return one;
    const { ciVersions = [] } = run.target.contract?.checks.find((c) => c.name === one.name) ?? {};
    const used = tools.filter(({ name }) => mayUseTool(one.command, name));
    const needs = unmetNeeds(run, one.name);
    const environmentGap = findEnvironmentGap(one, { tools: used, ciVersions, needs, ciGreen });
    return environmentGap ? { ...one, environmentGap } : one;
  };
  return {
    installs: installs.map((one) =>
      ciGreen && isRed(one) ? { ...one, environmentGap: { kind: 'ci_green' } } : one,
    ),
    checks: checks.map(withGap),
  };
};

const isAllGreen = ({ checks, unread }: ChecksFacts): boolean =>
  unread === null &&
  checks.some(({ outcome }) => outcome === 'passed') &&
  checks.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped' || outcome === 'idle');

const asReused = ({ name, command }: PlannedCommand): CheckResult => ({
  name,
  command,
  exitCode: 0,
  outcome: 'passed',
  ms: 0,
  tail: '',
});

/** A check that could not run, or ran into a limit, is not reused, but run again. */
const isWhole = ({ installs, checks }: TriedCommands, wanted: Wanted): boolean =>
  checks.length === wanted.checks.length &&
  installs.every((r) => r.outcome === 'passed') &&
  checks.every(
    (r) =>
      (r.outcome !== 'not_run' || r.environmentGap !== undefined) && r.commandFailure?.kind !== 'over_limit',
  );
