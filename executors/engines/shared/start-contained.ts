/** Starts an engine's process in its box, with the prompt on standard input. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { EngineExecutor } from '#ports/processes';
import { type BoxReach, type CommandSandbox, endWithoutBox, isDiskFull, prepareBox } from '#sandbox';
import { childEnvironment } from '../../process/box-environment.ts';
import { removeTree } from '../../process/folder-trees.ts';
import { ensureRealDirectory, placeFile } from '../../process/home-files.ts';
import { restorePermissions } from '../../process/restore-permissions.ts';
import { hideAgentSettings } from '#git';
import type { SpawnResult } from '../../process/spawn.ts';
import type { ModelAccessSettings } from './model-access.ts';
import type { BoxNetworkMode } from '#gateway';
import { MB } from '#model/values';

export type ExecutorInput = Parameters<EngineExecutor['run']>[0];

export type EngineDeps = {
  sandbox: CommandSandbox;
  tools?: readonly string[];
  pass?: Readonly<Record<string, string>>;
  /** Keys are exposed without gateway access. */
  ways?: ModelAccessSettings;
  scriptNetwork?: BoxNetworkMode;
  scriptOutputBytes?: number;
  maxOutputBytes?: number;
};

const MAX_OUTPUT_BYTES = 32 * MB;

/** A full disk blocks the ledger; the run can restart from its last commit. */
const freeRunDisk = async ({ workspace, home }: ExecutorInput): Promise<void> => {
  if (!(await isDiskFull(home))) return;
  await removeTree(workspace);
  await removeTree(home);
  await mkdir(home);
};

type Start = {
  argv: readonly [string, ...string[]];
  network: BoxReach;
  /** Programs that are not agents keep the repository's settings for agents. */
  keepsSettings?: boolean;
  obeys?: readonly string[];
  own?: Readonly<Record<string, string>>;
  readable?: readonly string[];
  signal?: AbortSignal;
  /** Programs with a conversation get no prompt on standard input. */
  onStdin?: ((stdin: Writable) => void) | undefined;
  onStdout: (chunk: Buffer) => void;
};

export const startContained = async (
  deps: EngineDeps,
  input: ExecutorInput,
  start: Start,
): Promise<SpawnResult> => {
  const end = await inBox(deps, input, start);
  if (end.excess?.limit === 'reserve') await freeRunDisk(input);
  return end;
};

/** C2: outside of the workspace, so that it is never part of the change. Returns its directory. */
const placePicture = ({ picture }: ExecutorInput): string | null => {
  if (!picture) return null;
  const directory = path.dirname(picture.file);
  placeFile(
    ensureRealDirectory(path.dirname(directory), path.basename(directory)),
    path.basename(picture.file),
    picture.bytes,
  );
  return directory;
};

const inBox = async (deps: EngineDeps, input: ExecutorInput, start: Start): Promise<SpawnResult> => {
  const shown = placePicture(input);
  try {
    return await inPreparedBox(deps, input, start, shown);
  } finally {
    if (shown !== null) await removeTree(shown);
  }
};

const inPreparedBox = async (
  deps: EngineDeps,
  input: ExecutorInput,
  start: Start,
  shown: string | null,
): Promise<SpawnResult> => {
  const { workspace, home } = input;
  const readable = [...(start.readable ?? []), ...(shown === null ? [] : [shown])];
  // The weakest level has no box to enforce this.
  const changes = input.writes === 'change';
  const box = await prepareBox(deps.sandbox, {
    runId: input.runId,
    kind: 'agent',
    wish: input.box ?? null,
    network: start.network,
    signal: start.signal ?? input.signal,
  });
  if ('says' in box) return endWithoutBox(box.says);
  let putBack = (): void => {};
  try {
    if (start.keepsSettings !== true) putBack = hideAgentSettings(workspace, start.obeys);
    const end = await box.run(
      {
        runId: input.runId,
        argv: start.argv,
        cwd: workspace,
        writable: changes ? [workspace, home] : [home],
        readable: changes ? readable : [workspace, ...readable],
        network: start.network,
        env: childEnvironment({
          home,
          tools: deps.tools ?? [],
          pass: deps.pass ?? {},
          ...(start.own ? { own: start.own } : {}),
        }),
      },
      {
        ...(start.onStdin ? { onStdin: start.onStdin } : { stdin: input.prompt }),
        timeoutMs: input.timeoutMs,
        signal: start.signal ?? input.signal,
        maxOutputBytes: deps.maxOutputBytes ?? MAX_OUTPUT_BYTES,
        onStart: (pid, pidStart) => input.onEvent({ type: 'started', pid, pidStart }),
        onStdout: start.onStdout,
      },
    );
    await restorePermissions(workspace, home);
    return end;
  } finally {
    putBack();
    await box.close();
  }
};
