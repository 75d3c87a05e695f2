/**
 * Row 16: what may be set while AgentPR runs is read and changed in the chat, in force at once, and
 * on record with who and when. And what rings at night.
 */
import { OpeningCapSettings, OpeningSettings } from '#limits';
import { openingsInForce } from '../../app/runtime-settings.ts';
import { describe, expect, it } from 'vitest';
import { dueDigestInboxItems } from '../../bot/unanswered-cards.ts';
import {
  lastQuietEnd,
  isQuiet,
  quietHoursKey,
  parseQuietHours,
  formatQuietHours,
} from '../../bot/quiet-hours.ts';
import { isWrongArgument } from '#model/chat';
import { RunBounds } from '#model/limits';
import { DAY, HOUR } from '#model/values';
import { readSetting, SETTING_NAMES, settingRow } from '../../orchestrator/settings/runtime-setting-rows.ts';
import { createRuntimeSettings } from '../../orchestrator/settings/runtime-settings.io.ts';
import { notifyOfMorningSummary } from '../../orchestrator/notices/morning-summary.ts';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';

const settingsBounds = RunBounds.parse({});

describe('O3: the settings of the installation', () => {
  it('are all on one screen, for everybody to read and for an admin to change', async () => {
    const w = await createChatWorld();
    expect((await w.says('/settings')).join()).toContain('You are 7, admin.');
    const before = w.messages.length;
    await w.taps('For new runs');
    expect(w.messages).toHaveLength(before);
    const said = w.messages.at(-1)?.text;
    for (const part of ['Usual engine: script', 'Time per run: 90 minutes', 'Tokens per run: no limit'])
      expect(said).toContain(part);
    const buttons = (): string[] =>
      w.messages
        .at(-1)
        ?.buttons.flat()
        .map((b) => b.text) ?? [];
    expect(buttons()).toEqual(expect.arrayContaining(['Engine', 'Signatures', 'Who changed what']));
    expect((await w.says('/settings runs', { by: VIC })).join()).toContain('Usual engine');
    expect(buttons()).toEqual(['All settings']);
    for (const by of [VIC, BO])
      expect((await w.says('/settings engine codex', { by })).join()).toMatch(/^Only admins/);
    expect(w.runtimeSettings.now().engine).toBe('script');
  });

  it('are changed by a tap in place, hold for the next run at once, and go back to what the host says', async () => {
    const w = await createChatWorld();
    await w.says('/settings');
    const before = w.messages.length;
    await w.taps('For new runs');
    await w.taps('Engine');
    await w.taps('codex');
    expect(w.messages).toHaveLength(before);
    expect(w.messages.at(-1)?.text).toContain('Recorded. Usual engine: codex.');
    expect(w.messages.at(-1)?.text).toContain('P7');
    await w.says('/settings cost 2.5');
    await w.says('/new acme/api Fix it');
    const [run] = await w.ledger.query.runs({ live: true, limit: 1 });
    expect(run?.order).toMatchObject({ engine: 'codex', bounds: { maxCostUsd: 2.5 } });
    await w.says('/settings engine default');
    expect(w.runtimeSettings.now().engine).toBe('script');
  });

  it('say who changed what and when, rights included, to admins only', async () => {
    const w = await createChatWorld();
    await w.says('/settings time 45');
    await w.says(`/users add ${VIC} operator Vic`);
    const [log] = await w.says('/settings log');
    expect(log).toMatch(/P7 · Time per run: 45 minutes/);
    expect(log).toMatch(/P7 · Vic: operator/);
    expect((await w.says('/settings time')).join()).toContain('P7 · Time per run: 45 minutes');
    expect((await w.says('/settings log', { by: BO })).join()).toMatch(/^Only admins/);
    expect(await w.ledger.query.changes(50)).toContainEqual(
      expect.objectContaining({ key: 'set:time', value: '45', by: { id: ANA, name: 'P7' } }),
    );
  });

  it.each([
    ['time 4', 'from 5 to 1,440'],
    ['time 1441', 'from 5 to 1,440'],
    ['time soon', 'from 5 to 1,440'],
    ['time 45.5', 'from 5 to 1,440'],
    ['time -5', 'from 5 to 1,440'],
    ['time off', 'from 5 to 1,440'],
    ['tokens 1e9', 'or off'],
    ['cost 0', 'or off'],
    ['engine gpt', 'script, codex'],
    ['own maybe', 'on, off'],
    ['parallel 4', 'from 1 to 3'],
    ['tiem 45', 'Did you mean time?'],
    ['colour red', 'There are: engine'],
    ['quiet late', 'Write it like this'],
    ['quiet 22:00-07:00 Mars/Base', 'Write it like this'],
  ])('refuse %s with what may be written', async (text, why) => {
    const w = await createChatWorld();
    expect((await w.says(`/settings ${text}`)).join()).toContain(why);
    expect(
      (await w.ledger.query.changes(9)).filter((one) => one.what === 'setting' && one.key.startsWith('set:')),
    ).toEqual([]);
  });

  it('E7: prompts are tried by a share of runs that an admin sets, and never where an order names some', async () => {
    const w = await createChatWorld();
    expect((await w.says('/settings trial 60')).join()).toContain('50');
    expect((await w.says('/settings trial 50')).join()).toContain('Prompts on trial: 50 % of runs');
    for (let i = 0; i < 12; i += 1) await w.says(`/new acme/api Fix ${i}`);
    await w.says('/new acme/api prompt_version=v1 Fix it');
    const runs = await w.ledger.query.runs({ live: true, limit: 20 });
    const [named] = runs.filter(({ order }) => order.goal === 'Fix it');
    expect(named?.order).toMatchObject({ promptVersion: 'v1' });
    expect(named?.order.promptExperiment).toBeUndefined();
    const tried = runs.filter(({ order }) => order.promptExperiment);
    expect(tried).toHaveLength(12);
    expect(tried.every(({ order }) => order.promptExperiment?.other === 'v2')).toBe(true);
    expect(new Set(tried.map(({ order }) => order.promptVersion))).toEqual(new Set(['v1', 'v2']));
  });

  it('survive a restart, but not a host that allows less', async () => {
    const w = await createChatWorld();
    await w.says('/settings parallel 1');
    await w.says('/settings engine aider');
    const { base } = w.runtimeSettings;
    const again = await createRuntimeSettings({
      ledger: w.ledger,
      clock: w.clock,
      base,
      limits: { engines: ['script'], prompts: ['v1'], parallel: 3 },
    });
    expect(again.now()).toMatchObject({ engine: 'script', maxParallelRuns: 1 });
  });

  it('G10: what waits for its hours looks again at once when they are changed', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.taps('Open PR');
    await w.taps('Confirm');
    const now = w.now();
    const [claim] = await w.ledger.claim({ now, leaseMs: 1_000, limit: 1, kinds: ['open_pr'] });
    if (!claim) throw new Error('there is no opening');
    const readyAt = now + 7_200_000;
    await w.ledger.finish(claim, { kind: 'later', at: readyAt, reason: 'its hours', counts: false }, now);
    const held = { action: 'open_pr', why: 'opening_hours', readyAt, position: 1 } as const;
    await w.offer(run.id, { type: 'worker.slot.awaited', ...held });
    const dueAt = async (): Promise<number | undefined> =>
      (await w.ledger.query.effects({ runId: run.id, kind: 'open_pr' }))[0]?.dueAt;
    await w.says('/settings time 45');
    expect(await dueAt()).toBe(readyAt);
    await w.says('/settings hours off');
    expect(await dueAt()).toBeLessThanOrEqual(w.now());
  });

  it('G10: an admin sets hours and caps of openings in the chat, which hold in place of the file’s', async () => {
    const w = await createChatWorld();
    const [hours] = await w.says('/settings hours sat-thu 00:00-24:00 Europe/Berlin');
    expect(hours).toContain('Hours for opening');
    expect(hours).toContain('It holds at once.');
    expect((await w.says('/settings ownercap 5')).join()).toContain('5 pull requests');
    const file = {
      openings: OpeningSettings.parse({ hours: 'mon 09:00-10:00 UTC' }),
      caps: OpeningCapSettings.parse({}),
    };
    expect(openingsInForce(file, w.runtimeSettings.now())).toMatchObject({
      windows: { hours: 'sat-thu 00:00-24:00 Europe/Berlin' },
      caps: { openPerOwner: 5, strangers: { openPerOwner: 3 } },
    });
    expect((await w.says('/settings hours weekdays')).join()).toContain('mon-fri 09:00-17:00 Europe/Berlin');
    expect((await w.says('/settings hours mon 09:00-10:00 Europe/Berln')).join()).toContain(
      'There is no time zone Europe/Berln. Did you mean Europe/Berlin?',
    );
    await w.says('/settings hours MON-wed,Sat  09:00-17:00 europe/berlin');
    expect(w.runtimeSettings.now().openingHours).toBe('mon-wed,sat 09:00-17:00 Europe/Berlin');
    for (const name of ['monthbudget 100', 'daycap 3', 'parallel 2'])
      expect((await w.says(`/settings ${name}`)).join(), name).toContain('It holds at once.');
    expect((await w.says('/settings time 45')).join()).toContain('for runs that start from now on');
    await w.says('/settings daycap off');
    await w.says('/settings hours off');
    await w.says('/settings ownercap off');
    expect(openingsInForce(file, w.runtimeSettings.now())).toMatchObject({
      windows: { repositories: {} },
      caps: {},
    });
    expect(w.runtimeSettings.now()).not.toHaveProperty('openingHours');
  });

  it('each accept what they say themselves, and do only what they are about', () => {
    const limits = { engines: ['script', 'codex'], prompts: ['v1'], parallel: 3 };
    for (const name of SETTING_NAMES) {
      const row = settingRow(name);
      const values = {
        engine: 'script',
        promptVersion: 'v1',
        trialPercent: null,
        maxParallelRuns: 3,
        maxRunsPerDay: 50,
      };
      const installation = { ...values, bounds: settingsBounds };
      const said = readSetting(name, row.read(installation), limits);
      expect(isWrongArgument(said), name).toBe(false);
      expect(row.write(installation, row.read(installation)), name).toEqual(installation);
    }
  });
});

describe('C2: quiet hours', () => {
  it.each([
    ['22:00-07:30 Europe/Berlin', '22:00-07:30 Europe/Berlin'],
    ['22-7', '22:00-07:00 UTC'],
    ['9:15 to 17 Asia/Shanghai', '09:15-17:00 Asia/Shanghai'],
    ['24:00-07:00', null],
    ['22:00-22:00', null],
    ['22:61-07:00', null],
    ['at night', null],
  ])('are read from %s', (text, said) => {
    const read = parseQuietHours(text);
    expect(read && formatQuietHours(read)).toBe(said);
  });

  it('hold across midnight, by the clock of their place, in summer and in winter', () => {
    const berlin = { from: 22 * 60, to: 7 * 60, zone: 'Europe/Berlin' };
    const at = (iso: string): number => Date.parse(iso);
    for (const [iso, quiet] of [
      ['2026-01-05T20:59:00Z', false],
      ['2026-01-05T21:00:00Z', true],
      ['2026-01-06T05:59:00Z', true],
      ['2026-01-06T06:00:00Z', false],
      ['2026-07-05T20:00:00Z', true],
      ['2026-07-06T05:00:00Z', false],
    ] as const)
      expect(isQuiet(berlin, at(iso)), iso).toBe(quiet);
    expect(lastQuietEnd(berlin, at('2026-01-06T08:30:15Z'))).toBe(at('2026-01-06T06:00:00Z'));
    expect(lastQuietEnd(berlin, at('2026-01-06T05:30:00Z'))).toBe(at('2026-01-05T06:00:00Z'));
  });

  it('keep a card silent, and bring it again with a digest that rings once when they are over', async () => {
    const w = await createChatWorld();
    // It is noon.
    await w.says('/settings quiet 11:00-13:00');
    const run = await w.readyRun();
    expect(w.messages.findLast((m) => m.text.startsWith('Open this'))?.silent).toBe(true);
    const due = async () => dueDigestInboxItems(w, w.clock.now());
    expect(await due()).toEqual([]);
    w.passes(HOUR + 60_000);
    const [note] = await due();
    expect(await due()).toEqual([note]);
    const before = w.messages.length;
    for (const _ of [1, 2]) {
      const [row] = await w.ledger.receive(note ? [note] : [], w.clock.now());
      expect(row).toBeDefined();
    }
    for (const row of await w.ledger.inbox(10)) await notifyOfMorningSummary(w.ledger, row, w.clock);
    await w.deliver();
    const said = w.messages.slice(before);
    expect(said.map(({ silent }) => silent)).toEqual([false, true]);
    expect(said[0]?.text).toContain('Your quiet hours are over.');
    expect(said[0]?.text).toContain(run.id);
    expect(said[1]?.text).toMatch(/^Open this/);
    await w.taps('Open PR');
    await w.taps('Confirm');
    expect((await w.run(run.id)).gate.consumedApproval).not.toBeNull();
  });

  it('G3: somebody with accounts in two chats is told at the end of the hours of each', async () => {
    const w = await createChatWorld();
    await w.ledger.setSetting(quietHoursKey('U0ANA0001'), '11:00-12:00', { id: '7', name: 'Ana' });
    w.passes(60_000);
    expect(await dueDigestInboxItems(w, w.clock.now())).toEqual([]);
    const accountsOf = (user: string) => (user === '7' ? ['U0ANA0001'] : []);
    expect(await dueDigestInboxItems({ ...w, accountsOf }, w.clock.now())).toMatchObject([
      { body: { chat: 'U0ANA0001' } },
    ]);
  });

  it('bring one digest in the night in which the clock shows an hour twice', async () => {
    for (const [hours, from] of [
      ['22:00-02:30 Europe/Berlin', '2026-10-25T00:30:00Z'],
      ['21:00-23:30 Europe/Berlin', '2026-10-24T21:30:00Z'],
    ] as const) {
      const w = await createChatWorld();
      w.passes(Date.parse(from) - w.clock.now());
      await w.ledger.setSetting(quietHoursKey('7'), hours, { id: '7', name: 'Ana' });
      const keys = new Set<string>();
      for (let i = 0; i < 12; i += 1) {
        for (const { key } of await dueDigestInboxItems(w, w.clock.now())) keys.add(key);
        w.passes(15 * 60_000);
      }
      expect([...keys], hours).toHaveLength(1);
      w.passes(DAY - 3 * HOUR);
      for (const { key } of await dueDigestInboxItems(w, w.clock.now())) keys.add(key);
      w.passes(HOUR);
      for (const { key } of await dueDigestInboxItems(w, w.clock.now())) keys.add(key);
      expect([...keys], hours).toHaveLength(2);
    }
  });

  it('bring no digest when nothing waits', async () => {
    const w = await createChatWorld();
    await w.says('/settings quiet 11:00-12:00');
    w.passes(60_000);
    const before = w.messages.length;
    await w.ledger.receive(await dueDigestInboxItems(w, w.clock.now()), w.clock.now());
    for (const row of await w.ledger.inbox(10)) await notifyOfMorningSummary(w.ledger, row, w.clock);
    await w.deliver();
    expect(w.messages).toHaveLength(before);
  });
});

it('C6: what waits for somebody has words on its button, and what is urgent is before what is queued', async () => {
  const w = await createChatWorld();
  await w.says('/new bo/queued Wait for a turn');
  const run = await w.readyRun();
  await w.says('/pending');
  expect(
    w.messages
      .at(-1)
      ?.buttons.flat()
      .map((b) => b.text),
  ).toEqual([`Decide · api ${run.id}`]);
  const [status] = await w.says('/status');
  expect(status?.indexOf(run.id)).toBeLessThan(status?.indexOf('bo/queued') ?? -1);
});
