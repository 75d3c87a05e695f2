/**
 * What people may say and tap, and what comes of it: the real handler, ledger and machine, with a
 * chat kept in memory.
 */
import { describe, expect, it } from 'vitest';
import { reduceToStoredUpdate } from '../../bot/commands/read-telegram-update.ts';
import { riskSlot } from '../../bot/commands/verify-card.ts';
import type { Order } from '#model/order';
import type { SealFields } from '#model/seal';
import type { Run } from '#run';
import { own } from '../support/actions.ts';
import { LANGUAGE_TEXTS } from '#language';
import { read } from '../support/typed.ts';
import { anOrder } from '../support/ledger.ts';
import { someAssessment, someProposal } from '../support/ready-run.ts';
import { ANA, BO, STRANGER, VIC, createChatWorld } from '../support/chat-world.ts';

const order = (changes: object = {}): object => ({
  repo: 'acme/api',
  goal: 'Fix it',
  base: null,
  engine: null,
  flow: null,
  promptVersion: null,
  checks: [],
  branch: null,
  title: null,
  ...changes,
});

describe('the grammar', () => {
  const table: [string, object][] = [
    ['/new acme/api Fix it', { kind: 'new', order: order() }],
    ['/NEW@AgentPR_bot   acme/api   Fix it  ', { kind: 'new', order: order() }],
    ['/new acme/api "Fix it"', { kind: 'new', order: order() }],
    [
      '/new acme/api Fix it base=dev engine=Codex',
      { kind: 'new', order: order({ base: 'dev', engine: 'codex' }) },
    ],
    ['/new acme/api base=dev Fix it', { kind: 'new', order: order({ base: 'dev' }) }],
    [
      '/new acme/api Fix it check="npm test" check=“npm run lint”',
      { kind: 'new', order: order({ checks: ['npm test', 'npm run lint'] }) },
    ],
    [
      '/new acme/api Fix it title="A b" branch=fix/x prompt_version=v2',
      { kind: 'new', order: order({ title: 'A b', branch: 'fix/x', promptVersion: 'v2' }) },
    ],
    [
      '/new acme/api Set base=main in the config file',
      { kind: 'new', order: order({ goal: 'Set base=main in the config file' }) },
    ],
    ["/new acme/api Don't\nbreak it", { kind: 'new', order: order({ goal: "Don't\nbreak it" }) }],
    ['/new', { kind: 'wrong', command: 'new' }],
    ['/new acme Fix it', { kind: 'wrong', why: expect.stringContaining('owner/name') as string }],
    [
      '/new https://evil.example/a.git Fix',
      { kind: 'wrong', why: expect.stringContaining('owner/name') as string },
    ],
    ['/new acme/api', { kind: 'wrong', why: 'Say what to change.' }],
    ['/new acme/api Fix it flow=Plan', { kind: 'new', order: order({ flow: 'plan' }) }],
    [
      '/new acme/api Fix it flow=fast',
      { kind: 'wrong', why: expect.stringContaining('direct, plan') as string },
    ],
    ['/new acme/api Fix it discovery=agent', { kind: 'new', order: order({ discovery: 'agent' }) }],
    [
      '/new acme/api Fix it discovery=guess',
      { kind: 'wrong', why: expect.stringContaining('files, agent') as string },
    ],
    [
      '/new acme/api Fix it install=None check=true',
      { kind: 'new', order: order({ install: 'none', checks: ['true'] }) },
    ],
    [
      '/new acme/api Fix it install=all',
      { kind: 'wrong', why: expect.stringContaining('found, none') as string },
    ],
    [
      '/new acme/api Fix it budget=cost:$1.50 budget=tokens:200k budget=time:2h',
      {
        kind: 'new',
        order: order({
          budgets: [
            { budget: 'cost', amount: 1.5 },
            { budget: 'tokens', amount: 200_000 },
            { budget: 'time', amount: 120 },
          ],
        }),
      },
    ],
    ['/new acme/api Fix budget=cost:-1', { kind: 'wrong', why: expect.stringContaining('amount') as string }],
    [
      '/new acme/api Fix budget=cost:2:3',
      { kind: 'wrong', why: expect.stringContaining('amount') as string },
    ],
    [
      '/new acme/api Fix budget=time:0.0001',
      { kind: 'wrong', why: expect.stringContaining('amount') as string },
    ],
    [
      '/new acme/api Fix budget=time:999999999999h',
      { kind: 'wrong', why: expect.stringContaining('amount') as string },
    ],
    [
      '/budget r7k2 tokens 999999999999m',
      { kind: 'wrong', why: expect.stringContaining('amount') as string },
    ],
    ['/new acme/api Fix budget=luck:1', { kind: 'wrong', why: expect.stringContaining('tokens') as string }],
    ['/new acme/api Fix base=a..b', { kind: 'wrong', why: expect.stringContaining('branch name') as string }],
    ['/new acme/api Fix base=a base=b', { kind: 'wrong', why: 'base= was given twice.' }],
    ['/new acme/api Fix it base=', { kind: 'wrong', why: 'base= needs a value.' }],
    ['/new acme/api base= Fix it', { kind: 'wrong', why: 'base= needs a value.' }],
    ['/new acme/api Fix it title=""', { kind: 'wrong', why: 'title= needs a value.' }],
    [
      '/new acme/api Fix it check="npm test',
      { kind: 'wrong', why: expect.stringContaining('never closed') as string },
    ],
    ['/new acme/api Fix it check=‘npm test’', { kind: 'new', order: order({ checks: ['npm test'] }) }],
    ['/new acme/api Fix it title=“A b', { kind: 'wrong', why: expect.stringContaining('title=') as string }],
    ['/new acme/api "Fix it', { kind: 'wrong', why: expect.stringContaining('before the goal') as string }],
    [
      '/new acme/api Fix it egnine=codex',
      { kind: 'wrong', why: expect.stringContaining('Did you mean engine=') as string },
    ],
    [
      '/new acme/api colour=red Fix it',
      { kind: 'wrong', why: expect.stringContaining('base= engine=') as string },
    ],
    ['/new acme/api "Set retries=3"', { kind: 'new', order: order({ goal: 'Set retries=3' }) }],
    [
      '/new acme/api Say that the 5" is wide',
      { kind: 'new', order: order({ goal: 'Say that the 5" is wide' }) },
    ],
    ['/new acme/api Make a==b hold', { kind: 'new', order: order({ goal: 'Make a==b hold' }) }],
    ...[
      'https://github.com/acme/api',
      'http://github.com/acme/api/',
      'https://www.github.com/acme/api.git',
      'git@github.com:acme/api.git',
      'ssh://git@github.com/acme/api.git',
      'github.com/acme/api',
      'https://github.com/acme/api/pull/12/files',
    ].map((link): [string, object] => [
      `/new ${link} Fix it`,
      { kind: 'new', order: order({ host: 'github.com' }) },
    ]),
    // A page of a branch means that branch; what is said in words counts before it.
    ...(
      [
        ['<https://github.com/acme/api/tree/main/src?x=1#y>,', '', 'main'],
        ['https://github.com/acme/api/tree/next', '', 'next'],
        ['https://github.com/acme/api/tree/feature/x', '', 'feature/x'],
        ['https://github.com/acme/api/tree/next', 'base=stable ', 'stable'],
      ] as const
    ).map(([link, option, base]): [string, object] => [
      `/new ${link} ${option}Fix it`,
      { kind: 'new', order: order({ host: 'github.com', base }) },
    ]),
    [
      '/new https://github.com/acme/api/issues/7 Fix it',
      {
        kind: 'new',
        order: order({ host: 'github.com', goal: 'Fix it (https://github.com/acme/api/issues/7)' }),
      },
    ],
    ['/edit r7k2 title="A b', { kind: 'wrong', why: expect.stringContaining('title=') as string }],
    ['/edit r7k2 title=', { kind: 'wrong', why: 'title= needs a value.' }],
    ['/statsu', { kind: 'unknown', near: 'status' }],
    ['/pendng', { kind: 'unknown', near: 'pending' }],
    ['/settngs', { kind: 'unknown', near: 'settings' }],
    ['/det', { kind: 'unknown', near: 'detail' }],
    ['/re r7k2', { kind: 'unknown', near: null }],
    ['/runs', { kind: 'runs' }],
    ['/status', { kind: 'status' }],
    ['/start', { kind: 'greet' }],
    ['/help decide', { kind: 'help', topic: 'decide' }],
    ['/detail R7K2', { kind: 'detail', run: 'R7K2' }],
    ['/detail #r7k2', { kind: 'detail', run: '#r7k2' }],
    ['/status r7k2', { kind: 'detail', run: 'r7k2' }],
    ['/status', { kind: 'status' }],
    ['/detail', { kind: 'wrong', command: 'detail' }],
    ['/approve_open_pr r7k2', { kind: 'approve', run: 'r7k2', confirm: false }],
    ['/approve_open_pr r7k2 --confirm', { kind: 'approve', run: 'r7k2', confirm: true }],
    ['/Approve_Open_PR r7k2 —confirm', { kind: 'approve', run: 'r7k2', confirm: true }],
    ['/approve_open_pr r7k2 –Confirm', { kind: 'approve', run: 'r7k2', confirm: true }],
    ['/approve_open_pr r7k2 confirm', { kind: 'wrong', command: 'approve' }],
    ['/approve_open_pr --confirm', { kind: 'wrong', command: 'approve' }],
    ['/approve_open_pr r7k2 r7k3 --confirm', { kind: 'wrong', command: 'approve' }],
    ['/deny r7k2', { kind: 'deny', run: 'r7k2', final: false, reason: '' }],
    ['/deny r7k2 —final too  big', { kind: 'deny', run: 'r7k2', final: true, reason: 'too  big' }],
    ['/deny r7k2 too big --final', { kind: 'deny', run: 'r7k2', final: true, reason: 'too big' }],
    ['/deny r7k2 --finally', { kind: 'wrong', command: 'deny' }],
    ['/retry r7k2', { kind: 'retry', run: 'r7k2', target: null, advice: null }],
    ['/retry r7k2 implementing', { kind: 'retry', run: 'r7k2', target: 'IMPLEMENTING', advice: null }],
    ['/retry r7k2 Use  the v2 API.', { kind: 'retry', target: null, advice: 'Use  the v2 API.' }],
    ['/retry r7k2 done is done', { kind: 'retry', target: null, advice: 'done is done' }],
    ['/retry r7k2 改用新的接口', { kind: 'retry', target: null, advice: '改用新的接口' }],
    [
      '/resume r7k2 IMPLEMENTING Use v2\nand no other',
      { kind: 'resume', target: 'IMPLEMENTING', advice: 'Use v2\nand no other' },
    ],
    [`/retry r7k2 ${'no '.repeat(700)}`, { kind: 'wrong', why: expect.stringContaining('2,000') as string }],
    ['/resume r7k2 ci wait', { kind: 'resume', run: 'r7k2', target: 'CI_WAIT' }],
    ['/retry r7k2 nowhere', { kind: 'wrong', why: 'nowhere is not a state.' }],
    ['/retry r7k2 QUEUED NOW', { kind: 'wrong', why: 'QUEUED NOW is not a state.' }],
    ['/pause r7k2', { kind: 'pause', run: 'r7k2' }],
    ['/cancel r7k2 not wanted', { kind: 'cancel', run: 'r7k2', reason: 'not wanted' }],
    ['/skip r7k2', { kind: 'skip', run: 'r7k2', reason: '' }],
    ['/done r7k2', { kind: 'done', run: 'r7k2' }],
    ['/pending', { kind: 'pending' }],
    ['/merge r7k2', { kind: 'unknown', name: 'merge' }],
    ['/constructor', { kind: 'unknown', name: 'constructor' }],
    ['/status@other_bot', { kind: 'other_bot' }],
    ['please approve', { kind: 'text' }],
  ];
  it.each(table)('C1: reads %s', (text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });
});

describe('typed commands', () => {
  it('C1, C8: /new records a run once, and the run’s own message says so', async () => {
    const w = await createChatWorld();
    const [said] = await w.says('/new acme/api Fix the test base=main');
    const id = /^Queued · acme\/api · (\w+)/.exec(said ?? '')?.[1] ?? '';
    expect((await w.run(id)).order).toMatchObject({
      repo: 'acme/api',
      goal: 'Fix the test',
      base: 'main',
      chat: ANA,
      engineArgs: ['x'],
    });
    expect(await w.ledger.inbox(10)).toEqual([]);
    const [other] = await w.says('/new acme/api Fix the test engine=codex');
    const { order } = await w.run(/^Queued · acme\/api · (\w+)/.exec(other ?? '')?.[1] ?? '');
    expect(order).toMatchObject({ engine: 'codex', engineArgs: [] });
  });

  it('C1: answers a malformed command with its form, and an unknown run with recent ones', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    expect(await w.says('/fix')).toEqual(['Write it like this: /fix <run> what to do']);
    expect(await w.says('/pause nosuch')).toEqual([
      `There is no run nosuch. Recent runs: ${run.id} (acme/api, Ready for your decision)`,
    ]);
    expect((await w.says('/frobnicate'))[0]).toMatch(/^I do not know \/frobnicate\.[\s\S]*What do you want/);
    expect((await w.run(run.id)).lifecycle.state).toBe('PUSHED');
  });

  it('C1: takes a command whatever a keyboard puts around it', async () => {
    const w = await createChatWorld();
    for (const text of ['\u200f/pending', '\ufeff /pending\u200b', '\uff0fpending', '/pending\u2069\n'])
      expect((await w.says(text)).join()).toContain('Nothing is waiting');
  });

  it('C1: says that pictures, files and voices are not taken, once for an album, and nothing of what is no wish', async () => {
    const w = await createChatWorld();
    const from = { id: Number(ANA), first_name: 'Ana' };
    const chat = { id: Number(ANA), type: 'private' };
    const base = { message_id: 900, from, chat };
    const answered = async (message: object): Promise<boolean> => {
      const before = w.messages.length;
      await w.update({ message });
      return w.messages.slice(before).some((m) => m.text.startsWith('I only read text'));
    };
    const document = { file_id: 'f', mime_type: 'application/pdf' };
    expect(await answered({ ...base, document, caption: '/new acme/api what the file says' })).toBe(true);
    expect(await answered({ ...base, voice: {} })).toBe(true);
    expect(await answered({ ...base, photo: [], caption: 'two of them', media_group_id: 'a' })).toBe(true);
    expect(await answered({ ...base, photo: [], media_group_id: 'a' })).toBe(false);
    expect(await answered({ ...base, pinned_message: {} })).toBe(false);
    const group = { ...base, chat: { id: -5, type: 'supergroup' } };
    expect(await answered({ ...group, photo: [], caption: 'look' })).toBe(false);
    expect(await answered({ ...group, photo: [], caption: '/status' })).toBe(true);
    expect(await w.ledger.query.runs({ live: false, limit: 9 })).toEqual([]);
  });

  it('C1: finds a run whatever its case, and tells why something is refused', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/pause ${run.id.toUpperCase()}`);
    expect((await w.run(run.id)).lifecycle.state).toBe('PAUSED');
    expect((await w.says(`/pause ${run.id}`)).join()).toContain('from there it cannot be paused');
  });

  it('C1, L8: a stranger gets one hint with the numeric id and no rights; only ids are kept', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    expect(await w.says(`/cancel ${run.id}`, { by: STRANGER })).toEqual([expect.stringContaining('666')]);
    expect(await w.says('/status', { by: STRANGER })).toEqual([]);
    expect((await w.run(run.id)).lifecycle.state).toBe('PUSHED');
    const update = {
      update_id: 5,
      message: {
        message_id: 1,
        from: { id: 666, first_name: 'Eve' },
        chat: { id: 666, type: 'private' },
        text: 'secret words',
      },
    };
    expect(reduceToStoredUpdate(update)).toEqual({
      update_id: 5,
      stranger: { user: '666', chat: '666', callback: null },
    });
    expect(
      reduceToStoredUpdate({ ...update, message: { ...update.message, chat: { id: -5, type: 'group' } } }),
    ).toBeNull();
  });

  it('G3: a viewer reads and changes nothing; an approver is needed to approve and deny', async () => {
    const w = await createChatWorld();
    await w.ledger.setUser({ id: '10', name: 'Olga', role: 'operator' }, null);
    const run = await w.readyRun();
    for (const text of [
      '/new a/b x',
      `/pause ${run.id}`,
      `/cancel ${run.id}`,
      `/deny ${run.id}`,
      `/approve_open_pr ${run.id} --confirm`,
    ]) {
      expect((await w.says(text, { by: VIC })).join(), text).toMatch(/^Only (operators|approvers)/);
    }
    for (const text of [`/deny ${run.id}`, `/approve_open_pr ${run.id} --confirm`]) {
      expect((await w.says(text, { by: '10' })).join(), text).toMatch(/^Only approvers/);
    }
    expect((await w.says('/status', { by: VIC })).join()).toContain(run.id);
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('E6: an order has budgets of its own; more than usual is for an approver to give', async () => {
    const w = await createChatWorld();
    await w.ledger.setUser({ id: '10', name: 'Olga', role: 'operator' }, null);
    await w.says('/new a/b x budget=cost:2 budget=time:30', { by: '10' });
    const [run] = await w.ledger.query.runs({ live: true, limit: 1 });
    expect(run?.order.bounds).toMatchObject({ maxCostUsd: 2, runMs: 30 * 60_000 });
    expect((await w.says('/new a/b x budget=time:9h', { by: '10' })).join()).toMatch(
      /^Only an approver .*time/,
    );
    expect(await w.ledger.query.runs({ live: true, limit: 9 })).toHaveLength(1);
    await w.says('/new a/b x budget=time:9h', { by: ANA });
    expect(await w.ledger.query.runs({ live: true, limit: 9 })).toHaveLength(2);
  });

  it('G4: forwards, edits, channels, anonymous admins and inline messages never act', async () => {
    const w = await createChatWorld();
    // Not even when somebody gave rights to the account that all anonymous admins share.
    await w.ledger.setUser({ id: '1087968824', name: 'Group', role: 'admin' }, null);
    const run = await w.readyRun();
    const text = `/approve_open_pr ${run.id} --confirm`;
    const from = { id: Number(ANA), first_name: 'Ana' };
    const chat = { id: Number(ANA), type: 'private' };
    const base = { message_id: 900, from, chat, text };
    await w.update({ message: { ...base, forward_origin: { type: 'user' } } });
    await w.update({ message: { ...base, forward_from: from, forward_date: 5 } });
    await w.update({ edited_message: base });
    await w.update({ channel_post: base });
    await w.update({ message: { ...base, chat: { id: -5, type: 'channel' } } });
    await w.update({ message: { ...base, chat: { id: -5, type: 'group' }, sender_chat: { id: -5 } } });
    await w.update({
      message: { ...base, text: `/cancel ${run.id}`, from: { id: 1087968824, first_name: 'Group' } },
    });
    await w.update({ message: { ...base, via_bot: { id: 3 } } });
    const token = w.messages
      .flatMap((m) => m.buttons.flat())
      .find((b) => b.text.startsWith('Open PR'))?.token;
    await w.update({ callback_query: { id: 'x', from, data: token, inline_message_id: 'i' } });
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
    expect(await w.ledger.inbox(10)).toEqual([]);
    expect(w.messages.map((m) => m.text)).toContain(
      'Forwarded messages are ignored. Write the command yourself.',
    );
  });

  it('G4: a typed confirmation counts only after the card was shown in this chat', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const said = await w.says(`/approve_open_pr ${run.id} --confirm`, { by: BO });
    expect(said[0]).toContain('Look at this card first');
    expect(said[1]).toMatch(/^Open this/);
    expect(await w.kinds(run.id)).not.toContain('open_pr');
    await w.says(`/approve_open_pr ${run.id} —confirm`, { by: BO });
    expect((await w.kinds(run.id)).filter((k) => k === 'open_pr')).toHaveLength(1);
    expect((await w.run(run.id)).gate.consumedApproval?.by).toBe('Bo');
    // Both copies of the card are closed.
    expect(w.messages.filter((m) => /Open this/.test(m.text))).toEqual([]);
  });

  it('G4: a card that was replaced is not the one that a typed confirmation is about', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/approve_open_pr ${run.id}`, { by: BO });
    const by = { id: ANA, name: 'Ana' };
    await w.offer(run.id, { type: 'command.pause', by }, { type: 'command.resume', by, target: null });
    expect((await w.run(run.id)).gate.approval?.id).not.toBe(run.gate.approval?.id);
    const said = await w.says(`/approve_open_pr ${run.id} --confirm`, { by: BO });
    expect(said[0]).toContain('Look at this card first');
    expect(await w.kinds(run.id)).not.toContain('open_pr');
  });

  it('G3: a signature counts no more when whoever gave it may not approve any more', async () => {
    const w = await createChatWorld();
    const { bounds } = anOrder();
    const run = await w.readyRun({ order: { bounds: { ...bounds, approvals: 2 } } });
    await w.says(`/approve_open_pr ${run.id}`, { by: BO });
    expect(await w.says(`/approve_open_pr ${run.id} --confirm`, { by: BO })).toMatchObject([
      expect.stringContaining('signature'),
    ]);
    await w.says(`/users add ${BO} viewer`);
    await w.says(`/approve_open_pr ${run.id}`);
    const [said] = await w.says(`/approve_open_pr ${run.id} --confirm`);
    expect(said).toContain('Bo signed this card but may no longer approve');
    await w.taps('Open PR');
    expect(await w.taps('Confirm')).toBe(said);
    expect((await w.run(run.id)).gate.approval?.signatures).toHaveLength(1);
    expect(await w.kinds(run.id)).not.toContain('open_pr');
    await w.says(`/users add ${BO} approver`);
    await w.taps('Confirm');
    expect(await w.kinds(run.id)).toContain('open_pr');
  });

  it('G10: a card says whose approval a policy still needs, and takes no other', async () => {
    const w = await createChatWorld();
    await w.ledger.setUser({ id: '9', name: 'Cy', role: 'approver' }, null);
    const asks = { approvals: 2, afterMs: 7_200_000 };
    const dba = { approvers: [{ name: '@dba', ids: [BO] }] };
    const reasons = [asks, dba].map((one, no) => ({
      policy: `custom:rule-${no}`,
      verdict: 'escalate' as const,
      reason: { kind: 'custom_policy' as const, says: 'Read it', at: [], more: 0, asks: one },
    }));
    const judged = { decision: 'escalate', risk: 'low', factors: [], policyVersion: 'p', reasons } as const;
    const run = await w.readyRun({ fields: { assessment: { ...judged, factors: [], reasons } } });
    const card = () => w.messages.findLast(({ text }) => text.includes('into main'))?.text ?? '';
    expect(card()).toContain('2 people must approve this · opened 2 hours after the last approval');
    await w.taps('Open PR');
    await w.taps('Confirm');
    expect(card()).toContain('1 of 2 approvals: P7 · still needs one of @dba');
    await w.taps('Open PR', { by: '9' });
    expect(await w.taps('Confirm', { by: '9' })).toBe(
      'A policy names who approves this: it still needs one of @dba.',
    );
    await w.taps('Open PR', { by: BO });
    await w.taps('Confirm', { by: BO });
    expect(await w.kinds(run.id)).toContain('open_pr');
  });

  it('G10: only an admin opens what waits for its hours now, by a button or a command', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.taps('Open PR');
    await w.taps('Confirm');
    const held = {
      action: 'open_pr',
      why: 'opening_hours',
      readyAt: w.now() + 7_200_000,
      position: 1,
    } as const;
    await w.offer(run.id, { type: 'worker.slot.awaited', ...held });
    expect(w.messages.findLast(({ text }) => text.includes('outside of its hours'))?.text).toContain(
      'Approved',
    );
    expect((await w.says('/status')).join('\n')).toContain('Approved, opens later');
    expect(await w.taps('Open now', { by: BO })).toBe('Only admins may do that; ask an admin.');
    expect((await w.says(`/open_now ${run.id}`, { by: BO })).join()).toContain('Only admins may do that');
    await w.taps('Open now');
    expect((await w.run(run.id)).gate.consumedApproval?.openNow).toBe('P7');
    expect(await w.kinds(run.id)).toContain('expedite_poll');
  });

  it('F5: an operator has the link posted where the order came from, and the card says so', async () => {
    const w = await createChatWorld();
    const quoted = { url: 'https://tracker.example/7', text: 'x', item: { hook: 'tracker', id: 'i-1' } };
    const run = await w.openRun({ order: { quoted } });
    const card = (): string | undefined =>
      w.messages.findLast(({ text }) => text.includes('Pull request #12 opened'))?.text;
    await w.says(`/users add ${BO} viewer`);
    expect(await w.taps('Post the link there', { by: BO })).toContain('Only operators may do that');
    expect((await w.says(`/post_link ${run.id}`, { by: BO })).join()).toContain('Only operators');
    expect(await w.kinds(run.id)).not.toContain('comment_on_item');
    await w.taps('Post the link there');
    expect(await w.kinds(run.id)).toContain('comment_on_item');
    expect(card()).toContain('P7 has the link posted where the order came from …');
    expect((await w.says(`/post_link ${run.id}`)).join()).toContain('or the link is there already');
    await w.offer(run.id, {
      type: 'worker.item.commented',
      pull: '#12',
      outcome: 'refused',
      message: 'HTTP 403',
    });
    expect(card()).toContain('The link could not be posted where the order came from');
    expect(w.messages.at(-1)?.text).toContain(
      'The link was not posted at https://tracker.example/7: HTTP 403',
    );
    await w.taps('Post the link there');
    await w.offer(run.id, { type: 'worker.item.commented', pull: '#12', outcome: 'posted', message: '' });
    expect(card()).toContain('P7 had the link posted where the order came from');
    expect(w.messages.findLast(({ text }) => text.includes('opened'))?.buttons).toEqual([]);
  });

  it('G10: every copy of a card says that what was approved waits for its hours', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/approve_open_pr ${run.id}`, { by: BO });
    await w.says(`/approve_open_pr ${run.id}`);
    await w.says(`/approve_open_pr ${run.id} --confirm`);
    const readyAt = w.now() + 7_200_000;
    const held = { action: 'open_pr', why: 'opening_hours', readyAt, position: 1 } as const;
    await w.offer(run.id, { type: 'worker.slot.awaited', ...held });
    const copies = w.messages.filter(({ text }) => text.startsWith('Approved · '));
    expect(new Set(copies.map(({ chat }) => chat)).size).toBe(2);
    for (const { text } of copies) expect(text).toContain('outside of its hours');
  });

  it('G4: a confirmation written before the card came does not count', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const text = `/approve_open_pr ${run.id} --confirm`;
    // The card's number has three digits: as texts, "9" and "99" would come after it.
    for (const message_id of [1, 9, 99]) {
      expect((await w.says(text, { message_id }))[0]).toMatch(/^Look at this card first/);
      expect(await w.kinds(run.id)).not.toContain('open_pr');
    }
    await w.says(text);
    expect(await w.kinds(run.id)).toContain('open_pr');
  });

  it('/diff sends the change as a file without its secrets', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/diff ${run.id}`);
    expect(w.documents[0]).toMatchObject({ chat: ANA, name: `run-${run.id}.patch` });
    expect(w.documents[0]?.content).toContain('@@ -1 +1 @@');
  });
});

describe('taps', () => {
  it('C2: two taps open a low-risk pull request, exactly once', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    expect(card?.silent).toBe(false);
    expect(await w.taps('Open PR')).toContain('Tap Confirm');
    const confirm = card?.buttons[0]?.[0];
    expect(confirm).toMatchObject({ text: 'Confirm', style: 'success' });
    expect(await w.taps('Confirm')).toBe('Recorded: approved.');
    expect(card?.text).toMatch(/Approved[\s\S]*opening/);
    expect(
      await w.taps('', { data: confirm?.token ?? '', messageId: card?.messageId ?? '', chat: ANA }),
    ).toBe('Already approved by P7.');
    expect((await w.kinds(run.id)).filter((k) => k === 'open_pr')).toHaveLength(1);
    expect(await w.run(run.id)).toMatchObject({
      gate: { consumedApproval: { digest: someProposal().digest } },
    });
  });

  it('C2: a high-risk change takes three taps: it is read first', async () => {
    const w = await createChatWorld();
    const assessment = someAssessment({
      risk: 'high',
      reasons: [{ policy: 'no-workflow-edit-without-human', verdict: 'escalate', reason: own('CI changes') }],
    });
    const run = await w.readyRun({ fields: { assessment } });
    expect(await w.says(`/approve_open_pr ${run.id} --confirm`)).toContainEqual(
      expect.stringContaining('no-workflow-edit-without-human'),
    );
    const again = await createChatWorld();
    const other = await again.readyRun({ fields: { assessment } });
    expect(await again.taps('Open PR')).toContain('read what is flagged');
    expect(await again.taps('Open PR')).toContain('Tap Confirm');
    expect(await again.taps('Confirm')).toBe('Recorded: approved.');
    expect(await again.kinds(other.id)).toContain('open_pr');
  });

  it('G3: a button does nothing for whoever may not do what it does', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/users add ${VIC} viewer`);
    const refused = async (verb: string, role: string): Promise<boolean> => {
      const data = w.tokens.make({ verb, index: null, n: 1 }, VIC);
      return (
        (await w.taps('', { by: VIC, data, chat: VIC })) === LANGUAGE_TEXTS.en.roles.needs(role as 'admin')
      );
    };
    const forOperators = ['retry', 'resume', 'cancel', 'start', 'rerun'];
    const forApprovers = [
      'arm',
      'confirm',
      'back',
      'deny',
      'comment.fix',
      'budget.raise',
      'budget.raise_lacking',
    ];
    for (const verb of forOperators) expect(await refused(verb, 'operator'), verb).toBe(true);
    await w.says(`/users add ${VIC} operator`);
    for (const verb of forOperators) expect(await refused(verb, 'operator'), verb).toBe(false);
    for (const verb of forApprovers) expect(await refused(verb, 'approver'), verb).toBe(true);
    expect(await w.says(`/budget ${run.id} time +30`, { by: VIC })).toEqual([
      expect.stringContaining('Only approvers may do that'),
    ]);
    expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
  });

  it('C2: what was read counts for its reader, its diff and its objections, and whatever the title is', async () => {
    const w = await createChatWorld();
    const shown = await w.readyRun();
    const slot = (change: Partial<SealFields>, user = ANA): string => {
      const {
        gate: { proposal },
      } = shown;
      return riskSlot(
        {
          ...shown,
          gate: {
            ...shown.gate,
            proposal: proposal && { ...proposal, fields: { ...proposal.fields, ...change } },
          },
        },
        user,
      );
    };
    const objecting = someAssessment({
      reasons: [{ policy: 'no-binary', verdict: 'escalate', reason: own('a.png') }],
    });
    const slots = [slot({}), slot({}, BO), slot({ diff: 'other' }), slot({ assessment: objecting })];
    expect(new Set(slots).size).toBe(slots.length);
    expect(slot({ title: 'Other' })).toBe(slots[0]);
  });

  it('G4: Confirm is for whoever armed it, for sixty seconds, on the newest form of the card', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun({ order: { chat: '-50' } });
    await w.taps('Open PR');
    const confirm = w.messages.findLast((m) => m.buttons.flat().some((b) => b.text.startsWith('Confirm')));
    const token = confirm?.buttons[0]?.[0]?.token ?? '';
    expect(await w.taps('Confirm', { by: BO })).toContain('whoever tapped the button before it');
    expect(await w.taps('Back', { by: BO })).toBe('Nothing was done.');
    expect(await w.taps('', { data: token, messageId: confirm?.messageId ?? '', chat: '-50' })).toContain(
      'replaced by a newer one',
    );
    await w.taps('Open PR');
    w.passes(60_000);
    expect(await w.taps('Confirm')).toContain('until 12:01 UTC');
    expect(await w.kinds(run.id)).not.toContain('open_pr');
  });

  it('G4: refuses forged, foreign, replayed, expired and outdated buttons, each with its reason', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    const open = card?.buttons[0]?.[0]?.token ?? '';
    const on = { chat: ANA, messageId: card?.messageId ?? '' };
    const n = w.tokens.read(open)?.n ?? 0;
    expect(await w.taps('', { ...on, data: 'a1.open.1.AAAAAAAAAAA' })).toContain('not one of mine');
    expect(await w.taps('', { ...on, data: 'nonsense' })).toContain('not one of mine');
    expect(await w.taps('', { ...on, chat: BO, by: BO, data: open })).toContain('another chat');
    expect(await w.taps('', { ...on, messageId: '3', data: open })).toContain('replaced by a newer one');
    expect(await w.taps('', { ...on, by: VIC, data: open })).toContain('Only approvers');
    expect(
      await w.taps('', { ...on, data: w.tokens.make({ verb: 'confirm', index: null, n }, ANA) }),
    ).toContain('whoever tapped');
    expect(await w.taps('', { ...on, data: w.tokens.make({ verb: 'arm', index: 0, n }, ANA) })).toContain(
      'no longer known',
    );
    expect(
      await w.taps('', { ...on, data: w.tokens.make({ verb: 'merge', index: null, n }, ANA) }),
    ).toContain('no longer known');
    expect(
      await w.taps('', { ...on, data: w.tokens.make({ verb: 'confirm', index: null, n: 9_999 }, ANA) }),
    ).toContain('no longer known');
    w.passes(run.order.bounds.approvalMs);
    expect(await w.taps('', { ...on, data: open })).toBe(
      'This card expired at 12:00 UTC. A new one is below.',
    );
    expect(await w.kinds(run.id)).not.toContain('open_pr');
    expect((await w.run(run.id)).gate.approval?.signatures).toEqual([]);
  });

  it('G4: a button of a run that was paused, or denied, acts no more and says why', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    const open = { chat: ANA, messageId: card?.messageId ?? '', data: card?.buttons[0]?.[0]?.token ?? '' };
    await w.says(`/pause ${run.id}`);
    expect(card?.text).toMatch(/^No longer valid[\s\S]*Paused by/);
    expect(await w.taps('', open)).toContain('void: Paused by');
    await w.says(`/resume ${run.id}`);
    expect(await w.taps('Deny')).toBe('Why deny it?');
    expect(await w.taps('No reason')).toBe('Recorded: denied.');
    expect((await w.run(run.id)).lifecycle.state).toBe('FAILED_TERMINAL');
    expect(await w.taps('', open)).toContain('void');
  });

  it('C6: a call for somebody, and a pause, lose their buttons once the run goes on', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/pause ${run.id}`);
    const paused = w.messages.findLast((m) => m.text.startsWith('PAUSED'));
    expect(paused?.buttons.flat().map(({ text }) => text)).toContain('Resume');
    await w.says(`/resume ${run.id}`);
    expect(paused?.text).toMatch(/^MOVED ON[^]*This has moved on/);
    expect(paused?.buttons).toEqual([]);
    await w.says(`/deny ${run.id} reason="Make the wait longer."`);
    const call = w.messages.findLast((m) => m.text.startsWith('NEEDS YOU'));
    expect(call?.buttons).not.toEqual([]);
    const before = w.messages.length;
    await w.says(`/retry ${run.id}`);
    expect(call?.text).toMatch(/^MOVED ON/);
    expect(call?.buttons).toEqual([]);
    expect(w.messages.slice(before).filter(({ text }) => text.startsWith('MOVED ON'))).toEqual([]);
  });

  it('E7: an order for a prompt version or an engine that is not there is refused with those that are', async () => {
    const w = await createChatWorld();
    expect((await w.says('/new acme/api Fix it engine=gpt')).join()).toMatch(
      /^gpt is not an engine; .*codex/,
    );
    expect(await w.says('/new acme/api Fix it prompt_version=../v1')).toEqual([
      '../v1 is not a prompt version; there are: v1, v2.',
    ]);
    expect((await w.says('/new acme/api Fix it prompt_version=v1'))[0]).toMatch(/^Queued /);
  });

  it('C4, P4: a line that says why becomes the description where a script gave no reason, and nothing waits for it', async () => {
    const w = await createChatWorld();
    const goal = 'Handle an empty list';
    const fields = { title: goal };
    const asking = 'The description says no more than its title. Reply with one line';
    const told = async (
      order: Partial<Order>,
      why = 'An empty list crashed the page of totals.',
    ): Promise<{ card: string; offered: string[]; run: Run }> => {
      const run = await w.readyRun({ order, fields });
      const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
      const reply = { reply_to_message: { message_id: Number(card?.messageId) } };
      await w.says(why, reply);
      const offered =
        w.messages
          .at(-1)
          ?.buttons.flat()
          .map(({ text }) => text) ?? [];
      return { card: card?.text ?? '', offered, run };
    };
    for (const order of [
      { goal: `${goal}. The page of totals crashed.`, engine: 'script' },
      { goal: `${goal} (fixes #12)`, engine: 'script' },
      { goal, engine: 'codex' },
    ]) {
      const { card, offered } = await told(order);
      expect(card).not.toContain(asking);
      expect(offered).not.toContain('Publish these words as mine');
    }
    // No wish is read in it.
    const plain = 'Two specs compare equal literals, which are one object when they are frozen.';
    expect((await told({ goal, engine: 'codex' }, plain)).offered[0]).toBe('How things stand');
    expect((await told({ goal, engine: 'script' }, plain)).offered[0]).toBe('Publish these words as mine');
    // A word in it asks for help, and the sentence does not.
    const worded = 'Two returns left the status at 0, so what runs next saw 0 in place of what was returned.';
    expect((await told({ goal, engine: 'script' }, worded)).offered[0]).toBe('Publish these words as mine');
    for (const short of ['help', 'What is still waiting for me here, and what can I say to you now?'])
      expect((await told({ goal, engine: 'script' }, short)).offered).not.toContain(
        'Publish these words as mine',
      );
    const { card, offered, run } = await told({ goal, engine: 'script' });
    expect(card).toContain(asking);
    expect(card).toContain('Decide');
    expect(offered).toEqual(['Publish these words as mine', 'Ask for these changes', 'Deny', 'Show the run']);
    expect(await w.taps('Publish these words as mine')).toBe('Recorded.');
    const effects = await w.ledger.query.effects({ runId: run.id });
    expect(effects.map((one) => one.do).find(({ kind }) => kind === 'modify_proposal')).toMatchObject({
      pullText: { title: null, description: 'An empty list crashed the page of totals.' },
    });
  });

  it('C4, P4: words in answer to a card deny it with a tap, and nothing without one', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    const reply = { reply_to_message: { message_id: Number(card?.messageId) } };
    expect(await w.says('Make the wait longer.', { ...reply, by: VIC, chat: ANA })).toEqual([
      'Only approvers may do that; ask an admin.',
    ]);
    // Any other message of ours is no card.
    const other = { reply_to_message: { message_id: w.messages.at(-1)?.messageId ?? '' } };
    expect(await w.says('Make it longer.', other)).toEqual([
      expect.stringContaining('I am not sure what you mean'),
    ]);
    const [asked] = await w.says('Make the wait <longer>.', reply);
    expect(asked).toMatch(/^Tap what you mean\nacme\/api[^]*\nMake the wait <longer>\.$/);
    const proposal = w.messages.at(-1);
    expect(proposal?.buttons.flat().map(({ text }) => text)).toEqual([
      'Ask for these changes',
      'Deny',
      'Show the run',
    ]);
    expect((await w.run(run.id)).lifecycle.state).toBe('PUSHED');
    const no = {
      chat: ANA,
      messageId: proposal?.messageId ?? '',
      data: proposal?.buttons[1]?.[0]?.token ?? '',
    };
    expect(await w.taps('', { ...no, by: VIC })).toContain('Only approvers');
    expect((await w.run(run.id)).lifecycle.state).toBe('PUSHED');
    expect(await w.taps('', no)).toBe('Recorded.');
    expect(proposal?.text).toMatch(/^✓ Deny\n/);
    expect(proposal?.buttons).toEqual([]);
    expect(await w.run(run.id)).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      agent: {
        round: { kind: 'rejection_fix', feedback: [{ kind: 'words', text: 'Make the wait <longer>.' }] },
      },
    });
    const {
      lifecycle: { version },
    } = await w.run(run.id);
    expect(await w.taps('', no)).toContain('Already closed: Denied by');
    expect((await w.run(run.id)).lifecycle.version).toBe(version);
    // The card is closed: what is written to it now is for the run, which waits for a word.
    expect(await w.says('And shorter.', reply)).toEqual([
      expect.stringMatching(/^Tap to do this\n[^]*And shorter/),
    ]);
  });

  it('C4, P4: words in answer to a call for help reach the agent with a tap, and nothing happens without one', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/deny ${run.id}`);
    const call = w.messages.findLast((m) => m.text.startsWith('NEEDS YOU'));
    const reply = { reply_to_message: { message_id: Number(call?.messageId) } };
    expect(await w.says('Use the v2 API.', { ...reply, by: VIC, chat: ANA })).toEqual([
      'Only operators may do that; ask an admin.',
    ]);
    const [asked] = await w.says('Use the <v2> API.', reply);
    expect(asked).toMatch(/^Tap to do this\nacme\/api[^]*\nUse the <v2> API\.$/);
    const proposal = w.messages.at(-1);
    const yes = {
      chat: ANA,
      messageId: proposal?.messageId ?? '',
      data: proposal?.buttons[0]?.[0]?.token ?? '',
    };
    expect((await w.run(run.id)).lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(await w.taps('', { ...yes, by: VIC })).toContain('Only operators');
    expect(await w.taps('', yes)).toBe('Recorded.');
    expect(await w.run(run.id)).toMatchObject({
      agent: { advice: ['Use the <v2> API.'] },
      lifecycle: { reason: { kind: 'retried', note: 'Use the <v2> API.' } },
    });
    const {
      lifecycle: { version },
    } = await w.run(run.id);
    // The run goes on: words that were written about its last halt are not for the next one.
    expect(await w.taps('', yes)).toContain('moved on');
    expect((await w.run(run.id)).lifecycle.version).toBe(version);
  });

  it('C4: a paused run is resumed with the words that answer its message', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/pause ${run.id}`);
    const paused = w.messages.findLast((m) => m.text.includes('/resume') || m.text.startsWith('Paused'));
    await w.says('Mind the tests.', { reply_to_message: { message_id: Number(paused?.messageId) } });
    expect(await w.taps('Resume')).toBe('Recorded.');
    expect(await w.run(run.id)).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { advice: ['Mind the tests.'] },
    });
  });

  it('G4: words about a card that gave way to another one deny neither', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    await w.says('Too late.', { reply_to_message: { message_id: Number(card?.messageId) } });
    w.passes(25 * 3_600_000);
    await w.offer(run.id, { type: 'timer.approval.expired', approvalId: run.gate.approval?.id ?? '' });
    expect((await w.run(run.id)).gate.approval).not.toBeNull();
    const no = w.messages.findLast((m) => m.text.startsWith('Tap what you mean'));
    expect(
      await w.taps('', { chat: ANA, messageId: no?.messageId ?? '', data: no?.buttons[1]?.[0]?.token ?? '' }),
    ).toContain('expired');
    expect((await w.run(run.id)).lifecycle.state).toBe('PUSHED');
  });

  it('G4: an old message cannot act on a new failure of its run', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun();
    await w.says(`/deny ${run.id}`);
    const first = w.messages.findLast((m) => m.text.startsWith('NEEDS YOU'));
    const retry = { chat: ANA, messageId: first?.messageId ?? '', data: first?.buttons[0]?.[0]?.token ?? '' };
    expect(await w.taps('', retry)).toBe('Recorded.');
    expect((await w.run(run.id)).lifecycle.state).toBe('PUSHED');
    await w.says(`/deny ${run.id}`);
    const {
      lifecycle: { version },
    } = await w.run(run.id);
    expect(await w.taps('', retry)).toContain('moved on since this message');
    expect((await w.run(run.id)).lifecycle.version).toBe(version);
  });

  it('C6: a button of a list acts on the run that it names', async () => {
    const w = await createChatWorld();
    const first = await w.readyRun();
    w.passes(1_000);
    const second = await w.readyRun({ order: { repo: 'acme/web' } });
    await w.says('/pending');
    const list = w.messages.at(-1);
    expect(list?.buttons.flat().map((b) => b.text)).toEqual([
      'Low risk: 2 in one list',
      `Decide · api ${first.id}`,
      `Decide · web ${second.id}`,
    ]);
    await w.taps(`Decide · web`);
    expect(w.messages.at(-1)?.text).toMatch(/^Open this pull request in acme\/web/);
    await w.taps('Open PR', { on: w.messages.at(-1) ?? undefined } as object);
    await w.taps('Confirm');
    expect(await w.kinds(second.id)).toContain('open_pr');
    expect(await w.kinds(first.id)).not.toContain('open_pr');
  });

  it('G6: a push card is approved in two taps too, as a push', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun({ assessment: someAssessment({ decision: 'escalate', risk: 'medium' }) });
    expect(run.lifecycle.state).toBe('LOCAL_VALIDATING');
    await w.taps('Push');
    expect(await w.taps('Confirm')).toBe('Recorded: approved.');
    expect(await w.kinds(run.id)).toContain('push');
    expect(await w.kinds(run.id)).not.toContain('open_pr');
  });

  it('says it in a message too when the tap waited while we were down', async () => {
    const w = await createChatWorld();
    await w.readyRun();
    const card = w.messages.findLast((m) => m.text.startsWith('Open this'));
    const data = card?.buttons[0]?.[0]?.token ?? '';
    await w.ledger.receive(
      [
        {
          source: 'chat',
          key: 'late',
          body: {
            update_id: 999,
            callback_query: {
              id: 'c',
              from: { id: Number(VIC), first_name: 'Vic' },
              data,
              message: { message_id: Number(card?.messageId), chat: { id: Number(ANA), type: 'private' } },
            },
          },
        },
      ],
      w.clock.now(),
    );
    w.passes(30_000);
    await w.says('/help');
    expect(w.messages.map((m) => m.text)).toContain('Only approvers may do that; ask an admin.');
  });
});

describe('options that there are not', () => {
  it.each([
    ['reviewers=bob,mia', 'Did you mean reviewer=?'],
    ['labels=no-such-label', 'Did you mean label=?'],
    ['colour=red', 'There are: base='],
  ])('F9: %s is refused when it is ordered, and no run begins', async (option, says) => {
    const w = await createChatWorld();
    const [said] = await w.says(`/new acme/api Fix it ${option}`);
    expect(said).toContain(`${option.split('=')[0] ?? ''}= is not an option. ${says}`);
    expect(await w.ledger.query.runs({ live: false, limit: 10 })).toEqual([]);
  });
});
