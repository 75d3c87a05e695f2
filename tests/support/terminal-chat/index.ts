/** A terminal as a chat: what people type comes in, and what they are told is printed. */
import { z } from 'zod';
import type { ChatAdapter, ConfiguredChat } from '#chat';
import { stripMarkup } from '#chat-text';
import { CALM_LIMITS, type ChatButton } from '#ports/chat';
import { OutsideFailure } from '#ports/forge';
import type { SentMessage } from '#ports/ledger';

const Typed = z.object({
  tty: z.string(),
  line: z.number(),
  text: z.string(),
  /** Token of a button, and the line that shows it. */
  pressed: z.object({ token: z.string(), on: z.string() }).nullable(),
});
type Typed = z.infer<typeof Typed>;
export type Printed = { tty: string; line: string; text: string; buttons: ChatButton[] };

const PLACE = /^tty-[a-z]+$/;

/** Each person sits at a terminal of the same name: `tty-ann`. */
export const createTerminal = () => {
  const screen: Printed[] = [];
  let lines = 0;
  let store: ((typed: Typed) => Promise<void>) | null = null;
  let waiting: { arrived: () => boolean; resolve: () => void }[] = [];
  const changed = (): void => {
    for (const { arrived, resolve } of waiting) if (arrived()) resolve();
    waiting = waiting.filter(({ arrived }) => !arrived());
  };

  const print = (tty: string, text: string, buttons: ChatButton[] = []): SentMessage => {
    if (!PLACE.test(tty)) throw new OutsideFailure('chat_refused', `${tty} is no terminal`);
    const line = String((lines += 1));
    screen.push({ tty, line, text, buttons });
    changed();
    return { chat: tty, messageId: line };
  };
  const isLabelled = (label: string) => (button: ChatButton) => button.text.includes(label);
  const findLine = (tty: string, label: string): Printed | undefined =>
    screen.findLast((one) => one.tty === tty && one.buttons.some(isLabelled(label)));

  const adapter: ChatAdapter = {
    name: 'Terminal',
    limits: CALM_LIMITS,
    isLimitedAsOne: false,
    hasRecordings: false,
    isOurs: (stored) => Typed.safeParse(stored).success,
    hasChat: (chat) => PLACE.test(chat),
    hasPerson: (id) => PLACE.test(id),
    read: (stored) => {
      const { tty, line, text, pressed } = Typed.parse(stored);
      const from = { user: tty, name: tty.slice(4), language: null, chat: tty, private: true };
      return pressed
        ? { kind: 'tap', ...from, callbackId: String(line), messageId: pressed.on, data: pressed.token }
        : { kind: 'message', ...from, messageId: String(line), replyTo: null, text };
    },
    isEarlier: (line, than) => Number(line) < Number(than),
    connect: ({ ledger, roles, clock, onStored }) => ({
      out: {
        send: async ({ chat, html, buttons }) => print(chat, stripMarkup(html), buttons.flat()),
        edit: async ({ chat, messageId, html, buttons }) => {
          const old = screen.find(({ tty, line }) => tty === chat && line === messageId);
          if (!old) return null;
          Object.assign(old, { text: stripMarkup(html), buttons: buttons.flat() });
          changed();
          return { chat, messageId };
        },
        pin: async () => false,
        document: async ({ chat, name, content }) => print(chat, `${name}\n${content}`),
        album: async ({ chat, pictures }) => print(chat, pictures.map(({ name }) => name).join('\n')),
      },
      start: async () => {
        store = async (typed) => {
          if (!(await roles.of(typed.tty))) return;
          const lane = { lane: `chat:${typed.tty}`, urgent: typed.pressed !== null };
          await ledger.receive(
            [{ source: 'chat', key: `tty:${typed.line}`, body: typed, ...lane }],
            clock.now(),
          );
          onStored();
        };
      },
      stop: async () => void (store = null),
      whoAmI: async () => 'agentpr',
      botName: () => 'agentpr',
      invitationText: (code) => `/start ${code}`,
      sentFile: async () => null,
      answerTap: async () => {},
    }),
  };
  const take = async (typed: Omit<Typed, 'line'>): Promise<void> => {
    if (!store) throw new Error('nobody reads the terminal');
    await store({ ...typed, line: (lines += 1) });
  };

  return {
    adapter,
    screen,
    /** The line of this chat in the list of a host. */
    configured: (...admins: readonly string[]): ConfiguredChat => ({
      admins,
      adminChats: admins,
      samePeople: new Map(),
      load: async () => adapter,
    }),
    shows: (tty: string, label: string): boolean => findLine(tty, label) !== undefined,
    /** Resolves when what is printed fits. */
    until: (arrived: () => boolean): Promise<void> =>
      arrived() ? Promise.resolve() : new Promise((resolve) => void waiting.push({ arrived, resolve })),
    types: (tty: string, text: string): Promise<void> => take({ tty, text, pressed: null }),
    presses: async (tty: string, label: string): Promise<void> => {
      const on = findLine(tty, label);
      const button = on?.buttons.find(isLabelled(label));
      if (!on || !button) throw new Error(`${tty} shows no button ${label}`);
      await take({ tty, text: '', pressed: { token: button.token, on: on.line } });
    },
  };
};
export type Terminal = ReturnType<typeof createTerminal>;
