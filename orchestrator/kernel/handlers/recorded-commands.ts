/** Runs repository commands as recorded attempts, with their dependencies installed or reused. */
import { NO_USAGE } from '#model/reports';
import type { CheckResult } from '#model/evidence';
import type { PlannedCommand } from '../preparation/check-selection.ts';
import type { CheckExecutor } from '#ports/processes';
import type { CommitExport } from '#ports/workspaces';
import type { SpendingMeter } from '#ports/ledger';
import { withAttempt } from './attempt-end.ts';
import type { EffectContext } from './effect-context.ts';

type Place = Pick<CommitExport, 'dir' | 'home'>;
export type CommandRunner = (
  what: PlannedCommand & { kind: 'install' | 'check' },
  place: Place,
) => Promise<{ result: CheckResult; says: string }>;

export type CommandPass = {
  runner: (called: (name: string) => string) => CommandRunner;
  meter: SpendingMeter;
  signal: AbortSignal;
};

const LOG_LIMIT = 200_000;

const placeCommand = ({ dir: folder, ...what }: Parameters<CommandRunner>[0], { dir, home }: Place) => ({
  ...what,
  dir,
  folder,
  home,
});

export const createRecordedRunner =
  (
    {
      ledger,
      clock,
      checks,
      settings,
      log,
    }: Pick<EffectContext, 'ledger' | 'clock' | 'checks' | 'settings' | 'log'>,
    of: { runId: string; baseSha: string | null; called: (name: string) => string },
    meter: SpendingMeter,
    signal: AbortSignal,
  ): CommandRunner =>
  async (what, place) => {
    const { name, command } = what;
    const { runId, baseSha, called } = of;
    const attempt = await ledger.attempt.start({
      runId,
      step: called(name),
      command,
      startedAt: clock.now(),
      baseSha,
      engine: null,
      model: null,
      promptHash: null,
      containment: null,
      pid: null,
      pidStart: null,
    });
    const settleLost = (ms: number): void =>
      meter.end({ session: null, usage: NO_USAGE, ms, outputBytes: 0 });
    const { result, end, containment } = await withAttempt(
      { ledger, clock, log },
      { id: attempt, signal, settleLost },
      (activity) =>
        checks.run({
          runId,
          ...placeCommand(what, place),
          signal,
          onProgress: activity.note,
          timeoutMs: settings.checkTimeoutMs,
          onStart: (pid, pidStart) => {
            meter.begin();
            ledger.attempt
              .recordProcess(attempt, pid, pidStart)
              .catch((error: unknown) =>
                log.warn({ err: error, run: runId }, 'a process could not be noted'),
              );
          },
        }),
    );
    const { exitCode, ms, stdout, stderr } = end;
    const outputBytes = Buffer.byteLength(stdout) + Buffer.byteLength(stderr);
    meter.end({ session: null, usage: NO_USAGE, ms, outputBytes });
    await ledger.attempt.end(attempt, {
      exitCode,
      containment,
      ms,
      outcome: result.outcome,
      model: null,
      stdout: stdout.slice(0, LOG_LIMIT),
      stderr: stderr.slice(0, LOG_LIMIT),
    });
    return { result, says: stdout };
  };

export const plainRunner =
  (checks: CheckExecutor, runId: string, timeoutMs: number, signal: AbortSignal): CommandRunner =>
  async (what, place) => {
    const { result, end } = await checks.run({
      runId,
      ...placeCommand(what, place),
      timeoutMs,
      signal,
      onStart: () => {},
    });
    return { result, says: end.stdout };
  };

export const toNotRunResult = (
  { name, command }: PlannedCommand,
  why: Pick<CheckResult, 'commandFailure' | 'onBase' | 'environmentGap'>,
): CheckResult => ({
  name,
  command,
  exitCode: null,
  outcome: 'not_run',
  ms: 0,
  tail: '',
  ...why,
});

export const installAll = async (
  run: CommandRunner,
  installs: readonly PlannedCommand[],
  place: Place,
  signal: AbortSignal,
): Promise<CheckResult[]> => {
  const results: CheckResult[] = [];
  for (const one of installs) {
    if (signal.aborted) break;
    results.push((await run({ kind: 'install', ...one }, place)).result);
  }
  return results;
};
