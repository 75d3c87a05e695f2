/** `check` runs our checks on a fresh export of the commit to publish (E3, E12, G6). */
import {
  compareWithBaseline,
  findGapOnBase,
  type Baseline,
  isBlockingCheck,
  type CheckResult,
  type CheckConfigFiles,
} from '#model/evidence';
import type { Commit, PictureSide } from '#model/change';
import { hasOrderedChecks } from '#model/order';
import { registryFailureOf, registryWords } from '#model/environment';
import { firstLine } from '#model/feedback';
import { failureDetail } from '#model/failure';
import { findExhaustedBudget } from '../lifecycle/run-budget.ts';
import { checksOf, isLeftOut, plannedChecksOf, type PlannedCommand } from '../preparation/check-selection.ts';
import { gradeAttempt } from '#governor';
import type { InputOf } from '../run/input-types.ts';
import type { Run } from '../run/run.ts';
import { toStepFailure, type EffectHandler, type HandlerOutcome } from '../runtime/effect-handler.ts';
import { findConflictMarkers } from '../upstream/update-from-base.effect.ts';
import { failureWithDetail, OutsideFailure, toFailure } from '#ports/forge';
import type { CommitExport } from '#ports/workspaces';
import { recheckWithBaseConfig } from './recheck-with-base-config.io.ts';
import { createBaselines, baseStepName } from '../preparation/run-baseline.io.ts';
import { requireValue, requireRunOf, type EffectContext } from '../handlers/effect-context.ts';
import { findRevertMarkers } from '../upstream/revert-pull.io.ts';
import { picturesOf } from '../gate/make-pictures.io.ts';
import { ChangeBreaksInstall, prepareExport } from '../handlers/prepare-export.ts';
import { tryTestsOnBase } from './try-tests-on-base.io.ts';
import { buildProposal } from '../gate/build-proposal.io.ts';
import {
  toNotRunResult,
  createRecordedRunner,
  type CommandPass,
  type CommandRunner,
} from '../handlers/recorded-commands.ts';

const toLeftOutResult = (one: PlannedCommand, baseline: Baseline | null): CheckResult => {
  const gap = findGapOnBase(baseline, one);
  const onBase = { outcome: 'without' as const, excused: true, newFailures: [] };
  return toNotRunResult(one, gap ? { onBase, environmentGap: gap } : { onBase });
};

const toMarkerFailure = (tail: string): CheckResult => ({
  name: 'conflict markers',
  command: 'git grep',
  exitCode: 1,
  outcome: 'failed',
  ms: 0,
  tail,
});

export const createCheckHandler = (parts: EffectContext): EffectHandler<'check'> => {
  const baselines = createBaselines(parts);

  const runChecks = async (
    run: Run,
    planned: readonly PlannedCommand[],
    plain: CommandRunner,
    signal: AbortSignal,
  ): Promise<CheckResult[] | null> => {
    const results: CheckResult[] = [];
    let place: CommitExport | null = null;
    try {
      for (const [i, one] of planned.entries()) {
        place ??= await prepareExport(parts, run, plain, signal);
        const trial = place;
        const isLast = i === planned.length - 1;
        const isFlaky = run.target.baseline?.checks.some((c) => c.flaky && c.name === one.name) === true;
        const runOnce = async ({ last }: { last: boolean }): Promise<CheckResult> => {
          // Leftovers of one check must not influence the next.
          await trial.renew({ last });
          return (await plain({ kind: 'check', ...one }, trial)).result;
        };
        const result = await runOnce({ last: isLast && !isFlaky });
        if (signal.aborted) return null;
        if (result.outcome === 'not_run' && one.offline) {
          results.push(toLeftOutResult(one, run.target.baseline));
          continue;
        }
        if (result.outcome === 'not_run') throw cannotRun(result);
        // guard: E15-registry-is-no-test
        if (result.outcome === 'failed' && result.commandFailure && registryFailureOf(result.commandFailure))
          throw cannotRun(result);
        // A check that is flaky on the base gets a second try here too.
        const again = isFlaky && result.outcome === 'failed' ? await runOnce({ last: isLast }) : result;
        if (signal.aborted) return null;
        results.push(again.outcome === 'passed' ? again : result);
      }
      return results;
    } finally {
      await place?.remove();
    }
  };

  /** The change's current base may be newer than the run's first. */
  const compareWithBase = async (
    run: Run,
    results: readonly CheckResult[],
    { runner, meter, signal }: CommandPass,
  ): Promise<{ results: CheckResult[]; baseline: Baseline | null; isNew: boolean }> => {
    const { base, baseline } = run.target;
    // guard: E15-ordered-never-excused
    if (hasOrderedChecks(run)) return { results: [...results], baseline: null, isNew: false };
    const sha = requireValue(run.change.commit, 'commit').base;
    const ours = new Set(checksOf(run).map(({ name }) => name));
    const known = new Set(baseline?.sha === sha ? baseline.checks.map(({ name }) => name) : []);
    // The change may touch a project whose checks never ran on the base.
    const asks = results.some(
      (r) => (isBlockingCheck(r) || r.outcome === 'ran_no_test') && ours.has(r.name) && !known.has(r.name),
    );
    const moved = base !== null && asks;
    const on = { anew: false, signal, goesOn: () => meter.usedUp() === null };
    const now = moved ? await baselines(run, { ...base, sha }, runner(baseStepName), on) : baseline;
    return {
      results: results.map((r) => (r.onBase ? r : compareWithBaseline(r, now))),
      baseline: now,
      isNew: moved,
    };
  };

  /** Fills `found` step by step, so that what was seen stays where a later step fails. */
  const examine = async (
    run: Run,
    found: CheckFindings,
    { runs, skipped, markers }: CheckPlan,
    pass: CommandPass,
  ): Promise<void> => {
    const { runner, signal } = pass;
    const plain = runner((name) => name);
    const done = markers === null ? await runChecks(run, runs, plain, signal) : [toMarkerFailure(markers)];
    if (!done) return;
    const seen = await compareWithBase(run, done, pass);
    if (signal.aborted) return;
    found.results = [...seen.results, ...skipped.map((one) => toLeftOutResult(one, run.target.baseline))];
    found.baseline = seen.isNew ? seen.baseline : null;
    const leftOut = seen.results.filter(({ outcome }) => outcome === 'not_run').map(({ name }) => name);
    const ran = runs.filter(({ name }) => !leftOut.includes(name));
    if (!found.results.some(isBlockingCheck))
      found.checkConfig = await recheckWithBaseConfig(parts, run, ran, { ...pass, baseline: seen.baseline });
    if (!found.results.some(isBlockingCheck))
      found.results = await tryTestsOnBase(parts, run, ran, found.results, pass);
    if (!found.results.some(isBlockingCheck)) found.pictures = await picturesOf(parts, run, pass);
  };

  return async (claim, signal) => {
    const run = await requireRunOf(parts, claim.runId);
    const commit = requireValue(run.change.commit, 'commit');
    if (commit.sha !== claim.do.commitSha) return { kind: 'done', result: 'a newer commit is there' };
    const planned = plannedChecksOf(run);
    const skipped = planned.filter((one) => isLeftOut(one, run));
    const runs = planned.filter((one) => !skipped.includes(one));
    const meter = parts.spending.createMeter(run, claim, 'check');
    const endStopped = async (): Promise<HandlerOutcome> => {
      await meter.flush();
      return { kind: 'done', result: 'stopped' };
    };
    if (findExhaustedBudget(run, 'check')) return toStepFailure('check', 'budget_exceeded', '');
    const markers = (await findConflictMarkers(parts, run)) ?? (await findRevertMarkers(parts, run));
    const runner: CommandPass['runner'] = (called) =>
      createRecordedRunner(parts, { runId: run.id, baseSha: commit.sha, called }, meter, signal);
    const found: CheckFindings = { results: [], checkConfig: null, baseline: null, pictures: [] };
    try {
      await examine(run, found, { runs, skipped, markers }, { runner, meter, signal });
      if (signal.aborted) return await endStopped();
    } catch (error) {
      if (signal.aborted) return await endStopped();
      if (error instanceof ChangeBreaksInstall) found.results.push(error.result);
      else if (error instanceof OutsideFailure) {
        const { class: failure, message, ...detail } = toFailure(error);
        return toStepFailure('check', failure, message, { usageSoFar: meter.rest(), ...detail });
      } else throw error;
    }
    const { ms, outputBytes } = meter.rest();
    return {
      kind: 'result',
      input: { ...(await judgeFindings(parts, run, commit, found)), ms, outputBytes },
    };
  };
};

type CheckPlan = {
  runs: readonly PlannedCommand[];
  skipped: readonly PlannedCommand[];
  markers: string | null;
};

type CheckFindings = {
  results: CheckResult[];
  checkConfig: CheckConfigFiles | null;
  baseline: Baseline | null;
  pictures: PictureSide[];
};

const judgeFindings = async (
  parts: EffectContext,
  run: Run,
  commit: Commit,
  { results, checkConfig, baseline, pictures }: CheckFindings,
): Promise<Omit<InputOf<'worker.validation.completed'>, 'ms' | 'outputBytes'>> => {
  const passed = !results.some(isBlockingCheck);
  const grade = gradeAttempt({
    commit,
    checks: results,
    contract: run.target.contract,
    ordered: run.order.checks.length > 0,
    summary: run.agent.summary,
    claims: run.agent.claims,
    checkConfig,
  });
  const proposed = await buildProposal(parts, run, { checks: results, passed, grade, checkConfig });
  const { assessment, proposal, fork } = proposed;
  return {
    type: 'worker.validation.completed',
    commitSha: commit.sha,
    passed,
    checks: results,
    assessment,
    grade,
    proposal,
    ...(fork ? { fork } : {}),
    failure: passed ? null : describeFailures(results),
    ...(checkConfig ? { checkConfigFiles: checkConfig } : {}),
    ...(baseline ? { baseline } : {}),
    ...(pictures.length > 0 ? { pictures } : {}),
  };
};

const cannotRun = ({ command, commandFailure: trouble, tail }: CheckResult): OutsideFailure => {
  if (trouble?.kind === 'killed') {
    const detail = failureDetail({ kind: 'check_killed', command: command.slice(0, 200) });
    return failureWithDetail('env_missing', `\`${command}\` was ended by the machine (137)`, detail);
  }
  const says = trouble ? registryWords(trouble) : '';
  const failed = trouble ? registryFailureOf(trouble) : null;
  return new OutsideFailure(failed ?? 'env_missing', `\`${command}\`: ${says || firstLine(tail)}`);
};

const describeFailures = (results: readonly CheckResult[]): string =>
  results
    .filter(isBlockingCheck)
    .map(({ command, outcome, exitCode, tail, onBase: before }) => {
      const code = exitCode === null ? '' : `, exit code ${exitCode}`;
      const gone = before?.outcome === 'tested' ? 'On the base it ran tests; now it finds none.\n' : '';
      const fresh = before?.newFailures.length
        ? `It was red before your change, too. New since then:\n${before.newFailures.map((name) => `- ${name}`).join('\n')}\n`
        : '';
      return `$ ${command}\n(${outcome}${code})\n${gone}${fresh}${tail}`;
    })
    .join('\n\n');
