/** Real Docker and Podman of this machine, each with a store of its own, and images of Debian packages. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export type EngineUnderTest = {
  name: 'docker' | 'podman';
  /** Everything that it keeps. */
  dir: string;
  /** What its command line needs. */
  env: Record<string, string>;
  /** Returns stdout; throws with stderr. */
  ask(...args: string[]): string;
  /** Its daemon is gone at once, as by a crash; containers live on. Podman has none. */
  crash(): Promise<void>;
  /** Starts the daemon again. */
  restart(): Promise<void>;
  /** Has the daemon read these settings while it runs. */
  reload(settings: object): void;
  close(): Promise<void>;
};

const isRoot = process.getuid?.() === 0;
/** Daemons are not on the PATH of ordinary users. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH } }).status === 0;

/** Returns why an engine cannot be tested here, or null. */
export const lacksEngine = (name: EngineUnderTest['name']): string | null => {
  const needed = {
    docker: ['docker', 'dockerd', 'containerd', 'runc', ...(isRoot ? [] : ['rootlesskit', 'newuidmap'])],
    podman: ['podman', 'conmon', 'runc'],
  }[name].filter((program) => !isInstalled(program));
  if (needed.length > 0) return `not installed: ${needed.join(', ')}`;
  if (!isRoot && name === 'podman') {
    const { status, stderr } = spawnSync('podman', ['unshare', 'true'], { encoding: 'utf8' });
    if (status !== 0) return `no user namespace of more than one user: ${stderr.trim()}`;
  }
  return isInstalled('mmdebstrap') || existsSync(cache) ? null : 'no mmdebstrap to make images with';
};

const asker =
  (name: string, env: Record<string, string>) =>
  (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(name, args, {
      env,
      encoding: 'utf8',
      maxBuffer: 64_000_000,
    });
    if (status !== 0) throw new Error(`${name} ${args.slice(0, 3).join(' ')}: ${stderr}`);
    return stdout.trim();
  };

const untilEnded = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/** Folders of the system's that a daemon writes to are its own then, and so is its network: it may not come back to the host's. */
const ROOTLESS = [
  ...['rootlesskit', '--net=host', '--copy-up=/etc', '--copy-up=/run', '--propagation=rslave', 'sh', '-c'],
  ...['rm -f /run/docker /run/containerd; exec unshare --net dockerd --rootless "$@"', 'sh'],
];

const startDaemon = async (dir: string, env: Record<string, string>): Promise<ChildProcess> => {
  const flags = ['--data-root', path.join(dir, 'data'), '--exec-root', path.join(dir, 'exec')];
  const [program = '', ...before] = isRoot ? ['dockerd'] : ROOTLESS;
  // No network of its own: boxes have none.
  const daemon = spawn(
    program,
    [
      ...[...before, ...flags, '-H', env['DOCKER_HOST'] ?? '', '-p', path.join(dir, 'pid')],
      ...['--bridge=none', '--iptables=false', '--config-file', path.join(dir, 'daemon.json')],
    ],
    { env, stdio: 'ignore' },
  );
  for (let tries = 0; ; tries += 1) {
    if (spawnSync('docker', ['info'], { env }).status === 0) return daemon;
    if (tries > 600 || daemon.exitCode !== null) throw new Error('dockerd did not come up');
    await pause(100);
  }
};

const startDocker = async (dir: string, base: Record<string, string>): Promise<EngineUnderTest> => {
  const host = `unix://${dir}/docker.sock`;
  const env = {
    ...base,
    DOCKER_HOST: host,
    DOCKER_CONFIG: path.join(dir, 'config'),
    ...(isRoot ? {} : { XDG_RUNTIME_DIR: dir }),
  };
  const configure = (settings: object): void =>
    writeFileSync(path.join(dir, 'daemon.json'), JSON.stringify(settings));
  configure({});
  let daemon = await startDaemon(dir, env);
  return {
    name: 'docker',
    dir,
    env,
    ask: asker('docker', env),
    crash: async () => {
      daemon.kill('SIGKILL');
      await untilEnded(daemon);
      // It would refuse to start beside the process that this file names.
      rmSync(path.join(dir, 'pid'), { force: true });
    },
    restart: async () => {
      // Its containerd may still be ending, and a daemon that finds it ends as well.
      for (let tries = 0; ; tries += 1)
        try {
          daemon = await startDaemon(dir, env);
          return;
        } catch (error) {
          if (tries > 3) throw error;
        }
    },
    reload: (settings) => {
      configure(settings);
      daemon.kill('SIGHUP');
    },
    close: async () => {
      daemon.kill('SIGTERM');
      await untilEnded(daemon);
    },
  };
};

const startPodman = (dir: string, base: Record<string, string>): EngineUnderTest => {
  // Its own runtime fails where groups of both versions are mounted.
  const settings =
    '[containers]\npids_limit = 0\n[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n';
  writeFileSync(path.join(dir, 'containers.conf'), settings);
  const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${dir}/graph"\nrunroot = "${dir}/run"\n`;
  writeFileSync(path.join(dir, 'storage.conf'), storage);
  const env = {
    ...base,
    CONTAINERS_CONF: path.join(dir, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: path.join(dir, 'storage.conf'),
  };
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    name: 'podman',
    dir,
    env,
    ask: asker('podman', env),
    crash: nothing,
    restart: nothing,
    reload: () => {},
    close: nothing,
  };
};

/** In memory. */
export const mountDisk = (dir: string, mb: number): void => {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mb}m`, 'tmpfs', dir]);
  if (status !== 0) throw new Error(`no disk could be mounted at ${dir}`);
};

/** What is mounted there is unmounted first, and never emptied. */
export const removeStore = (dir: string): void => {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((at) => at === dir || at.startsWith(`${dir}/`))
    .reverse();
  for (const at of mounts) spawnSync('umount', ['-l', at]);
  rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
};

/** The folder is short, because a socket's path has to be. With `diskMb`, it is a disk of its own. */
export const startEngine = async (
  name: EngineUnderTest['name'],
  { diskMb }: { diskMb?: number } = {},
): Promise<EngineUnderTest> => {
  const dir = mkdtempSync(path.join(tmpdir(), `agentpr-${name}-`));
  if (diskMb !== undefined) mountDisk(dir, diskMb);
  const base = { PATH, HOME: dir };
  const engine = name === 'docker' ? await startDocker(dir, base) : startPodman(dir, base);
  return {
    ...engine,
    close: async () => {
      const all = engine.ask('ps', '--all', '--quiet').split('\n').filter(Boolean);
      if (all.length > 0)
        engine.ask('rm', '--force', '--volumes', ...(name === 'podman' ? ['--depend'] : []), ...all);
      await engine.close();
      // Without root, its files belong to others, and a process of its own holds their namespace.
      if (!isRoot && name === 'docker') spawnSync('rootlesskit', ['rm', '-rf', path.join(dir, 'data')]);
      if (!isRoot && name === 'podman') {
        // A container that has just ended may still write down that it did.
        spawnSync('podman', ['system', 'reset', '--force'], { env: engine.env });
        engine.ask('system', 'reset', '--force');
        engine.ask('system', 'migrate');
      }
      removeStore(dir);
    },
  };
};

const cache = path.join(homedir(), '.cache/agentpr-test-images');

/** Makes a file system of Debian packages once, which takes minutes. */
const rootFileSystem = (packages: string): string => {
  const digest = createHash('sha256').update(packages).digest('hex').slice(0, 12);
  const file = path.join(cache, `${digest}.tar`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const making = `${file}.${process.pid}.tar`;
  const include = `--include=${packages}`;
  const { status, stderr } = spawnSync(
    'mmdebstrap',
    ['--quiet', '--variant=minbase', '--dpkgopt=force-unsafe-io', include, 'bookworm', making],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mmdebstrap: ${stderr.slice(-2000)}`);
  renameSync(making, file);
  return file;
};

/** `changes` are lines of a Dockerfile. */
export const makeImage = (
  engine: EngineUnderTest,
  name: string,
  packages: string,
  ...changes: string[]
): void => {
  const given = changes.flatMap((line) => ['--change', line]);
  engine.ask('import', ...given, rootFileSystem(packages), name);
};
