/** E4, E5, E12: the script engine keeps the contract of every engine. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { probeContainment } from '../../../executors/sandbox/probe-containment.ts';
import { createScriptExecutor } from '../../../executors/engines/script/script.ts';
import type { ExecutorEvent } from '#ports/processes';
import { dataDirectory, sandboxOf } from '../../support/contained.ts';

const { kind: level } = (await probeContainment()).profile;

type More = {
  args?: string[];
  writes?: 'change' | 'nothing';
  timeoutMs?: number;
  signal?: AbortSignal;
  onEvent?: (event: ExecutorEvent) => void;
};
const run = async (command: string | null, more: More = {}) => {
  const at = dataDirectory();
  writeFileSync(path.join(at.workspace, 'greeting.txt'), 'hello\n');
  const sandbox = await sandboxOf(level, at.dataDir);
  const events: ExecutorEvent[] = [];
  const done = await createScriptExecutor({ sandbox, maxOutputBytes: 100_000 }).run({
    runId: 'r1',
    engineArgs: command === null ? [] : [command, ...(more.args ?? [])],
    prompt: 'Say good bye.\n',
    workspace: at.workspace,
    home: at.home,
    session: null,
    writes: more.writes ?? 'change',
    timeoutMs: more.timeoutMs ?? 20_000,
    signal: more.signal ?? new AbortController().signal,
    onEvent: (event) => {
      events.push(event);
      more.onEvent?.(event);
    },
  });
  const read = (name: string) => readFileSync(path.join(at.workspace, name), 'utf8');
  return { done, events, read, at };
};

it('E4: changes the workspace, with the prompt on standard input, and ends with one result', async () => {
  const { done, events, read } = await run(
    `sed -i s/hello/bye/ greeting.txt; cat >prompt; echo "$1 changed"`,
    {
      args: ['greeting'],
    },
  );
  expect(done).toMatchObject({
    outcome: 'completed',
    failure: null,
    summary: 'greeting changed',
    session: null,
  });
  expect(done.containment).toBe(level);
  expect([read('greeting.txt'), read('prompt')]).toEqual(['bye\n', 'Say good bye.\n']);
  expect(events[0]).toMatchObject({ type: 'started' });
  expect(events.filter(({ type }) => type === 'started')).toHaveLength(1);
});

it.skipIf(level === 'group')('changes nothing in a round that may only look', async () => {
  const { done, read } = await run('echo spoilt >greeting.txt; touch new; cat greeting.txt; echo x >~/note', {
    writes: 'nothing',
  });
  expect(done).toMatchObject({ outcome: 'completed', summary: 'hello' });
  expect(read('greeting.txt')).toBe('hello\n');
  expect(() => read('new')).toThrow();
});

it('E1: what it locked is open to us again, and is as executable as it was', async () => {
  const { at } = await run(
    'mkdir -p d/e ~/h; touch d/e/f x; chmod 111 x; chmod 000 d/e/f greeting.txt; chmod 000 d/e; chmod 500 d .; chmod 000 ~/h ~; ln -s / l',
  );
  const modes = ['.', 'd', 'd/e', 'd/e/f', 'greeting.txt', 'x'].map((name) => path.join(at.workspace, name));
  expect(
    [...modes, at.home, path.join(at.home, 'h')].map((place) => (statSync(place).mode & 0o700).toString(8)),
  ).toEqual(['700', '700', '700', '600', '600', '700', '700', '700']);
});

describe('the summary', () => {
  it.each([
    ['echo one; echo; echo two; echo', 'two'],
    [`echo '{"summary":"Renamed a to b"}'; echo trailing`, 'Renamed a to b'],
    [`echo '{"summary":"first"}'; printf '%s\\n' '{"summary":"second\\nline"}'`, 'second line'],
    [`echo '{"summary":3}'; echo '{ not json'`, '{ not json'],
    ['true', ''],
  ])('of %s', async (command, summary) => {
    expect((await run(command)).done.summary).toBe(summary);
  });

  it('has at most 300 characters', async () => {
    expect([...(await run(`printf 'é%.0s' $(seq 500)`)).done.summary]).toHaveLength(300);
  });
});

describe('progress', () => {
  it('is told at most twice a second, without control characters', async () => {
    const { events } = await run(
      `i=0; while [ $i -lt 40 ]; do printf '\\033[32mstep\\033[0m \\a%s\\n' $i; i=$((i+1)); sleep 0.02; done`,
    );
    const told = events.flatMap((event) => (event.type === 'progress' ? [event.text] : []));
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told.length).toBeLessThanOrEqual(6);
    expect(told.every((text) => /^step \d+$/.test(text))).toBe(true);
    const last = events.findLast((event) => event.type === 'progress');
    // E21: its lines are those that a person saw go by, though most were told in one go.
    expect(last?.lines.length).toBeGreaterThanOrEqual(15);
    expect(last?.lines.every((line) => /^step \d+$/.test(line))).toBe(true);
    expect(last).toMatchObject({ kind: 'prints' });
  });
});

describe('E5: failures', () => {
  const classOf = async (command: string | null, more?: More) => (await run(command, more)).done.failure;

  it('tells how to configure a command when there is none', async () => {
    expect(await classOf(null)).toMatchObject({
      class: 'agent_missing',
      message: expect.stringMatching(/--agent-arg/) as string,
    });
    expect(await classOf('  ')).toMatchObject({ class: 'agent_missing' });
  });

  it('calls a missing program an agent that is missing', async () => {
    expect(await classOf('agentpr-no-such-codemod')).toMatchObject({
      class: 'agent_missing',
      message: expect.stringMatching(/agentpr-no-such-codemod/) as string,
    });
    expect(await classOf('/etc/passwd')).toMatchObject({ class: 'agent_missing' });
  });

  it('calls any other exit code a crash and quotes the last line of standard error', async () => {
    const failure = await classOf('echo first >&2; printf "\\033[1mboom\\033[0m\\n" >&2; exit 3');
    expect(failure).toMatchObject({
      class: 'crashed',
      message: 'The script ended with exit code 3: boom',
      retryAt: null,
    });
  });

  it('E12: lets our own decisions win over an exit code of 0', async () => {
    const polite = `trap 'exit 0' TERM; echo up; while :; do sleep 0.01; done`;
    expect(await classOf(polite, { timeoutMs: 400 })).toMatchObject({ class: 'timed_out' });
    const abort = new AbortController();
    const onEvent = (event: ExecutorEvent) => event.type === 'progress' && abort.abort();
    expect(await classOf(polite, { signal: abort.signal, onEvent })).toMatchObject({ class: 'cancelled' });
    expect(await classOf('yes | head -c 300000; exit 0')).toMatchObject({ class: 'budget_exceeded' });
  });

  it('is cancelled, and nothing runs, when the run was stopped before', async () => {
    const { done, at } = await run('touch ran', { signal: AbortSignal.abort() });
    expect(done.failure).toMatchObject({ class: 'cancelled' });
    expect(existsSync(path.join(at.workspace, 'ran'))).toBe(false);
  });

  it('says that the sandbox refused when the box could not be built', async () => {
    const at = dataDirectory();
    const sandbox = await sandboxOf(level, at.dataDir);
    const broken = {
      ...sandbox,
      wrap: (input: Parameters<typeof sandbox.wrap>[0]) => ({
        ...sandbox.wrap(input),
        inherit: [{ fd: 3, content: '--bind\0/agentpr/missing\0/x\0' }],
      }),
    };
    const done = await createScriptExecutor({ sandbox: broken }).run({
      runId: 'r1',
      engineArgs: ['true'],
      prompt: '',
      workspace: at.workspace,
      home: at.home,
      session: null,
      writes: 'change',
      timeoutMs: 5000,
      signal: new AbortController().signal,
      onEvent: () => {},
    });
    if (level === 'bwrap') expect(done.failure).toMatchObject({ class: 'sandbox_denied' });
  });
});
