/** E9, P4, L6: several proposers think in one turn, the governor chooses, one proposal is done. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PageContext } from '../../../board/board-context.ts';
import { turnList } from '../../../board/run-turns.ts';
import { LANGUAGE_TEXTS } from '#language';
import type { AskedModel, ModelReply } from '../../../executors/engines/builtin/ask-model.ts';
import { thinkTogether } from '../../../executors/engines/builtin/think-together.ts';
import { findTurnDifferences } from '../../../orchestrator/audit/redecide-turns.ts';
import { foldTurns } from '../../../orchestrator/audit/replay-turns.ts';
import { NO_USAGE } from '#model/reports';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { proposerTotals } from '#model/turn';
import type { TurnRecorder } from '#ports/records';
import { call, edit, governed, REPORT, weighed } from '../../support/builtin-round.ts';
import { given } from '../../support/core.ts';
import type { Turn } from '../../support/fake-model.ts';
import { createTurnWorld } from '../../support/turn-world.ts';

const PROPOSERS = ['bold', 'calm'];
const OLD = 'export const sum = (a, b) => a - b;';
const FIX = edit('sum.js', OLD, 'export const sum = (a, b) => a + b;');
const LONG_FIX = edit('sum.js', OLD, 'export const sum = (a, b) => {\n  return a + b;\n};');
const READ = call('read', { path: 'sum.js' });
const saying = (turn: { calls: readonly { name: string; input: unknown }[] }, say: string): Turn => ({
  ...turn,
  say,
});

type World = Awaited<ReturnType<typeof createTurnWorld>>;
const scripted = ({ model }: World, scripts: Readonly<Record<string, readonly Turn[]>>): void => {
  const at = new Map<string, number>();
  model.answers(({ model: name }) => {
    const script = scripts[String(name)] ?? [];
    const i = at.get(String(name)) ?? 0;
    at.set(String(name), i + 1);
    return script[Math.min(i, script.length - 1)] ?? REPORT;
  });
};
const bodies = ({ model }: World, name: string): string[] =>
  model.requests.filter(({ body }) => body.model === name).map(({ body }) => JSON.stringify(body));
const results = async ({ fold }: World): Promise<string[][]> =>
  (await fold()).turns.map(({ facts }) =>
    (facts.choice?.proposals ?? []).map(({ proposer, result, evidence }) =>
      [proposer, result, ...evidence].join(' '),
    ),
  );

describe('E9: many propose, one governs, one executes', () => {
  test('two that edit the same lines: the smaller one is done, and the other hears why not', async () => {
    const world = await createTurnWorld();
    scripted(world, {
      bold: [READ, saying(LONG_FIX, 'A block reads better.'), REPORT],
      calm: [READ, saying(FIX, 'One sign is wrong.'), REPORT],
    });
    expect(await world.run({ proposers: PROPOSERS })).toMatchObject({
      outcome: 'completed',
      model: 'bold, calm',
      usage: { inputTokens: 6 * 1200, outputTokens: 6 * 80 },
    });
    expect(world.read('sum.js')).toBe('export const sum = (a, b) => a + b;\n');
    expect(await results(world)).toEqual([
      ['bold chosen agreed', 'calm not_chosen agreed'],
      ['bold not_chosen read fits', 'calm chosen read fits'],
      ['bold chosen agreed', 'calm not_chosen agreed'],
    ]);
    // Both thought about the same, and what the other wanted is in the next context.
    const [boldAsked, calmAsked] = [bodies(world, 'bold'), bodies(world, 'calm')];
    expect(boldAsked.map((body) => body.replace('"bold"', '"calm"'))).toEqual(calmAsked);
    expect(boldAsked[2]).toContain('- bold: another proposal went before it');
    expect(boldAsked[2]).toContain('it said: A block reads better.');
    const { turns, findings, proposals, actions } = await world.fold();
    expect({ findings, proposals, actions }).toEqual({ findings: [], proposals: 6, actions: 2 });
    expect(turns[1]?.facts.model).toBe('calm');
    expect(proposerTotals(turns.map(({ facts }) => facts))).toEqual([
      { proposer: 'bold', turns: 3, chosen: 2, denied: 0, failed: 0, usage: THREE },
      { proposer: 'calm', turns: 3, chosen: 1, denied: 0, failed: 0, usage: THREE },
    ]);
    expect(await world.edits(world.commit())).toMatchObject({ result: 'same', reapplied: 1, findings: [] });
    const c = { words: LANGUAGE_TEXTS.en, now: 60_000 } as PageContext;
    const page = String(turnList(await world.ledger().query.turns('r1'), c));
    expect(page.match(/class="proposal/g)).toHaveLength(6);
    expect(page).toContain('return a + b;');
    expect(page).toContain('passed over');
  });
  const THREE = { inputTokens: 3 * 1200, outputTokens: 3 * 80, costUsd: 0 };

  test('what policy denies is dropped, whatever else speaks for it', async () => {
    const world = await createTurnWorld();
    const outside = call('read', { path: '/etc/passwd' });
    scripted(world, { bold: [outside, outside, REPORT], calm: [READ, FIX, REPORT] });
    await world.run({ proposers: PROPOSERS });
    expect((await results(world)).slice(0, 2)).toEqual([
      ['bold denied', 'calm chosen'],
      ['bold denied', 'calm chosen read fits'],
    ]);
    expect(bodies(world, 'bold')[1]).toContain('- bold: it is denied: no-write-outside-workspace');
    expect((await world.fold()).findings).toEqual([]);
  });

  test('where all are denied nothing is done, and the models hear it', async () => {
    const world = await createTurnWorld();
    const outside = call('read', { path: '/etc/passwd' });
    scripted(world, { bold: [outside, FIX, REPORT], calm: [outside, FIX, REPORT] });
    await world.run({ proposers: PROPOSERS });
    const { turns, findings } = await world.fold();
    expect(findings).toEqual([]);
    expect(turns[0]?.facts.actions).toMatchObject([{ decision: { verdict: 'rejected' }, outcome: null }]);
    expect((await results(world))[0]).toEqual(['bold denied agreed', 'calm denied agreed']);
  });

  test.each<[string, Turn]>([
    ['no JSON', { say: 'I think…' }],
    ['a tool that is not there', call('rm_rf', {})],
    ['a claim to be done', REPORT],
  ])('bad input: %s beside a proposal that counts', async (_, thought) => {
    const world = await createTurnWorld();
    scripted(world, { bold: [thought, thought, REPORT], calm: [READ, FIX, REPORT] });
    expect(await world.run({ proposers: PROPOSERS })).toMatchObject({ outcome: 'completed' });
    expect(world.read('sum.js')).toContain('a + b');
    const { turns, findings } = await world.fold();
    expect(findings).toEqual([]);
    expect(turns.map(({ facts }) => facts.model)).toEqual(['calm', 'calm', 'bold']);
  });

  test('nothing that counts from anybody ends the round after three turns', async () => {
    const world = await createTurnWorld();
    scripted(world, { bold: [{ say: 'Hm.' }], calm: [call('rm_rf', {})] });
    expect(await world.run({ proposers: PROPOSERS })).toMatchObject({ failure: { class: 'invalid_output' } });
    expect((await world.fold()).findings).toEqual([]);
  });

  test('a proposer that fails is left out and told; where all fail the round does', async () => {
    const world = await createTurnWorld();
    const wrong: Turn = { status: 401, message: 'no such key', code: 'invalid_api_key' };
    scripted(world, { bold: [wrong], calm: [READ, FIX, REPORT] });
    const done = await world.run({ proposers: PROPOSERS });
    expect(done).toMatchObject({ outcome: 'completed' });
    expect(done.told.join()).toContain('bold is left out: auth_missing');
    expect(bodies(world, 'bold')).toHaveLength(1);
    expect(bodies(world, 'calm')[1]).toContain('- bold: no answer came: auth_missing');
    expect((await results(world))[0]).toEqual(['bold failed', 'calm chosen']);
    scripted(world, { bold: [wrong], calm: [wrong] });
    expect(await world.run({ proposers: PROPOSERS })).toMatchObject({ failure: { class: 'auth_missing' } });
    expect((await world.fold()).findings).toEqual([]);
  });

  test('a proposer that says nothing is not waited for', async () => {
    const world = await createTurnWorld(['-m', 'x', '--patience', '1']);
    scripted(world, { bold: [{ silent: true }], calm: [READ, FIX, REPORT] });
    const done = await world.run({ proposers: PROPOSERS });
    expect(done).toMatchObject({ outcome: 'completed' });
    expect(done.told.join()).toContain('bold is left out: timed_out');
    expect(bodies(world, 'bold')).toHaveLength(1);
  });

  describe('its words of thinking, and how long it is waited for', () => {
    const content = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Done.' },
    ];
    const message = { role: 'assistant' as const, content };
    const said = { kind: 'said', text: 'Done.', calls: [], message, cut: false } as const;
    const NOBODY = { usedBy: () => NO_USAGE };
    const answering = async (patienceMs: number | null, afterMs: number) => {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const ask = ({ signal }: AskedModel): Promise<ModelReply> =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          setTimeout(() => resolve(said), afterMs);
        });
      const asked = { system: '', messages: [], tools: [], mostTokens: 9, onPiece: () => {} };
      const { signal } = new AbortController();
      const proposer = { name: 'calm', model: 'm', prompt: null, ask };
      const replies = thinkTogether([proposer], { ...asked, signal }, NOBODY, patienceMs);
      await vi.advanceTimersByTimeAsync(afterMs);
      return (await replies)[0]?.reply;
    };

    test('beside others it is left out, and its thinking is not shown to them', async () => {
      expect(await answering(1_000, 1_001)).toMatchObject({ failure: { class: 'timed_out' } });
      expect(await answering(1_000, 999)).toMatchObject({ message: { content: content.slice(1) } });
    });

    test('alone it is waited for, and gets its thinking back', async () => {
      expect(await answering(null, 3_600_000)).toEqual(said);
    });
  });

  test('prompts of the settings: one model, thinking in two ways', async () => {
    const proposers = [
      { name: 'bold', prompt: 'Prefer a rewrite.' },
      { name: 'calm', model: 'other-model', prompt: 'Prefer the smallest change.' },
    ];
    const world = await createTurnWorld(['-m', 'scripted-model'], { proposers });
    world.model.plays(READ, READ, FIX, FIX, REPORT);
    expect(await world.run()).toMatchObject({ model: 'scripted-model, other-model' });
    expect(bodies(world, 'scripted-model')[0]).toContain('Prefer a rewrite.');
    expect(bodies(world, 'scripted-model')[0]).not.toContain('Prefer the smallest change.');
    const { turns } = await world.fold();
    const [first] = turns[0]?.facts.choice?.proposals ?? [];
    expect(turns[0]?.text(first?.prompt?.digest ?? '')).toBe('Prefer a rewrite.');
  });

  test('a proposer of another provider is refused, because one key is used in a round', async () => {
    const world = await createTurnWorld();
    expect(await world.run({ proposers: ['bold', 'anthropic/calm'] })).toMatchObject({
      failure: { class: 'bad_config' },
    });
    expect(world.model.requests).toEqual([]);
  });
});

describe('P4: a person is asked with the proposals side by side', () => {
  test('and what the person allowed goes first afterwards', async () => {
    const world = await createTurnWorld();
    const touch = (name: string) => call('run', { command: `touch ${name} && chmod 700 ${name}` });
    scripted(world, { bold: [touch('a'), touch('a'), REPORT], calm: [touch('b'), touch('b'), REPORT] });
    const asked = await world.run({ proposers: PROPOSERS, ask: governed('group', { kind: 'wait' }) });
    expect(asked).toMatchObject({ failure: { class: 'permission_denied' } });
    expect(world.asked.at(-1)).toMatchObject({
      command: 'touch a && chmod 700 a',
      alternatives: [
        {
          proposer: 'calm',
          request: {
            tool: 'execute',
            input: '{"command":"touch b && chmod 700 b"}',
            command: 'touch b && chmod 700 b',
          },
        },
      ],
    });
    await world.run({
      proposers: PROPOSERS,
      session: asked.session,
      weigh: async (request) => {
        const found = await weighed('group')(request);
        return request.command?.includes('touch b') ? { ...found, verdict: 'granted', by: 'Ana' } : found;
      },
    });
    expect((await results(world))[1]).toEqual(['bold not_chosen', 'calm chosen']);
    const { turns, findings } = await world.fold();
    expect(findings).toEqual([]);
    // The pick stands in the turn's own row, and replay ranks by it.
    const [, calm] = turns[1]?.facts.choice?.proposals ?? [];
    expect(calm?.actions).toMatchObject([{ verdict: 'granted', allowedBy: 'Ana' }]);
    expect(() => world.read('b')).not.toThrow();
    expect(() => world.read('a')).toThrow();
    const c = { words: LANGUAGE_TEXTS.en, now: 60_000 } as PageContext;
    expect(String(turnList(await world.ledger().query.turns('r1'), c))).toContain('allowed by Ana');
  });
});

describe('L6: a process that is killed between proposals and action', () => {
  test('did nothing, says so, and what is done afterwards is done once', async () => {
    const world = await createTurnWorld();
    const append = call('run', { command: 'echo once >> made.txt' });
    scripted(world, { bold: [append], calm: [append] });
    const dying = await world.recorder();
    const turns: TurnRecorder = {
      ...dying,
      write: async (seq, draft) => {
        await dying.write(seq, draft);
        throw new Error('killed');
      },
    };
    await expect(world.run({ turns, proposers: PROPOSERS })).rejects.toThrow('killed');
    await world.restart();
    const [cut] = (await world.fold()).turns;
    expect(cut?.facts).toMatchObject({
      choice: { proposals: [{ result: 'chosen' }, { result: 'not_chosen' }] },
      actions: [{ decision: null, outcome: null }],
    });
    expect(() => world.read('made.txt')).toThrow();
    const session = { id: cut?.facts.session ?? '', usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } };
    scripted(world, { bold: [append, REPORT], calm: [append, REPORT] });
    const before = bodies(world, 'bold').length;
    await world.run({ session, proposers: PROPOSERS });
    expect(bodies(world, 'bold')[before]).toContain('It was not done: the work was interrupted before.');
    expect(bodies(world, 'bold')[before]).toContain('- calm: another proposal went before it');
    expect(world.read('made.txt')).toBe('once\n');
    expect((await world.fold()).findings).toEqual([]);
  });
});

describe('P4: a policy that changed in the middle', () => {
  const rule = {
    id: 'no-ls',
    when: { actions: ['command' as const] },
    verdict: 'deny' as const,
    reason: 'no',
  };
  const stricter = { ...DEFAULT_POLICY_SETTINGS, custom: [rule] };

  test('between proposals and action: the action is judged again, by the new one', async () => {
    const world = await createTurnWorld();
    const list = call('run', { command: 'ls' });
    scripted(world, { bold: [list, FIX, REPORT], calm: [list, FIX, REPORT] });
    await world.run({
      proposers: PROPOSERS,
      ask: async (request) => {
        const { governed: by } = await weighed('group')(request);
        const found = await weighed('group', stricter)(request);
        return found.verdict === 'deny'
          ? { kind: 'deny', reason: 'no-ls', governed: found.governed }
          : { kind: 'allow', governed: by };
      },
    });
    const { turns, findings } = await world.fold();
    expect(findings).toEqual([]);
    expect(turns[0]?.facts).toMatchObject({
      choice: { proposals: [{ result: 'chosen', actions: [{ verdict: 'allow' }] }, {}] },
      actions: [{ decision: { verdict: 'rejected' }, outcome: null }],
    });
  });

  test('afterwards: proposals that were passed over are asked about as well', async () => {
    const world = await createTurnWorld();
    scripted(world, { bold: [call('run', { command: 'ls' }), FIX, REPORT], calm: [READ, FIX, REPORT] });
    await world.run({ proposers: PROPOSERS });
    const { turns } = await world.fold();
    const { run: made } = given({});
    expect(findTurnDifferences(made, turns, DEFAULT_POLICY_SETTINGS).differences).toEqual([]);
    const { differences } = findTurnDifferences(made, turns, stricter);
    expect(differences.map(({ action, then, today }) => [action, then.verdict, today.verdict])).toEqual([
      ['1.1', 'approved', 'denied'],
    ]);
    const rows = await world.ledger().query.turns('r1');
    const swapped = rows.map((row) => ({ ...row, facts: row.facts.replaceAll('"ls"', '"ls"') }));
    expect(foldTurns(swapped, []).findings).toEqual([]);
  });
});

describe('L5: a choice that was altered is named', () => {
  test('another winner, another action, a version that is gone', async () => {
    const world = await createTurnWorld();
    scripted(world, { bold: [READ, LONG_FIX, REPORT], calm: [READ, FIX, REPORT] });
    await world.run({ proposers: PROPOSERS });
    const rows = await world.ledger().query.turns('r1');
    type Facts = ReturnType<typeof foldTurns>['turns'][number]['facts'];
    const says = (change: (facts: Facts) => void): string[] => {
      const changed = rows.map((row) => {
        const facts = JSON.parse(row.facts) as Facts;
        if (row.seq === 2) change(facts);
        return { ...row, facts: JSON.stringify(facts) };
      });
      return foldTurns(changed, []).findings.map((one) => one.says);
    };
    const [bold, calm] = [0, 1];
    expect(says(({ choice }) => void (choice!.proposals[bold]!.result = 'chosen'))).toEqual([
      'turn 2 chose the proposal of bold and calm, where that of calm goes first',
      'turn 2 acted otherwise than the proposal of bold, which was chosen',
    ]);
    expect(says(({ choice }) => void (choice!.proposals[calm]!.result = 'not_chosen'))).toEqual([
      'turn 2 chose the proposal of nobody, where that of calm goes first',
      'turn 2 acted, although no proposal was chosen',
    ]);
    expect(says(({ choice }) => void (choice!.proposals[calm]!.actions[0]!.verdict = 'deny'))[0]).toBe(
      'turn 2 chose the proposal of calm, where that of bold goes first',
    );
    expect(says(({ choice }) => void (choice!.proposals[bold]!.size = 1))[0]).toBe(
      'turn 2 chose the proposal of calm, where that of bold goes first',
    );
    expect(says(({ choice }) => void (choice!.proposals[calm]!.actions[0]!.tool = 'run'))).toEqual([
      'turn 2 acted otherwise than the proposal of calm, which was chosen',
    ]);
    expect(says(({ choice }) => void (choice!.proposals[bold]!.actions[0]!.allowedBy = 'Eve'))).toEqual([
      'turn 2 names Eve for a proposal of bold that nobody was asked to allow',
      'turn 2 chose the proposal of calm, where that of bold goes first',
    ]);
    expect(says(({ choice }) => void (choice!.proposals[bold]!.actions[0]!.policyVersion = ''))).toEqual([
      'turn 2 weighed a proposal of bold under no version of the policies',
    ]);
    const underOtherOrder = (change: (facts: Facts) => void): string[] =>
      says((facts) => {
        facts.choice!.ranking = 'ranking-of-another-time';
        change(facts);
      });
    expect(underOtherOrder(({ choice }) => void (choice!.proposals[bold]!.size = 1))).toEqual([]);
    expect(underOtherOrder(({ choice }) => void (choice!.proposals[calm]!.result = 'not_chosen'))[0]).toBe(
      'turn 2 chose the proposal of nobody, where that of calm goes first',
    );
  });
});
