/** People at their phones: honest, hasty, foreign and hostile ones. What they send is what Telegram would deliver. */
import type { Oracle } from './oracle.ts';
import { ANA, BO, EVE, VIC, type Process } from './process.ts';
import type { Random } from './random.ts';
import type { Shown, World } from './world.ts';

export type People = ReturnType<typeof createPeople>;

const REPO = 'acme/api';
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
] as const;
/** What an honest person presses to get an open pull request, in this order of preference. */
const HONEST = [/^\W*Confirm/, /^\W*Open PR/, /^\W*Push/, /^\W*Start/, /^\W*Resume/];

export const createPeople = ({
  random,
  world,
  oracle,
  say,
}: {
  random: Random;
  world: World;
  oracle: Oracle;
  say: (what: string) => void;
}) => {
  let updateId = 0;
  let asked = 0;
  const sent: { key: string; body: unknown }[] = [];

  const deliver = async (life: Process, body: object): Promise<void> => {
    updateId += 1;
    const update = { key: String(updateId), body: { update_id: updateId, ...body } };
    sent.push(update);
    await life.receive([{ source: 'telegram', ...update }]);
  };

  const from = (id: number): object => ({ id, is_bot: false, first_name: `person ${id}` });
  const chatOf = (id: number): object => ({ id, type: id > 0 ? 'private' : 'supergroup' });

  const type = async (life: Process, user: number, text: string, chat = user): Promise<void> => {
    say(`${user} types ${text}`);
    const run = /^\/approve_open_pr (\w+) --confirm/.exec(text)?.[1];
    if (run) oracle.typed(user, run, chat);
    await deliver(life, {
      message: {
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
    user: number,
    shown: Shown,
    token: string,
    on: { chat: number; id: number },
  ): Promise<void> => {
    const button = shown.buttons.find((b) => b.token === token);
    say(`${user} presses ${button?.text ?? 'a forged button'} on ${on.chat}/${on.id}`);
    const genuine = button !== undefined && on.chat === shown.chat && on.id === shown.id;
    if (button) oracle.pressed(user, shown, button, genuine);
    const message = { message_id: on.id, chat: chatOf(on.chat), date: 0 };
    await deliver(life, {
      callback_query: { id: `q${updateId}`, from: from(user), message, chat_instance: '1', data: token },
    });
  };

  const withButtons = (): Shown[] => world.messages.filter((m) => m.buttons.length > 0);
  const target = (): string => random.pick([...world.runIds(), 'nobody']);

  const forge = (token: string): string => {
    const at = random.int(token.length);
    const others = [...'abcxyz019.'].filter((c) => c !== token[at]);
    return token.slice(0, at) + random.pick(others) + token.slice(at + 1);
  };

  /** Any person does anything to anything. */
  const act = async (life: Process): Promise<boolean> => {
    const user = random.pick([ANA, ANA, ANA, ANA, VIC, BO, EVE]);
    const shown = withButtons();
    const dice = random.next();
    if (asked < 3 && dice < 0.12) {
      const asker = random.pick([ANA, BO]);
      asked += 1;
      await type(life, asker, `/new ${REPO} Fix the retry number ${asked} check="npm test"`);
    } else if (dice < 0.62 && shown.length > 0) {
      const message = random.chance(0.7) ? (shown.at(-1) ?? random.pick(shown)) : random.pick(shown);
      const wanted = message.buttons.find((b) => HONEST.some((h) => h.test(b.text)));
      const button = wanted && random.chance(0.7) ? wanted : random.pick(message.buttons);
      const presser = random.chance(0.75) ? message.chat : user;
      await press(life, presser, message, button.token, message);
      if (random.chance(0.15)) await press(life, presser, message, button.token, message);
    } else if (dice < 0.7 && shown.length > 0) {
      const message = random.pick(shown);
      const { token } = random.pick(message.buttons);
      const elsewhere = random.pick(world.messages);
      await press(life, user, message, random.chance(0.5) ? forge(token) : token, elsewhere);
    } else if (dice < 0.78 && sent.length > 0) {
      const again = random.pick(sent);
      say(`Telegram delivers update ${again.key} again`);
      await life.receive([{ source: 'telegram', ...again }]);
    } else if (dice < 0.84) {
      await type(life, user, `/approve_open_pr ${target()}${random.chance(0.7) ? ' --confirm' : ''}`);
    } else {
      await type(life, user, `/${random.pick(VERBS)} ${target()}${random.chance(0.3) ? ' please' : ''}`);
    }
    return true;
  };

  /** In fair weather Ana answers what is asked of her, once for each thing that she is shown. */
  const answered = new Set<string>();
  const answer = async (life: Process): Promise<boolean> => {
    for (const message of withButtons().filter((m) => m.chat === ANA)) {
      const button = HONEST.map((h) => message.buttons.find((b) => h.test(b.text))).find(
        (b) => b !== undefined,
      );
      if (!button || answered.has(button.token)) continue;
      answered.add(button.token);
      await press(life, ANA, message, button.token, message);
      return true;
    }
    return false;
  };

  const again = async (life: Process): Promise<void> => {
    if (sent.length > 0) await life.receive([{ source: 'telegram', ...random.pick(sent) }]);
  };

  return {
    act,
    answer,
    type,
    press,
    forge,
    again,
    /** What was sent so far, so that a prepared moment can be gone back to. */
    save: () => ({ updateId, sent: [...sent] }),
    load(saved: { updateId: number; sent: { key: string; body: unknown }[] }): void {
      updateId = saved.updateId;
      sent.splice(0, Infinity, ...saved.sent);
    },
    asked: () => asked,
    settleIn: async (life: Process): Promise<void> => {
      await life.ledger.setUser({ id: VIC, name: 'Vic', role: 'viewer' });
      await life.ledger.setUser({ id: BO, name: 'Bo', role: 'operator' });
    },
  };
};
