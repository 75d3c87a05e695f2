/** E21: what an agent does now reaches its progress message, and no secret or escape goes with it. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '#model/reports';
import type { Activity } from '#model/agent';
import { startActivityNotes } from '#notices';
import { createPrintedLineReader, createProgressReporter } from '../../executors/process/report-progress.ts';
import { findLastLine, toPlainLine } from '../../executors/process/plain-text.ts';
import { createActivityLog } from '../../orchestrator/kernel/handlers/record-activity.ts';
import { notifyOfActivity } from '../../orchestrator/notices/activity-notice.ts';
import type { IncomingItem } from '#ports/steps';
import { createChatWorld } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';
import { createClock, settle } from '../support/timers.ts';

const reporter = () => {
  const told: Activity[] = [];
  return { told, progress: createProgressReporter((activity) => void told.push(activity)) };
};
const newest = (told: readonly Activity[]): readonly string[] => told.at(-1)?.lines ?? [];

describe('what an engine reports', () => {
  it('E21: keeps the last twenty lines, without escapes and control characters', () => {
    const { told, progress } = reporter();
    for (let i = 1; i <= 30; i += 1) progress.print(`\u001b[31mline ${i}\u001b[0m\u0007\n`);
    progress.say('\u001b]0;title\u0007$ npm test', 'command');
    progress.end();
    const again = reporter();
    again.progress.print(Array.from({ length: 30 }, (_, i) => `\u001b[2Jline ${i + 1}`).join('\r\n'));
    expect(newest(again.told)).toEqual(Array.from({ length: 20 }, (_, i) => `line ${i + 11}`));
    again.progress.end();
    expect(told[0]?.lines).toEqual(['line 1']);
  });

  it('E21: says what streams in once, however often it grows, and what comes next beside it', async () => {
    const { told, progress } = reporter();
    for (const said of ['I', 'I look', 'I look at it.\nThen', 'I look at it.\nThen I test.'])
      progress.say(said, 'says');
    progress.say('$ npm test', 'command');
    await expect.poll(() => newest(told)).toEqual(['I look at it.', 'Then I test.', '$ npm test']);
    expect(told.at(-1)).toMatchObject({ kind: 'command', text: '$ npm test' });
    progress.end();
  });

  it('E21: gives whole lines of what is printed, and drops one that is too long', () => {
    const taken: string[] = [];
    const print = createPrintedLineReader((lines) => void taken.push(...lines));
    for (const piece of ['one\ntw', 'o\n', 'x'.repeat(70_000), 'x'.repeat(70_000), 'rest\nthree\n'])
      print(Buffer.from(piece));
    expect(taken).toEqual(['one', 'two', 'three']);
  });
});

const SAYS: Activity = { kind: 'command', text: '$ npm run lint', lines: ['$ npm run lint'] };

const working = async () => {
  const w = await createChatWorld();
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  await w.offer(
    'q1',
    { type: 'command.run.create', runId: 'q1', order: anOrder({ engine: 'codex' }) },
    ...toWork,
  );
  const attempt = await w.ledger.attempt.start({
    runId: 'q1',
    step: 'agent',
    command: 'codex',
    startedAt: w.clock.now(),
    engine: 'codex',
    model: null,
    promptHash: null,
    baseSha: null,
    containment: null,
    pid: null,
    pidStart: null,
  });
  return { ...w, attempt };
};
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe('what is kept of it', () => {
  it('E21: writes the newest at most once a second, and nothing after the end', async () => {
    const { ledger, attempt } = await working();
    const clock = createClock();
    const activity = createActivityLog({ ledger, clock, log }, attempt);
    const kept = async () => (await ledger.query.attemptsAtWork())[0]?.activity;
    const saw: (string | undefined)[] = [];
    for (let i = 0; i < 30; i += 1) {
      activity.note({ ...SAYS, text: `step ${i}` });
      await clock.pass(100);
      saw.push((await kept())?.text);
    }
    expect(new Set(saw).size).toBeGreaterThanOrEqual(3);
    expect(new Set(saw).size).toBeLessThanOrEqual(4);
    activity.used({ ...NO_USAGE, costUsd: 0.5 });
    activity.note({ ...SAYS, text: 'y'.repeat(500) });
    await clock.pass(1_000);
    expect(await kept()).toMatchObject({ usage: { costUsd: 0.5 } });
    expect((await kept())?.text).toHaveLength(200);
    activity.note({ ...SAYS, text: 'late' });
    await activity.end();
    await clock.pass(5_000);
    expect((await kept())?.text).not.toBe('late');
  });
});

describe('secrets of what an attempt does', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const keyLines = key.export({ type: 'pkcs8', format: 'pem' }).toString().trim().split('\n');
  /** What the ledger keeps of what is reported. */
  const keptOf = async (
    report: (progress: ReturnType<typeof createProgressReporter>) => void,
  ): Promise<string> => {
    const { ledger, attempt } = await working();
    const clock = createClock();
    const activity = createActivityLog({ ledger, clock, log }, attempt);
    const { told, progress } = reporter();
    report(progress);
    const last = 'the end';
    progress.print(`${last}\n`);
    await expect.poll(() => newest(told).at(-1)).toBe(last);
    progress.end();
    activity.note(told.at(-1) ?? SAYS);
    await clock.pass(1_000);
    await activity.end();
    return JSON.stringify((await ledger.query.attemptsAtWork())[0]?.activity);
  };
  const expectNoKey = (kept: string): void => {
    for (const line of keyLines.slice(1, -1)) expect(kept).not.toContain(line.slice(0, 12));
  };

  it('C5: hides a token at the cut of a line that is kept', async () => {
    const kept = await keptOf((progress) => progress.print(`${'x '.repeat(81)}${token} end\n`));
    expect(kept).not.toContain(token.slice(0, 12));
  });

  it('C5: hides a key whose first line scrolled away', async () => {
    expectNoKey(await keptOf((progress) => progress.print(keyLines.join('\n'))));
  });

  it('C5: hides a key that comes in pieces, printed, said or streamed', async () => {
    expectNoKey(await keptOf((progress) => keyLines.forEach((line) => progress.print(`${line}\n`))));
    expectNoKey(await keptOf((progress) => keyLines.forEach((line) => progress.say(line, 'says'))));
    const grown = keyLines.map((_, i) => keyLines.slice(0, i + 1).join('\n'));
    expectNoKey(await keptOf((progress) => grown.forEach((text) => progress.say(text, 'says'))));
    const streams = (progress: ReturnType<typeof createProgressReporter>): void => {
      const [toOut, toErr] = [
        createPrintedLineReader(progress.stream),
        createPrintedLineReader(progress.stream),
      ];
      for (const line of keyLines) {
        toOut(Buffer.from(`${line}\n`));
        toErr(Buffer.from('Still at work.\n'));
      }
    };
    expectNoKey(await keptOf(streams));
  });

  it('C5: hides the rest of a key before which a longer text is not read', async () => {
    const after = 'x'.repeat(63_000);
    expectNoKey(await keptOf((progress) => progress.print([...keyLines.slice(0, -1), after].join('\n'))));
  });

  it('C5: hides a token before a sentence of an engine is cut', () => {
    const text = `${'x '.repeat(240)}${token}`;
    expect(toPlainLine(text, 500)).not.toContain(token.slice(0, 12));
    expect(findLastLine(`Failed.\n${text}`, 500)).not.toContain(token.slice(0, 12));
    expect(findLastLine(keyLines.slice(0, 9).join('\n'))).toBe('[secret 9]');
  });

  it('shows again what is printed after a key', async () => {
    const kept = await keptOf((progress) => {
      for (const line of keyLines) progress.print(`${line}\n`);
      progress.print('sha256-AbCdEfGh1234567890AbCdEfGh1234567890\n');
    });
    expect(kept).toContain('sha256-AbCdEfGh1234567890AbCdEfGh1234567890');
  });
});

describe('the progress message', () => {
  const say = (w: Awaited<ReturnType<typeof working>>, activity: Activity, costUsd = 0) =>
    w.ledger.attempt.recordActivity(w.attempt, {
      ...activity,
      at: w.clock.now(),
      usage: { ...NO_USAGE, costUsd },
    });
  const progressOf = (w: Awaited<ReturnType<typeof working>>): string =>
    w.messages.findLast(({ text }) => text.startsWith('Working · '))?.text ?? '';

  it('E21: gains one line with what it does now and what a minute costs, and no sound', async () => {
    const w = await working();
    const timers = createClock(w.clock.now());
    const notes: IncomingItem[] = [];
    const job = startActivityNotes({
      ledger: w.ledger,
      clock: w.clock,
      timers,
      log,
      receive: async (items) => void notes.push(...items),
    });
    const look = async (): Promise<number> => {
      notes.length = 0;
      await timers.pass(30_000);
      await settle();
      return notes.length;
    };
    await say(w, SAYS);
    // A turn that began just now may be over before anybody looks.
    expect(await look()).toBe(0);
    w.passes(60_000);
    await say(w, SAYS, 0.3);
    expect(await look()).toBe(1);
    const [note] = notes;
    if (!note) throw new Error('there is no note');
    await w.ledger.receive([note], w.clock.now());
    const row = (await w.ledger.inbox(10)).find(({ key }) => key === note.key);
    if (!row) throw new Error('the note was not stored');
    await notifyOfActivity(w.ledger, row, w.clock);
    await w.deliver();
    expect(progressOf(w)).toContain('↳ runs $ npm run lint · $0.30 a minute');
    // The same again edits nothing.
    await say(w, SAYS, 0.4);
    expect(await look()).toBe(0);
    await say(w, { kind: 'waits', text: '', lines: [] });
    expect(await look()).toBe(1);
    await job.stop();
  });

  it('E21: shows no secret of what it says', async () => {
    const w = await working();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await say(w, { kind: 'says', text: `the token is ${token}`, lines: [token] });
    await w.offer('q1', {
      type: 'command.agent.tell',
      by: { id: '1', name: 'Ana' },
      words: 'Go on.',
      when: 'after',
    });
    expect(progressOf(w)).toContain('says: the token is');
    expect(progressOf(w)).not.toContain(token);
  });
});
