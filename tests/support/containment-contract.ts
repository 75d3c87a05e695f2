/** What a sandbox promises, tried from inside by hostile commands: one suite for every level. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox, type CommandSandbox } from '../../executors/sandbox/create-sandbox.ts';
import { dataDirectory, eventually, hostile, inBox, sleepers, uniqueSleep } from './contained.ts';
import { quoted } from './quoted.ts';

export const SECRET = 'sk-agentpr-test-secret';
/** The operator's HOME; one below /tmp is not hidden but covered by the private /tmp. */
const operator = homedir().startsWith('/tmp') ? '/root' : homedir();

export type LevelUnderTest = {
  name: string;
  /** Why it cannot be tested here. */
  reason: string | null;
  isBox: boolean;
  /** Whose programs and folders it shows: those of this machine, or of an image. */
  system: 'host' | 'image';
  sandboxOf: (dataDir: string, hidden?: string[]) => Promise<CommandSandbox>;
  /** The setting with which another process makes a sandbox of the same level. */
  start: Omit<Parameters<typeof createSandbox>[0], 'dataDir'>;
};

/** A secret in our own environment, as an operator has some. */
export const plantSecret = (): void =>
  beforeAll(() => {
    process.env['AGENTPR_TEST_TOKEN'] = SECRET;
    return () => void delete process.env['AGENTPR_TEST_TOKEN'];
  });

/** What every level keeps. */
export const describeContainment = (level: LevelUnderTest): void => {
  const { name, reason, sandboxOf, isBox } = level;
  describe.skipIf(reason !== null)(`containment by ${name}${reason === null ? '' : ` (${reason})`}`, () => {
    it('E2: leaves no survivor of children that fork twice, leave session and group and drop their environment', async () => {
      const at = dataDirectory();
      const sandbox = await sandboxOf(at.dataDir);
      const duration = uniqueSleep();
      const abort = new AbortController();
      let lost = 0;
      const end = await inBox(sandbox, at, `${hostile(duration)}\nwhile :; do sleep ${duration}; done`, {
        signal: abort.signal,
        graceMs: 50,
        onStdout: () => {
          lost = sleepers(duration).length;
          abort.abort();
        },
      });
      expect(end.ended).toBe('aborted');
      expect(lost).toBeGreaterThanOrEqual(5);
      expect(sleepers(duration)).toEqual([]);
    });

    it('E2: leaves no survivor when the command ends well and its children would stay', async () => {
      const at = dataDirectory();
      const duration = uniqueSleep();
      const end = await inBox(await sandboxOf(at.dataDir), at, hostile(duration));
      expect(end).toMatchObject({ ended: 'exited', exitCode: 0, stdout: 'lost\n' });
      expect(sleepers(duration)).toEqual([]);
    });

    it('E2: leaves no survivor of children that lower the limits which mark them, one or all', async () => {
      const at = dataDirectory();
      const duration = uniqueSleep();
      const shed = (limits: string) =>
        `(setsid env -i prlimit ${limits} sleep ${duration} >/dev/null 2>&1 </dev/null &)\n`;
      const text = [
        ...['--rttime=7:7', '--locks=7:7', '--rss=7:7', '--rttime=7:7 --locks=8:8'],
        ...['--rttime=9:9 --locks=9:9 --rss=9:9', '--rttime=1:1152921504606846977 --locks=3 --rss=0'],
      ].map(shed);
      // One pass over all processes for each look, since a busy machine has hundreds.
      const counts = `until [ "$(tail -vn +1 /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -cx 'sleep ${duration} ')" -ge ${text.length} ]; do :; done; echo lost`;
      const end = await inBox(await sandboxOf(at.dataDir), at, text.join('') + counts);
      expect(end).toMatchObject({ ended: 'exited', exitCode: 0, stdout: 'lost\n' });
      expect(sleepers(duration)).toEqual([]);
    });

    it('opens standard input, output and error by their names, as a shell does', async () => {
      const at = dataDirectory();
      const text = `echo one >/dev/stdout; echo two >/dev/stderr; echo three | tee /dev/stderr; cat /dev/stdin; wc -c
        echo four >/proc/self/fd/1; node -e 'require("fs").appendFileSync("/dev/stdout", "five\\n")'; echo six >/dev/fd/2`;
      const end = await inBox(await sandboxOf(at.dataDir), at, text, { stdin: 'asked\n' });
      // What a container reads comes through a pipe, and is there once.
      const again = level.system === 'image' ? 0 : 6;
      expect(end.stdout).toBe(`one\nthree\nasked\n${again}\nfour\nfive\n`);
      expect(end.stderr).toBe('two\nthree\nsix\n');
    });

    it('passes exit codes through and asks the command itself, politely, to stop', async () => {
      const at = dataDirectory();
      const sandbox = await sandboxOf(at.dataDir);
      expect((await inBox(sandbox, at, 'exit 42')).exitCode).toBe(42);
      const abort = new AbortController();
      const text = `trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.01; done`;
      const end = await inBox(sandbox, at, text, { signal: abort.signal, onStdout: () => abort.abort() });
      // A Podman without root ends well where it was asked to stop, whatever the command did.
      const exitCode = level.name === 'podman' && process.getuid?.() !== 0 ? 0 : 7;
      expect(end).toMatchObject({ ended: 'aborted', stdout: 'up\nbye\n', exitCode });
    });

    it('E3: shows nothing of the orchestrator in any environment', async () => {
      const at = dataDirectory();
      const text = `env; for p in /proc/[0-9]*; do tr '\\0' '\\n' <$p/environ; tr '\\0' '\\n' <$p/cmdline; done 2>/dev/null`;
      // At group level other processes of the host are visible; there only its own environment
      // counts.
      const end = await inBox(await sandboxOf(at.dataDir), at, isBox ? text : 'env');
      expect(end.stdout).toContain(`HOME=${at.home}`);
      expect(end.stdout).not.toContain(SECRET);
      if (isBox) expect(end.stdout).not.toContain('vitest');
    });

    it('E3: leaves no picture of its memory when it crashes', async () => {
      const at = dataDirectory();
      const text = 'ulimit -Sc; ulimit -Hc; ulimit -c unlimited 2>/dev/null; ulimit -Sc';
      expect((await inBox(await sandboxOf(at.dataDir), at, text)).stdout).toBe('0\n0\n0\n');
    });

    it.skipIf(level.system === 'image')('runs node and npm, in a HOME and a TMPDIR of its own', async () => {
      const at = dataDirectory();
      const text =
        'node -p "process.version"; npm --version; touch "$TMPDIR/agentpr-ok" ~/ok && echo written';
      const { stdout, stderr } = await inBox(await sandboxOf(at.dataDir), at, text);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^v\d+\.\d+\.\d+\n\d+\.\d+\.\d+\nwritten\n$/);
      expect(existsSync('/tmp/agentpr-ok')).toBe(false);
    });
  });
};

/** What every box keeps in addition. */
export const describeBox = (level: LevelUnderTest): void => {
  const { name, reason, sandboxOf, start, system } = level;
  describe.skipIf(reason !== null)(`a box by ${name}${reason === null ? '' : ` (${reason})`}`, () => {
    it('E3: makes workspace and HOME writable and hides data directory, other runs, homes and secrets', async () => {
      const at = dataDirectory();
      const file = path.join(at.dataDir, '..', `agentpr-${process.pid}-${name.replaceAll(' ', '-')}.pem`);
      writeFileSync(file, 'key');
      onTestFinished(() => rmSync(file));
      const sandbox = await sandboxOf(at.dataDir, [file]);
      // In the order in which `ls` names them. An image has a /root and a /run of its own.
      const theirs = system === 'image' ? [operator, '/root', '/run'] : [];
      const homes = [...new Set([operator, '/home', '/root', '/run', '/tmp'])]
        .filter((home) => !theirs.includes(home))
        .sort();
      const text = `
        touch ws-ok ~/home-ok
        ls -A ${quoted(at.dataDir)} ${quoted(at.dataDir)}/runs; ls -A ${homes.map(quoted).join(' ')}
        cat ${quoted(file)} ${system === 'host' ? '/etc/shadow' : ''} ${quoted(at.dataDir)}/ledger.db ${quoted(at.other)}/theirs; true`;
      const { stdout } = await inBox(sandbox, at, text);
      expect(existsSync(path.join(at.workspace, 'ws-ok'))).toBe(true);
      expect(existsSync(path.join(at.home, 'home-ok'))).toBe(true);
      // Of a home, or of /tmp, there is the way to what may be written, and nothing beside it.
      const way = homes.flatMap((home) => {
        const inside = path.relative(home, at.dataDir).split(path.sep);
        return inside[0] === '..' ? [] : inside.slice(0, 1);
      });
      expect(stdout.split('\n').filter((line) => line !== '' && !line.endsWith(':'))).toEqual([
        ...['runs', 'r1'],
        ...way,
      ]);
    });

    it('E3: refuses writes everywhere else, and cannot undo it', async () => {
      const at = dataDirectory();
      const node = path.dirname(process.execPath);
      const own = path.join(at.dataDir, 'x');
      const text = `
        for f in ${quoted(own)} ${quoted(path.join(at.dataDir, 'runs/x'))} /x /etc/x /usr/bin/x /var/x /run/x /sys/x /home/x ${quoted(operator)}/x ${quoted(node)}/x /proc/sys/kernel/core_pattern; do
          (: >>"$f") 2>/dev/null && echo "wrote $f"
        done
        umount ${quoted(at.dataDir)} 2>/dev/null && echo unmounted
        umount -l /etc 2>/dev/null && echo unmounted
        mount -o remount,rw / 2>/dev/null && echo remounted
        chroot / true 2>/dev/null && echo chroot
        unshare --user --map-root-user --mount sh -c 'umount -l "$0" && cat "$0/ledger.db"' ${quoted(at.dataDir)} 2>/dev/null && echo escaped
        ls /dev | grep -E '^(sd|vd|nvme|kmsg|mem|kvm)'
        grep CapEff /proc/self/status; grep NoNewPrivs /proc/self/status; true`;
      const { stdout } = await inBox(await sandboxOf(at.dataDir), at, text);
      expect(existsSync(own)).toBe(false);
      expect(stdout).toBe('CapEff:\t0000000000000000\nNoNewPrivs:\t1\n');
    });

    it('E3: keeps the processes of the host out of sight and out of reach', async () => {
      const at = dataDirectory();
      const text = `kill -0 ${process.pid} 2>/dev/null && echo reached; [ -e /proc/${process.pid}/cmdline ] && grep -a vitest /proc/${process.pid}/cmdline; readlink /proc/self/ns/pid`;
      const { stdout } = await inBox(await sandboxOf(at.dataDir), at, text);
      expect(stdout).toMatch(/^pid:\[\d+\]\n$/);
    });

    it('cuts the network but for a loopback of its own', async () => {
      const at = dataDirectory();
      const sandbox = await sandboxOf(at.dataDir);
      const text = `cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '
        node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log("listens"); s.close() })'`;
      const { stdout } = await inBox(sandbox, at, text, { wrap: { network: 'none' } });
      expect(stdout).toBe('lo\nlistens\n');
    });

    it('hides again what lies inside a writable directory', async () => {
      const at = dataDirectory();
      const inner = path.join(at.workspace, 'inner');
      mkdirSync(inner);
      writeFileSync(path.join(inner, 'token'), SECRET);
      const { stdout } = await inBox(await sandboxOf(at.dataDir, [inner]), at, 'ls -A inner; echo end');
      expect(stdout).toBe('end\n');
    });

    it('shows what an engine needs to read below something hidden, and only to read', async () => {
      const at = dataDirectory();
      const tool = path.join(at.dataDir, 'tool');
      mkdirSync(tool);
      writeFileSync(path.join(tool, 'file'), 'shown\n');
      const text = `cat ${quoted(tool)}/file; (echo x >${quoted(tool)}/file) 2>/dev/null || echo refused`;
      const { stdout } = await inBox(await sandboxOf(at.dataDir), at, text, {
        wrap: { readable: [tool] },
      });
      expect(stdout).toBe('shown\nrefused\n');
    });

    it('L6: dies with the orchestrator', async () => {
      const at = dataDirectory();
      const duration = uniqueSleep();
      const child = startOrchestrator(start, at.dataDir, `${hostile(duration)}\nsleep ${duration}`);
      await child.says('lost');
      expect(sleepers(duration).length).toBeGreaterThanOrEqual(5);
      child.kill();
      expect(await eventually(() => sleepers(duration).length === 0)).toBe(true);
    });

    it('L6: dies with the orchestrator, also when the command killed and held what else is in the box', async () => {
      const at = dataDirectory();
      const duration = uniqueSleep();
      const text = `
        ! grep -qa vitest /proc/${process.pid}/cmdline 2>/dev/null || exit 1
        for f in /proc/[0-9]*/fd/*; do
          case $f$(readlink "$f") in /proc/$$/*) ;; *pipe:* | *socket:*) (exec 9<>"$f" && exec setsid sleep ${duration}) & esac
        done 2>/dev/null
        setsid sleep ${duration} &
        for p in /proc/[0-9]*; do
          case \${p#/proc/} in 1 | $$) continue ;; esac
          case $(tr '\\0' ' ' <$p/cmdline) in *'sleep ${duration} ') ;; *) kill -9 \${p#/proc/} ;; esac
        done 2>/dev/null
        echo alone; sleep ${duration}`;
      const child = startOrchestrator(start, at.dataDir, text);
      await child.says('alone');
      expect(await eventually(() => sleepers(duration).length > 0)).toBe(true);
      child.kill();
      expect(await eventually(() => sleepers(duration).length === 0)).toBe(true);
    });

    it('E3: finds no file of the kernel’s to write to, no device of the machine and no socket', async () => {
      const at = dataDirectory();
      const text = `
        find /proc /sys -path '/proc/[0-9]*' -prune -o -path /proc/pressure -prune -o -path /proc/mtrr -prune -o -type f -writable -exec test -f '{}' ';' -print
        find /dev -type b -o -type c ! -path '/dev/pts/*' | grep -vxE '/dev/(null|zero|full|random|urandom|tty|ptmx|console)'
        mknod /tmp/mem c 1 1 2>/dev/null && echo made
        find / -path /proc -prune -o -path /usr -prune -o -type s -print 2>/dev/null
        grep @ /proc/net/unix; echo end`;
      const { stdout } = await inBox(await sandboxOf(at.dataDir), at, text, { wrap: { network: 'none' } });
      // Asking to be woken under pressure changes nothing, and mtrr takes nothing without capabilities.
      expect(stdout).toBe('end\n');
    });

    it('says that the box failed, not the command, when it cannot be built', async () => {
      const at = dataDirectory();
      const sandbox = await sandboxOf(at.dataDir);
      expect(sandbox.refusal(await inBox(sandbox, at, 'exit 1'))).toBeNull();
      const wrapped = { wrap: { argv: ['/agentpr/missing'] as const } };
      expect(sandbox.refusal(await inBox(sandbox, at, '', wrapped))).toMatch(/missing/);
    });
  });
};

/** A real process that holds a box and can be killed at any moment. */
const startOrchestrator = (start: LevelUnderTest['start'], dataDir: string, command: string) => {
  const script = fileURLToPath(new URL('orchestrator.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(start), dataDir, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  return {
    says: async (text: string) => {
      for await (const line of lines) if (line === text) return;
      throw new Error(`The orchestrator ended before it said "${text}".`);
    },
    kill: () => child.kill('SIGKILL'),
  };
};
