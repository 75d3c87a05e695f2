/** O2: runs discovery and baseline of one repository in a temporary directory. */
import { rmSync } from 'node:fs';
import { createChecks } from '#checks';
import { makeTemporary } from '../executors/process/temporary-files.ts';
import { createRepositoryReader, createWorkspaces } from '#git';
import { createGitHubForge } from '#forge';
import { MINUTE } from '../orchestrator/model/units.ts';
import {
  tryRepository,
  type TriedRepository,
} from '../orchestrator/kernel/preparation/try-repository.effect.ts';
import { credentialsOf } from './github-credentials.ts';
import { createBoxes, gatewayFor } from './sandbox-setup.ts';
import type { ControlConfig } from './config.ts';

export const tryOnRepository = async (
  config: ControlConfig,
  repo: string,
  on: { onRun: (name: string, command: string) => void; signal: AbortSignal },
): Promise<TriedRepository> => {
  const dataDir = makeTemporary('agentpr-doctor-');
  const clock = { now: () => Date.now() };
  const credentials = credentialsOf(config, clock);
  const token = credentials.token;
  const { file, github } = config;
  const app = github.app ? { app: credentials } : {};
  const close: (() => Promise<void>)[] = [];
  try {
    const boxed = await createBoxes({ ...config, dataDir });
    const gateway = gatewayFor(config, boxed);
    close.push(gateway.close);
    const network = { install: file.network.installs, check: file.network.checks };
    const parts = {
      workspaces: createWorkspaces({
        dataDir,
        signal: on.signal,
        credential: token,
        serverUrl: github.serverUrl,
        network: config,
      }),
      forge: createGitHubForge({ apiUrl: github.apiUrl, token, userAgent: 'agentpr', clock, ...app }),
      checks: createChecks({ ...boxed, gateway, network }),
      reader: createRepositoryReader(),
      checkTimeoutMs: file.checkTimeoutMinutes * MINUTE,
      clock,
    };
    return await tryRepository(parts, repo, on);
  } finally {
    for (const one of close) await one();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
