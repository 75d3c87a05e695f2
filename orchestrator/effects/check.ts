/**
 * check: our own checks on a fresh export of exactly the commit that would be published, then the
 * assessment (E3, E12, G6).
 */
import { beside, type Baseline } from '../core/baseline.ts';
import { usedUp } from '../core/machine/budget.ts';
import { blocks, type CheckResult, type Judges } from '../core/facts.ts';
import { mayChangeInstall } from '../core/installs.ts';
import { isEnvironment } from '../core/trouble.ts';
import { pathsOf } from '../core/paths.ts';
import type { PictureSide } from '../core/pictures.ts';
import { checksOf, installsOf, isOrdered, type Planned } from '../core/planned.ts';
import { gradeOf } from '../core/govern/grade.ts';
import type { NotCompared } from '../core/judgements.ts';
import { firstLine } from '../core/feedback.ts';
import type { Run } from '../core/machine/run.ts';
import { stepFailed, type Handler, type Outcome } from '../engine/handler.ts';
import { markersLeft } from './branch.ts';
import { OutsideFailure, type Export, type Over } from '../ports.ts';
import { judgesOf } from './judges.ts';
import { createBaselines, keptOf, onBase } from './baselines.ts';
import { createMeter, type Meter } from './meter.ts';
import { need, runOf, type EffectParts } from './parts.ts';
import { picturesOf } from './pictures.ts';
import { toSign } from './to-sign.ts';
import { recordedRunner, type Runner } from './trial.ts';

/** One go at the checks: whatever runs a command is told how its attempt is called. */
type Pass = {
  runner: (called: (name: string) => string) => Runner;
  meter: Meter;
  baseline: Baseline | null;
  signal: AbortSignal;
};

export const plannedChecks = (run: Run): Planned[] => {
  const ours = checksOf(run);
  // What a plan adds to its acceptance is asked for when the plan has no more steps.
  const { plan } = run.plan ?? {};
  const more = plan && plan.backlog.length === 0 ? plan.acceptance : [];
  const added = more.filter((command) => !ours.some((c) => c.command === command)).slice(0, MOST_ADDED);
  return [...ours, ...added.map((command, i) => ({ name: `acceptance ${i + 1}`, command, dir: '' }))];
};

/** How the attempts of the second run are called. */
const withBase = (name: string): string => `${name} (base’s judges)`;

/** Commands of its own that an agent may add to the acceptance of its plan. */
const MOST_ADDED = 5;

/** An installation that failed, and that the change can be blamed for. */
class ChangeBreaksInstall extends Error {
  readonly result: CheckResult;
  constructor(result: CheckResult) {
    super(result.tail);
    this.result = result;
  }
}

/** A person said that the run goes on without it. */
const leftOut = ({ name, command }: Planned): CheckResult => ({
  name,
  command,
  exitCode: null,
  outcome: 'not_run',
  ms: 0,
  tail: '',
  before: { was: 'without', excused: true, fresh: [] },
});

export const createCheck = (parts: EffectParts): Handler<'check'> => {
  const { workspaces } = parts;
  const baselines = createBaselines(parts);

  /**
   * An export with the dependencies installed: from the base's installation as far as the change
   * leaves alone what it reads. Checks that were ordered may do without, or install by themselves:
   * they are asked all the same.
   */
  const freshExport = async (
    run: Run,
    runner: Runner,
    signal: AbortSignal,
    over: Over | null = null,
  ): Promise<Export> => {
    const { sha, diff } = need(run.commit, 'commit');
    const installs = installsOf(run);
    const touches = diff.files.flatMap(pathsOf).some((path) => mayChangeInstall(path, installs));
    const kept = keptOf(run);
    const place = await workspaces.export({
      runId: run.id,
      sha,
      signal,
      ...(over ? { over } : {}),
      ...(kept === null ? {} : { reuse: kept }),
    });
    if (place.reused === 'installed') return place;
    try {
      for (const one of installs) {
        if (run.without.includes(one.name)) continue;
        const { result } = await runner({ kind: 'install', ...one }, place);
        if (result.outcome === 'passed' || isOrdered(run) || signal.aborted) continue;
        throw installFailed(result, touches);
      }
      return place;
    } catch (error) {
      await place.remove();
      throw error;
    }
  };

  /**
   * E13: once more with the base's version of what judges the change, up to the first check that
   * does not pass.
   */
  const comparedWithBase = async (
    run: Run,
    planned: readonly Planned[],
    { runner, meter, baseline, signal }: Pass,
  ): Promise<Judges | null> => {
    const commands = [...planned, ...installsOf(run)];
    const over = await judgesOf(parts, run, commands);
    if (!over) return null;
    const files = over.paths;
    const { ms, outputBytes } = meter.rest();
    const soFar = { workedMs: run.workedMs + ms, outputBytes: run.outputBytes + outputBytes };
    const spent = usedUp({ ...run, ...soFar }, 'check');
    if (spent) return { files, base: null, missed: { kind: 'no_budget', budget: spent } };
    let place: Export | null = null;
    try {
      const base: CheckResult[] = [];
      for (const [i, one] of planned.entries()) {
        place ??= await freshExport(run, runner(withBase), signal, over);
        await place.renew({ last: i === planned.length - 1 });
        const { result } = await runner(withBase)({ kind: 'check', ...one }, place);
        if (result.outcome === 'not_run') return { files, base: null, missed: said(result.tail) };
        const seen = beside(result, baseline);
        base.push(seen);
        if (blocks(seen)) break;
      }
      return { files, base };
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof ChangeBreaksInstall)
        return { files, base: null, missed: said(error.result.trouble?.says ?? error.message) };
      if (!(error instanceof OutsideFailure)) throw error;
      return { files, base: null, missed: said(error.message) };
    } finally {
      await place?.remove();
    }
  };

  /**
   * What of red results was red before: on the base that this change stands on, which may be a
   * newer one by now.
   */
  const compared = async (
    run: Run,
    results: readonly CheckResult[],
    { runner, meter, signal }: Omit<Pass, 'baseline'>,
  ): Promise<{ results: CheckResult[]; baseline: Baseline | null; isNew: boolean }> => {
    const { base, baseline } = run;
    // guard: E15-ordered-never-excused
    if (isOrdered(run)) return { results: [...results], baseline: null, isNew: false };
    const sha = need(run.commit, 'commit').base;
    const ours = new Set(checksOf(run).map(({ name }) => name));
    const known = new Set(baseline?.sha === sha ? baseline.checks.map(({ name }) => name) : []);
    // A change may concern a project of which nothing was run on the base before.
    const asks = results.some((r) => blocks(r) && ours.has(r.name) && !known.has(r.name));
    const moved = base !== null && asks;
    const goesOn = (): boolean =>
      usedUp({ ...run, workedMs: run.workedMs + meter.rest().ms }, 'check') === null;
    const on = { anew: false, signal, goesOn };
    const now = moved ? await baselines(run, { ...base, sha }, runner(onBase), on) : baseline;
    return { results: results.map((r) => (r.before ? r : beside(r, now))), baseline: now, isNew: moved };
  };

  return async (claim, signal) => {
    const run = await runOf(parts, claim.runId);
    const commit = need(run.commit, 'commit');
    if (commit.sha !== claim.do.commitSha) return { kind: 'done', result: 'a newer commit is there' };
    const planned = plannedChecks(run);
    const skipped = planned.filter(({ name }) => run.without.includes(name));
    const runs = planned.filter((one) => !skipped.includes(one));
    const meter = createMeter(parts, run, claim, 'check');
    const stopped = async (): Promise<Outcome> => {
      await meter.flush();
      return { kind: 'done', result: 'stopped' };
    };
    if (usedUp(run, 'check')) return stepFailed('check', 'budget_exceeded', '');
    const results: CheckResult[] = [];
    const markers = await markersLeft(parts, run);
    // Nothing that has them in it needs to be run.
    if (markers !== null)
      results.push({
        name: 'conflict markers',
        command: 'git grep',
        exitCode: 1,
        outcome: 'failed',
        ms: 0,
        tail: markers,
      });
    const runner: Pass['runner'] = (called) =>
      recordedRunner(parts, { runId: run.id, baseSha: commit.sha, called }, meter, signal);
    const plain = runner((name) => name);
    let judges: Judges | null = null;
    let pictures: PictureSide[] = [];
    let fresh: Baseline | null = null;
    let place: Export | null = null;
    try {
      for (const [i, one] of markers === null ? runs.entries() : []) {
        place ??= await freshExport(run, plain, signal);
        const trial = place;
        const isFlaky = run.baseline?.checks.some((c) => c.flaky && c.name === one.name) === true;
        const once = async (last: boolean): Promise<CheckResult> => {
          // What one check leaves behind must not decide what the next one sees.
          await trial.renew({ last });
          return (await plain({ kind: 'check', ...one }, trial)).result;
        };
        const result = await once(i === runs.length - 1 && !isFlaky);
        if (signal.aborted) return await stopped();
        // No change by the agent could fix that.
        if (result.outcome === 'not_run') throw cannotRun(result);
        // What comes and goes on the base gets the second try that it got there.
        const again = isFlaky && result.outcome === 'failed' ? await once(i === runs.length - 1) : result;
        if (signal.aborted) return await stopped();
        results.push(again.outcome === 'passed' ? again : result);
      }
      const seen = await compared(run, results, { runner, meter, signal });
      if (signal.aborted) return await stopped();
      results.splice(0, results.length, ...seen.results, ...skipped.map(leftOut));
      fresh = seen.isNew ? seen.baseline : null;
      if (!results.some(blocks))
        judges = await comparedWithBase(run, runs, { runner, meter, signal, baseline: seen.baseline });
      if (!results.some(blocks)) {
        const exportOf = (of: Run): Promise<Export> => freshExport(of, plain, signal);
        pictures = await picturesOf(parts, run, { exportOf, runner, meter, signal });
      }
      if (signal.aborted) return await stopped();
    } catch (error) {
      if (signal.aborted) return await stopped();
      if (error instanceof ChangeBreaksInstall) results.push(error.result);
      else if (error instanceof OutsideFailure)
        return stepFailed('check', error.class, error.message, { spent: meter.rest() });
      else throw error;
    } finally {
      await place?.remove();
    }
    const { ms, outputBytes } = meter.rest();
    const passed = !results.some(blocks);
    const grade = gradeOf({
      commit,
      checks: results,
      contract: run.contract,
      ordered: run.order.checks.length > 0,
      summary: run.summary,
      claims: run.claims,
      judges,
    });
    const { assessment, proposal, fork } = await toSign(parts, run, {
      checks: results,
      passed,
      grade,
      judges,
    });
    const failure = passed ? null : describe(results);
    return {
      kind: 'result',
      input: {
        type: 'worker.validation.completed',
        commitSha: commit.sha,
        passed,
        checks: results,
        assessment,
        grade,
        proposal,
        ...(fork ? { fork } : {}),
        failure,
        ...(judges ? { judges } : {}),
        ...(fresh ? { baseline: fresh } : {}),
        ...(pictures.length > 0 ? { pictures } : {}),
        ms,
        outputBytes,
      },
    };
  };
};

const said = (text: string): NotCompared => ({ kind: 'said', words: firstLine(text) });

/**
 * E15: an environment that lacks something, an installation that fails by itself, or a change that
 * broke it.
 */
const installFailed = (result: CheckResult, touches: boolean): Error => {
  const { trouble, command } = result;
  const says = `\`${command}\`: ${trouble?.says ?? firstLine(result.tail)}`;
  if (trouble && isEnvironment(trouble)) return new OutsideFailure('env_missing', says);
  return touches ? new ChangeBreaksInstall(result) : new OutsideFailure('install_failed', says);
};

const cannotRun = ({ command, trouble, tail }: CheckResult): OutsideFailure =>
  new OutsideFailure('env_missing', `\`${command}\`: ${trouble?.says || firstLine(tail)}`);

/** For the agent: what is new comes first, and what was red before is no business of its. */
const describe = (results: readonly CheckResult[]): string =>
  results
    .filter(blocks)
    .map(({ command, outcome, exitCode, tail, before }) => {
      const code = exitCode === null ? '' : `, exit code ${exitCode}`;
      const fresh = before?.fresh.length
        ? `It was red before your change, too. New since then:\n${before.fresh.map((name) => `- ${name}`).join('\n')}\n`
        : '';
      return `$ ${command}\n(${outcome}${code})\n${fresh}${tail}`;
    })
    .join('\n\n');
