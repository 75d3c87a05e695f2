/** Attempts, artifacts, people, settings, and the chain that replay reads. */
import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { findBrokenLink, GENESIS_HASH, linkHash } from '../../db/integrity/hash-chain.ts';
import type { EventRow } from '#ports/ledger';
import { enter, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

const attempt = (step: string) => ({
  runId: 'r1',
  step,
  command: 'npm test',
  startedAt: 5,
  engine: 'codex',
  model: 'm',
  promptHash: 'p',
  baseSha: 'b',
  containment: 'bwrap' as const,
  pid: null,
  pidStart: null,
});
const ended = {
  exitCode: 1,
  outcome: 'failed',
  ms: 12,
  stdout: 'out',
  stderr: 'err',
  containment: 'bwrap' as const,
  model: 'a model',
};
const link = (e: EventRow, stateAfter: string) => ({ ...e, payload: e.body, stateAfter });

export const recordContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);

  it('F4: keeps what the code host answered last, through a restart', async () => {
    const first = { etag: '"a"', body: '{"state":"open"}', more: false, at: 5 };
    await ledger().answers.keep('/pulls/1', first);
    await ledger().answers.keep('/pulls/2', { ...first, more: true });
    const last = { ...first, etag: '"b"', at: 9 };
    await ledger().answers.keep('/pulls/1', last);
    const { answers } = await restart();
    expect(await answers.recall('/pulls/1')).toEqual(last);
    expect(await answers.recall('/pulls/2')).toEqual({ ...first, more: true });
    expect(await answers.recall('/pulls/3')).toBeNull();
  });

  it('L1: keeps every process that ran for a run, numbered by step', async () => {
    await write(ledger(), 'r1');
    const first = await ledger().attempt.start(attempt('agent'));
    await ledger().attempt.recordProcess(first, 4_242, 'since');
    await ledger().attempt.end(first, ended);
    await ledger().attempt.start(attempt('agent'));
    await ledger().attempt.start(attempt('check'));
    const rows = await ledger().query.attempts('r1');
    expect(rows.map((r) => [r.step, r.no, r.outcome])).toEqual([
      ['agent', 1, 'failed'],
      ['agent', 2, 'running'],
      ['check', 1, 'running'],
    ]);
    expect(rows[0]).toMatchObject({ ...attempt('agent'), ...ended, pid: 4_242, pidStart: 'since' });
  });

  it('L6: attempts that were cut off by a restart are found, those of this boot are not', async () => {
    await write(ledger(), 'r1');
    const cut = await ledger().attempt.start(attempt('agent'));
    expect(await ledger().attempt.orphans()).toEqual([]);
    const next = await restart();
    await next.attempt.start(attempt('check'));
    expect((await next.attempt.orphans()).map((a) => a.id)).toEqual([cut]);
    await next.attempt.end(cut, { ...ended, outcome: 'interrupted' });
    expect(await next.attempt.orphans()).toEqual([]);
  });

  it('E9: keeps turns in their order, the last as long as it is under way, through a restart', async () => {
    await write(ledger(), 'r1');
    const turn = { runId: 'r1', attempt: 1, at: 5, ended: false, facts: '{"a":1}', texts: '{}' };
    const first = await ledger().turn({ ...turn, seq: 1 });
    const over = await ledger().turn({ ...turn, seq: 1, at: 9, ended: true, facts: '{"a":2}' });
    expect(over.hash).not.toBe(first.hash);
    await expect(ledger().turn({ ...turn, seq: 1 })).rejects.toThrow('does not follow');
    await expect(ledger().turn({ ...turn, seq: 3 })).rejects.toThrow('does not follow');
    const { hash } = await ledger().turn({ ...turn, seq: 2, facts: '{"b":"\\u0000"}' });
    const { query } = await restart();
    expect(await query.turns('r1')).toEqual([
      { ...turn, seq: 1, ended: true, facts: '{"a":2}', hash: over.hash, fault: null },
      { ...turn, seq: 2, facts: '{"b":"\\u0000"}', hash, fault: null },
    ]);
    expect(await query.turns('r2')).toEqual([]);
  });

  it('E21: keeps what an attempt does while it runs, and lists those of all runs', async () => {
    await write(ledger(), 'r1');
    await write(ledger(), 'r2');
    const first = await ledger().attempt.start(attempt('agent'));
    const other = await ledger().attempt.start({ ...attempt('check'), runId: 'r2' });
    const usage = { inputTokens: 1, outputTokens: 2, costUsd: 0.5 };
    const activity = { kind: 'command', text: '$ npm test', lines: ['ok 1'], at: 7, usage } as const;
    await ledger().attempt.recordActivity(first, { ...activity, lines: [...activity.lines] });
    const atWork = async () =>
      (await ledger().query.attemptsAtWork()).map((one) => [one.id, one.runId, one.activity]);
    expect(await atWork()).toEqual([
      [first, 'r1', activity],
      [other, 'r2', null],
    ]);
    await ledger().attempt.end(first, ended);
    expect(await atWork()).toEqual([[other, 'r2', null]]);
    expect((await ledger().query.attempts('r1'))[0]?.activity).toBeNull();
  });

  it('E18: keeps what an attempt may have been billed, through a restart', async () => {
    await write(ledger(), 'r1');
    const id = await ledger().attempt.start(attempt('agent'));
    expect((await ledger().query.attempts('r1'))[0]?.billed).toBeNull();
    const most = { inputTokens: 70, outputTokens: 128_000, costUsd: 1.28 };
    await ledger().attempt.recordBill(id, { inputTokens: 1, outputTokens: 2, costUsd: 0 });
    await ledger().attempt.recordBill(id, most);
    const { query } = await restart();
    expect((await query.attempts('r1')).map(({ billed }) => billed)).toEqual([most]);
  });

  it('L8: keeps the end of a log that is too long, and refuses an artifact that is', async () => {
    await write(ledger(), 'r1');
    const id = await ledger().attempt.start(attempt('agent'));
    await ledger().attempt.end(id, { ...ended, stdout: `${'x'.repeat(300_000)}the end` });
    const [row] = await ledger().query.attempts('r1');
    expect(row?.stdout).toMatch(/^\[\d+ characters left out\]\nx+the end$/);
    const large = ledger().artifact({ runId: 'r1', type: 'log', content: 'x'.repeat(1_048_577), at: 1 });
    await expect(large).rejects.toThrow('Shorten it first');
  });

  it('L8: forgets what a run kept of a type, but for what is named, and nothing of others', async () => {
    const keep = (runId: string, type: string, content: string) =>
      ledger().artifact({ runId, type, content, at: 1 });
    await write(ledger(), 'r1');
    await write(ledger(), 'r2');
    const [old, kept, log] = [
      await keep('r1', 'part', 'old'),
      await keep('r1', 'part', 'kept'),
      await keep('r1', 'log', 'said'),
    ];
    const others = await keep('r2', 'part', 'old');
    await ledger().forget({ runId: 'r1', types: ['part'], except: [kept] });
    const says = async (runId: string, digest: string) =>
      (await ledger().query.artifact(runId, digest))?.content ?? null;
    expect(await says('r1', old)).toBeNull();
    expect(await says('r1', kept)).toBe('kept');
    expect(await says('r1', log)).toBe('said');
    expect(await says('r2', others)).toBe('old');
    await ledger().forget({ runId: 'r1', types: ['part', 'log'], except: [] });
    expect(await ledger().query.newest('r1', 'part')).toBeNull();
    // What was forgotten may be kept again.
    expect(await says('r1', await keep('r1', 'part', 'old'))).toBe('old');
  });

  it('L5: names artifacts by their digest, each in its own run', async () => {
    await write(ledger(), 'r1');
    await write(ledger(), 'r2');
    const put = (content: string): Promise<string> =>
      ledger().artifact({ runId: 'r1', type: 'log', content, at: 1 });
    const [one, two, again] = [await put('one'), await put('two'), await put('one')];
    expect(two).toBe(`sha256:${hash('sha256', 'two')}`);
    expect(again).toBe(one);
    expect(await ledger().query.artifact('r1', two)).toEqual({ type: 'log', content: 'two' });
    expect(await ledger().query.artifact('r2', two)).toBeNull();
    expect(await ledger().query.artifact('r1', '1 or 1=1')).toBeNull();
  });

  it('L5: changes a setting in one transaction, so that of many at once none is lost', async () => {
    const add = (one: number): Promise<number> =>
      ledger().changeSetting('numbers', (before) => {
        const numbers = JSON.parse(before ?? '[]') as number[];
        return { to: JSON.stringify([...numbers, one]), answer: numbers.length };
      });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => add(i)));
    expect(answers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i));
    const kept = JSON.parse((await ledger().query.setting('numbers')) ?? '[]') as number[];
    expect(kept.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i));
    const same = await ledger().changeSetting('numbers', (before) => ({ to: null, answer: before }));
    expect(same).toBe(JSON.stringify(kept));
    expect(await (await restart()).query.setting('numbers')).toBe(JSON.stringify(kept));
  });

  it('keeps people and settings, the latest word counting', async () => {
    await ledger().setUser({ id: '7', name: 'Ana', role: 'viewer' }, null);
    await ledger().setUser({ id: '7', name: 'Ana', role: 'approver' }, null);
    await ledger().setSetting('language', 'en');
    await ledger().setSetting('language', 'zh');
    expect(await ledger().query.user('7')).toEqual({ id: '7', name: 'Ana', role: 'approver' });
    expect(await ledger().query.users()).toHaveLength(1);
    expect(await ledger().query.user('8')).toBeNull();
    await ledger().removeUser('8', null);
    await ledger().removeUser('7', null);
    expect(await ledger().query.users()).toEqual([]);
    expect(await ledger().query.setting('language')).toBe('zh');
    expect(await ledger().query.setting('other')).toBeNull();
  });

  it('L5: chains the events of a run and signs its head', async () => {
    await write(ledger(), 'r1');
    await enter(ledger(), 'r1', 'DISCOVERY');
    await enter(ledger(), 'r1', 'PAUSED');
    const states = ['QUEUED', 'DISCOVERY', 'PAUSED'];
    const events = (await ledger().query.events('r1')).map((e, i) => link(e, states[i] ?? ''));
    const [head] = await ledger().query.heads();
    expect(head).toMatchObject({
      seq: 3,
      hash: events[2]?.hash,
      macValid: true,
      run: { lifecycle: { state: 'PAUSED' } },
    });
    expect(findBrokenLink(events, { seq: 3, hash: head?.hash ?? '' })).toBeNull();
    expect(findBrokenLink(events.slice(0, 2), { seq: 3, hash: head?.hash ?? '' })).toContain(
      'ends before event 3',
    );
    expect(findBrokenLink(events.slice(1), { seq: 3, hash: head?.hash ?? '' })).toContain(
      'stands where event 1',
    );
  });

  it('L5: notices any word of an event that was changed', async () => {
    await write(ledger(), 'r1');
    const [event] = await ledger().query.events('r1');
    if (!event) throw new Error('no event');
    const whole = link(event, 'QUEUED');
    const changes = [
      { type: 'x' },
      { key: 'x' },
      { payload: '{}' },
      { stateAfter: 'DONE' },
      { at: 2 },
      { runId: 'r2' },
    ];
    for (const change of changes) {
      const changed = { ...whole, ...change };
      expect(findBrokenLink([changed], event)).toContain('is not what was logged');
      expect(linkHash(GENESIS_HASH, changed)).not.toBe(event.hash);
    }
  });
};
