/**
 * `node tests/support/trace-commands.ts [folder of more programs]`: runs the command corpus under
 * strace, by bash and dash, in a sandbox, and records effects. Needs Linux, strace and unshare.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HOSTILE, ORDINARY } from './command-corpus.ts';

export type Trace = {
  command: string;
  /** System programs by name, others by path. */
  executed: string[];
  /** Created, changed or removed files; `~` is the home, `^` the folder above the workspace. */
  written: string[];
  network: boolean;
};

/** Real system programs; missing ones are replaced by stubs. */
const REAL =
  'ls cat head tail wc grep egrep fgrep rg ag fd find xargs sort uniq cut tr diff cmp tree which file date jq nl realpath stat basename dirname mkdir touch env time nice timeout stdbuf nohup setsid watch git make node npm python3 pytest sh bash dash rm rmdir cp mv ln tee dd tar gzip sed awk perl less man pr id sleep install split csplit truncate unlink chmod shred script cargo rustfmt go busybox uname tty hostname readlink expr test printf echo true false pwd [ mktemp';
const STAND_INS =
  'curl wget ssh scp rsync sudo su docker mvn gradle tsc eslint prettier vitest jest mocha mypy flake8 black ruff gofmt checkstyle crontab at kill logger gdb zip vi ed ex m4 cpp gcc bc dc evil own-check';

const find = (name: string, folders: readonly string[]): string | null => {
  const place = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  return place === undefined ? null : place;
};

const EVIL = '#!/bin/sh\n: > PWNED\n';
const put = (file: string, text: string, mode = 0o644): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
};

const makeWork = (work: string): void => {
  const files: Record<string, string> = {
    'a.txt': 'b 2\na 1\na 3\n',
    'b.txt': 'a 1\n',
    'big.txt': Array.from({ length: 20_000 }, (_, i) => `${String((i * 7919) % 20_000)}\n`).join(''),
    'README.md': '# A project\n',
    'src/a.ts': 'export const a = 1;\n',
    'src/b.ts': 'export const b = 2;\n',
    'src/main.rs': 'fn main() {}\n',
    'src/old/x.ts': '',
    'src/a.test.js': "require('node:test')('one', () => {});\n",
    'sub/package.json': '{"scripts":{"test":"./evil"}}',
    'sub/Makefile': 'test:\n\t../evil\n',
    'sub/mk': '$(shell ./evil)\n',
    'evil.mk': 'test:\n\t./evil\n',
    'evil.js': "require('node:fs').writeFileSync('PWNED', '');\n",
    'evil.py': "open('PWNED', 'w')\n",
    'evil_plugin.py': "open('PWNED', 'w')\n",
    'evil.ini': '[pytest]\naddopts = -p evil_plugin\n',
    'args.txt': '-p\nevil_plugin\n',
    evilrc: 'script-shell=./evil\n',
    rgrc: '--pre=./evil\n',
    'tests_py/test_one.py': 'def test_one():\n    assert True\n',
    'package.json': '{"name":"a","scripts":{"test":"own-check","check":"own-check","evil":"own-check"}}',
    Makefile: '.PHONY: test check deploy\ntest check:\n\town-check\ndeploy:\n\t./evil\n',
    'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\n',
    'go.mod': 'module a\n\ngo 1.19\n',
    'a_test.go': 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n',
    'globs/a.txt': 'export\n',
    'globs/--compress-program=.evil': '',
    'globs/--pre=evil': '',
    'globs/-delete': '',
    'globs/-o': '',
  };
  for (const [name, text] of Object.entries(files)) put(path.join(work, name), text);
  for (const name of ['evil', 'ls', 'sh', 'cat', 'git', 'env', 'timeout', 'npm', 'sub/ls', 'sub/evil'])
    put(path.join(work, name), EVIL, 0o755);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: work });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  writeFileSync(path.join(work, 'src/a.ts'), 'export const a = 2;\n');
};

const makeBox = (more: readonly string[]): string => {
  const box = realpathSync(mkdtempSync(path.join(tmpdir(), 'commands-')));
  makeWork(path.join(box, 'template'));
  for (const folder of ['bin', 'home', 'tmp']) mkdirSync(path.join(box, folder));
  put(path.join(box, 'tmp/ls'), EVIL, 0o755);
  put(path.join(box, 'home/evil'), EVIL, 0o755);
  put(path.join(box, 'home/.ssh/id_rsa'), 'key\n');
  const folders = [...more, '/usr/bin', '/bin', '/usr/local/bin'];
  for (const name of REAL.split(' ')) {
    const place = find(name, folders);
    if (place === null) put(path.join(box, 'bin', name), '#!/bin/sh\n', 0o755);
    else symlinkSync(place, path.join(box, 'bin', name));
  }
  for (const name of STAND_INS.split(' ')) put(path.join(box, 'bin', name), '#!/bin/sh\n', 0o755);
  return box;
};

const SYSTEM = /^\/(?:usr\/)?(?:local\/)?s?bin\//;
const nameOf = (box: string, file: string, more: readonly string[]): string => {
  const plain = path.normalize(file);
  const home = [path.join(box, 'bin'), ...more].find((folder) => path.dirname(plain) === folder);
  if (home !== undefined || (file.startsWith('/') && SYSTEM.test(plain))) return path.basename(plain);
  if (/^\/usr\/lib\/|^\/root\/|\/root\/usr\/lib\//.test(plain)) return `lib:${path.basename(plain)}`;
  if (plain.startsWith('/tmp/go-build')) return 'go-build:test';
  return file.replace(path.join(box, 'work'), '.').replace(box, '^');
};

const WRITES = /\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b/;
const CHANGES =
  /^(?:unlink|rename|mkdir|truncate|f?chmod|f?chown|symlink|link|rmdir|mknod|utimens)(?:at2?|at)?\(/;
/** Devices, caches and logs that are ignored. */
const OWN =
  /^\/(?:dev|proc|sys|root)\/|^~\/(?:\.npm|\.cache|\.cargo|\.config|go)(?:\/|$)|^\/tmp(?:\/|$)|^\.?$|__pycache__|pytest[_-]cache/;

/** Uses the kernel's name for opened files. */
const pathIn = (line: string): string => {
  const opened = /= \d+<(.*)>$/.exec(line)?.[1];
  if (opened !== undefined) return opened;
  const [, folder, name = ''] = /\((?:[^"<]*<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
  return folder === undefined ? name : path.resolve(folder, name);
};

const read = (box: string, lines: readonly string[], more: readonly string[]): Omit<Trace, 'command'> => {
  const [executed, written] = [new Set<string>(), new Set<string>()];
  const shown = (file: string): string =>
    path
      .normalize(file)
      .replace(path.join(box, 'home'), '~')
      .replace(path.join(box, 'work'), '.')
      .replace(box, '^');
  let network = false;
  for (const line of lines) {
    if (/^connect\(.*AF_INET/.test(line)) network = true;
    if (!/ = \d+(?:<.*>)?$/.test(line)) continue;
    const file = pathIn(line);
    if (line.startsWith('execve(')) executed.add(nameOf(box, file, more));
    else if ((/^open(?:at)?\(/.test(line) && WRITES.test(line)) || CHANGES.test(line)) {
      if (!OWN.test(shown(file))) written.add(shown(file));
    }
  }
  return { executed: [...executed].sort(), written: [...written].sort(), network };
};

const trace = (
  box: string,
  shell: string,
  command: string,
  more: readonly string[],
): Omit<Trace, 'command'> => {
  const [work, log] = [path.join(box, 'work'), path.join(box, 'log')];
  for (const folder of [work, log]) rmSync(folder, { recursive: true, force: true });
  cpSync(path.join(box, 'template'), work, { recursive: true });
  mkdirSync(log);
  const strace = [
    '/usr/bin/strace',
    '-ff',
    '-y',
    '-qq',
    '-s',
    '4096',
    '-e',
    'trace=%file,execve,connect',
    '-o',
    path.join(log, 't'),
  ];
  const run = ['/usr/bin/timeout', '-k', '1', '8', ...strace, path.join('/bin', shell), '-c'];
  const text = command.replaceAll('/tmp/', `${box}/tmp/`);
  spawnSync('/usr/bin/unshare', ['-rnpf', '--kill-child', '--mount-proc', ...run, text], {
    cwd: work,
    stdio: 'ignore',
    env: {
      PATH: path.join(box, 'bin'),
      HOME: path.join(box, 'home'),
      LANG: 'C.UTF-8',
      SHELL: '/bin/sh',
      TERM: 'dumb',
      npm_config_update_notifier: 'false',
      PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
      GOFLAGS: '-mod=mod',
    },
  });
  const logs = readdirSync(log).sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
  const lines = logs.flatMap((file, i) => {
    const all = readFileSync(path.join(log, file), 'utf8').split('\n');
    const first = all.findIndex((line) => line.startsWith('execve('));
    return i === 0 ? all.filter((_, at) => at !== first) : all;
  });
  return read(box, lines, more);
};

/** Merges both shells' traces. */
export const traceCommands = (commands: readonly string[], more: readonly string[] = []): Trace[] => {
  const box = makeBox(more);
  try {
    return commands.map((command) => {
      const both = ['bash', 'dash'].map((shell) => trace(box, shell, command, more));
      const all = (key: 'executed' | 'written'): string[] =>
        [...new Set(both.flatMap((one) => one[key]))].sort();
      return {
        command,
        executed: all('executed'),
        written: all('written'),
        network: both.some((one) => one.network),
      };
    });
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
};

const FIXTURE = new URL('../fixtures/commands-traced.jsonl', import.meta.url);
export const readTraces = (): Trace[] =>
  readFileSync(FIXTURE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Trace);
const asLine = (one: Trace): string =>
  JSON.stringify(one).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Skips recorded commands; an empty file records all. */
if (import.meta.main) {
  const known = existsSync(FIXTURE) && readFileSync(FIXTURE, 'utf8') !== '' ? readTraces() : [];
  const recorded = new Map(known.map((one) => [one.command, one]));
  const corpus = [...ORDINARY, ...HOSTILE];
  const fresh = traceCommands(
    corpus.filter((command) => !recorded.has(command)),
    process.argv.slice(2),
  );
  for (const one of fresh) recorded.set(one.command, one);
  const lines = corpus.flatMap((command) => recorded.get(command) ?? []).map(asLine);
  writeFileSync(FIXTURE, `${lines.join('\n')}\n`);
}
