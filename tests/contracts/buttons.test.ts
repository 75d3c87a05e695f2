/** The rows of buttons: everything about one stands in its row, beside what a tap on it does. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { settleTap, type PendingTapAnswer } from '../../bot/commands/settle-tap.ts';
import { createButtonTokens } from '../../bot/commands/button-tokens.ts';
import { BUTTONS, findButton } from '../../bot/commands/buttons.ts';
import { defineButton, runCardOn, type ButtonRow } from '../../bot/commands/define-button.ts';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const rows: ButtonRow[] = BUTTONS;
const known = rows.length;
afterEach(() => void rows.splice(known));

type World = Awaited<ReturnType<typeof createChatWorld>>;
const GREETING = defineButton(runCardOn('gate'), {
  verb: 'test.greet',
  role: 'operator',
  onTap: ({ c, run }): PendingTapAnswer => settleTap(c, `Hello from ${run.id}.`, false),
});

const tapsGreeting = async (w: World, on: string, by = ANA): Promise<string> => {
  const message = w.messages.findLast((m) => m.text.startsWith(on));
  const { n = 0 } = w.tokens.read(message?.buttons[0]?.[0]?.token ?? '') ?? {};
  const data = w.tokens.make({ verb: 'test.greet', index: null, n }, message?.chat ?? '');
  return w.taps('', { by, data, chat: message?.chat ?? '', messageId: message?.messageId ?? '' });
};

/** Buttons of an answer that no view draws. */
const DRAWN_BY_COMMANDS = new Map([
  ['say.as_answer', 'bot/commands/ambiguous-reply.ts'],
  ['drop.confirm', 'bot/commands/steer-run.ts'],
  ['keep.confirm', 'bot/commands/steer-run.ts'],
]);

describe('a row of a button', () => {
  it('G4: is all that a new button needs: it acts on its card, for its role, and nowhere else', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun({ order: { chat: '-50' } });
    expect(await tapsGreeting(w, 'Open this')).toContain('no longer known');
    rows.push(GREETING);
    expect(await tapsGreeting(w, 'Open this')).toBe(`Hello from ${run.id}.`);
    expect(await tapsGreeting(w, 'Open this', BO)).toBe(`Hello from ${run.id}.`);
    expect(await tapsGreeting(w, 'Open this', VIC)).toContain('Only operators');
    await w.says(`/pause ${run.id}`);
    expect(await tapsGreeting(w, 'PAUSED')).toContain('no longer known');
  });

  it('C4: whose command the run has left behind does nothing, and may draw its message again', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun({ order: { chat: '-50' } });
    rows.push({
      ...defineButton(runCardOn('attention'), {
        verb: 'test.greet',
        role: 'operator',
        goesStale: true,
        onTap: ({ c }): PendingTapAnswer => settleTap(c, 'Hello.', false),
      }),
    });
    await w.says(`/pause ${run.id}`);
    const paused = w.messages.findLast((m) => m.text.startsWith('PAUSED'));
    const { n = 0 } = w.tokens.read(paused?.buttons[0]?.[0]?.token ?? '') ?? {};
    const data = w.tokens.make({ verb: 'test.greet', index: null, n }, '-50');
    const taps = (): Promise<string> => w.taps('', { data, chat: '-50', messageId: paused?.messageId ?? '' });
    expect(await taps()).toBe('Hello.');
    await w.says(`/resume ${run.id}`);
    expect(await taps()).toContain('moved on');
  });

  it('has a verb of its own, which fits the 64 bytes that Telegram allows with any message and place', () => {
    const tokens = createButtonTokens([Buffer.alloc(32, 3)]);
    const verbs = BUTTONS.map(({ verb }) => verb);
    expect(verbs.length).toBeGreaterThan(70);
    expect(new Set(verbs).size).toBe(verbs.length);
    for (const verb of verbs) {
      expect(verb).toMatch(/^[a-z]+(\.[a-z]+(_[a-z]+)*)?$/);
      const token = tokens.make({ verb, index: 99, n: Number.MAX_SAFE_INTEGER }, '-100123');
      expect(Buffer.byteLength(token), verb).toBeLessThanOrEqual(64);
      expect(findButton(tokens.read(token)?.verb ?? '')?.verb).toBe(verb);
    }
  });

  it('is drawn by a view, or by the command that answers with it', () => {
    const views = globSync('bot/views/**/*.ts', { cwd: ROOT })
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('\n');
    const undrawn = BUTTONS.map(({ verb }) => verb).filter((verb) => !views.includes(`'${verb}'`));
    expect(undrawn.sort()).toEqual([...DRAWN_BY_COMMANDS.keys()].sort());
  });

  it('is named in no list: a verb stands beside what it does, and where a view draws it', () => {
    const files = globSync('{app,board,bot,cli,db,orchestrator,slack}/**/*.ts', { cwd: ROOT })
      .filter((file) => !file.startsWith('bot/views/'))
      .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
    // The verbs of one word are commands and words of much else.
    for (const { verb } of rows.filter((one) => one.verb.includes('.'))) {
      const found = files.filter(({ text }) => text.includes(`'${verb}'`)).map(({ file }) => file);
      expect(
        found.filter((file) => file !== DRAWN_BY_COMMANDS.get(verb)),
        verb,
      ).toHaveLength(1);
    }
  });
});
