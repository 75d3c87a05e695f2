/** Effect of one viewer's 300 commands on another chat under Telegram's limits. */
import { openLedger } from '../../db/directory/open-ledger.ts';
import { sampleDirectory, TELEGRAM_LIMITS, type Person } from '#playground';
import { pause } from '../../tests/support/core-acts.ts';
import { ANA, startHost, type Host } from '../host.ts';
import { quantile, round } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { finishRest, tellStory, TO_REVIEW } from '../story.ts';

const BO = 2002;
const COMMANDS = 300;
const RUNS = 20;
const ORDER = 'Mend the first wait check="grep -q failed src/waits.js"';
/** These steps need no pull request. */
const TO_CHECKS = TO_REVIEW.slice(0, 5);
const DEADLINE = { deadlineMs: 120_000 };
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const seed = async (dataDir: string): Promise<void> => {
  const ledger = await openLedger({ dataDir, now: Date.now });
  await ledger.setUser({ id: String(BO), name: 'Bo', role: 'viewer' }, null);
  const from = Date.now() - 3_600_000;
  for (let i = 0; i < RUNS; i += 1)
    await tellStory({ ledger, from, chat: ANA }, `flood${i}`, [...TO_CHECKS, pause]);
  await finishRest(ledger, Date.now());
  await ledger.close();
};

const flood = (bo: Person): void => {
  for (let i = 0; i < COMMANDS; i += 1) bo.sends('/status');
};

type Side = { taps: number[]; cards: number[] };

const tapsOf = async ({ ana }: Host, screen: { text: string; message: number }, count: number) => {
  const waits: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const began = performance.now();
    await ana.taps(screen).answered(DEADLINE);
    waits.push(performance.now() - began);
    await wait(40);
  }
  return waits;
};

type Card = { run: string; ready: number; message: string };
const cards = (host: Host): Card[] =>
  host.look<Card>(
    `select e.run_id as run, min(v.created_at) as ready, json_extract(e.result_json, '$.messageId') as message
     from effects e join events v on v.run_id = e.run_id and v.event_type = 'worker.push.completed'
     where e.kind = 'chat_message' and e.state = 'done' and e.run_id not like 'flood%'
       and json_extract(e.request_json, '$.content.view') = 'gate' group by e.run_id`,
  );
const pushes = (host: Host): number =>
  host.look<{ n: number }>("select count(*) as n from effects where kind = 'push'")[0]?.n ?? 0;

/** Time from the commit that asks for a card to its arrival (ms). */
const cardOf = async (host: Host, n: number, before: () => void): Promise<number> => {
  const { fullName } = await host.github.addRepo({
    owner: 'acme',
    name: `busy${n}`,
    from: sampleDirectory(),
  });
  const known = new Set(cards(host).map(({ run }) => run));
  const pushed = pushes(host);
  host.ana.sends(`/new ${fullName} ${ORDER}`);
  while (pushes(host) === pushed) await wait(5);
  before();
  const sent = await host.telegram.waitFor(
    () => {
      const card = cards(host).find(({ run }) => !known.has(run));
      const call = host.telegram.calls.find(
        ({ answer }) =>
          String((answer as { result?: { message_id?: number } } | null)?.result?.message_id) ===
          card?.message,
      );
      return card && call ? { card, call } : null;
    },
    { ...DEADLINE, what: 'the gate card' },
  );
  return Math.max(1, sent.call.at - sent.card.ready);
};

const claimsOf = (host: Host): { claims: number; delivered: number } =>
  host.look<{ claims: number; delivered: number }>(
    "select sum(lease_epoch) as claims, sum(state = 'done') as delivered from effects where kind = 'chat_message'",
  )[0] ?? { claims: NaN, delivered: NaN };

const measure = async (host: Host, samples: { taps: number; cards: number; rounds: number }) => {
  const { telegram, ana } = host;
  const bo = telegram.person(BO, 'Bo');
  await host.start();
  ana.sends('/status');
  const { messageId, buttons } = await ana.waitForMessage((one) => one.buttons.flat().length > 0, DEADLINE);
  const screen = { text: buttons.flat()[0]?.text ?? '', message: messageId };
  const [quiet, busy]: [Side, Side] = [
    { taps: [], cards: [] },
    { taps: [], cards: [] },
  ];
  const before = claimsOf(host);
  await tapsOf(host, screen, 5);
  for (let i = 0; i < samples.rounds; i += 1) {
    quiet.taps.push(...(await tapsOf(host, screen, samples.taps)));
    flood(bo);
    busy.taps.push(...(await tapsOf(host, screen, samples.taps)));
    await wait(3_000);
  }
  for (let i = 0; i < samples.cards; i += 1) {
    quiet.cards.push(await cardOf(host, i * 2, () => {}));
    busy.cards.push(await cardOf(host, i * 2 + 1, () => flood(bo)));
    await wait(3_000);
  }
  const after = claimsOf(host);
  const [claims, delivered] = [after.claims - before.claims, after.delivered - before.delivered];
  const refused = telegram.calls.filter(({ status }) => status === 429).length;
  return { quiet, busy, claims, delivered, refused, answered: bo.messages().length };
};

export const floodRow: Measurement = {
  name: 'flood',
  about: '300 commands by one viewer: taps and cards in another chat, with Telegram’s limits on',
  run: async ({ quick }): Promise<Row[]> => {
    const host = await startHost({ limits: TELEGRAM_LIMITS });
    try {
      await seed(host.dataDir);
      const rounds = quick ? 1 : 4;
      const { quiet, busy, claims, delivered, refused } = await measure(host, {
        taps: 25,
        cards: quick ? 1 : 4,
        rounds,
      });
      const at = (values: number[], q: number): string => quantile(values, q).toFixed(1);
      const beside = (a: number[], b: number[]): string =>
        `median ${at(b, 0.5)} ms in the flood against ${at(a, 0.5)} quiet, p95 ${at(b, 0.95)} against ${at(a, 0.95)}, most ${at(b, 1)} against ${at(a, 1)}`;
      const bar = { is: '<=' as const, at: 2 };
      return [
        {
          name: 'flood-tap',
          value: quantile(busy.taps, 0.95) / quantile(quiet.taps, 0.95),
          unit: 'x',
          bar,
          note: `tap to acknowledgement in another chat, the first right behind ${COMMANDS} /status: ${beside(quiet.taps, busy.taps)}; ${busy.taps.length} taps each`,
        },
        {
          name: 'flood-tap-to-ack',
          value: quantile(busy.taps, 0.95),
          unit: 'ms',
          bar: { is: '<=', at: 60 },
          note: 'the same in the flood, as it is',
        },
        {
          name: 'flood-card',
          value: quantile(busy.cards, 0.5) / quantile(quiet.cards, 0.5),
          unit: 'x',
          bar,
          note: `from the commit that asks for a gate card to its arrival, ${COMMANDS} /status sent while the change is pushed: ${beside(quiet.cards, busy.cards)}; ${busy.cards.length} cards each`,
        },
        {
          name: 'flood-claims',
          value: claims / delivered,
          unit: 'x',
          bar: { is: '<=', at: 1.5 },
          note: `leases for each message that was delivered: ${round(claims)} for ${round(delivered)}; Telegram refused ${refused} for being too fast`,
        },
      ];
    } finally {
      await host.close();
    }
  },
};
