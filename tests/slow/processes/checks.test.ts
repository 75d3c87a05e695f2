/**
 * E3, E12: checks run contained on an export, and what they say is distilled without being made
 * prettier than it is.
 */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isBlockingCheck } from '#model/evidence';
import { describe, expect, it } from 'vitest';
import { createCheckExecutor } from '../../../executors/checks/run-check.ts';
import { createReaderThreads } from '../../../executors/process/reader-threads.ts';
import type { ReaderThreads } from '#process';
import { probeContainment } from '../../../executors/sandbox/probe-containment.ts';
import { distillOutput } from '../../../executors/checks/distill-output.ts';
import { dataDirectory, sandboxOf, type Home } from '../../support/contained.ts';

const { kind: level } = (await probeContainment()).profile;

const check = async (
  command: string,
  more: {
    folder?: string;
    timeoutMs?: number;
    signal?: AbortSignal;
    maxOutputBytes?: number;
    at?: Home;
    threads?: ReaderThreads;
  } = {},
) => {
  const at = more.at ?? dataDirectory();
  const sandbox = await sandboxOf(level, at.dataDir);
  const { maxOutputBytes = 1_000_000 } = more;
  return createCheckExecutor({
    sandbox,
    maxOutputBytes,
    ...(more.threads ? { threads: more.threads } : {}),
  }).run({
    runId: 'r1',
    kind: 'check',
    name: 'test',
    command,
    dir: at.workspace,
    folder: more.folder ?? '',
    home: at.home,
    timeoutMs: more.timeoutMs ?? 20_000,
    signal: more.signal ?? new AbortController().signal,
    onStart: () => {},
  });
};

describe('what a check proves', () => {
  it('E3: is nothing where Python’s unittest found no test, though it ends with 0 before Python 3.12', async () => {
    const says = "printf '\\nRan 0 tests in 0.000s\\n\\nOK\\n' >&2";
    const { result } = await check(`: python3 -m unittest discover; ${says}`);
    expect(result).toMatchObject({ outcome: 'ran_no_test', exitCode: 0 });
    expect(result.tail).toContain('It ran no test.');
    expect(
      (await check(`: python3 -m unittest; ${says.replace('0 tests', '10 tests')}`)).result.outcome,
    ).toBe('passed');
  });
});

describe('output that keeps its reader busy', () => {
  it('O10: proves nothing where it goes past the limits, whatever the exit code', async () => {
    const threads = createReaderThreads({ threads: 1, totalMs: 1 });
    const { result } = await check("yes 'all is well' | head -c 200000", { threads });
    await threads.end();
    expect(result).toMatchObject({ outcome: 'failed', exitCode: 0 });
    expect(result.tail).toContain('could not be read within the limits');
  });

  it('O10: is read all the same, where it is long and no more', async () => {
    const { result } = await check("yes 'all is well' | head -c 200000; echo 'error: it is not'; exit 1");
    expect(result).toMatchObject({ outcome: 'failed', exitCode: 1 });
    expect(result.tail).toContain('error: it is not');
  });
});

describe('E19: a check that ran no test', () => {
  const printing = (prints: string): string => `cat <<'END'\n${prints}\nEND`;

  it('E19: is also one that its runner calls a failure, which blocksChange unless it was so before', async () => {
    const none = `${printing('===== no tests ran in 0.01s =====')}\nexit 5`;
    const { result } = await check(none);
    expect(result).toMatchObject({ outcome: 'ran_no_test', exitCode: 5 });
    expect(isBlockingCheck(result)).toBe(true);
    const broken = `${printing('collected 0 items / 1 error\n===== 1 error in 0.1s =====')}\nexit 2`;
    expect((await check(broken)).result.outcome).toBe('failed');
  });

  it('E19: Node’s own runner, asked to run a file without tests or none at all', async () => {
    const at = dataDirectory();
    const { result } = await check('node --test "nothing/**/*.test.js"', { at });
    expect(result.outcome).not.toBe('passed');
    writeFileSync(
      path.join(at.workspace, 'a.test.mjs'),
      "import t from 'node:test';\nt('x', { skip: true }, () => {});\n",
    );
    expect((await check('node --test a.test.mjs', { at })).result.outcome).toBe('ran_no_test');
    writeFileSync(path.join(at.workspace, 'a.test.mjs'), "import t from 'node:test';\nt('x', () => {});\n");
    expect((await check('node --test a.test.mjs', { at })).result.outcome).toBe('passed');
  });
});

describe('the folder of a check', () => {
  it('E3: is where the command runs, while the whole export may be written to', async () => {
    const at = dataDirectory();
    mkdirSync(path.join(at.workspace, 'web app/deep'), { recursive: true });
    const { result } = await check('basename "$PWD"; echo made > ../../made', { at, folder: 'web app/deep' });
    expect(result).toMatchObject({ outcome: 'passed', tail: 'deep' });
    expect(readFileSync(path.join(at.workspace, 'made'), 'utf8')).toBe('made\n');
  });

  it('E3: fails, and runs nowhere, when the commit has no such folder or it leads out of the export', async () => {
    const at = dataDirectory();
    symlinkSync('/', path.join(at.workspace, 'out'));
    symlinkSync('..', path.join(at.workspace, 'up'));
    writeFileSync(path.join(at.workspace, 'file'), '');
    for (const folder of [
      'gone',
      'out',
      'up',
      'out/tmp',
      'file',
      '..',
      'a/../..',
      '/tmp',
      '.',
      'a//b',
      'a\0b',
    ]) {
      const { result } = await check('echo ran', { at, folder });
      expect(result, folder).toMatchObject({ outcome: 'failed', exitCode: null });
      expect(result.tail).toContain(`The folder ${folder} is not in this commit.`);
    }
  });
});

describe('the outcome of a check', () => {
  it('passes on exit code 0 and says in which box', async () => {
    const { result, containment, end } = await check('echo fine; echo warn >&2');
    expect(result).toMatchObject({ name: 'test', outcome: 'passed', exitCode: 0, tail: 'fine\nwarn' });
    expect([containment, end.ended]).toEqual([level, 'exited']);
  });

  it('fails on any other code', async () => {
    expect((await check('exit 2')).result).toMatchObject({ outcome: 'failed', exitCode: 2 });
  });

  it('E5: could not be run when the host lacks its program; what the tree or the check itself lacks is a failure', async () => {
    const { result } = await check('agentpr-no-such-tool --version');
    expect(result).toMatchObject({ outcome: 'not_run', exitCode: 127 });
    expect(result.tail).toMatch(/^agentpr-no-such-tool was not found\. Install it on the host\.\n/);
    for (const command of [
      './no-such-script',
      'no-such-folder/script',
      'true; agentpr-no-such-tool',
      'sh -c no-such-tool',
    ]) {
      const inner = (await check(command)).result;
      expect(inner, command).toMatchObject({ outcome: 'failed', exitCode: 127 });
      expect(inner.tail).toMatch(/^A program of this check was not found\. Install it on the host\.\n/);
    }
  });

  it.each([
    '[ERROR] Non-resolvable import POM: Could not transfer artifact org.junit:junit-bom:pom:5.13.4 from/to central (https://repo.maven.apache.org/maven2): repo.maven.apache.org: Unknown host',
    'java.net.UnknownHostException: services.gradle.org',
    '  [6] Could not resolve host: index.crates.io',
    'go: github.com/a/b@v1.2.3: Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org: no such host',
    'error: release version 25 not supported',
  ])('E15: says that the machine is to blame where it surely is: %s', async (line) => {
    const { result } = await check(`echo '${line}'; exit 1`);
    expect(result).toMatchObject({ outcome: 'failed', exitCode: 1, commandFailure: { says: line.trim() } });
  });

  it('E15: takes a test that is named for a judgement of the code, whatever it says', async () => {
    const says = 'echo getaddrinfo ENOTFOUND example.org';
    const named = await check(`${says}; echo 'not ok 1 - asks the server'; echo 1..1; exit 1`);
    expect(named.result.commandFailure).toBeUndefined();
    expect((await check(says)).result.commandFailure).toBeUndefined();
  });

  it('E12: counts a zero exit code for nothing when time or output ran out', async () => {
    const late = await check(`trap 'exit 0' TERM; echo up; while :; do sleep 0.01; done`, { timeoutMs: 400 });
    expect(late.result).toMatchObject({ outcome: 'timed_out', exitCode: 0 });
    const loud = await check('yes | head -c 50000; exit 0', { maxOutputBytes: 1000 });
    expect(loud.result.outcome).toBe('failed');
    expect(loud.result.tail).toMatch(/^The check went too far: it printed more than/);
  });

  it('is not run when the run was stopped', async () => {
    const { result } = await check('true', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ outcome: 'not_run', exitCode: null });
  });

  it('E1: what it locked is open to us again', async () => {
    const at = dataDirectory();
    await check('mkdir a; touch a/b; chmod 000 a/b; chmod 000 a; chmod 500 ~', { at });
    const places = [path.join(at.workspace, 'a'), path.join(at.workspace, 'a/b'), at.home];
    expect(places.map((place) => (statSync(place).mode & 0o700).toString(8))).toEqual(['700', '600', '700']);
  });

  it('says what killed it', async () => {
    const { result } = await check('kill -KILL $$');
    expect(result).toMatchObject({ outcome: 'not_run', commandFailure: { kind: 'killed' } });
    expect(result.tail).toMatch(/^The check was ended by the machine \(137\)/);
  });

  it.skipIf(level === 'group')('E3: writes to the export and its HOME only', async () => {
    const at = dataDirectory();
    await check(`touch in-export ~/in-home; touch ${at.dataDir}/out ${at.other}/out`, { at });
    expect(existsSync(path.join(at.workspace, 'in-export'))).toBe(true);
    expect(existsSync(path.join(at.home, 'in-home'))).toBe(true);
    expect(existsSync(path.join(at.dataDir, 'out'))).toBe(false);
    expect(existsSync(path.join(at.other, 'out'))).toBe(false);
    expect(readFileSync(path.join(at.other, 'theirs'), 'utf8')).toBe('other run');
  });
});

describe('what is shown of the output', () => {
  const noise = Array.from({ length: 2000 }, (_, i) => `line ${i}`).join('\n');

  it('keeps the last lines within 4 KB', () => {
    const tail = distillOutput({ stdout: noise, stderr: '' }, null);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(3900);
    expect(tail.endsWith('line 1999')).toBe(true);
  });

  it.each([
    'AssertionError: expected 1 to be 2',
    'not ok 3 - adds',
    '  ✗ adds',
    '--- FAIL: TestAdd (0.00s)',
    "thread 'main' panicked at src/lib.rs:3",
    'src/a.ts(3,1): error TS2304: Cannot find name',
  ])('keeps the first failing line although it scrolled away: %s', (failing) => {
    const tail = distillOutput({ stdout: `npm warn x\n${failing}\n${noise}`, stderr: '' }, null);
    expect(tail.split('\n').slice(0, 2)).toContain(failing);
    expect(tail).toContain('\n…\n');
    expect(tail.endsWith('\nline 1999')).toBe(true);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(4096);
  });

  it('shows a failing line once', () => {
    const tail = distillOutput({ stdout: 'a\nAssertionError: no\nb', stderr: '' }, null);
    expect(tail).toBe('a\nAssertionError: no\nb');
  });

  it('does not let warnings push the report out', () => {
    const tail = distillOutput({ stdout: noise, stderr: noise.replaceAll('line', 'warn') }, 'Note.');
    expect(tail.startsWith('Note.\n')).toBe(true);
    expect(tail).toContain('line 1999');
    expect(tail.endsWith('warn 1999')).toBe(true);
    expect(tail.split('\n').filter((line) => line.startsWith('line')).length).toBeGreaterThan(200);
  });

  it('C5: carries no escape, control or hidden characters', () => {
    const stdout = '\u001b[31mred\u001b[0m\n10%\r100%\nrtl\u202e\u200b!\u0007\n\u001b]0;title\u0007shown';
    expect(distillOutput({ stdout, stderr: '' }, null)).toBe('red\n100%\nrtl!\nshown');
  });

  it('stays within 4 KB for characters of several bytes and endless lines', () => {
    const stdout = `${'€'.repeat(100_000)}\n${'ä'.repeat(3000)}\n`.repeat(20);
    expect(Buffer.byteLength(distillOutput({ stdout, stderr: stdout }, null))).toBeLessThanOrEqual(4096);
  });
});
