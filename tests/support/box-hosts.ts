/** A second Docker behind an ssh server, as another machine would be reached. */
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lacksEngine, removeStore, startEngine, type EngineUnderTest } from './container-engines.ts';

export type BoxHostUnderTest = {
  /** As `boxes` names it. */
  host: string;
  engine: EngineUnderTest;
  /** All that the machine keeps. */
  dir: string;
  /** Everything on it ends at once, containers too. */
  kill(): void;
  close(): Promise<void>;
};

const SSHD = '/usr/sbin/sshd';
export const lacksBoxHost = (): string | null => {
  const missing = [SSHD, 'ssh', 'ssh-keygen', 'tar', 'setpriv'].filter(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0,
  );
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : lacksEngine('docker');
};

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
};

const untilListening = async (port: number): Promise<void> => {
  for (let tries = 0; tries < 600; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('close', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await pause(50);
  }
  throw new Error('sshd did not come up');
};

/** Processes whose command line names the folder, and all that they started. */
const processesOf = (dir: string): number[] => {
  const all = readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return [];
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'latin1') }];
    } catch {
      return [];
    }
  });
  const found = new Set(all.filter(({ command }) => command.includes(dir)).map(({ pid }) => pid));
  found.delete(process.pid);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return [...found];
};

const killAll = (dir: string): void => {
  for (const pid of processesOf(dir))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      continue;
    }
};

const makeKey = (file: string): void =>
  void spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);

export type SshClient = {
  dir: string;
  /** For whoever asks hosts: an `ssh` that has the key, and knows them. */
  env: Record<string, string>;
  close(): void;
};
export const createSshClient = (): SshClient => {
  const dir = mkdtempSync(path.join(tmpdir(), 'agentpr-ssh-'));
  makeKey(path.join(dir, 'key'));
  const options = [
    `-F /dev/null -i ${dir}/key -o IdentitiesOnly=yes`,
    `-o UserKnownHostsFile=${dir}/known`,
    // One connection for all: each question of Docker's would make one.
    `-o ControlMaster=auto -o ControlPath=${dir}/%C -o ControlPersist=yes`,
  ];
  mkdirSync(path.join(dir, 'bin'));
  writeFileSync(path.join(dir, 'bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh ${options.join(' ')} "$@"\n`);
  chmodSync(path.join(dir, 'bin/ssh'), 0o755);
  return {
    dir,
    env: { PATH: `${dir}/bin:${process.env['PATH'] ?? ''}` },
    close: () => {
      killAll(dir);
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

/** With `diskMb`, its Docker has a disk of its own. */
export const startBoxHost = async (
  client: SshClient,
  disk: { diskMb?: number } = {},
): Promise<BoxHostUnderTest> => {
  const engine = await startEngine('docker', disk);
  const { dir } = engine;
  makeKey(path.join(dir, 'host-key'));
  writeFileSync(path.join(dir, 'authorized'), readFileSync(path.join(client.dir, 'key.pub')));
  const port = await findFreePort();
  const settings = [
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${dir}/host-key\nAuthorizedKeysFile ${dir}/authorized`,
    `PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin prohibit-password`,
    `MaxStartups 200\nSetEnv DOCKER_HOST=unix://${dir}/docker.sock\n`,
  ];
  writeFileSync(path.join(dir, 'sshd_config'), settings.join('\n'));
  mkdirSync('/run/sshd', { recursive: true });
  const server = spawn(SSHD, ['-D', '-e', '-f', path.join(dir, 'sshd_config')], { stdio: 'ignore' });
  await untilListening(port);
  const known = readFileSync(path.join(dir, 'host-key.pub'), 'utf8').trim();
  appendFileSync(path.join(client.dir, 'known'), `[127.0.0.1]:${port} ${known}\n`);
  let isDead = false;
  const kill = (): void => {
    isDead = true;
    killAll(dir);
  };
  return {
    host: `ssh://root@127.0.0.1:${port}`,
    engine,
    dir,
    kill,
    close: async () => {
      if (!isDead) await engine.close();
      server.kill('SIGKILL');
      kill();
      removeStore(dir);
    },
  };
};
