/** L6: whatever ends first, a container of ours is removed once AgentPR is gone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LIFELINE_FD } from '../../executors/sandbox/box-lifeline.ts';
import { createLaunchCommand } from '../../executors/sandbox/containers/container-command.ts';
import type { ContainerEngine } from '../../executors/sandbox/containers/container-engine.ts';
import { temporaryDirectory } from '../support/ledger.ts';

const engine: ContainerEngine = {
  name: 'docker',
  file: 'docker',
  env: {},
  version: '28',
  isRootless: false,
  mapsUsers: false,
  host: null,
  arch: 'x64',
  root: null,
  controllers: [],
  isDrained: false,
};

describe('the launcher of a container', () => {
  /** Says on its sixth file what it was asked to remove; that file ends with the last of its processes. */
  const LISTENS = LIFELINE_FD + 1;
  const standIn = (refuses = 'exit 0'): string => {
    const { dir, remove: removeDir } = temporaryDirectory();
    onTestFinished(removeDir);
    const file = path.join(dir, 'engine');
    const remove = `/bin/pwd >/dev/null 2>&1 && echo "$*" >&${LISTENS}; ${refuses}`;
    const script = `#!/bin/sh\ncase $1 in run) echo up; exec $3 ;; rm) ${remove} ;; esac\n`;
    writeFileSync(file, script, { mode: 0o755 });
    return file;
  };
  const launch = (file: string, command: string) => {
    const { argv } = createLaunchCommand({ ...engine, file }, 'agentpr.x', ['image', command]);
    const [program = '', ...args] = argv;
    const folder = mkdtempSync(path.join(path.dirname(file), 'gone-'));
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const [lifeline, heard] = [LIFELINE_FD, LISTENS].map((fd) => child.stdio[fd] as Readable);
    return { child, folder, lifeline, removed: text(heard as Readable), exit: once(child, 'exit') };
  };

  it('L6: removes the container whenever AgentPR dies, though the command line ends first', async () => {
    const file = standIn();
    for (let turn = 0; turn < 20; turn += 1) {
      const { child, lifeline, removed } = launch(file, 'sleep 60');
      await once(child.stdout as Readable, 'data');
      lifeline?.destroy();
      expect(await removed).toBe('rm --force --volumes agentpr.x\n');
    }
  });

  it('L6: removes it though the folder is gone in which it was started', async () => {
    const { child, folder, lifeline, removed } = launch(standIn(), 'sleep 60');
    await once(child.stdout as Readable, 'data');
    rmdirSync(folder);
    lifeline?.destroy();
    expect(await removed).toBe('rm --force --volumes agentpr.x\n');
  });

  it('L6: asks again where the engine refuses at first', async () => {
    const { child, lifeline, removed } = launch(
      standIn('mkdir "$0.asked" 2>/dev/null || exit 0; exit 1'),
      'sleep 60',
    );
    await once(child.stdout as Readable, 'data');
    lifeline?.destroy();
    expect(await removed).toBe('rm --force --volumes agentpr.x\n'.repeat(2));
  });

  it('L6: leaves no reader behind when the command ends by itself', async () => {
    const { removed, exit } = launch(standIn(), 'false');
    expect(await removed).toBe('');
    expect(await exit).toEqual([1, null]);
  });
});
