/** Reports what a run would find in a repository, in a temporary directory, without agent or ledger (O2, E15). */
import { rmSync } from 'node:fs';
import { createCheckExecutor } from '#checks';
import { makeTemporaryDirectory } from '#process';
import { createRepositoryReader, createWorkspaces } from '#git';
import { MB, MINUTE } from '#model/values';
import type { Baseline } from '#model/evidence';
import type { Contract } from '#model/contract';
import { OutsideFailure } from '#ports/forge';
import type { SystemClock } from '#ports/processes';
import type { ForgeRepository } from '#ports/roles';
import {
  fallbackUnlessUnavailable,
  inspectTools,
  tryCommands,
  baselineRequestOf,
  learnContract,
} from '#preparation';
import { type EffectContext, type TextReader, plainRunner, type CommandRunner } from '#kernel';
import { createConfiguredForge } from './forges.ts';
import { createSandboxSetup, createBoxGateway } from './sandbox-setup.ts';
import type { ControlConfig } from './config.ts';

export type TriedRepository = {
  ref: string;
  contract: Contract;
  baseline: Baseline;
  wantsSigned: boolean;
};
type Needs = Pick<EffectContext, 'workspaces' | 'checks'> &
  TextReader & {
    clock: SystemClock;
    forge: ForgeRepository;
    settings: Pick<EffectContext['settings'], 'policies'>;
    checkTimeoutMs: number;
  };

const ID = 'doctor';

/** `onRun` is called before each command. Throws OutsideFailure. */
const tryRepository = async (
  parts: Needs,
  repo: string,
  { onRun, signal }: { onRun: (name: string, command: string) => void; signal: AbortSignal },
): Promise<TriedRepository> => {
  const { workspaces, forge, checks, checkTimeoutMs, clock } = parts;
  const { cloneUrl, defaultBranch } = await forge.repo(repo);
  const { ref, sha } = await workspaces.prepare({
    runId: ID,
    repo: { name: repo, cloneUrl },
    base: null,
    defaultBranch,
    signal,
  });
  const contract = await learnContract(parts, { id: ID, repo }, sha);
  if ('problem' in contract) throw new OutsideFailure('bad_repository_file', contract.problem);
  const wantsSigned = await fallbackUnlessUnavailable(forge.wantsSigned(repo, ref), false);
  const wanted = baselineRequestOf({ target: { contract }, change: { commit: null }, order: { checks: [] } });
  const place = await workspaces.export({ runId: ID, sha, signal });
  const plain = plainRunner(checks, ID, checkTimeoutMs, signal);
  const runAndTell: CommandRunner = (what, where) => {
    onRun(what.name, what.command);
    return plain(what, where);
  };
  try {
    const tools = await inspectTools(plain, place, wanted);
    const of = { ...wanted, ordered: false, goesOn: () => !signal.aborted };
    const tried = await tryCommands(runAndTell, place, of, signal, async () => {});
    const at = clock.now();
    return { ref, contract, wantsSigned, baseline: { key: '', sha, at, from: null, tools, ...tried } };
  } finally {
    await place.remove();
  }
};

export const tryOnRepository = async (
  config: ControlConfig,
  repo: string,
  on: { onRun: (name: string, command: string) => void; signal: AbortSignal },
): Promise<TriedRepository> => {
  const dataDir = makeTemporaryDirectory('agentpr-doctor-');
  const clock = { now: () => Date.now() };
  const host = createConfiguredForge(config, clock);
  const { file, github } = config;
  const close: (() => Promise<void>)[] = [];
  try {
    const boxed = await createSandboxSetup({ ...config, dataDir });
    const gateway = createBoxGateway(config, boxed);
    close.push(gateway.close);
    const network = { install: file.network.installs, check: file.network.checks };
    const parts = {
      workspaces: createWorkspaces({
        dataDir,
        signal: on.signal,
        credential: (repo) => host.credentials.token(repo),
        serverUrl: github.serverUrl,
        network: config,
      }),
      forge: host.connect({}).port,
      checks: createCheckExecutor({
        ...boxed,
        gateway,
        network,
        maxOutputBytes: file.sandboxLimits.outputMb * MB,
      }),
      texts: {
        reader: createRepositoryReader(undefined, {
          images: boxed.sandbox.prepare !== undefined,
          serverUrl: github.serverUrl,
        }),
      },
      settings: { policies: file.policies },
      checkTimeoutMs: file.checkTimeoutMinutes * MINUTE,
      clock,
    };
    return await tryRepository(parts, repo, on);
  } finally {
    for (const one of close) await one();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
