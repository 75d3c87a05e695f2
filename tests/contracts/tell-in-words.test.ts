/** C4, E21: given an agent at work, what is written without a reply comes back as a tap that tells it. */
import { describe, expect, it } from 'vitest';
import type { AttemptRow } from '#ports/ledger';
import { elapsedMs } from '#views';
import { stepFailed } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { ANA, createChatWorld, VIC } from '../support/chat-world.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;

const atWork = async (w: World, runId: string, order: { repo?: string; engine?: string } = {}) => {
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  const create = {
    type: 'command.run.create' as const,
    runId,
    order: anOrder({ repo: 'acme/patient', engine: 'codex', chat: ANA, ...order }),
  };
  await w.offer(runId, create, ...toWork);
};
const worldAtWork = async (): Promise<World> => {
  const w = await createChatWorld();
  await atWork(w, 'qaxvnr');
  return w;
};
const heard = async (w: World, id = 'qaxvnr') =>
  ((await w.run(id)).agent.operatorWords ?? []).map(({ words }) => words);
const buttons = (w: World): string[] => (w.messages.at(-1)?.buttons ?? []).flat().map(({ text }) => text);
const TELL = 'Tell the agent of patient qaxvnr';
const runsIn = (w: World) => w.ledger.query.runs({ live: true, limit: 20 });

describe('given one agent at work', () => {
  it.each([
    ['The agent goes the wrong way: use the existing helper in lib/', null],
    ['do not touch the README', null],
    ['no, that is wrong, use the helper', null],
    ['tell the agent to use the helper', 'use the helper'],
    ['tell the agent: use the helper', 'use the helper'],
    ['let the agent know that the api changed', 'the api changed'],
    ['tell acme/patient: keep the old api', 'keep the old api'],
    ['qaxvnr use the existing helper', 'use the existing helper'],
    ['qaxvnr: use the existing helper', 'use the existing helper'],
    ['tell the agent of qaxvnr to use the Helper', 'use the Helper'],
    ['告诉代理用 lib/ 里现有的函数', '用 lib/ 里现有的函数'],
    ['代理走错方向了：用 lib/ 里现有的函数', null],
    ['qaxvnr 用现有的函数', '用现有的函数'],
  ])('E21: when somebody writes “%s”, then one tap tells it, without whom they name', async (text, words) => {
    const w = await worldAtWork();
    await w.says(text);
    expect(await heard(w)).toEqual([]);
    const [first = ''] = buttons(w);
    expect(first).toMatch(/^(Tell the agent of patient qaxvnr|告诉 patient qaxvnr 的代理)$/);
    await w.taps(first);
    expect(await heard(w)).toEqual([words ?? text]);
    expect(w.messages.at(-1)?.buttons.flat()).toHaveLength(2);
    expect(await runsIn(w)).toHaveLength(1);
  });

  it('C4: when the tap comes twice, or once its checks run, then it is told once', async () => {
    const w = await worldAtWork();
    await w.says('do not touch the README');
    const proposal = w.messages.at(-1);
    const done = inputsToCard().filter(({ type }) => type === 'worker.implementation.completed');
    await w.offer('qaxvnr', ...done);
    const data = proposal?.buttons.flat()[0]?.token ?? '';
    const again = { data, messageId: proposal?.messageId ?? '', chat: ANA };
    await w.taps(TELL, again);
    await w.taps(TELL, again);
    expect(await heard(w)).toEqual(['do not touch the README']);
  });

  it.each([
    'tell the agent in acme/patient to use the existing helper',
    'acme/patient: do not touch the README',
    'add a test for the parser in acme/patient',
    'acme/patient：不要改 README',
  ])('E21: when its repository is named, then telling comes before a new run: %s', async (text) => {
    const w = await worldAtWork();
    await w.says(text);
    const [first = '', second = ''] = buttons(w);
    expect(first).toMatch(/^(Tell the agent of|告诉) patient qaxvnr/);
    if (!text.includes('：')) expect(second).toBe('New run in acme/patient');
    await w.taps(first);
    expect(await runsIn(w)).toHaveLength(1);
    expect(await heard(w)).toHaveLength(1);
  });

  it('E21: when a new run is asked for as one, then nothing else is offered', async () => {
    const w = await worldAtWork();
    await w.says('new run on acme/patient: add a test for the parser');
    expect(buttons(w)).toEqual(['Start']);
  });

  it('E21: when it is stopped with words, then keeping its work and telling it are the first choices', async () => {
    const w = await worldAtWork();
    await w.says('stop, that is the wrong file');
    expect(buttons(w).slice(0, 3)).toEqual(['Stop and keep', TELL, 'Pause']);
    await w.taps('Stop and keep');
    expect((await w.run('qaxvnr')).agent.round.kind).toBe('kept_edits');
    const zh = await worldAtWork();
    await zh.says('停，那是错的文件');
    expect(buttons(zh).slice(0, 2)).toEqual(['停止并保留', '告诉 patient qaxvnr 的代理']);
  });

  it('C4: when it is not clear that the words are for it, then telling is the first guess', async () => {
    const w = await worldAtWork();
    await w.says('the helper is in lib/util.ts');
    expect(buttons(w)[0]).toBe(TELL);
    await w.taps(TELL);
    expect(await heard(w)).toEqual(['the helper is in lib/util.ts']);
  });

  it.each(['hi', 'thanks', 'lol', 'status', 'nice weather', '谢谢', 'stop'])(
    'C4: when “%s” is written, then nobody offers to tell it that',
    async (text) => {
      const w = await worldAtWork();
      await w.says(text);
      expect(buttons(w)).not.toContain(TELL);
      expect(buttons(w)[0] ?? '').not.toContain('告诉');
    },
  );

  it('E21: when a viewer writes, then only operators may tell it', async () => {
    const w = await worldAtWork();
    expect((await w.says('do not touch the README', { by: VIC })).join()).toMatch(/^Only operators/);
    await w.says('the helper is in lib/util.ts', { by: VIC });
    expect(buttons(w)).not.toContain(TELL);
  });

  it('E21: its progress message says that a reply tells it, unless a script works', async () => {
    const w = await worldAtWork();
    expect(w.messages.at(-1)?.text.split('\n').at(-1)).toBe('Reply to tell the agent something.');
    await w.offer('qaxvnr', { type: 'command.pause', by: { id: ANA, name: 'Ana' } });
    const shown = w.messages.filter(({ text }) => text.includes('Reply to tell'));
    expect(shown).toEqual([]);
    const other = await createChatWorld();
    await atWork(other, 'q7', { engine: 'script' });
    expect(other.messages.map(({ text }) => text).join()).not.toContain('Reply to tell');
  });
});

describe('given a script at work', () => {
  it.each(['do not touch the README', 'tell the agent to use tabs', 'q7: use tabs'])(
    'E21: when somebody writes “%s”, then it is said that it reads no words',
    async (text) => {
      const w = await createChatWorld();
      await atWork(w, 'q7', { engine: 'script' });
      expect(await w.says(text)).toEqual(['A script works on this run, and it reads no words.']);
    },
  );
});

describe('given several agents at work', () => {
  const two = async (): Promise<World> => {
    const w = await worldAtWork();
    await atWork(w, 'qb2', { repo: 'acme/web' });
    return w;
  };

  it('E21: when no run is named, then each has a button that keeps the words', async () => {
    const w = await two();
    await w.says('do not touch the README');
    expect(w.messages.at(-1)?.text).toMatch(/^Which of these\?/);
    expect(buttons(w).toSorted()).toEqual([TELL, 'Tell the agent of web qb2']);
    await w.taps('Tell the agent of web qb2');
    expect([await heard(w), await heard(w, 'qb2')]).toEqual([[], ['do not touch the README']]);
  });

  it.each(['acme/web', 'qb2', 'web', 'the run in acme/web'])(
    'C1: when “Which run?” was asked, then “%s” does what was meant',
    async (name) => {
      const w = await two();
      for (const n of [3, 4, 5, 6, 7, 8, 9]) await atWork(w, `qz${n}`, { repo: `acme/z${n}` });
      expect((await w.says('do not touch the README')).join()).toMatch(/^Which run\?/);
      await w.says(name);
      await w.taps('Tell the agent of web qb2');
      expect(await heard(w, 'qb2')).toEqual(['do not touch the README']);
    },
  );

  it('C1: when “Which run?” was asked for a command, then a tap or a name gives it, and other words do not', async () => {
    const w = await two();
    for (const n of [3, 4, 5]) await atWork(w, `qz${n}`, { repo: `acme/z${n}` });
    await w.says('pause it');
    expect(w.messages.at(-1)?.text).toMatch(/^Which run\?/);
    expect(buttons(w)).toHaveLength(5);
    await w.says('what is going on?');
    await w.says('acme/z4');
    await w.taps('Pause');
    expect((await w.run('qz4')).lifecycle.state).toBe('PAUSED');
    expect((await w.run('qz5')).lifecycle.state).toBe('IMPLEMENTING');
  });
});

it('E21: given cards alone, words that name no run ask for changes at the one that waits', async () => {
  const w = await createChatWorld();
  await w.readyRun({ order: { repo: 'acme/api' } });
  await w.says('The agent goes the wrong way: use lib instead');
  expect(buttons(w).slice(0, 2)).toEqual(['Ask for these changes', 'Deny']);
  expect(w.messages.at(-1)?.text).toMatch(/^Tap what you mean/);
  await w.taps('Ask for these changes');
  const after = w.messages.find(({ text }) => text.startsWith('✓ Ask for these changes'))?.text ?? '';
  expect(after.split('acme/api ·')).toHaveLength(2);
});

it('E21: given words that were heard, a tap on their time says so', async () => {
  const w = await worldAtWork();
  await w.says('/tell qaxvnr use the helper');
  const queued = w.messages.at(-1);
  await w.offer('qaxvnr', { type: 'worker.words.delivered', nos: [1], how: 'prompt' });
  expect(await w.taps('Now', queued ? { on: queued } : {})).toBe('The agent has heard them.');
});

it('C4: given a command that is repeated, its message says that the agent can be told, unless a script works', async () => {
  for (const [engine, tells] of [
    ['codex', true],
    ['script', false],
  ] as const) {
    const w = await createChatWorld();
    await atWork(w, 'q7', { engine });
    await w.offer('q7', { type: 'worker.call.repeated', call: '$ npm test', times: 8, of: 12 });
    const message = w.messages.findLast(({ text }) => text.includes('SAME COMMAND AGAIN'));
    expect(message?.text.includes('Reply to tell the agent something.')).toBe(tells);
  }
});

it('E21: given a run that is tried again, its progress offers an end, and no time for words', async () => {
  const w = await worldAtWork();
  await w.says('/tell qaxvnr use the helper');
  const { lifecycle } = await w.run('qaxvnr');
  await w.offer('qaxvnr', stepFailed('implement', 'model_unavailable', 'away').input);
  expect((await w.run('qaxvnr')).lifecycle.state).not.toBe(lifecycle.state);
  const progress = w.messages.find(({ text }) => text.startsWith('Trying again'));
  const shown = progress?.buttons.flat().map(({ text }) => text) ?? [];
  expect(shown).not.toContain('Now');
  expect(shown).toContain('Cancel run');
});

it('C9: given an attempt that runs, its time is that since its start', () => {
  const attempt = { outcome: 'running', ms: 0, startedAt: 1_000 } as AttemptRow;
  expect(elapsedMs(attempt, 181_000)).toBe(180_000);
  expect(elapsedMs({ ...attempt, outcome: 'passed', ms: 7 }, 181_000)).toBe(7);
});
