/**
 * L4: a message that asks for words may arrive twice, since the first was not noted: a reply to
 * either copy is the answer, and a reply to anything else is none.
 */
import { describe, expect, it } from 'vitest';
import { permissionsOf, permissionQuestionOf } from '#run';
import { NO_USAGE } from '#model/reports';
import { LANGUAGE_TEXTS } from '#language';
import { ANA, BO, createChatWorld, VIC, type Delivered } from '../support/chat-world.ts';
import { answered } from '../support/core-acts.ts';
import { askingRun, asks } from '../support/asking-run.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const US = { id: 1, is_bot: true, first_name: 'AgentPR', username: 'AgentPR_bot' };

/** As Telegram says which message is answered. */
const to = ({ messageId, text }: Delivered, from: object = US) => ({
  reply_to_message: { message_id: Number(messageId), from, text },
});
/** Taps a button whose form arrives twice. */
const twice = async (w: World, button: string, options = {}): Promise<[Delivered, Delivered]> => {
  const before = w.messages.length;
  w.losesAnswer();
  expect(await w.taps(button, options)).toMatch(/below|下面/);
  const [first, second] = w.messages.slice(before).filter((m) => m.asks);
  expect(second?.text).toBe(`(repeat) ${first?.text}`);
  return [first as Delivered, second as Delivered];
};
const grants = async (w: World, id: string) => permissionsOf(await w.run(id)).grants;

describe('a form that arrived twice', () => {
  it.each([0, 1])('L4: P4: a wish in words is taken from copy %i', async (copy) => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    const form = (await twice(w, 'Ask for changes'))[copy] as Delivered;
    expect((await w.says('no', { ...to(form), by: VIC, chat: ANA })).join()).toContain('Only approvers');
    await w.says('Use the <v2> API.', to(form));
    expect((await w.run(id)).lifecycle.reason).toMatchObject({ kind: 'rejected', note: 'Use the <v2> API.' });
    expect((await w.says('And more.', to(form))).join()).toMatch(/^Already closed/);
  });

  it.each([0, 1])('L4: E10: a no with words is taken from copy %i', async (copy) => {
    const w = await createChatWorld();
    const id = await askingRun(w);
    const form = (await twice(w, 'Deny with words'))[copy] as Delivered;
    await w.says('Use the lockfile.', to(form));
    expect(permissionsOf(await w.run(id)).lastDecision).toMatchObject({
      allows: false,
      note: 'Use the lockfile.',
    });
  });

  it.each([0, 1])('L4: P4: an edited command is taken from copy %i, once', async (copy) => {
    const w = await createChatWorld();
    const id = await askingRun(w, 'curl https://x.example', {}, true);
    const form = (await twice(w, 'Edit'))[copy] as Delivered;
    expect((await w.says('curl https://x.example -m 5', to(form))).join()).toContain('as you changed it');
    expect((await w.says('curl https://x.example -m 6', to(form))).join()).toContain('settled');
    expect(await grants(w, id)).toHaveLength(1);
  });

  it('L4: the first copy is known as well when the chat speaks another language since', async () => {
    const w = await createChatWorld();
    const id = await askingRun(w);
    const [first] = await twice(w, 'Deny with words');
    await w.says('/settings language zh');
    expect((await w.says('Use the lockfile.', to(first))).join()).toContain(
      LANGUAGE_TEXTS.zh.permission.denied,
    );
    expect(permissionsOf(await w.run(id)).lastDecision).toMatchObject({ note: 'Use the lockfile.' });
  });

  it('L4: a path that begins with a slash is an answer, too', async () => {
    const w = await createChatWorld();
    await askingRun(w, 'curl https://x.example', {}, true);
    const [first] = await twice(w, 'Edit');
    const said = await w.says('/usr/bin/curl https://x.example', to(first));
    expect(said.join()).not.toContain('/help');
    expect(said.join()).toMatch(/as you changed it|More speaks against that/);
  });
});

describe('what is no copy of a form', () => {
  it('L4: says the same, but is of somebody else, of another chat, or newer', async () => {
    const w = await createChatWorld();
    const id = await askingRun(w, 'curl https://x.example', {}, true);
    const [first, second] = await twice(w, 'Edit');
    const newer = { ...first, messageId: String(Number(second.messageId) + 500) };
    for (const [form, extra] of [
      [to(first, { ...US, username: 'other_bot' }), {}],
      [to(first, { ...US, is_bot: false }), {}],
      [to({ ...first, text: `Look: ${first.text}` }), {}],
      [to(newer), {}],
      [to(first), { by: BO, chat: BO }],
    ] as const)
      await w.says('curl https://x.example -m 5', { ...form, ...extra });
    expect(await grants(w, id)).toEqual([]);
    expect(permissionQuestionOf(await w.run(id))).not.toBeNull();
  });

  it('L4: where two questions say the same, none is guessed, and it is said what to do', async () => {
    const w = await createChatWorld();
    const id = await askingRun(w);
    const [first] = await twice(w, 'Deny with words');
    await w.taps('Deny');
    await w.offer(id, asks('curl https://y.example'));
    await w.taps('Deny with words');
    const newest = w.messages.at(-1) as Delivered;
    expect(await w.says('Use the lockfile.', to(first))).toEqual([LANGUAGE_TEXTS.en.denials.whichForm]);
    expect(permissionQuestionOf(await w.run(id))).not.toBeNull();
    await w.says('Use the lockfile.', to(newest));
    expect(permissionsOf(await w.run(id)).lastDecision).toMatchObject({ note: 'Use the lockfile.' });
  });
});

describe('words after a form that answer no message', () => {
  const { perhaps } = LANGUAGE_TEXTS.en.denials;
  const forEdit = async (): Promise<[World, string]> => {
    const w = await createChatWorld();
    const id = await askingRun(w, 'curl https://x.example', {}, true);
    await w.taps('Edit');
    return [w, id];
  };

  it.each([
    'curl https://x.example -m 5',
    // Each of them reads like a request of ours, or like a command.
    "sed -i '$a the budget' notes.txt",
    'git diff --stat',
    'git status',
    '/usr/bin/curl https://x.example',
    './retry.sh all',
  ])('P4: do nothing yet, whatever they read like, and a tap makes them the answer: %s', async (command) => {
    const [w, id] = await forEdit();
    const before = w.messages.length;
    expect((await w.says(command)).join()).toContain(perhaps.asks['permission-edit']);
    expect(w.messages).toHaveLength(before + 1);
    expect(permissionQuestionOf(await w.run(id))).not.toBeNull();
    const offered = w.messages.at(-1) as Delivered;
    expect(offered.text).toContain(command);
    await w.taps(perhaps.use, { on: offered });
    expect(offered.text).toContain(perhaps.used);
    expect(offered.buttons).toEqual([]);
    const answered = w.messages.at(-1)?.text;
    expect(answered).toMatch(/as you changed it|More speaks against that/);
    if (answered?.includes('changed')) expect(await grants(w, id)).toHaveLength(1);
  });

  it('P4: are read as ever once somebody says that they meant something else', async () => {
    const [w, id] = await forEdit();
    await w.says('show me the budget');
    const offered = w.messages.at(-1) as Delivered;
    const before = w.messages.length;
    await w.taps(perhaps.other, { on: offered });
    expect(offered).toMatchObject({ buttons: [] });
    expect(w.messages).toHaveLength(before + 1);
    expect(w.messages.at(-1)?.text).not.toContain(perhaps.asks['permission-edit']);
    expect(permissionQuestionOf(await w.run(id))).not.toBeNull();
    await w.says('/status');
    expect(w.messages.at(-1)?.text).toContain('acme/api');
  });

  it('P4: a wish that reads like a command is asked about, once, and only from whoever may deny', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Ask for changes');
    await w.says('cancel it');
    const offered = w.messages.at(-1) as Delivered;
    expect(offered.text).toContain(perhaps.asks.changes);
    expect((await w.run(id)).gate.approval).not.toBeNull();
    const use = offered.buttons.flat()[0]?.token ?? '';
    await w.taps('', { on: offered, data: use });
    expect((await w.run(id)).lifecycle.reason).toMatchObject({
      kind: 'rejected',
      note: 'cancel it',
    });
    await w.taps('', { on: offered, data: use });
    expect(w.messages.at(-1)?.text).toMatch(/^Already closed/);
  });

  it('C4, E21: ask the agent once, however often the button is tapped', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun({ session: { id: 's1', usage: NO_USAGE } });
    const card = w.messages.find(({ text }) => text.startsWith('Open this')) as Delivered;
    const ask = card.buttons.flat().find(({ text }) => text === LANGUAGE_TEXTS.en.buttons.ask);
    await w.taps('', { on: card, data: ask?.token ?? '' });
    await w.says('show me the budget of the retries');
    const offered = w.messages.at(-1) as Delivered;
    expect(offered.text).toContain(perhaps.asks.question);
    const use = offered.buttons.flat()[0]?.token ?? '';
    await w.taps('', { on: offered, data: use });
    // The agent has answered when the old phone taps again.
    const answer = answered()(await w.run(id)).input;
    await w.offer(id, answer);
    await w.taps('', { on: offered, data: use });
    const asked = (await w.ledger.query.events(id)).filter(({ type }) => type === 'command.question.ask');
    expect(asked).toHaveLength(1);
  });

  it('P4: need the right that the answer needs', async () => {
    const w = await createChatWorld();
    const { id } = await w.readyRun();
    await w.taps('Ask for changes');
    await w.says('cancel it');
    const offered = w.messages.at(-1) as Delivered;
    const said = await w.taps(perhaps.use, { on: offered, by: VIC });
    expect(said).toContain('Only approvers');
    expect(offered.buttons).toHaveLength(2);
    expect((await w.run(id)).gate.approval).not.toBeNull();
  });

  it.each(['status', "what's waiting for me?", '/status', 'help'])(
    'C4: a clear request is carried out: %s',
    async (request) => {
      const w = await createChatWorld();
      await w.readyRun();
      await w.taps('Ask for changes');
      await w.says(request);
      expect(w.messages.at(-1)?.text).not.toContain(perhaps.asks.changes);
      expect(w.messages.at(-1)?.text).not.toContain(LANGUAGE_TEXTS.en.guesses.nothing);
    },
  );

  it('C4: later, or once the question is over, they are words as ever', async () => {
    const w = await createChatWorld();
    await askingRun(w);
    await w.taps('Deny with words');
    w.passes(3_600_000);
    expect((await w.says('Mumble mumble.')).join()).toContain(LANGUAGE_TEXTS.en.guesses.which);
  });
});
