/** check: our own checks on a fresh export of exactly the commit that would be published, then the assessment (E3, E12, G6). */
import { usedUp } from '../core/machine/budget.ts';
import { NO_USAGE, type CheckResult, type Judges } from '../core/facts.ts';
import { gradeOf } from '../core/govern/grade.ts';
import type { NotCompared } from '../core/judgements.ts';
import { needsSignature } from '../core/machine/on-result.ts';
import { firstLine } from '../core/feedback.ts';
import type { Run } from '../core/machine/run.ts';
import { stepFailed, type Handler, type Outcome } from '../engine/handler.ts';
import { markersLeft } from './branch.ts';
import { OutsideFailure, type Export, type Over } from '../ports.ts';
import { judgesOf } from './judges.ts';
import { createMeter, type Meter } from './meter.ts';
import { need, runOf, type EffectParts, repoOf } from './parts.ts';
import { assessPush, pushProposal } from './proposal.ts';

type Planned = { name: string; command: string };

export const plannedChecks = (run: Run): Planned[] => {
  const ours: Planned[] =
    run.order.checks.length > 0
      ? run.order.checks.map((command, i) => ({ name: `check ${i + 1}`, command }))
      : (run.contract?.checks ?? []);
  // What a plan adds to its acceptance is asked for when the plan has no more steps.
  const { plan } = run.plan ?? {};
  const more = plan && plan.backlog.length === 0 ? plan.acceptance : [];
  const added = more.filter((command) => !ours.some((c) => c.command === command)).slice(0, MOST_ADDED);
  return [...ours, ...added.map((command, i) => ({ name: `acceptance ${i + 1}`, command }))];
};

/** How the attempts of the second run are called. */
const withBase = (name: string): string => `${name} (base’s judges)`;

/** Commands of its own that an agent may add to the acceptance of its plan. */
const MOST_ADDED = 5;

export const createCheck = (parts: EffectParts): Handler<'check'> => {
  const { ledger, workspaces, checks, clock, settings } = parts;

  const runOne = async (
    run: Run,
    { kind, name, command }: Planned & Pick<Parameters<typeof checks.run>[0], 'kind'>,
    { dir, home }: Pick<Export, 'dir' | 'home'>,
    meter: Meter,
    signal: AbortSignal,
  ): Promise<CheckResult> => {
    const attempt = await ledger.attempt.start({
      runId: run.id,
      step: name,
      command,
      startedAt: clock.now(),
      engine: null,
      model: null,
      promptHash: null,
      baseSha: run.commit?.sha ?? null,
      containment: null,
      pid: null,
      pidStart: null,
    });
    const { result, end, containment } = await checks.run({
      runId: run.id,
      kind,
      name,
      command,
      dir,
      home,
      timeoutMs: settings.checkTimeoutMs,
      signal,
      onStart: (pid, pidStart) => {
        meter.begin();
        ledger.attempt
          .running(attempt, pid, pidStart)
          .catch((error: unknown) =>
            parts.log.warn({ err: error, run: run.id }, 'a process could not be noted'),
          );
      },
    });
    const { exitCode, ms, stdout, stderr } = end;
    const outputBytes = Buffer.byteLength(stdout) + Buffer.byteLength(stderr);
    meter.end({ session: null, usage: NO_USAGE, ms, outputBytes });
    await ledger.attempt.end(attempt, {
      exitCode,
      outcome: result.outcome,
      containment,
      model: null,
      ms,
      stdout: stdout.slice(0, 200_000),
      stderr: stderr.slice(0, 200_000),
    });
    return result;
  };

  /**
   * An export with the dependencies installed; a failed install is the machine's trouble, not the change's. Checks that were
   * ordered may do without, or install by themselves: they are asked all the same.
   */
  const freshExport = async (
    run: Run,
    sha: string,
    meter: Meter,
    signal: AbortSignal,
    over: Over | null = null,
  ): Promise<Export> => {
    const place = await workspaces.export({ runId: run.id, sha, signal, ...(over ? { over } : {}) });
    const install = run.contract?.install;
    if (!install) return place;
    const result = await runOne(
      run,
      { kind: 'install', name: over ? withBase('install') : 'install', command: install },
      place,
      meter,
      signal,
    );
    if (result.outcome === 'passed' || run.order.checks.length > 0) return place;
    await place.remove();
    throw new OutsideFailure('env_missing', `\`${install}\` failed: ${lastLine(result.tail)}`);
  };

  /** E13: once more with the base's version of what judges the change, up to the first check that does not pass. */
  const comparedWithBase = async (
    run: Run,
    sha: string,
    planned: readonly Planned[],
    meter: Meter,
    signal: AbortSignal,
  ): Promise<Judges | null> => {
    const commands = [...planned.map((c) => c.command), run.contract?.install ?? ''];
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
        place ??= await freshExport(run, sha, meter, signal, over);
        await place.renew({ last: i === planned.length - 1 });
        const again = { kind: 'check' as const, ...one, name: withBase(one.name) };
        const result = await runOne(run, again, place, meter, signal);
        if (result.outcome === 'not_run') return { files, base: null, missed: said(result.tail) };
        base.push({ ...result, name: one.name });
        if (result.outcome !== 'passed') break;
      }
      return { files, base };
    } catch (error) {
      if (!(error instanceof OutsideFailure) || signal.aborted) throw error;
      return { files, base: null, missed: said(error.message) };
    } finally {
      await place?.remove();
    }
  };

  return async (claim, signal) => {
    const run = await runOf(parts, claim.runId);
    const commit = need(run.commit, 'commit');
    if (commit.sha !== claim.do.commitSha) return { kind: 'done', result: 'a newer commit is there' };
    const planned = plannedChecks(run);
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
        ...{ name: 'conflict markers', command: 'git grep', exitCode: 1, outcome: 'failed' },
        ...{ ms: 0, tail: markers },
      });
    let judges: Judges | null = null;
    let place: Export | null = null;
    try {
      for (const [i, one] of markers === null ? planned.entries() : []) {
        place ??= await freshExport(run, commit.sha, meter, signal);
        // What one check leaves behind must not decide what the next one sees.
        await place.renew({ last: i === planned.length - 1 });
        const result = await runOne(run, { kind: 'check', ...one }, place, meter, signal);
        if (signal.aborted) return await stopped();
        // No change of the agent's could mend that.
        if (result.outcome === 'not_run')
          throw new OutsideFailure(
            'env_missing',
            `\`${one.command}\` could not be run: ${firstLine(result.tail)}`,
          );
        results.push(result);
      }
      if (results.every((r) => r.outcome === 'passed'))
        judges = await comparedWithBase(run, commit.sha, planned, meter, signal);
      if (signal.aborted) return await stopped();
    } catch (error) {
      if (signal.aborted) return await stopped();
      if (error instanceof OutsideFailure)
        return stepFailed('check', error.class, error.message, { spent: meter.rest() });
      throw error;
    } finally {
      await place?.remove();
    }
    const { ms, outputBytes } = meter.rest();
    const passed = results.every((r) => r.outcome === 'passed');
    const grade = gradeOf({
      ...{ commit, checks: results, contract: run.contract, ordered: run.order.checks.length > 0 },
      ...{ summary: run.summary, claims: run.claims, judges },
    });
    const evaluated: Run = { ...run, evaluation: null };
    const repo = await repoOf(parts, run);
    const judged = { run: evaluated, repo, checks: results, passed, grade, judges };
    const assessment = assessPush(parts, judged);
    // What nobody signs need not be known before it is pushed.
    const signs = passed && needsSignature(run, assessment);
    const proposal = signs ? await pushProposal(parts, judged, assessment) : null;
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
        failure,
        ...(judges ? { judges } : {}),
        ms,
        outputBytes,
      },
    };
  };
};

const said = (text: string): NotCompared => ({ kind: 'said', words: firstLine(text) });

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

const describe = (results: readonly CheckResult[]): string =>
  results
    .filter((r) => r.outcome !== 'passed')
    .map(
      (r) =>
        `$ ${r.command}\n(${r.outcome}${r.exitCode === null ? '' : `, exit code ${r.exitCode}`})\n${r.tail}`,
    )
    .join('\n\n');
