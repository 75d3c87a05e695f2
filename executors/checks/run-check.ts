/** Runs one command of the repository in a sandbox, on an export of the tree to be sealed (E3). */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isPlainFolderPath } from '#model/contract';
import type { CheckResult, ContainmentLevel } from '#model/evidence';
import { failureDetail } from '#model/failure';
import { KB, MB } from '#model/values';
import { OutsideFailure, UnreadableFailure } from '#ports/forge';
import type { CapExcess, CheckExecutor } from '#ports/processes';
import {
  type BoxNetwork,
  type BoxNetworkMode,
  describeRefusedHosts,
  type ModelGateway,
  openBoxNetwork,
} from '#gateway';
import { DEFAULT_LIMITS, endWithoutBox, prepareBox, toDiskFailure, type CommandSandbox } from '#sandbox';
import { readerThreads, type ReaderThreads } from '../process/reader-threads.ts';
import type { readerTasks } from './check-tasks.ts';
import { distillOutput } from './distill-output.ts';
import {
  readVerdict,
  unreadableOutputVerdict,
  type EndedCommand,
  type CheckVerdict,
} from './read-verdict.ts';
import { childEnvironment } from '../process/box-environment.ts';
import { restorePermissions } from '../process/restore-permissions.ts';
import { createPrintedLineReader, createProgressReporter } from '../process/report-progress.ts';
import type { SpawnResult } from '../process/spawn.ts';

type Input = Parameters<CheckExecutor['run']>[0];
type Ran = ReturnType<CheckExecutor['run']>;
/** Returns null if the commit lacks this folder or the folder leads out of the export. */
const placeIn = (dir: string, folder: string): string | null => {
  const root = realpathSync(dir);
  if (folder === '') return root;
  if (!isPlainFolderPath(folder)) return null;
  const place = path.join(root, folder);
  const real = statSync(place, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(place) : null;
  // guard: E3-folder-inside
  return real?.startsWith(root + path.sep) ? real : null;
};

const notStarted = (
  { name, command }: Input,
  containment: ContainmentLevel,
  { outcome, tail }: Pick<CheckResult, 'outcome' | 'tail'>,
): Awaited<Ran> => {
  const end = {
    exitCode: null,
    ended: 'not_started',
    signal: null,
    ms: 0,
    stdout: '',
    stderr: tail,
  } as const;
  return { result: { name, command, exitCode: null, outcome, ms: 0, tail }, end, containment };
};

const CHECK_TASKS_MODULE = '#programs/check-tasks';
const MAX_INLINE_OUTPUT_LENGTH = 8 * KB;

/** O10: long output is parsed in a thread, because it would block everything else. */
const verdictOf = async (ended: EndedCommand, { ask }: Pick<ReaderThreads, 'ask'>): Promise<CheckVerdict> => {
  const size = ended.end.stdout.length + ended.end.stderr.length;
  if (size <= MAX_INLINE_OUTPUT_LENGTH) return readVerdict(ended);
  try {
    return await ask<typeof readerTasks, 'verdict'>(CHECK_TASKS_MODULE, 'verdict', ended, size);
  } catch (error) {
    // guard: O10-unread-output
    if (error instanceof UnreadableFailure) return unreadableOutputVerdict();
    throw error;
  }
};

const overOutput = (bytes: number): CapExcess => ({
  limit: 'output',
  says: `it printed more than ${Math.round(bytes / MB)} MB (sandboxLimits.outputMb)`,
  detail: failureDetail({ kind: 'output_exceeded', limit: bytes / MB }),
});

const shortLogs = (logs: string): string =>
  distillOutput({ stdout: logs.slice(-MAX_INLINE_OUTPUT_LENGTH), stderr: '' }, null);

const IN_BOX = { dir: '/box/tree', home: '/box/home' };

type CheckBoxes = {
  sandbox: CommandSandbox;
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  network?: Readonly<Record<'install' | 'check', BoxNetworkMode>>;
  gateway?: ModelGateway;
  maxOutputBytes?: number;
};
type BoxRun = { ended: SpawnResult; logs: string; used: CheckResult['box'] | null };

/** Runs the command in a box of its own, and closes the box whatever happens. */
const runInBox = async (
  boxes: CheckBoxes,
  input: Input,
  { cwd, maxOutputBytes }: { cwd: string; maxOutputBytes: number },
  network: BoxNetwork,
): Promise<BoxRun> => {
  const { sandbox, tools = [] } = boxes;
  const { runId, kind, command, dir, home, timeoutMs, signal } = input;
  // Installed programs contain their absolute path, so every box uses the same one.
  const isBoxed = sandbox.level !== 'group';
  const at = isBoxed ? IN_BOX : { dir, home };
  const wish = input.box ?? null;
  const box = await prepareBox(sandbox, { runId, kind, wish, signal, network: network.reach });
  if ('says' in box) return { ended: endWithoutBox(box.says), logs: '', used: null };
  const progress = input.onProgress && createProgressReporter(input.onProgress);
  try {
    const ended = await box.run(
      {
        ...(isBoxed ? { shownAs: { [dir]: at.dir, [home]: at.home } } : {}),
        runId,
        argv: ['sh', '-c', command],
        cwd,
        writable: [dir, home],
        network: network.reach,
        env: childEnvironment({ home: at.home, tools, pass: network.pass }),
      },
      {
        timeoutMs,
        signal,
        maxOutputBytes,
        onStart: (pid, pidStart) => input.onStart(pid, pidStart),
        ...(progress
          ? {
              onStdout: createPrintedLineReader(progress.stream),
              onStderr: createPrintedLineReader(progress.stream),
            }
          : {}),
      },
    );
    const logs = ended.exitCode === 0 ? '' : await box.logs();
    return { ended, logs, used: box.used };
  } finally {
    progress?.end();
    await box.close();
  }
};

export const createCheckExecutor = (
  deps: CheckBoxes & { threads?: Pick<ReaderThreads, 'ask'> },
): CheckExecutor => ({
  run: async (input) => {
    const { sandbox, gateway, maxOutputBytes = DEFAULT_LIMITS.outputMb * MB } = deps;
    const { runId, name, command, dir, folder, home } = input;
    const cwd = placeIn(dir, folder);
    if (cwd === null)
      return notStarted(input, sandbox.level, {
        outcome: 'failed',
        tail: `The folder ${folder} is not in this commit.`,
      });
    // guard: E19-offline-or-not-run
    if (input.offline && sandbox.level === 'group')
      return notStarted(input, sandbox.level, {
        outcome: 'not_run',
        tail: 'Nothing holds it off the network here.',
      });
    const box = { runId, level: sandbox.level, home, pass: deps.pass ?? {} };
    const network = await openBoxNetwork(
      gateway,
      input.offline ? 'none' : (deps.network?.[input.kind] ?? 'shared'),
      box,
    );
    const runAndClose = async (): Promise<BoxRun> => {
      try {
        return await runInBox(deps, input, { cwd, maxOutputBytes }, network);
      } finally {
        await network.close();
      }
    };
    const {
      ended: { stdoutBytes: _, ...ended },
      logs,
      used,
    } = await runAndClose();
    const end = {
      ...ended,
      ...(ended.ended === 'output_limit' ? { excess: overOutput(maxOutputBytes) } : {}),
      stderr: ended.stderr + describeRefusedHosts(network.refused()),
    };
    await restorePermissions(dir, home);
    // guard: E20-lost-is-no-verdict
    if (end.excess?.limit === 'lost') throw new OutsideFailure('box_lost', end.excess.says);
    // guard: E2-full-disk-is-no-verdict
    if (end.excess?.limit === 'reserve') throw toDiskFailure(end.excess);
    const {
      outcome,
      tail,
      commandFailure: trouble,
      failing,
    } = await verdictOf(
      { kind: input.kind, command, end, refusal: sandbox.refusal(end) },
      deps.threads ?? readerThreads,
    );
    return {
      result: {
        name,
        command,
        exitCode: end.exitCode,
        outcome,
        ms: end.ms,
        // People read what services printed; it judges nothing.
        tail: logs === '' ? tail : `${tail}\n${shortLogs(logs)}`,
        ...(trouble ? { commandFailure: trouble } : {}),
        ...(failing ? { failing } : {}),
        ...(used ? { box: used } : {}),
      },
      end,
      containment: sandbox.level,
    };
  },
});
