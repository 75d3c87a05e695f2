/** People in the chat, honest and hostile, with the updates that Telegram would deliver. */
import { ACTIVE_STATES } from '#model/run';
import type { Chaos } from './chaos.ts';
import type { Oracle } from './oracle.ts';
import { ANA, BO, CAT, EVE, VIC, type Process } from './process.ts';
import type { Random } from './random.ts';
import { REPO } from './world/state.ts';
import type { Shown, World } from './world.ts';

export type People = ReturnType<typeof createPeople>;

const VERBS = [
  'pause',
  'resume',
  'retry',
  'cancel',
  'deny',
  'skip',
  'done',
  'status',
  'detail',
  'diff',
  'pending',
  'runs',
  'fix',
  'retry',
  'log',
  'budget',
] as const;
/** Arguments that only some commands accept. */
const TAILS = [' please', ' --final', ' tokens +50', ' tokens 100'];
const EDITS = [
  'title="Other words"',
  'description="It says why." so that it says why',
  'title="Two" description="Both"',
];
/** An honest person's buttons, in order of preference. */
const HONEST = [
  ...[/^\W*Confirm/, /^\W*Review risks/, /^\W*Open PR/, /^\W*Push/, /^\W*Start/, /^\W*Resume/],
  // Offered alone on a card with a conflict.
  /^\W*Update from base/,
];
const SIGNS = /^\W*(Confirm|Review risks|Open PR|Push)/;
/** Wait before tapping the same button again (ms). */
const AGAIN = 20_000;
/** Also forwards comments and retries failures. */
const EAGER = [...HONEST, /^\W*Let the agent/, /^\W*Re-run CI/, /^\W*Retry/];

export const createPeople = ({
  random,
  world,
  chaos,
  oracle,
  say,
  clock,
  most = 3,
  plan = 0,
  reads = 0,
}: {
  random: Random;
  clock: { now(): number };
  world: World;
  chaos: Chaos;
  oracle: Pick<Oracle, 'pressed' | 'typed'>;
  say: (what: string) => void;
  /** Maximum number of ordered runs. */
  most?: number;
  /** Chances that a run keeps a plan, and that its agent reads first. */
  plan?: number;
  reads?: number;
}) => {
  let updateId = 0;
  let asked = 0;
  const sent: { key: string; body: unknown }[] = [];

  const deliver = async (life: Process, body: object): Promise<void> => {
    updateId += 1;
    const update = { key: String(updateId), body: { update_id: updateId, ...body } };
    sent.push(update);
    await life.receive([{ source: 'chat', ...update }]);
  };

  const from = (id: string): object => ({ id: Number(id), is_bot: false, first_name: `person ${id}` });
  const chatOf = (id: string): object => ({
    id: Number(id),
    type: Number(id) > 0 ? 'private' : 'supergroup',
  });

  /** Edited or forwarded messages (`as`) do not count; `to` is the replied-to message. */
  const type = async (
    life: Process,
    user: string,
    text: string,
    chat = user,
    as: 'message' | 'edited' | 'forwarded' = 'message',
    to: Shown | null = null,
  ): Promise<void> => {
    say(`${user} types ${text}${as === 'message' ? '' : ` (${as})`}`);
    const run = /^\/approve_open_pr (\w+) --confirm/.exec(text)?.[1];
    if (run && as === 'message') oracle.typed(user, run, chat);
    const origin = { type: 'user', date: 0, sender_user: from(EVE) };
    await deliver(life, {
      [as === 'edited' ? 'edited_message' : 'message']: {
        ...(as === 'edited' ? { edit_date: 1 } : as === 'forwarded' ? { forward_origin: origin } : {}),
        ...(to ? { reply_to_message: { message_id: Number(to.id) } } : {}),
        message_id: (world.record.lastMessage += 1),
        from: from(user),
        chat: chatOf(chat),
        date: 0,
        text,
      },
    });
  };

  const press = async (
    life: Process,
    user: string,
    shown: Shown,
    token: string,
    on: { chat: string; id: string },
  ): Promise<void> => {
    const button = shown.buttons.find((b) => b.token === token);
    say(`${user} presses ${button?.text ?? 'a forged button'} on ${on.chat}/${on.id}`);
    const genuine = button !== undefined && on.chat === shown.chat && on.id === shown.id;
    if (button) oracle.pressed(user, shown, button, genuine);
    const message = { message_id: Number(on.id), chat: chatOf(on.chat), date: 0 };
    await deliver(life, {
      callback_query: { id: `q${updateId}`, from: from(user), message, chat_instance: '1', data: token },
    });
  };

  /** But for offers of a new run in place of an ended one: people here order by words alone, and are counted. */
  const withButtons = (): Shown[] =>
    world.messages.filter(
      (m) => m.buttons.length > 0 && !m.buttons.some((b) => /^Start again\b/.test(b.text)),
    );
  const target = (): string => random.pick([...world.runIds(), 'nobody']);
  const onCard = (): string => {
    const card = withButtons().findLast((m) => m.buttons.some((b) => SIGNS.test(b.text)));
    return world.runIds().find((id) => card?.more.includes(id)) ?? target();
  };

  const forge = (token: string): string => {
    const at = random.int(token.length);
    const others = [...'abcxyz019.'].filter((c) => c !== token[at]);
    return token.slice(0, at) + random.pick(others) + token.slice(at + 1);
  };

  const order = async (life: Process, asker: string): Promise<void> => {
    asked += 1;
    const flow = chaos.strikes('person: wants a plan', plan) ? ' flow=plan' : '';
    const read = chaos.strikes('person: wants the repository read', reads) ? ' discovery=agent' : '';
    await type(life, asker, `/new ${REPO} Fix the retry number ${asked} check="npm test"${flow}${read}`);
  };

  const act = async (life: Process): Promise<void> => {
    const user = random.pick([ANA, ANA, ANA, ANA, CAT, VIC, BO, EVE]);
    const shown = withButtons();
    const dice = random.next();
    const does = async (what: string, deed: () => Promise<void>): Promise<void> => {
      if (chaos.strikes(`person: ${what}`, 1)) await deed();
    };
    if (asked < most && dice < 0.12) return order(life, random.pick([ANA, BO]));
    if (dice < 0.62 && shown.length > 0) {
      const message = random.chance(0.7) ? (shown.at(-1) ?? random.pick(shown)) : random.pick(shown);
      const wanted = message.buttons.find((b) => EAGER.some((h) => h.test(b.text)));
      const button = wanted && random.chance(0.7) ? wanted : random.pick(message.buttons);
      const presser = random.chance(0.75) ? message.chat : user;
      const times = random.chance(0.15) ? 2 : 1;
      return does(times === 2 ? 'presses twice' : 'presses', async () => {
        for (let i = 0; i < times; i += 1) await press(life, presser, message, button.token, message);
      });
    }
    if (dice < 0.7 && shown.length > 0) {
      const message = random.pick(shown);
      const { token } = random.pick(message.buttons);
      const elsewhere = random.pick(world.messages);
      const forged = random.chance(0.5) ? forge(token) : null;
      return does(forged === null ? 'presses elsewhere' : 'forges a button', () =>
        press(life, user, message, forged ?? token, elsewhere),
      );
    }
    if (dice < 0.78 && sent.length > 0) {
      const update = random.pick(sent);
      return does('is delivered again', async () => {
        say(`Telegram delivers update ${update.key} again`);
        await life.receive([{ source: 'chat', ...update }]);
      });
    }
    const words =
      dice < 0.82
        ? `/approve_open_pr ${target()}${random.chance(0.7) ? ' --confirm' : ''}`
        : dice < 0.85
          ? `/edit ${onCard()} ${random.pick(EDITS)}`
          : dice < 0.89
            ? `/${random.pick(['retry', 'resume'] as const)} ${target()} ${random.pick(ACTIVE_STATES)}`
            : `/${random.pick(VERBS)} ${target()}${random.chance(0.3) ? random.pick(TAILS) : ''}`;
    return does('types', () => type(life, user, words));
  };

  /** Ana answers questions in the calm phase, and repeats ineffective taps. */
  const answered = new Map<string, { times: number; at: number }>();
  // Only the newest copy of a card is active.
  const place = (message: Shown, token: string): string => `${message.id} ${token}`;
  const mayPress = (at: string): boolean => {
    const last = answered.get(at);
    return !last || (last.times < 3 && clock.now() - last.at > AGAIN);
  };
  const answer = async (life: Process, eager: boolean): Promise<boolean> => {
    for (const message of withButtons().toReversed()) {
      if (message.chat !== ANA) continue;
      const button = (eager ? EAGER : HONEST)
        .flatMap((h) => message.buttons.find((b) => h.test(b.text)) ?? [])
        .find((b) => mayPress(place(message, b.token)));
      if (!button) continue;
      const at = place(message, button.token);
      answered.set(at, { times: (answered.get(at)?.times ?? 0) + 1, at: clock.now() });
      await press(life, ANA, message, button.token, message);
      return true;
    }
    return false;
  };

  /** Returns when Ana repeats a tap; null when nothing is left. */
  const looksAgain = (): number | null => {
    let next: number | null = null;
    for (const message of withButtons().filter((m) => m.chat === ANA))
      for (const b of message.buttons) {
        const last = answered.get(place(message, b.token));
        const at = last && last.times < 3 ? last.at + AGAIN + 1 : 0;
        if (at > clock.now()) next = Math.min(next ?? Infinity, at);
      }
    return next;
  };

  const again = async (life: Process): Promise<void> => {
    if (sent.length > 0) await life.receive([{ source: 'chat', ...random.pick(sent) }]);
  };

  return {
    act,
    order,
    answer,
    looksAgain,
    diligent: async (life: Process): Promise<void> => {
      if (asked === 0) await order(life, ANA);
      else if (chaos.strikes('person: answers', 1)) await answer(life, true);
    },
    type,
    press,
    forge,
    again,
    /** Saved with a prepared state. */
    save: () => ({ updateId, sent: [...sent] }),
    load(saved: { updateId: number; sent: { key: string; body: unknown }[] }): void {
      updateId = saved.updateId;
      sent.splice(0, Infinity, ...saved.sent);
    },
    asked: () => asked,
    settleIn: async (life: Process): Promise<void> => {
      await life.ledger.setUser({ id: VIC, name: 'Vic', role: 'viewer' }, null);
      await life.ledger.setUser({ id: BO, name: 'Bo', role: 'operator' }, null);
      await life.ledger.setUser({ id: CAT, name: 'Cat', role: 'approver' }, null);
    },
  };
};
