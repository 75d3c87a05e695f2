/** Delay of a gate card behind 200 waiting edits. */
import { openLedger } from '../../db/directory/open-ledger.ts';
import type { Run } from '#run';
import { sampleDirectory } from '#playground';
import { check, pause } from '../../tests/support/core-acts.ts';
import { ANA, startHost, type Host } from '../host.ts';
import { quantile, round } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { finishRest, NO_PACE, tellStory, TO_REVIEW } from '../story.ts';

const WAITING = 200;
const ORDER = 'Mend the first wait check="grep -q failed src/waits.js"';
const DEADLINE = { deadlineMs: 120_000 };

const sendOne = async ({ telegram }: Host): Promise<number> => {
  const response = await fetch(`${telegram.url}/bot${telegram.token}/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: ANA, text: 'progress' }),
  });
  const { result } = (await response.json()) as { result: { message_id: number } };
  return result.message_id;
};

const seed = async (host: Host): Promise<void> => {
  const ledger = await openLedger({ dataDir: host.dataDir, now: Date.now, limits: NO_PACE });
  const from = Date.now() - 600_000;
  const runs: Run[] = [];
  for (let i = 0; i < WAITING; i += 1) {
    runs.push(await tellStory({ ledger, from, chat: ANA }, `edit${i}`, [...TO_REVIEW, pause]));
    await finishRest(ledger, Date.now(), await sendOne(host));
  }
  for (const run of runs) await tellStory({ ledger, from }, run.id, [check({ name: 'lint' })], run);
  await ledger.close();
};

const waitingEdits = (host: Host): number =>
  host.look<{ n: number }>(
    "select count(*) as n from effects where kind = 'chat_message' and state = 'pending' and slot like 'progress:%'",
  )[0]?.n ?? 0;

type Card = { run: string; ready: number; message: string };

const cards = (host: Host): Card[] =>
  host.look<Card>(
    `select e.run_id as run, min(v.created_at) as ready, json_extract(e.result_json, '$.messageId') as message
     from effects e join events v on v.run_id = e.run_id and v.event_type = 'worker.push.completed'
     where e.kind = 'chat_message' and e.state = 'done' and e.run_id not like 'edit%'
       and json_extract(e.request_json, '$.content.view') = 'gate' group by e.run_id`,
  );

/** Returns the time from the commit to the card's arrival (ms). */
const oneCard = async (host: Host, n: number): Promise<{ ms: number; waiting: number }> => {
  const { fullName } = await host.github.addRepo({
    owner: 'acme',
    name: `patient${n}`,
    from: sampleDirectory(),
  });
  const known = new Set(cards(host).map(({ run }) => run));
  host.ana.sends(`/new ${fullName} ${ORDER}`);
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
  return { ms: sent.call.at - sent.card.ready, waiting: waitingEdits(host) };
};

export const gateCard: Measurement = {
  name: 'gate-card',
  about: 'a gate card in a private chat where 200 edits wait',
  run: async ({ quick }): Promise<Row[]> => {
    const host = await startHost();
    try {
      await seed(host);
      const product = await host.start();
      const seen: { ms: number; waiting: number }[] = [];
      for (let n = 0; n < (quick ? 2 : 10); n += 1) {
        seen.push(
          await oneCard(host, n).catch((error: unknown) => {
            throw new Error(`No card came:\n${product.stderr().slice(-2_000)}`, { cause: error });
          }),
        );
      }
      const waits = seen.map(({ ms }) => ms);
      const fewest = Math.min(...seen.map(({ waiting }) => waiting));
      const note = `from the commit that asks for it to its arrival at Telegram: median ${round(quantile(waits, 0.5))}, slowest of ${waits.length} ${round(Math.max(...waits))} ms; at least ${fewest} edits were still waiting behind it; one /new after another, through the real process`;
      return [
        {
          name: 'gate-card',
          value: Math.max(...waits) / 1_000,
          unit: 's',
          bar: { is: '<=', at: 1.1 },
          note,
        },
      ];
    } finally {
      await host.close();
    }
  },
};
