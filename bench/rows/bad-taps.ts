/** Taps that must have no effect: forged, foreign, replayed, replaced or expired. */
import { createRandom, type Random } from '../../tests/prove/random.ts';
import { ANA, BO, VIC, createChatWorld, type Delivered } from '../../tests/support/chat-world.ts';
import type { Measurement, Row } from '../row.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
type Pressed = Parameters<World['taps']>[1];
/** Prepares a run and returns taps that must do nothing. */
type Scene = (w: World, random: Random) => Promise<Pressed[]>;

const DAY = 86_400_000;
const TAPS_A_RUN = 10;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const cardOf = (w: World): Delivered => {
  const card = w.messages.findLast(({ text, buttons }) => text.startsWith('Open this') && buttons.length > 0);
  if (!card) throw new Error('there is no card');
  return card;
};
const tokenOf = ({ buttons }: Delivered, text: string): string =>
  buttons.flat().find((button) => button.text.startsWith(text))?.token ?? '';

const forgedOf = (token: string, random: Random): string => {
  const at = random.int(token.length);
  const other = [...ALPHABET].filter((letter) => letter !== token[at]);
  return random.chance(0.2)
    ? random.text(1 + random.int(64))
    : `${token.slice(0, at)}${random.pick(other)}${token.slice(at + 1)}`;
};

const armed = async (w: World): Promise<{ card: Delivered; open: string; ok: string }> => {
  const card = cardOf(w);
  const open = tokenOf(card, 'Open PR');
  await w.taps('Open PR', { on: card });
  return { card, open, ok: tokenOf(card, 'Confirm') };
};
const again = (one: Pressed): Pressed[] => Array.from({ length: TAPS_A_RUN / 2 }, () => one);

const SCENES: Record<string, Scene> = {
  forged: async (w, random) => {
    const { card, ok, open } = await armed(w);
    return Array.from({ length: TAPS_A_RUN }, () => ({
      on: card,
      data: forgedOf(random.pick([ok, open]), random),
    }));
  },
  foreign: async (w) => {
    const { card, ok } = await armed(w);
    const { messageId } = card;
    return [
      ...again({ by: BO, chat: BO, data: ok, messageId }),
      ...again({ by: VIC, chat: ANA, data: ok, messageId }),
    ];
  },
  stale: async (w) => {
    const { card, ok } = await armed(w);
    await w.taps('Back', { on: card });
    return [...again({ on: card, data: ok }), ...again({ chat: ANA, data: ok, messageId: '1' })];
  },
  replayed: async (w) => {
    const { card, open, ok } = await armed(w);
    await w.taps('Confirm', { on: card });
    return [...again({ on: card, data: ok }), ...again({ on: card, data: open })];
  },
  expired: async (w) => {
    const { card, open, ok } = await armed(w);
    w.passes(2 * DAY);
    return [...again({ on: card, data: ok }), ...again({ on: card, data: open })];
  },
};

type Told = { taps: number; accepted: string[]; unexplained: string[] };

const play = async (name: string, scene: Scene, runs: number, random: Random): Promise<Told> => {
  const told: Told = { taps: 0, accepted: [], unexplained: [] };
  let close = (): Promise<void> => Promise.resolve();
  for (let n = 0; n < runs; n += 1) {
    const w = await createChatWorld({ atEnd: (end) => void (close = end) });
    const { id } = await w.readyRun();
    const presses = await scene(w, random);
    const stands = async (): Promise<string> => {
      const {
        lifecycle: { version },
        gate: { approval },
      } = await w.run(id);
      const opens = (await w.kinds(id)).filter((kind) => kind === 'open_pr').length;
      return JSON.stringify([version, approval?.signatures ?? null, opens]);
    };
    const before = await stands();
    for (const press of presses) {
      const said = await w.taps('', press);
      told.taps += 1;
      if ((await stands()) !== before) told.accepted.push(`${name}: ${JSON.stringify(press?.data)}`);
      if (said === '') told.unexplained.push(name);
    }
    await close();
  }
  return told;
};

export const badTaps: Measurement = {
  name: 'bad-taps',
  about: '1,000 forged, foreign, stale, replayed and expired taps on cards',
  run: async ({ quick }): Promise<Row[]> => {
    const random = createRandom(16);
    const told: Record<string, Told> = {};
    for (const [name, scene] of Object.entries(SCENES))
      told[name] = await play(name, scene, quick ? 2 : 20, random);
    const all = Object.values(told);
    const taps = all.reduce((sum, one) => sum + one.taps, 0);
    const [accepted, unexplained] = [
      all.flatMap((one) => one.accepted),
      all.flatMap((one) => one.unexplained),
    ];
    const parts = Object.entries(told).map(([name, one]) => `${one.taps} ${name}`);
    return [
      {
        name: 'bad-taps-accepted',
        value: accepted.length,
        unit: 'taps',
        bar: { is: '=', at: 0 },
        note: `of ${taps}: ${parts.join(', ')}; the run, its signatures and what opens a pull request stayed as they were${accepted.map((one) => `\n    ${one}`).join('')}`,
      },
      {
        name: 'bad-taps-unexplained',
        value: unexplained.length,
        unit: 'taps',
        bar: { is: '=', at: 0 },
        note: `of the same, those that nothing was said to${[...new Set(unexplained)].map((one) => `\n    ${one}`).join('')}`,
      },
    ];
  },
};
