/** C4, E21: given an agent at work, what is written without a reply comes back as a tap that tells it. */
import { describe, expect, it } from 'vitest';
import type { AttemptRow } from '#ports/ledger';
import { attemptDurationMs } from '#views';
import { toStepFailure } from '../../orchestrator/kernel/runtime/effect-handler.ts';
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
const RUN = 'patient qaxvnr';
const TELL = `Tell the agent of ${RUN}`;
const runsIn = (w: World) => w.ledger.query.runs({ live: true, limit: 20 });

const NO_TAP = { data: '', messageId: '' };
const guesses = async (w: World, said: string) => {
  await w.says(said);
  const message = w.messages.at(-1);
  return { data: message?.buttons.flat()[0]?.token ?? '', messageId: message?.messageId ?? '' };
};

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
    await w.says('tell it: do not touch the README');
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
    expect(buttons(w).slice(0, 3)).toEqual([`Stop and keep · ${RUN}`, TELL, `Pause · ${RUN}`]);
    await w.taps('Stop and keep');
    expect((await w.run('qaxvnr')).agent.round.kind).toBe('kept_edits');
    const zh = await worldAtWork();
    await zh.says('停，那是错的文件');
    expect(buttons(zh).slice(0, 2)).toEqual([`停止并保留 · ${RUN}`, `告诉 ${RUN} 的代理`]);
  });

  it('C4: when it is not clear that the words are for it, then telling is the first guess', async () => {
    const w = await worldAtWork();
    await w.says('the helper is in lib/util.ts');
    expect(buttons(w)[0]).toBe(TELL);
    await w.taps(TELL);
    expect(await heard(w)).toEqual(['the helper is in lib/util.ts']);
  });

  it.each([
    ['the newer copy', 1],
    ['the older copy', 0],
  ])('C4: when a guess is tapped twice, in %s first, then it is told once', async (_, first) => {
    const w = await worldAtWork();
    const said = 'the helper is in lib/util.ts';
    const copies = [await guesses(w, said), await guesses(w, said)];
    const [one = NO_TAP, other = NO_TAP] = first === 0 ? copies : copies.toReversed();
    await w.taps(TELL, one);
    await w.taps(TELL, one);
    await w.taps(TELL, other);
    expect(await heard(w)).toEqual([said]);
    await w.offer('qaxvnr', { type: 'worker.words.delivered', nos: [1], how: 'stream' });
    for (const tap of [one, other]) await w.taps(TELL, tap);
    expect(await heard(w)).toEqual([said]);
  });

  it('E21: when the same words are told again while they wait, then they wait once', async () => {
    const w = await worldAtWork();
    const said = 'the helper is in lib/util.ts';
    for (const _ of ['once', 'again']) await w.taps(TELL, await guesses(w, said));
    expect(await heard(w)).toEqual([said]);
    await w.offer('qaxvnr', { type: 'worker.words.delivered', nos: [1], how: 'stream' });
    await w.taps(TELL, await guesses(w, said));
    expect(await heard(w)).toEqual([said, said]);
  });

  it('C4: when the message of a guess could not be closed, then its second tap still tells nothing', async () => {
    const w = await worldAtWork();
    const said = 'the helper is in lib/util.ts';
    const tap = await guesses(w, said);
    await w.taps(TELL, tap);
    await w.offer('qaxvnr', { type: 'worker.words.delivered', nos: [1], how: 'stream' });
    await guesses(w, said);
    await w.taps(TELL, tap);
    expect(await heard(w)).toEqual([said]);
  });

  it('C1: when a guessed order is tapped twice, then one run begins', async () => {
    const w = await worldAtWork();
    await w.says('/new add a test for the parser');
    const asked = w.messages.at(-1);
    const data = asked?.buttons.flat()[0]?.token ?? '';
    await w.taps('', { data, messageId: asked?.messageId ?? '' });
    await w.taps('', { data, messageId: asked?.messageId ?? '' });
    expect(await runsIn(w)).toHaveLength(2);
    expect(asked?.buttons).toEqual([]);
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
    expect((await w.says('tell it to use tabs', { by: VIC })).join()).toMatch(/^Only operators/);
    for (const text of ['the helper is in lib/util.ts', 'do not touch the README']) {
      await w.says(text, { by: VIC });
      expect(buttons(w)).not.toContain(TELL);
    }
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
  it.each(['tell the agent to use tabs', 'q7: use tabs', 'tell it: tabs'])(
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

  const five = async (): Promise<World> => {
    const w = await two();
    for (const n of [3, 4, 5]) await atWork(w, `qz${n}`, { repo: `acme/z${n}` });
    return w;
  };

  it('E21: when no run is named, then each has a button that keeps the words', async () => {
    const w = await two();
    await w.says('do not touch the README');
    expect(buttons(w).slice(0, 2).toSorted()).toEqual([TELL, 'Tell the agent of web qb2']);
    await w.taps('Tell the agent of web qb2');
    expect([await heard(w), await heard(w, 'qb2')]).toEqual([[], ['do not touch the README']]);
  });

  it.each(['acme/web', 'qb2', 'web', 'the run in acme/web'])(
    'C1: when “Which run?” was asked, then “%s” does what was meant',
    async (name) => {
      const w = await two();
      for (const n of [3, 4, 5, 6, 7, 8, 9]) await atWork(w, `qz${n}`, { repo: `acme/z${n}` });
      expect((await w.says('tell the agent to use the helper')).join()).toMatch(/^Which run\?/);
      await w.says(name);
      await w.taps('Tell the agent of web qb2');
      expect(await heard(w, 'qb2')).toEqual(['use the helper']);
    },
  );

  it('C1: when “Which run?” was asked for an order, then its name proposes it, once', async () => {
    const w = await five();
    await w.says('pause it');
    expect(w.messages.at(-1)?.text).toMatch(/^Which run\?/);
    expect(buttons(w)).toHaveLength(5);
    await w.says('acme/z4');
    await w.taps('Pause');
    expect((await w.run('qz4')).lifecycle.state).toBe('PAUSED');
    expect((await w.run('qz5')).lifecycle.state).toBe('IMPLEMENTING');
  });

  it.each(['/cancel', '/pause'])(
    'C1: when %s asked “Which run?”, then a name gives no command',
    async (typed) => {
      const w = await five();
      expect((await w.says(typed)).join()).toMatch(/^Which run\?/);
      await w.says('qz4');
      expect((await w.run('qz4')).lifecycle.state).toBe('IMPLEMENTING');
      expect(buttons(w)).toHaveLength(1 + 1);
      await w.taps(typed === '/cancel' ? 'Cancel for good' : 'Pause');
      expect((await w.run('qz4')).lifecycle.state).toBe(typed === '/cancel' ? 'FAILED_TERMINAL' : 'PAUSED');
    },
  );

  it.each(['/cancel qb2', 'what is going on?', 'thanks', '谢谢', '/status'])(
    'C1: when “%s” is written in between, then the question “Which run?” is over',
    async (other) => {
      const w = await five();
      await w.says('/cancel');
      const asked = w.messages.at(-1);
      await w.says(other);
      expect(w.messages.find(({ messageId }) => messageId === asked?.messageId)?.buttons).toEqual([]);
      await w.says('acme/z4');
      expect((await w.run('qz4')).lifecycle.state).toBe('IMPLEMENTING');
      expect(buttons(w).join()).not.toContain('Cancel for good · ');
      expect(w.messages.at(-1)?.text).not.toMatch(/^Tap what you mean/);
    },
  );

  it('C1: when the answer fits several, then it is asked again, and not closed in silence', async () => {
    const w = await five();
    for (const n of [6, 7, 8, 9]) await atWork(w, `qy${n}`, { repo: 'acme/web' });
    await w.says('pause it');
    expect((await w.says('web')).join()).toMatch(/^Which run\?/);
    await w.says('2');
    expect(buttons(w)[0]).toBe('Pause');
  });

  it('C1: given a group, an answer to “Which run?” does what was meant', async () => {
    const w = await five();
    const chat = '-5';
    await w.says('/cancel', { chat });
    const { messageId = '' } = w.messages.at(-1) ?? {};
    expect(w.messages.at(-1)?.text).toMatch(/^Which run\?/);
    const reply_to_message = {
      message_id: Number(messageId),
      from: { id: 1, is_bot: true, first_name: 'b' },
    };
    await w.says('acme/z4', { chat, reply_to_message });
    expect((await w.run('qz4')).lifecycle.state).toBe('IMPLEMENTING');
    await w.taps('Cancel for good');
    expect((await w.run('qz4')).lifecycle.state).toBe('FAILED_TERMINAL');
  });

  it('C1: when a denial with its reason asked “Which run?”, then the reason stays with it', async () => {
    const w = await createChatWorld();
    for (const n of [1, 2, 3, 4, 5]) await w.readyRun({ order: { repo: `acme/z${n}` } });
    await w.says('reject it because tests are missing');
    expect(w.messages.at(-1)?.text).toMatch(/^Which run\?/);
    await w.says('acme/z4');
    expect(w.messages.at(-1)?.text).toContain('tests are missing');
    expect(buttons(w)[0]).toMatch(/^Deny/);
  });
});

/** One works, one waits for a decision, one is queued. */
const mixed = async (): Promise<World> => {
  const w = await worldAtWork();
  const create = (runId: string, repo: string) => ({
    type: 'command.run.create' as const,
    runId,
    order: anOrder({ repo, engine: 'codex', chat: ANA }),
  });
  await w.offer('q7k2mm', create('q7k2mm', 'acme/web'), ...inputsToCard());
  await w.offer('qb2dd9', create('qb2dd9', 'acme/api'));
  return w;
};
const LONG = 'use the helper of lib '.repeat(32);

describe('given one agent at work, a card and a queued run', () => {
  it.each([
    'tell qaxvnr, stop now',
    'tell qaxvnr: stop',
    'tell the agent: stop',
    'tell it: tabs',
    'tell the agent to hurry',
    'the agent should rebase',
    '告诉代理：停下',
    '告诉代理：加测试',
    '通知代理：接口变了',
  ])('C4: when “%s” is written, then no agent hears it without a tap', async (text) => {
    const w = await mixed();
    await w.says(text);
    for (const id of ['qaxvnr', 'qb2dd9']) expect(await heard(w, id)).toEqual([]);
    expect(buttons(w)).not.toEqual([]);
    if (/stop|停下/.test(text)) expect(buttons(w).join()).toMatch(/Pause|暂停/);
    if (/stop|停下/.test(text)) expect(buttons(w).join()).not.toMatch(/Tell the agent|告诉/);
  });

  it.each([
    'cancel q7k2mm, it is the wrong repo',
    'stop the web run, the login is fine',
    'web 的任务要保留旧标签',
    `q7k2mm: ${LONG}`,
    'cancel q7k2mm：仓库错了',
  ])('C4: when “%s” names another run, then it is offered to no agent', async (text) => {
    const w = await mixed();
    await w.says(text);
    expect(buttons(w).join()).not.toMatch(/Tell the agent|告诉|qaxvnr|qb2dd9/);
  });

  it.each([
    ['pause everything, the CI is broken', /^Pause · \d runs/],
    ['stop all, something is wrong with the server', /^Pause · \d runs/],
    ['全部暂停，CI 坏了', /^暂停 · \d/],
    ['都停下来，服务商挂了', /^暂停 · \d/],
    ['cancel qaxvnr, wrong repository', /^Cancel for good/],
    ['cancel the patient run, it is a duplicate', /^Cancel for good/],
    ['stop qaxvnr, use the helper instead', /^Pause · patient qaxvnr/],
  ])('C4: when “%s” is written, then that is the first proposal', async (text, first) => {
    const w = await mixed();
    await w.says(text);
    expect(buttons(w)[0]).toMatch(first);
  });

  it('C4: when it is stopped with words, then only who works keeps, and each that can be paused is', async () => {
    const w = await mixed();
    await w.says('stop, that is the wrong file');
    expect(buttons(w).filter((text) => /^(?:Stop and keep|Tell)/.test(text))).toEqual([
      `Stop and keep · ${RUN}`,
      TELL,
    ]);
    expect(buttons(w)).toContain(`Pause · ${RUN}`);
  });

  it('C4: when a question begins like a stop, then no stop is offered with words', async () => {
    const w = await mixed();
    await w.says('wait, is that safe?');
    expect(buttons(w).join()).not.toMatch(/Stop and keep|Pause/);
  });

  it.each([
    ['https://github.com/other/repo/pull/7 does it right, do it like that', null],
    ['tell the agent to copy what web does', 'copy what web does'],
    ['let the agent know that the api changed', 'the api changed'],
    ['告诉代理不要改README，也不要改CHANGELOG', '不要改README，也不要改CHANGELOG'],
    ['tell the agent to retyr the Failing test', 'retyr the Failing test'],
    ['tell the agent that README.md must stay as it is now', 'README.md must stay as it is now'],
    ['告诉代理：接口变了', '接口变了'],
    [`qaxvnr: ${LONG}`, LONG.trim()],
  ])('E21: when “%s” is told, then the agent at work hears it in its spelling', async (text, words) => {
    const w = await mixed();
    await w.says(text);
    await w.taps(buttons(w).find((one) => one.includes(RUN)) ?? '');
    expect(await heard(w)).toEqual([words ?? text]);
  });

  it.each(['tell acme/patient, acme/api: keep the label', 'tell patient and api: keep the label'])(
    'E21: when two are addressed, then each may be told: %s',
    async (text) => {
      const w = await mixed();
      await w.says(text);
      expect(buttons(w).toSorted()).toEqual(['Tell the agent of api qb2dd9', TELL]);
      await w.taps(TELL);
      expect(await heard(w)).toEqual(['keep the label']);
    },
  );

  it.each([
    'this is taking forever',
    'my phone battery is nearly dead',
    'no more PRs today',
    'tell Ben: the run is done',
    '午饭时间到了',
  ])('C4: when “%s” is written, then telling it is not the only choice', async (text) => {
    const w = await mixed();
    await w.says(text);
    expect(buttons(w).filter((one) => !/Tell the agent|告诉/.test(one))).not.toEqual([]);
  });

  it('C4: when a new run is given in place of words, then its receipt names no other run', async () => {
    const w = await worldAtWork();
    await w.says('add a test for the parser in acme/patient');
    await w.taps('New run in acme/patient');
    const receipt = w.messages.find(({ text }) => text.startsWith('✓ New run in acme/patient'))?.text;
    expect(receipt).toBeDefined();
    expect(receipt).not.toContain('qaxvnr');
  });

  it.each([
    ['add a new run button to acme/patient', true],
    ['acme/patient: rename the second run column', true],
    ['修复 acme/patient 新任务页面的标题', true],
    ['start a fresh one in acme/patient: add a test for the parser', false],
  ])('E21: “%s” is for the agent at work: %s', async (text, isTold) => {
    const w = await worldAtWork();
    await w.says(text);
    expect(buttons(w).some((one) => /^(?:Tell the agent|告诉)/.test(one))).toBe(isTold);
  });
});

it('E21: given a reply to its message, words reach the agent at once, and a stop is one', async () => {
  const w = await worldAtWork();
  const { messageId = '' } = w.messages.at(-1) ?? {};
  const reply_to_message = { message_id: Number(messageId), from: { id: 1, is_bot: true, first_name: 'b' } };
  await w.says('use the helper', { reply_to_message });
  expect(await heard(w)).toEqual(['use the helper']);
  await w.says('tell the agent: stop', { reply_to_message });
  expect(await heard(w)).toEqual(['use the helper']);
  expect(buttons(w)[0]).toMatch(/^Pause/);
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
  await w.offer('qaxvnr', toStepFailure('implement', 'model_unavailable', 'away').input);
  expect((await w.run('qaxvnr')).lifecycle.state).not.toBe(lifecycle.state);
  const progress = w.messages.find(({ text }) => text.startsWith('Trying again'));
  const shown = progress?.buttons.flat().map(({ text }) => text) ?? [];
  expect(shown).not.toContain('Now');
  expect(shown).toContain('Cancel run');
});

it('C9: given an attempt that runs, its time is that since its start', () => {
  const attempt = { outcome: 'running', ms: 0, startedAt: 1_000 } as AttemptRow;
  expect(attemptDurationMs(attempt, 181_000)).toBe(180_000);
  expect(attemptDurationMs({ ...attempt, outcome: 'passed', ms: 7 }, 181_000)).toBe(7);
});
