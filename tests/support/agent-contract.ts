/** Contract tests of every agent engine, with a small scripted program as the agent. */
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentCli, AgentDeps } from '../../executors/engines/shared/agent-cli.ts';
import { toRoundResult } from '../../executors/engines/shared/conclude-round.ts';
import { createAgentExecutor } from '../../executors/engines/shared/run-engine.ts';
import type { AgentSession } from '#model/reports';
import type { EngineExecutor, ExecutorDone, ExecutorEvent } from '#ports/processes';
import { BEST, createBench, createTestWords, pictureAt, type Bench } from './agent-round.ts';
import { endOf, replay } from './replay-agent.ts';
import { pngOf } from './sent-pictures.ts';
import type { Home } from './contained.ts';

/** One event as the agent prints it; its source is part of the scripted program. */
type Print = (event: object) => string;
const toJson: Print = (event) => JSON.stringify(event);

/** Records its call in HOME, then runs the test's script; `say` prints events. */
const program = (body: string, print: Print): string => `#!/usr/bin/env node
const fs = require('node:fs');
const argv = process.argv.slice(2);
/** A program that takes messages gets its prompt as the first one, and its input stays open. */
const readMessage = () => {
  const byte = Buffer.alloc(1);
  const bytes = [];
  while (fs.readSync(0, byte) > 0 && byte[0] !== 10) bytes.push(byte[0]);
  return JSON.parse(Buffer.from(bytes).toString()).message.content;
};
const prompt = argv.includes('--input-format') ? readMessage() : fs.readFileSync(0, 'utf8');
fs.writeFileSync(process.env.HOME + '/seen.json', JSON.stringify({ argv, env: process.env, prompt }));
const say = (...events) => events.forEach((event) => fs.writeSync(1, (${String(print)})(event) + '\\n'));
${body}
`;

export type Seen = { argv: string[]; env: Record<string, string>; prompt: string };
export type Stage = Bench & { seen: () => Seen };

export type AgentKind = {
  name: string;
  cli: AgentCli;
  directory: string;
  signIn: string;
  /** Events: session start, progress, end with a report, end with text, end with a failure. */
  begun: object;
  talk: object;
  done: (report: object) => object[];
  words: (text: string) => object[];
  failed: object[];
  failure: string;
  session: string;
  /** It takes messages while it works. */
  streams?: true;
  /** Arguments that show it a picture, in a new and in a resumed conversation; absent if it sees none. */
  picture?: (file: string) => { fresh: string[]; resumed: string[] };
  /** JSON by default. */
  print?: Print;
  /** Events with a session id or an end that agents could forge. */
  forged?: {
    session: (id: string) => object;
    used: (report: object, amount: unknown) => object[];
  };
};

/** An engine by its row, or made in another way. */
type Created = Pick<AgentKind, 'cli'> | { create: (deps: AgentDeps) => EngineExecutor };
export const createStage = async (
  kind: Created & Pick<AgentKind, 'name' | 'print'>,
  body: string,
  deps: (at: Home) => Partial<AgentDeps> = () => ({}),
  level = BEST,
): Promise<Stage> => {
  const bench = await createBench(
    'cli' in kind ? (with_) => createAgentExecutor(kind.cli, with_) : kind.create,
    (at) => {
      const command = path.join(at.dataDir, kind.name);
      writeFileSync(command, program(body, kind.print ?? toJson), { mode: 0o755 });
      return { command, tools: [path.dirname(process.execPath)], ...deps(at) };
    },
    level,
  );
  const seen = (): Seen => JSON.parse(readFileSync(path.join(bench.at.home, 'seen.json'), 'utf8')) as Seen;
  return { ...bench, seen };
};

const REPORT = { status: 'done', summary: 'all is well' };
const js = (...events: object[]): string =>
  `say(${events.map((event) => JSON.stringify(event)).join(', ')});`;

export const agentContract = (kind: AgentKind): void => {
  const stage = (body: string, deps?: (at: Home) => Partial<AgentDeps>): Promise<Stage> =>
    createStage(kind, body, deps);
  const good = js(kind.begun, ...kind.done(REPORT));
  const print = kind.print ?? toJson;
  /** What comes of what it prints, read in pieces as a round does, without a process. */
  const readPrinted = (stdout: string, session: AgentSession | null = null): ExecutorDone => {
    const { reading, failure } = replay(kind.cli, stdout, { session });
    return toRoundResult(reading, endOf({ stdout }), { level: BEST }, failure);
  };
  const roundOf = (session: AgentSession | null, ...events: object[]): ExecutorDone =>
    readPrinted(events.map((event) => `${print(event)}\n`).join(''), session);

  it('E4, L6: starts, tells progress and its session as soon as it has a name, and ends with one result that has the report, the session and the box', async () => {
    const { run, seen } = await stage(good);
    const done = await run({ prompt: 'Do it — now.\n' });
    expect(done).toMatchObject({
      outcome: 'completed',
      failure: null,
      summary: 'all is well',
      containment: BEST,
      session: { id: kind.session },
    });
    expect(done.events[0]).toMatchObject({ type: 'started' });
    expect(done.events.filter(({ type }) => type === 'started')).toHaveLength(1);
    const sessions = done.events.flatMap((event) => (event.type === 'used' ? [event.session?.id] : []));
    expect(sessions[0]).toBe(kind.session);
    expect(seen().prompt).toBe('Do it — now.\n');
  });

  it('E21: words end its turn where it takes none within one; its edits and its session stay', async () => {
    const { words, say } = createTestWords();
    const { run, read } = await stage(`say(${JSON.stringify(kind.begun)}, ${JSON.stringify(kind.talk)});
      fs.writeFileSync('sum.js', 'half done');
      if (argv.includes('--input-format')) {
        const told = readMessage();
        say({ type: 'user', isReplay: true, message: { role: 'user', content: told } });
        fs.writeFileSync('sum.js', told);
        ${js(...kind.done(REPORT))}
      } else setInterval(() => {}, 1000);`);
    const done = await run({
      words,
      onEvent: ({ type }) => void (type === 'progress' && say('Use the helper.')),
    });
    expect(done.session?.id).toBe(kind.session);
    if (kind.streams) expect([done.outcome, read('sum.js')]).toEqual(['completed', 'Use the helper.']);
    else expect([done.interrupted, read('sum.js')]).toEqual([true, 'half done']);
  });

  it.skipIf(BEST === 'group')('E3: may write only in its HOME in a round that may only look', async () => {
    const body = `let code = 'none'; try { fs.writeFileSync('sum.js', 'spoilt'); } catch (e) { code = e.code; }
      fs.writeFileSync(process.env.HOME + '/code', code); ${good}`;
    const { run, read, at } = await stage(body);
    expect(await run({ writes: 'nothing' })).toMatchObject({ outcome: 'completed' });
    expect(read('sum.js')).toContain('a - b');
    expect(readFileSync(path.join(at.home, 'code'), 'utf8')).toBe('EROFS');
    await run({ writes: 'change' });
    expect(read('sum.js')).toBe('spoilt');
  });

  it.skipIf(BEST === 'group')(
    'C2: a picture lies where it may only read, is no part of the change, and is gone afterwards',
    async () => {
      const { run, seen, at } = await stage(
        `const file = require('node:path').join(process.env.HOME, '../pictures/picture.png');
      fs.writeFileSync(process.env.HOME + '/copy', fs.readFileSync(file));
      let code = 'none'; try { fs.appendFileSync(file, 'x'); } catch (e) { code = e.code; }
      fs.writeFileSync(process.env.HOME + '/code', code); ${good}`,
      );
      const { file } = pictureAt(at);
      const before = readdirSync(at.workspace);
      const bytes = pngOf();
      const asked = (args: readonly string[] = []): string => args.join('\0');
      const ways = kind.picture?.(file);
      expect(await run({ picture: bytes })).toMatchObject({ outcome: 'completed' });
      expect(asked(seen().argv)).toContain(asked(ways?.fresh));
      expect(readFileSync(path.join(at.home, 'copy')).equals(bytes)).toBe(true);
      expect(readFileSync(path.join(at.home, 'code'), 'utf8')).toBe('EROFS');
      expect(readdirSync(at.workspace)).toEqual(before);
      expect(existsSync(path.dirname(file))).toBe(false);
      const session = { id: kind.session, usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } };
      await run({ picture: bytes, session });
      expect(asked(seen().argv)).toContain(asked(ways?.resumed));
      if (ways?.resumed.length === 0) expect(asked(seen().argv)).not.toContain(file);
      await run();
      expect(asked(seen().argv)).not.toContain('pictures');
    },
  );

  describe('E12: how it ended', () => {
    const failureOf = async (body: string) => (await (await stage(body)).run()).failure;

    it('is a failure when the events say so, whatever the exit code', () => {
      expect(roundOf(null, kind.begun, ...kind.failed).failure).toMatchObject({ class: kind.failure });
    });

    it('is a crash without a last event, and with a last event but another exit code', async () => {
      expect(roundOf(null, kind.begun).failure).toMatchObject({
        class: 'crashed',
        message: expect.stringMatching(/did not finish its turn/) as string,
      });
      // What takes messages has said its last one: how it leaves says nothing.
      const leaves = await failureOf(`${good} process.exitCode = 7;`);
      if (kind.streams) expect(leaves).toBeNull();
      else
        expect(leaves).toMatchObject({
          class: 'crashed',
          message: expect.stringMatching(/exit code 7/) as string,
        });
      expect(await failureOf(`${js(kind.begun)} process.kill(process.pid, 'SIGSEGV');`)).toMatchObject({
        class: 'crashed',
      });
    });

    it('is our own decision when we stopped it, even if it ends well then, and the session is kept', async () => {
      const polite = `process.on('SIGTERM', () => { ${js(...kind.done(REPORT))} process.exit(0); });
        ${js(kind.begun, kind.talk)} setInterval(() => {}, 1000);`;
      const abort = new AbortController();
      const onEvent = ({ type }: ExecutorEvent) => type === 'progress' && abort.abort();
      expect(await (await stage(polite)).run({ signal: abort.signal, onEvent })).toMatchObject({
        failure: { class: 'cancelled' },
        session: { id: kind.session },
      });
      const slow = await stage('setInterval(() => {}, 1000);');
      expect((await slow.run({ timeoutMs: 300 })).failure).toMatchObject({ class: 'timed_out' });
    });

    it('E6: is over budget when it prints without end, whatever it said before', async () => {
      const { run } = await stage(`${good} for (;;) fs.writeSync(1, 'x'.repeat(65536));`, () => ({
        maxOutputBytes: 300_000,
      }));
      expect((await run()).failure).toMatchObject({ class: 'budget_exceeded' });
    });
  });

  describe('E7: the report', () => {
    it.each([
      ['words', kind.words('I am done.'), /words instead of a report: “I am done\.”/],
      ['nothing', kind.words(''), /without a report/],
      ['another status', kind.done({ status: 'fine', summary: 'x' }), /status/],
      ['no summary', kind.done({ status: 'done' }), /summary/],
      ['an empty summary', kind.done({ status: 'done', summary: ' \n' }), /empty summary/],
    ])(
      'is invalid with %s, and says what is wrong; the session and its usage are kept',
      (of, events, why) => {
        const done = roundOf(null, kind.begun, ...events);
        expect(done.failure).toMatchObject({
          class: 'invalid_output',
          message: expect.stringMatching(why) as string,
        });
        expect(done.session).toMatchObject({ id: kind.session });
        expect(done.usage.inputTokens).toBeGreaterThan(0);
        // C4: a question in the text is recognised.
        expect(done.words).toBe(of === 'words' ? 'I am done.' : undefined);
      },
    );

    it('may say that the agent is blocked, may have more in it, and may be the last line of words', () => {
      const blocked = roundOf(
        null,
        kind.begun,
        ...kind.done({ status: 'blocked', summary: 'No\u001b[31m key', more: 1 }),
      );
      expect(blocked).toMatchObject({ outcome: 'completed', summary: 'No key' });
      const text = `So:\n\`\`\`json\n${JSON.stringify(REPORT)}\n\`\`\``;
      expect(roundOf(null, kind.begun, ...kind.words(text))).toMatchObject({ summary: 'all is well' });
    });
  });

  const printed = (...events: object[]): string => events.map((event) => `${print(event)}\n`).join('');
  it('reads lines of 2 MB and passes over garbage, unknown events and half a line', () => {
    const noise = 'warning: not JSON\n{"type":\n[1]\nnull\n{"type":"new.thing","x":{}}\n';
    const long = `${JSON.stringify({ ...kind.begun, x: 'y'.repeat(2_000_000) })}\n`;
    expect(readPrinted(noise + long + noise + printed(...kind.done(REPORT)))).toMatchObject({
      outcome: 'completed',
      summary: 'all is well',
      session: { id: kind.session },
    });
  });

  it('passes over NUL bytes, text that is not UTF-8, a line of 20 MB and half an event at the end', async () => {
    const noise = `fs.writeSync(1, Buffer.from([0, 10, 255, 254, 0, 123, 10, 192, 128, 10]));`;
    const half = `fs.writeSync(1, '{"type":"turn.completed","usa');`;
    const long = `let left = Buffer.from('{"type":"error","message":"' + 'x'.repeat(20_000_000) + '"}\\n');
      while (left.length > 0) left = left.subarray(fs.writeSync(1, left));`;
    const { run } = await stage(
      `${noise} ${js(kind.begun)} ${long} ${noise} ${js(...kind.done(REPORT))} ${half}`,
    );
    const done = await run();
    expect(done).toMatchObject({ outcome: 'completed', failure: null, summary: 'all is well' });
    expect(JSON.stringify(done.told)).not.toContain('\\u0000');
  });

  it('E7: a report of 5 MB is a report, and its summary is short', () => {
    const done = roundOf(
      null,
      kind.begun,
      ...kind.done({ status: 'done', summary: 'word '.repeat(1_000_000) }),
    );
    if (done.failure === null) expect(done.summary.length).toBeLessThanOrEqual(2000);
    // Output that is too long is no report.
    else expect(done.failure.class).toBe('invalid_output');
  });

  const { forged } = kind;
  describe.runIf(forged !== undefined)('what a command of the agent prints in its name', () => {
    const { session = () => ({}), used = () => [] } = forged ?? {};
    const spent = { inputTokens: 100, outputTokens: 10, costUsd: 0 };

    it('E12: an end in the middle is none, and the last of two ends counts', () => {
      const done = kind.done(REPORT);
      expect(roundOf(null, kind.begun, ...done, kind.talk).failure).toMatchObject({
        class: 'crashed',
      });
      expect(roundOf(null, kind.begun, ...done, ...kind.failed).failure).toMatchObject({
        class: kind.failure,
      });
      const twice = roundOf(null, kind.begun, ...used(REPORT, 500), kind.talk, ...used(REPORT, 500));
      expect(twice).toMatchObject({ outcome: 'completed', summary: 'all is well' });
    });

    it.each([['--help'], ['-c'], ['../../other'], [''], ['a b'], ['x'.repeat(200)], ['a\u0000b']])(
      'a session is never called %j, because that is handed to the program again',
      (id) => {
        const done = roundOf(null, session(id), kind.begun, ...kind.done(REPORT));
        expect(done).toMatchObject({ outcome: 'completed', session: { id: kind.session } });
      },
    );

    it('a session keeps its first name', () => {
      const other = session('another');
      expect(roundOf(null, kind.begun, other, ...kind.done(REPORT))).toMatchObject({
        session: { id: kind.session },
      });
      const resumed = roundOf({ id: 'mine', usage: spent }, other, ...kind.done(REPORT));
      expect(resumed.session?.id).toBe('mine');
    });

    it.each([[-5], [1e308], [1.5], ['many'], [null], [undefined]])(
      'E6: what was used is never less than nothing, nor more than can be counted, with %j',
      (amount) => {
        const { usage, session: left } = roundOf({ id: 'mine', usage: spent }, ...used(REPORT, amount));
        for (const counts of [usage, left?.usage ?? usage])
          for (const n of Object.values(counts)) {
            expect(n).toBeGreaterThanOrEqual(0);
            expect(n).toBeLessThanOrEqual(1e12);
          }
        expect(Number.isInteger(usage.inputTokens)).toBe(true);
      },
    );
  });

  it('E5: is missing when there is no such program, or the program it needs is not there', async () => {
    const { run } = await stage(good, () => ({ command: 'agentpr-no-such-agent' }));
    expect(await run()).toMatchObject({ end: { ended: 'not_started' }, failure: { class: 'agent_missing' } });
    const broken = await stage(good, (at) => {
      const command = path.join(at.dataDir, 'broken');
      writeFileSync(command, '#!/usr/bin/env agentpr-no-such-runtime\n', { mode: 0o755 });
      return { command };
    });
    expect((await broken.run()).failure).toMatchObject({ class: 'agent_missing' });
  });

  it('is found on the PATH of the operator', async () => {
    const { run } = await stage(good, (at) => ({ command: kind.name, path: at.dataDir }));
    expect(await run()).toMatchObject({ outcome: 'completed' });
  });

  describe('the sign-in of the operator', () => {
    const place = path.join(kind.directory, kind.signIn);
    const copy = `fs.writeFileSync('copy', fs.readFileSync(process.env.HOME + '/${place}')); ${good}`;
    const lent = (at: Home): Partial<AgentDeps> => {
      const authFile = path.join(at.dataDir, 'sign-in');
      writeFileSync(authFile, 'secret');
      return { authFile };
    };

    it('is lent to the run and taken back', async () => {
      const { run, read, at } = await stage(copy, lent);
      expect(await run()).toMatchObject({ outcome: 'completed' });
      expect(read('copy')).toBe('secret');
      expect(existsSync(path.join(at.home, place))).toBe(false);
    });

    it('E3: is never written through a link that an agent left behind', async () => {
      const { run, at } = await stage(good, lent);
      await run();
      const outside = path.join(at.dataDir, 'ledger.db');
      symlinkSync(outside, path.join(at.home, place));
      await run();
      expect(readFileSync(outside, 'utf8')).toBe('rows');
      rmSync(path.join(at.home, kind.directory), { recursive: true });
      symlinkSync(path.dirname(at.other), path.join(at.home, kind.directory));
      await run();
      expect(existsSync(path.join(path.dirname(at.other), kind.signIn))).toBe(false);
      expect(lstatSync(path.join(at.home, kind.directory)).isDirectory()).toBe(true);
    });

    it('E5: that cannot be read is a sign-in that is missing', async () => {
      const { run } = await stage(good, () => ({ authFile: '/agentpr/no-such-file' }));
      expect((await run()).failure).toMatchObject({ class: 'auth_missing' });
    });
  });
};
