/** One card for many alike changes: what it shows, and that each is signed by itself. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dueAttentionInboxItems, startAttention } from '../../bot/unanswered-cards.ts';
import { createClusters } from '../../bot/cluster-cards.ts';
import type { PatchOf } from '../../bot/commands/command-context.ts';
import { createChatRoles } from '../../bot/commands/user-roles.ts';
import { RunBounds } from '#model/limits';
import { ClusterView } from '#model/chat';
import { LANGUAGE_TEXTS } from '#language';
import type { Run } from '#run';
import { renderCluster } from '../../bot/views/cluster-card.ts';
import type { ApprovalRow } from '#ports/ledger';
import { noticeHandler } from '../../orchestrator/notices/notice-handlers.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { aCampaign } from '../support/campaigns.ts';
import { ANA, BO, createChatWorld, PULL, VIC, type Delivered } from '../support/chat-world.ts';
import { DIR } from '../support/codemod.ts';
import { anOrder } from '../support/ledger.ts';
import { createClock, settle } from '../support/timers.ts';
import { inputsToCard, someAssessment } from '../support/ready-run.ts';

const CAMPAIGN = 'c-aaaaaa';
const MINUTE = 60_000;
const NAMES = ['defu', 'destr', 'ohash', 'pathe'] as const;
const repoOf = (name: string): string => `unjs/${name}`;
const patchOf = (name: string): string => readFileSync(new URL(`unjs+${name}.patch`, DIR), 'utf8');

/** Until all that is asked of a ledger in memory was answered. */
const settleAll = async (): Promise<void> => {
  for (let i = 0; i < 50; i += 1) await settle();
};

const world = async (after: readonly string[] = []) => {
  const patches = new Map<string, string>();
  let broken = 0;
  const patch: PatchOf = async (runId) => {
    if ((broken -= 1) >= 0) throw new Error('the disk is gone');
    return { text: patches.get(runId) ?? '', omitted: 0, messages: ['Say where it is'] };
  };
  const w = await createChatWorld({ patch });
  const { ledger, clock } = w;
  const plain = aCampaign({ repos: [...NAMES, 'mlly', 'confbox'].map(repoOf) });
  const link = [{ repo: repoOf('mlly'), until: 'merged' as const }];
  const order = {
    ...plain,
    targets: plain.targets.map((one) =>
      after.includes(one.repo.split('/')[1] ?? '') ? { ...one, after: link } : one,
    ),
  };
  await ledger.campaigns.plan({ id: CAMPAIGN, order, at: clock.now(), by: { id: ANA, name: 'Ana' } });
  await ledger.campaigns.decide(CAMPAIGN, { decision: { kind: 'started' }, by: null, at: clock.now() });
  const clusters = createClusters({ ledger, patch, next: async () => BO });
  const tells = async (notes: Awaited<ReturnType<typeof clusters.dueNotes>>): Promise<void> => {
    await ledger.receive(notes, clock.now());
    for (const row of await ledger.inbox(100)) await noticeHandler(row.body)?.(ledger, row, clock);
    await w.deliver();
  };
  return {
    ...w,
    tells,
    patches,
    breaks: (times: number) => void (broken = times),
    order,
    clusters,
    /** A run of the campaign that has come to its card. */
    async member(
      name: string,
      change: Parameters<typeof w.readyRun>[0] = {},
      text = patchOf(name),
    ): Promise<Run> {
      const body = `Says where ${repoOf(name)} is kept.`;
      const run = await w.readyRun({
        ...change,
        order: { repo: repoOf(name), campaign: CAMPAIGN, ...change.order },
        fields: { body, branch: `feature/say-${name}`, ...change.fields },
      });
      patches.set(run.id, text);
      return run;
    },
    /** A run of the campaign that is at work still. */
    async working(): Promise<void> {
      const order = anOrder({ repo: repoOf('pathe'), campaign: CAMPAIGN });
      const [start] = inputsToCard();
      const create = { type: 'command.run.create', runId: 'atwork', order } as const;
      await w.offer('atwork', create, ...(start ? [start] : []));
    },
    async all(names: readonly string[] = NAMES): Promise<Run[]> {
      const runs: Run[] = [];
      for (const name of names) runs.push(await this.member(name));
      await this.looks();
      return runs;
    },
    /** What the minute's round finds due. */
    async looks(): Promise<void> {
      await tells(await clusters.dueNotes(clock.now()));
    },
    async attends(): Promise<void> {
      const parts = {
        ledger,
        roles: createChatRoles({ users: ledger.query, adminIds: [ANA] }),
        clock,
        submit: w.submit,
      };
      await tells(await dueAttentionInboxItems({ ...parts, awaySince: () => null }, clock.now()));
    },
    card: (): Delivered => {
      const card = w.messages.findLast((m) => /same change|DECIDED|TAKE OUT|SHOW EACH/.test(m.html));
      if (!card)
        throw new Error(`no card of many; there are ${w.messages.map((m) => m.text).join('\n---\n')}`);
      return card;
    },
    sounds: (): number => w.messages.filter((m) => !m.silent).length,
    consumed: async (runs: readonly Run[]): Promise<number> =>
      (await Promise.all(runs.map(({ id }) => ledger.query.effects({ runId: id, kind: 'open_pr' })))).flat()
        .length,
    faults: async (): Promise<string[]> =>
      (await replayRuns({ query: ledger.query })).findings.map((f) => f.says),
    buttons: (m: Delivered): string[] => m.buttons.flat().map((b) => b.text),
  };
};

describe('the card of many', () => {
  it('F5: alike changes of two waves have a card each', async () => {
    const w = await world(['ohash', 'pathe']);
    await w.all();
    const cards = w.messages.filter((m) => /^Open these 2 pull requests with the same change/.test(m.text));
    expect(cards.map(({ text }) => NAMES.filter((name) => text.includes(repoOf(name))))).toEqual([
      ['defu', 'destr'],
      ['ohash', 'pathe'],
    ]);
  });

  it('C2: shows the common change once, a row for each, and rings once', async () => {
    const w = await world();
    await w.all();
    const card = w.card();
    expect(card.text).toMatch(/^Open these 4 pull requests with the same change\?\n/);
    expect(card.text).toContain('Mend the tests c-aaaaaa · asked by ');
    for (const name of NAMES) expect(card.text).toContain(repoOf(name));
    expect(card.text).toContain('+    "url": "git+https://github.com/unjs/defu.git"');
    expect(card.text).toContain('Shown as it is in unjs/defu; each repository has its own name there');
    expect(card.text).not.toContain('⟪');
    expect(card.text).toContain('+36 −12 in 2 files each · low risk');
    expect(w.buttons(card)).toEqual(['Approve 4', 'Take one out', 'Show each', 'Diff']);
    expect(w.sounds()).toBe(1);
    expect(w.messages.filter((m) => /^Open these/.test(m.text))).toHaveLength(1);
    expect(card.html.length).toBeLessThan(4_096);
  });

  it('is a card by itself for what differs, and says how many there are', async () => {
    const w = await world();
    for (const name of NAMES) await w.member(name);
    await w.member('mlly');
    await w.looks();
    expect(w.card().text).toContain('One more of this campaign is different and has its own card.');
    expect(w.messages.filter((m) => m.text.startsWith('Open this pull request in unjs/mlly'))).toHaveLength(
      1,
    );
    expect(w.sounds()).toBe(1);
  });

  it('G6: never has a member of high risk, or one with a finding', async () => {
    const w = await world();
    const assessment = someAssessment({ decision: 'escalate', risk: 'high' });
    await w.member('defu', { assessment });
    await w.member('destr', { assessment });
    await w.looks();
    expect(w.messages.some((m) => m.text.includes('same change'))).toBe(false);
    const own = w.messages.find((m) => m.text.startsWith('Push this to unjs/defu'));
    expect(own && w.buttons(own)).toContain('Review risks');
    // Whoever heard the first sees the others; what comes later rings again.
    expect(w.sounds()).toBe(1);
    w.passes(2 * MINUTE);
    await w.member('pathe', { assessment });
    await w.looks();
    expect(w.sounds()).toBe(2);
  });

  it('G6: asks for many pushes alike', async () => {
    const w = await world();
    const reason = { kind: 'no_policy_allows' } as const;
    const reasons = [{ policy: 'explicit-allow', verdict: 'escalate' as const, reason }];
    const assessment = someAssessment({ decision: 'escalate', risk: 'medium', reasons });
    const runs: Run[] = [];
    for (const name of ['defu', 'destr']) runs.push(await w.member(name, { assessment }));
    await w.looks();
    expect(w.card().text).toMatch(/^Push the same change to 2 repositories/);
    await w.taps('Approve 2');
    expect(w.card().text).toContain('Tap Confirm to push 2 changes');
    await w.taps('Confirm 2');
    const pushes = await Promise.all(
      runs.map(({ id }) => w.ledger.query.effects({ runId: id, kind: 'push' })),
    );
    expect(pushes.flat()).toHaveLength(2);
  });

  it('says where the lines around a change are not those of the first', async () => {
    const w = await world();
    await w.member('defu');
    await w.member('destr', {}, patchOf('defu').replaceAll('defu', 'destr'));
    await w.looks();
    expect(w.card().text).not.toContain('≠');
    await w.member('ohash');
    await w.looks();
    expect(w.card().text).toContain('≠ the lines around the change differ in one of them');
    expect(w.card().text.match(/≠/g)).toHaveLength(2);
  });

  it('takes in what comes later without a sound, in the same message', async () => {
    const w = await world();
    await w.all(['defu', 'destr']);
    const { messageId } = w.card();
    await w.member('pathe');
    await w.looks();
    expect(w.card().messageId).toBe(messageId);
    expect(w.card().text).toContain('3 pull requests with the same change');
    expect(w.sounds()).toBe(1);
  });

  it('is waited for while others are at work, and not for ever', async () => {
    const w = await world();
    await w.member('defu');
    await w.member('destr');
    await w.working();
    const before = w.sounds();
    await w.looks();
    expect(w.sounds()).toBe(before);
    w.passes(2 * MINUTE);
    await w.looks();
    expect(w.card().text).toContain('2 pull requests with the same change');
  });

  it('is waited for as long as others of its kind follow, and at most ten minutes', async () => {
    const w = await world();
    await w.working();
    const before = w.sounds();
    const all = [
      'defu',
      'destr',
      'ohash',
      'pathe',
      'scule',
      'ufo',
      'citty',
      'jiti',
      'giget',
      'nypm',
      'magicast',
    ];
    for (const name of all) {
      expect(w.sounds()).toBe(before);
      await w.member(name, {}, patchOf('defu').replaceAll('defu', name));
      await w.looks();
      if (name !== all.at(-1)) w.passes(MINUTE);
    }
    expect(w.card().text).toContain('11 pull requests with the same change');
    expect(w.sounds()).toBe(before + 1);
  });

  it('leaves one that nobody joined its own card', async () => {
    const w = await world();
    await w.member('defu');
    await w.looks();
    expect(w.messages.filter((m) => m.text.startsWith('Open this pull request in unjs/defu'))).toHaveLength(
      1,
    );
    await w.looks();
    expect(w.sounds()).toBe(1);
  });

  it('S6: comes by itself where the change cannot be read for a while', async () => {
    const w = await world();
    await w.member('defu');
    await w.member('destr');
    w.breaks(2);
    await w.looks();
    expect(
      w.messages.filter((m) => /^Open this pull request in unjs\/(?:defu|destr)/.test(m.text)),
    ).toHaveLength(2);
  });

  it('S6: is looked for seconds after a card was asked for, however many come', async () => {
    const w = await world();
    const clock = createClock();
    const looks: number[] = [];
    const query = { ...w.ledger.query, campaigns: async () => (looks.push(clock.now()), []) };
    const attention = startAttention({
      ledger: { query },
      roles: w.roles,
      clock,
      timers: clock,
      submit: w.submit,
      patch: async () => null,
      log: { error: () => undefined },
      awaySince: () => null,
      receive: async () => undefined,
    });
    await settleAll();
    const from = clock.now();
    for (let i = 0; i < 8; i += 1) {
      attention.soon();
      await clock.pass(1_000);
      await settleAll();
    }
    expect(looks.map((at) => at - from)).toEqual([0, 5_000]);
    await clock.pass(MINUTE);
    await settleAll();
    expect(looks.length).toBeGreaterThan(2);
    await attention.stop();
  });

  it('pins and passes on no card that is a member of another', async () => {
    const w = await world();
    const [run] = await w.all();
    w.passes(((run?.gate.approval?.expiresAt ?? 0) - w.clock.now()) * 0.9);
    const before = w.messages.length;
    await w.attends();
    expect(w.messages.length).toBe(before);
    expect(w.pins).toEqual([]);
  });

  it('C2: comes to the next approver once, with a sound, when nobody has decided for long', async () => {
    const w = await world();
    const runs = await w.all();
    const [first] = runs;
    w.passes(((first?.gate.approval?.expiresAt ?? 0) - w.clock.now()) * 0.8);
    await w.looks();
    await w.looks();
    const theirs = w.messages.filter((m) => m.chat === BO);
    expect(theirs).toMatchObject([{ silent: false }]);
    expect(theirs[0]?.text).toContain('4 pull requests with the same change');
    await w.taps('Approve 4', { by: BO, on: theirs[0] as Delivered });
    await w.taps('Confirm 4', { by: BO, on: theirs[0] as Delivered });
    expect(await w.consumed(runs)).toBe(4);
    await w.looks();
    expect(w.messages.find((m) => m.chat === ANA && m.text.includes('DECIDED'))).toBeDefined();
  });

  it('asks for 20 with two taps and one sound, and shows 200 on one card', async () => {
    const w = await world();
    const names = Array.from({ length: 20 }, (_, i) => `package${i}`);
    const runs: Run[] = [];
    for (const name of names)
      runs.push(await w.member(name, {}, patchOf('defu').replaceAll('unjs/defu', repoOf(name))));
    await w.looks();
    expect(w.sounds()).toBe(1);
    await w.taps('Show each');
    expect(w.card().text).toContain('page 1/3');
    await w.taps('▸ page 2/3');
    expect(w.card().text).toContain('9 unjs/package');
    await w.taps('Back');
    await w.taps('Approve 20');
    await w.taps('Confirm 20');
    expect(await w.consumed(runs)).toBe(20);
    const members = Array.from({ length: 200 }, (_, i) => {
      const run = runs[i % 20] as Run;
      return {
        run: run.id,
        approval: run.gate.approval?.id ?? '',
        digest: run.gate.approval?.digest ?? '',
        around: `${i}`,
      };
    });
    const view = {
      view: 'cluster',
      campaign: CAMPAIGN,
      kind: 'open_pr',
      members,
      apart: 1,
      left: 200,
    } as const;
    const scenes = members.map((member, i) => ({
      member,
      run: runs[i % 20] as Run,
      approval: { ...(runs[i % 20]?.gate.approval as object), state: 'open' } as ApprovalRow,
    }));
    for (const words of Object.values(LANGUAGE_TEXTS)) {
      const scene = {
        members: scenes,
        common: { title: 't', text: patchOf('defu').repeat(20) },
        name: 'n',
        now: w.clock.now(),
      };
      const shown = { ...view, armedBy: null, armedUntil: null, members: [...members] };
      for (const lists of [undefined, { for: 'out', page: 24 } as const]) {
        const { html } = renderCluster({ ...shown, ...(lists ? { lists } : {}) }, scene, words);
        expect(html).toContain('200');
        expect(html.length).toBeLessThanOrEqual(4_096);
      }
    }
  });

  it('speaks Chinese', async () => {
    const w = await world();
    await w.says('/settings language zh');
    await w.all();
    expect(w.messages.at(-1)?.text).toContain('创建这 4 个改动相同的拉取请求？');
  });
});

describe('Approve N', () => {
  it('G2: signs each over the digest that the card shows, with two taps for all', async () => {
    const w = await world();
    const runs = await w.all();
    expect(await w.taps('Approve 4')).toBe('Tap Confirm within 60 seconds.');
    expect(await w.consumed(runs)).toBe(0);
    const said = await w.taps('Confirm 4');
    expect(said).toBe('Recorded: 4 approved.');
    expect(await w.consumed(runs)).toBe(4);
    for (const {
      id,
      gate: { approval },
    } of runs) {
      const signed = (await w.ledger.query.events(id)).findLast((e) => e.type === 'command.pr.approve');
      const { input } = JSON.parse(signed?.body ?? '{}') as { input: Record<string, unknown> };
      expect(input).toMatchObject({ approvalId: approval?.id, digest: approval?.digest, by: { id: ANA } });
      const row = await w.ledger.query.effect(Number(input.cluster));
      const shown = ClusterView.parse(row?.do.kind === 'chat_message' ? row.do.content : null);
      expect(shown.members).toContainEqual(expect.objectContaining({ run: id, digest: approval?.digest }));
    }
    expect(w.card().text).toMatch(/^DECIDED · Mend the tests c-aaaaaa · 4 changes/);
    expect(w.card().buttons).toEqual([]);
    expect(w.sounds()).toBe(1);
    expect(await w.faults()).toEqual([]);
    const [first] = runs;
    const { id: approvalId = '' } = first?.gate.approval ?? {};
    expect(w.card().text).toContain(`unjs/defu ${first?.id}: approved by P7`);
    await w.offer(first?.id ?? '', {
      type: 'worker.pr.opened',
      approvalId,
      pull: '#12',
      url: PULL,
      adopted: false,
    });
    await w.looks();
    expect(w.card().text).toContain(`unjs/defu ${first?.id}: Pull request #12 opened`);
  });

  it('C2: leaves a card whose news were not told yet its own message, when the next one comes', async () => {
    const w = await world();
    const [first] = await w.all(['defu', 'destr']);
    const old = w.card().messageId;
    await w.taps('Approve 2');
    await w.holdsBack(async () => {
      await w.taps('Confirm 2');
      await w.member('ohash');
      await w.member('pathe');
      await w.looks();
    });
    await w.deliver();
    expect(w.card().text).toMatch(/^Open these 2 pull requests with the same change/);
    expect(w.card().messageId).not.toBe(old);
    const before = w.messages.findLast(({ messageId }) => messageId === old);
    expect(before?.text).toContain(`unjs/defu ${first?.id}: approved by P7`);
    expect(before?.buttons).toEqual([]);
  });

  it('L5: replay refuses a signature that names a card which did not show it', async () => {
    const w = await world();
    const [one, other] = await w.all(['defu', 'destr']);
    await w.taps('Take one out');
    await w.taps(`unjs/defu ${one?.id}`);
    const slotted = (await w.ledger.query.effects({ kind: 'chat_message' })).filter((row) =>
      row.slot?.startsWith('cluster:'),
    );
    const { n } = slotted.at(-1) ?? { n: 0 };
    const signs = (run: Run | undefined): Promise<void> => {
      const { id = '', digest = '' } = run?.gate.approval ?? {};
      const by = { id: ANA, name: 'Ana' };
      return w.offer(run?.id ?? '', { type: 'command.pr.approve', by, approvalId: id, digest, cluster: n });
    };
    await signs(other);
    expect(await w.faults()).toEqual([]);
    await signs(one);
    expect(await w.faults()).toEqual([
      expect.stringContaining(`signed on message ${n}, which did not show it`),
    ]);
  });

  it('C2: signs nothing of high risk, should a card show it together with others', async () => {
    const w = await world();
    const assessment = someAssessment({ decision: 'escalate', risk: 'high' });
    const members = [];
    for (const name of ['defu', 'destr']) {
      const {
        id: run,
        gate: { approval },
      } = await w.member(name, { assessment });
      members.push({ run, approval: approval?.id ?? '', digest: approval?.digest ?? '', around: '' });
    }
    const show = ClusterView.parse({
      view: 'cluster',
      campaign: CAMPAIGN,
      kind: 'push',
      members,
      apart: 0,
      left: 2,
      armedBy: ANA,
      armedUntil: w.clock.now() + MINUTE,
    });
    const [row] = await w.ledger.receive([{ source: 'note', key: 'forged', body: null }], w.clock.now());
    const reply = { chat: ANA, slot: 'cluster:x', show, urgent: true, sound: false, runId: null };
    await w.ledger.settleInbox(row?.id ?? 0, { kind: 'done', note: '', replies: [reply] }, w.clock.now());
    await w.deliver();
    expect(await w.taps('Confirm 2')).toBe('Nothing was approved. See below.');
    for (const { run } of members) expect((await w.run(run)).gate.approval?.signatures).toEqual([]);
  });

  it('G2: leaves out whoever moved, was paused or was decided meanwhile, and tells', async () => {
    const w = await world();
    const runs = await w.all();
    await w.taps('Approve 4');
    const [moved, paused] = runs;
    const by = { id: ANA, name: 'Ana' };
    if (!moved || !paused) throw new Error('no runs');
    await w.offer(moved.id, { type: 'command.pause', by });
    await w.offer(paused.id, { type: 'command.deny', by, reason: '', final: true, approvalId: null });
    expect(await w.taps('Confirm 4')).toBe('Recorded: 2 signed, 2 not. See below.');
    expect(await w.consumed(runs)).toBe(2);
    const told = w.messages.findLast((m) => m.text.includes('were not approved'));
    expect(told?.text).toContain(`${repoOf('defu')} (${moved.id})`);
    expect(told?.text).toContain(`${repoOf('destr')} (${paused.id})`);
    expect(await w.faults()).toEqual([]);
  });

  it('G3: counts once, however often it is tapped', async () => {
    const w = await world();
    const runs = await w.all();
    await w.taps('Approve 4');
    const card = { ...w.card() };
    const data = card.buttons.flat().find((b) => b.text.startsWith('Confirm'))?.token ?? '';
    await w.taps('Confirm 4');
    expect(await w.taps('', { data, on: card })).toBe('This card was replaced by a newer one; use that one.');
    expect(await w.consumed(runs)).toBe(4);
  });

  it('G3: needs an approver, armed by the same person, and nobody else’s chat', async () => {
    const w = await world();
    const runs = await w.all();
    expect(await w.taps('Approve 4', { by: VIC })).toContain('approver');
    await w.taps('Approve 4');
    expect(await w.taps('Confirm 4', { by: BO })).toContain('whoever tapped the button before it');
    expect(await w.taps('Confirm 4', { chat: BO, by: BO })).not.toContain('Recorded');
    w.passes(61_000);
    expect(await w.taps('Confirm 4')).toContain('Confirm was good for a minute, until');
    expect(await w.consumed(runs)).toBe(0);
  });

  it('G3: takes as many people as each order needs', async () => {
    const w = await world();
    const bounds = RunBounds.parse({ approvals: 2 });
    const runs: Run[] = [];
    for (const name of ['defu', 'destr']) runs.push(await w.member(name, { order: { bounds } }));
    await w.looks();
    await w.taps('Approve 2');
    expect(await w.taps('Confirm 2')).toBe('Recorded: 2 signed. More signatures are needed.');
    expect(await w.consumed(runs)).toBe(0);
    expect(w.card().text).toContain('✍ 1/2');
    await w.taps('Approve 2', { by: BO });
    expect(await w.taps('Confirm 2', { by: BO })).toBe('Recorded: 2 approved.');
    expect(await w.consumed(runs)).toBe(2);
  });

  it('G3: takes no word of whoever asked for it, where they may not approve', async () => {
    const w = await world();
    const bounds = RunBounds.parse({ requesterMayApprove: false });
    const runs: Run[] = [];
    for (const name of ['defu', 'destr']) runs.push(await w.member(name, { order: { bounds } }));
    await w.looks();
    await w.taps('Approve 2');
    expect(await w.taps('Confirm 2')).toBe('Nothing was approved. See below.');
    await w.taps('Approve 2', { by: BO });
    expect(await w.taps('Confirm 2', { by: BO })).toBe('Recorded: 2 approved.');
    expect(await w.consumed(runs)).toBe(2);
  });

  it('is drawn again when a member is decided elsewhere', async () => {
    const w = await world();
    const [first] = await w.all();
    await w.says(`/deny ${first?.id} --final not now`);
    await w.looks();
    expect(w.card().text).toContain('3 pull requests with the same change');
    expect(w.card().text).toContain(`✗ ${repoOf('defu')}`);
    for (const { id } of await w.ledger.query.runs({ live: true, limit: 9 }))
      await w.says(`/deny ${id} --final not now`);
    await w.looks();
    expect(w.card().text).toMatch(/^DECIDED/);
  });
});

describe('one of many', () => {
  it('C2: ends in its last state when the process dies between the decision and the redraw', async () => {
    const w = await world();
    const runs = await w.all();
    for (const { id } of runs) await w.says(`/deny ${id} --final not now`);
    const again = createClusters({
      ledger: w.ledger,
      patch: async () => ({ text: '', omitted: 0, messages: [] }),
    });
    expect(w.buttons(w.card()).length).toBeGreaterThan(0);
    await w.tells(await again.dueNotes(w.clock.now()));
    expect(w.card().text).toMatch(/^DECIDED/);
    expect(w.buttons(w.card())).toEqual([]);
    // Nothing more is said of it, by this process or the next.
    expect(await again.dueNotes(w.clock.now())).toEqual([]);
    const third = createClusters({
      ledger: w.ledger,
      patch: async () => ({ text: '', omitted: 0, messages: [] }),
    });
    expect(await third.dueNotes(w.clock.now())).toEqual([]);
  });

  it('can be taken out, and then has a card of its own', async () => {
    const w = await world();
    const [first] = await w.all();
    await w.taps('Take one out');
    expect(w.buttons(w.card())).toEqual([
      ...w.buttons(w.card()).filter((b) => b.startsWith('unjs/')),
      'Back',
    ]);
    expect(await w.taps(`unjs/defu ${first?.id}`)).toBe('Taken out: unjs/defu has its own card now.');
    expect(
      w.messages.findLast((m) => m.text.startsWith('Open this pull request in unjs/defu')),
    ).toMatchObject({
      silent: true,
    });
    expect(w.card().text).toContain('3 pull requests with the same change');
    await w.looks();
    expect(w.card().text).toContain('3 pull requests with the same change');
    await w.taps('Open PR');
    await w.taps('Confirm');
    expect((await w.run(first?.id ?? '')).gate.approval).toBeNull();
    expect(w.card().text).toContain('3 pull requests with the same change');
  });

  it('G8: can be read to its last byte, by its own card and in one file with the others', async () => {
    const w = await world();
    const [first] = await w.all();
    await w.taps('Show each');
    await w.taps(`unjs/defu ${first?.id}`);
    const own = w.messages.findLast((m) => m.text.startsWith('Open this pull request in unjs/defu'));
    expect(own && w.buttons(own)).toEqual(expect.arrayContaining(['Diff', 'PR text', 'More']));
    await w.taps('Back');
    await w.taps('Diff', { on: w.card() });
    const [file] = w.documents;
    expect(file?.name).toBe('c-aaaaaa.patch');
    for (const name of NAMES)
      for (const line of patchOf(name).split('\n')) expect(file?.content).toContain(line);
    expect(file?.content).toContain('Says where unjs/pathe is kept.');
    expect(file?.content).toContain('feature/say-ohash');
  });

  it('leads to its own card, where it can be decided; then it falls out of the others', async () => {
    const w = await world();
    const runs = await w.all();
    await w.taps('Show each');
    await w.taps(`unjs/defu ${runs[0]?.id}`);
    const own = w.messages.findLast((m) =>
      m.text.startsWith('Open this pull request in unjs/defu'),
    ) as Delivered;
    await w.taps('Open PR', { on: own });
    await w.taps('Confirm', { on: own });
    expect(await w.consumed(runs)).toBe(1);
    await w.taps('Back');
    await w.taps('Approve 3');
    await w.taps('Confirm 3');
    expect(await w.consumed(runs)).toBe(4);
    expect(own.buttons).toEqual([]);
  });
});
