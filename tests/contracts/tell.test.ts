/** The chat's last metre: what a stored message looks like when it leaves. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import type { MessageView } from '#effects';
import type { Run } from '#run';
import type { ClaimedEffect } from '#ports/steps';
import type { EffectRow } from '#ports/ledger';
import { at, implemented, validated } from '../support/core.ts';
import { noteOf } from '../support/english.ts';
import { HERE, SECRET, created, says, type World } from '../support/told-chat.ts';

describe('what leaves for a chat', () => {
  it('C2: opens the reader’s field only for what asks for an answer', async () => {
    const { tell, calls } = created();
    await tell(says('Done.'));
    await tell({ ...says('Why?'), asks: true } as MessageView);
    expect(calls.map((call) => 'asks' in call)).toEqual([false, true]);
  });

  it('C5: hides what looks like a secret in words, in files and below them', async () => {
    const { tell, calls } = created({ artifact: { content: `key ${SECRET}\n` } });
    await tell(says(`Here: ${SECRET}`));
    await tell({ view: 'document', name: 'log.txt', caption: `of ${SECRET}`, artifact: 'a' });
    await tell({ view: 'document', name: 'log.txt', caption: `of ${SECRET}`, artifact: 'a' }, { tries: 2 });
    expect(JSON.stringify(calls)).not.toContain(SECRET);
    expect(calls[0]?.html).toBe('Here: [secret]');
    expect(calls[1]).toMatchObject({ how: 'document', content: 'key [secret]\n', caption: 'of [secret]' });
    expect(calls[2]?.caption).toMatch(/^<i>.+<\/i> of \[secret\]$/);
  });

  it('C5: hides them in the patch of a run and in what is said below it', async () => {
    const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+${SECRET}\n`;
    const { tell, calls } = created({ patch: { text, omitted: 3 } });
    await tell({ view: 'patch', since: 'base' });
    expect(calls).toMatchObject([{ how: 'document', name: 'run-r1.patch', silent: true }]);
    expect(calls[0]?.content).toContain('+[secret]');
    expect(JSON.stringify(calls)).not.toContain(SECRET);
    await tell({ view: 'patch', since: 'pushed' }, { sound: true });
    expect(calls[1]).toMatchObject({ name: 'run-r1-fix.patch', silent: false });
    await tell({ view: 'patch', since: 'theirs' });
    expect(calls[2]).toMatchObject({ name: 'run-r1-theirs.patch' });
  });

  it('G8: says below a patch which commit it is, what is left out, what is hidden and what signs mean', async () => {
    const { diff } = LANGUAGE_TEXTS.en;
    const { run } = at('PUSHED');
    const [one, other, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(40));
    const commit = run.change.commit && { ...run.change.commit, sha: one ?? '' };
    const pushed = run.change.pushedHead && { ...run.change.pushedHead, sha: other ?? '' };
    const foreign = { sha: third } as Run['change']['foreignHead'];
    const of = async (
      since: 'base' | 'pushed' | 'theirs',
      text: string,
      omitted = 0,
      change: RunPatch = {},
    ) => {
      const { tell, calls } = created({
        run: patchRun(run, { change: { commit, pushedHead: pushed, foreignHead: foreign } }, change),
        patch: { text, omitted },
      });
      expect(await tell({ view: 'patch', since })).toEqual({
        kind: 'done',
        result: { chat: HERE, messageId: '101', epoch: null },
      });
      return calls[0]?.caption;
    };
    const main = (sha: string) => diff.caption('ana/app', 'r1', sha.repeat(6));
    expect(await of('base', 'x\n')).toBe(main('a'));
    expect(await of('pushed', 'x\n')).toBe(`${main('a')} · ${diff.fix('bbbbbb')}`);
    expect(await of('theirs', 'x\n')).toBe(`${main('c')} · ${diff.fix('bbbbbb')}`);
    expect(await of('base', 'x\n', 3)).toBe(`${main('a')} · ${diff.omitted(3)}`);
    expect(await of('base', 'x\u202e\n')).toBe(`${main('a')} · ${diff.signs}`);
    const hiding = await of('base', `@@ -1 +1 @@\n+${SECRET}\n`);
    expect(hiding).toBe(`${main('a')} · ${diff.hidden(1)} · ${diff.signs}`);
    expect(await of('pushed', 'x\n', 0, { change: { commit: null, pushedHead: null } })).toContain(
      diff.fix(''),
    );
  });

  it('G8: makes a patch of several files as people get one of each', async () => {
    const one = (path: string) =>
      `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n-a\n+b \n says diff --git x\n`;
    const { tell, calls } = created({ patch: { text: one('x') + one('y'), omitted: 0 } });
    await tell({ view: 'patch', since: 'base' });
    expect(calls[0]?.content).toBe((one('x') + one('y')).replaceAll('+b ', '+b⟦20⟧'));
  });

  it('C2: says so where there is no patch, and gives up on a file that is gone', async () => {
    const { tell, calls } = created({ patch: { text: '', omitted: 0 } });
    expect(await tell({ view: 'patch', since: 'base' })).toMatchObject({
      kind: 'done',
      result: { epoch: null },
    });
    expect(calls).toMatchObject([{ how: 'send', chat: HERE, buttons: [], silent: true }]);
    expect(calls[0]?.html).toContain('r1');
    const none = created({ patch: null });
    await none.tell({ view: 'patch', since: 'base' });
    expect(none.calls).toMatchObject([{ how: 'send', html: calls[0]?.html }]);
    expect(await tell({ view: 'document', name: 'a', caption: 'b', artifact: 'c' })).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('no longer there') as string,
    });
    expect(calls).toHaveLength(1);
    const gone = created({ run: null });
    expect(await gone.tell({ view: 'patch', since: 'base' })).toMatchObject({ kind: 'dead' });
  });

  it('G4: carries buttons that are good for its chat and its number; those of an answer are told apart', async () => {
    const { tell, calls, tokens } = created();
    const button = (text: string) => ({ verb: 'detail', text, runId: 'r1' });
    const buttons = [[button('a'), button('b')], [button('c')], [button('d')]];
    await tell({ view: 'reply', html: 'x', buttons }, { n: 36 });
    const read = (token: string) => {
      const made = tokens.read(token);
      return made && [made.verb, made.index, made.n, tokens.ours(made, HERE), tokens.ours(made, `${HERE}1`)];
    };
    expect(calls[0]?.buttons?.map((line) => line.map(({ token }) => read(token)))).toEqual([
      [
        ['detail', 0, 36, true, false],
        ['detail', 1, 36, true, false],
      ],
      [['detail', 2, 36, true, false]],
      [['detail', 3, 36, true, false]],
    ]);
    await tell({ view: 'progress' }, { n: 37 });
    const shown = calls[1]?.buttons?.flat() ?? [];
    expect(shown.length).toBeGreaterThan(0);
    for (const { token } of shown) expect(tokens.read(token)).toMatchObject({ index: null, n: 37 });
  });

  it('C2: rings only where it is to ring, and is remembered as it was shown', async () => {
    const { tell, calls } = created();
    await tell(says('x'));
    await tell(says('x'), { sound: true });
    expect(calls.map((c) => c.silent)).toEqual([true, false]);
    const { run } = at('PUSHED');
    const done = await tell({ view: 'progress' });
    expect(done).toMatchObject({
      kind: 'done',
      result: { chat: HERE, messageId: '103', epoch: run.lifecycle.epoch },
    });
    expect(done).toMatchObject({ result: { hash: expect.stringMatching(/^[0-9a-f]{16}$/) as string } });
  });

  it('C2: without a run is words only; anything else about a run that is not known is given up', async () => {
    const { tell, calls } = created({ run: null });
    await tell(noteOf('All is < well.'));
    expect(calls[0]?.html).toContain('All is &lt; well.');
    expect(calls[0]?.buttons).toEqual([]);
    expect(await tell({ view: 'progress' })).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('not known') as string,
    });
    const of = await created().tell(says('x'), { runId: null as never });
    expect(of).toMatchObject({ result: { epoch: null } });
  });

  it('C2: that is for nobody is given up; so is what is no message', async () => {
    const { tell, handler, calls } = created({ chat: null, run: null });
    expect(await tell(says('x'))).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('paired') as string,
    });
    const wake = { n: 1, runId: null, do: { kind: 'expedite_poll' } } as ClaimedEffect;
    expect(await handler(wake)).toEqual({ kind: 'dead', reason: 'not a message: expedite_poll' });
    expect(calls).toEqual([]);
    const { order } = at('PUSHED').run;
    const ofRun = created({ chat: null });
    await ofRun.tell(says('x'));
    await ofRun.tell(says('x'), { n: 404 });
    expect(ofRun.calls.map((c) => c.chat)).toEqual([order.chat, order.chat]);
  });

  it('C2: draws each view from what it needs, and asks for no more', async () => {
    const shown = async (show: MessageView, w: World = {}) => {
      const { tell, calls, asked } = created(w);
      await tell(show);
      return { html: calls[0]?.html ?? '', buttons: calls[0]?.buttons ?? [], asked };
    };
    const away = {
      view: 'connection',
      kind: 'forge',
      name: 'GitHub',
      says: 'Bad credentials',
      backAfterMs: null,
    } as const;
    for (const run of [null, undefined])
      expect((await shown(away, run === null ? { run } : {})).html).toContain('Bad credentials');
    expect((await shown({ view: 'progress' })).asked).toEqual(['attempts of r1']);
    const asked = at('PUSHED').run;
    const approvalId = asked.gate.approval?.id ?? '';
    const gate: MessageView = { view: 'gate', approvalId, armedBy: null, armedUntil: null };
    expect((await shown(gate)).asked).toEqual([`approval ${approvalId}`, 'patch of r1 since base']);
    expect((await shown({ ...gate, approvalId: 'other' })).asked).toEqual(['approval other']);
    const fix = at('ITERATING').when(implemented('b'), validated()).run;
    const ofFix: MessageView = { ...gate, approvalId: fix.gate.approval?.id ?? '' };
    expect((await shown(ofFix, { run: fix })).asked.at(-1)).toBe('patch of r1 since pushed');
  });

  it('G4: keeps the colours of its buttons', async () => {
    const { tell, calls } = created({ run: at('REVIEW_WAIT').run });
    const words = {
      view: 'comment',
      author: 'eve',
      access: 'read',
      body: 'Hi',
      url: 'u',
      forwardedBy: null,
    } as const;
    await tell(words, { slot: 'comment' });
    expect(calls[0]?.buttons?.flat()).toMatchObject([{ style: 'primary' }, {}]);
    expect(calls[0]?.buttons?.flat()[1]).not.toHaveProperty('style');
  });

  it('P5: a comment that is told anew does not offer again what was done', async () => {
    const words = {
      view: 'comment',
      author: 'eve',
      access: 'read',
      body: 'Hi',
      url: 'u',
      forwardedBy: null,
    } as const;
    const { run } = at('REVIEW_WAIT');
    const told = {
      kind: 'chat_message',
      slot: 'c',
      urgent: false,
      sound: false,
      content: { ...words, forwardedBy: 'Ben' },
    };
    const passed = created({ run, rows: [{ slot: 'c', do: told } as Partial<EffectRow>] });
    await passed.tell(words, { slot: 'c' });
    expect(passed.calls[0]?.html).toContain('Ben');
    await passed.tell({ ...words, forwardedBy: 'Ana' }, { slot: 'c' });
    expect(passed.calls[1]?.html).toContain('Ana');
    await passed.tell(words, { slot: 'd' });
    expect(passed.calls[2]?.html).not.toContain('Ben');
  });

  it('F8: a trouble with the code host names the runs of its chat that share it', async () => {
    const { run } = at('REVIEW_WAIT');
    const blinded = (id: string, spell: string, chat = run.order.chat): Run => {
      const trouble = { kind: 'refused', parts: ['pull'], message: 'no', status: 401 };
      const blind = {
        outageId: spell,
        startedAt: 1,
        lastFailureAt: null,
        failure: trouble,
      } as unknown as Run['upstream']['observed']['outage'];
      return {
        ...run,
        id,
        order: { ...run.order, chat },
        upstream: { ...run.upstream, observed: { ...run.upstream.observed, outage: blind } },
      };
    };
    const live = [
      blinded('r1', 's'),
      blinded('r2', 's'),
      blinded('r3', 't'),
      blinded('r4', 's', '77'),
      { ...run, id: 'r5' },
    ];
    const { tell, calls, asked } = created({ run: live[0] ?? null, live });
    await tell({ view: 'outage', outageId: 's' });
    expect(asked).toEqual(['{"live":true,"limit":1000}']);
    expect(['r1', 'r2', 'r3', 'r4', 'r5'].filter((id) => calls[0]?.html.includes(id))).toEqual(['r1', 'r2']);
  });
});
