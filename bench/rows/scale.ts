/** Cost of `/status` and a step with 1,000,000 events, compared with 10 runs. */
import { openLedger } from '../../db/directory/open-ledger.ts';
import type { Ledger } from '#ports/ledger';
import { createSubmitInput, randomIds } from '#runtime';
import { check, pause } from '../../tests/support/core-acts.ts';
import { fillLedger } from '../bulk.ts';
import { startHost, type Host } from '../host.ts';
import { inPairs, round, spread, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { MERGED, TO_REVIEW, checks } from '../story.ts';

const EACH = 100;
/** The number of live runs is the same in both ledgers. */
const LIVE = 10;
const SAMPLES = 50;

const live = [...TO_REVIEW, ...checks(EACH - TO_REVIEW.length - 2), pause];
const over = [...TO_REVIEW, ...checks(EACH - TO_REVIEW.length - 2), MERGED];

type Side = { host: Host; ids: string[]; events: number };

const fill = async (runs: number): Promise<Side> => {
  const host = await startHost();
  const kinds = [{ story: live, runs: LIVE }, ...(runs > LIVE ? [{ story: over, runs: runs - LIVE }] : [])];
  const { ids, events } = await fillLedger(host.dataDir, kinds, Date.now() - 3_600_000);
  return { host, ids: ids[0] ?? [], events };
};

/** Time of a submitted check: the machine, one transaction, one event (µs). */
const steps = (ledger: Ledger, ids: readonly string[]) => {
  const clock = { now: () => Date.now() };
  const submit = createSubmitInput({ ledger, clock, ids: randomIds });
  let n = 1_000;
  return async (): Promise<number> => {
    const ms = await timed(async () => {
      for (let i = 0; i < SAMPLES; i += 1) {
        const runId = ids[i % ids.length] ?? '';
        const run = await ledger.query.run(runId);
        if (!run) throw new Error(`run ${runId} is not there`);
        const { input } = check({ startedAt: (n += 1) })(run);
        const said = await submit({ runId, input, key: `forge:bench-${n}`, cause: { kind: 'none' } });
        if (said.kind !== 'written') throw new Error(`a step was ${said.kind}`);
      }
    });
    return (ms * 1_000) / SAMPLES;
  };
};

/** Time of the ledger queries of `/status` (µs). */
const reads = (ledger: Ledger) => async (): Promise<number> => {
  const ms = await timed(async () => {
    for (let i = 0; i < SAMPLES; i += 1)
      await Promise.all([ledger.query.runs({ live: true, limit: 200 }), ledger.query.counts()]);
  });
  return (ms * 1_000) / SAMPLES;
};

/** Telegram's pace after this many answers is not our cost. */
const AT_ONCE = 3;
const BREATH_MS = 4_000;

/** Time from the message to its answer (ms). */
const answers =
  ({ telegram, ana }: Host, samples: number) =>
  async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
    const sent = (): number => telegram.calls.filter((call) => call.route === 'sendMessage').length;
    const ms = await timed(async () => {
      for (let i = 0; i < samples; i += 1) {
        const before = sent();
        ana.sends('/status');
        await telegram.waitFor(() => sent() > before, { deadlineMs: 30_000, what: 'an answer to /status' });
      }
    });
    return ms / samples;
  };

const inProcess = async (big: Side, small: Side, pairs: number): Promise<Row[]> => {
  const [a, b] = await Promise.all(
    [big, small].map(({ host }) => openLedger({ dataDir: host.dataDir, now: Date.now })),
  );
  if (!a || !b) throw new Error('a ledger did not open');
  const bar = { is: '<=' as const, at: 1.5 };
  try {
    const step = await inPairs(pairs * 2, steps(a, big.ids), steps(b, small.ids));
    const read = await inPairs(pairs * 2, reads(a), reads(b));
    const us = (pair: { a: number; b: number }): string => `${round(pair.a)} µs against ${round(pair.b)} µs`;
    return [
      {
        name: 'scale-step',
        value: step.ratio,
        unit: 'x',
        bar,
        note: `submit of a new fact with its read and commit: ${us(step)}; ${spread(step)}; the ${LIVE} live runs in turn`,
      },
      {
        name: 'scale-status-reads',
        value: read.ratio,
        unit: 'x',
        bar,
        note: `what /status asks of the ledger, alone: ${us(read)}; ${spread(read)}; ${LIVE} live runs in both`,
      },
    ];
  } finally {
    await a.close();
    await b.close();
  }
};

export const scale: Measurement = {
  name: 'scale',
  about: '`/status` and one step with 10,000 runs and 1,000,000 events, beside 10 runs',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const [small, big] = [await fill(LIVE), await fill(quick ? 1_000 : 10_000)];
    try {
      const rows = await inProcess(big, small, pairs);
      await small.host.start();
      const started = await timed(() => big.host.start());
      const status = await inPairs(pairs, answers(big.host, AT_ONCE), answers(small.host, AT_ONCE));
      const note = `message to answer through the real process: ${status.a.toFixed(1)} ms with ${round(big.events)} events against ${status.b.toFixed(1)} ms with ${round(small.events)}; ${spread(status)}; the big one starts in ${round(started)} ms`;
      return [
        { name: 'scale-status', value: status.ratio, unit: 'x', bar: { is: '<=', at: 1.5 }, note },
        ...rows,
      ];
    } finally {
      await small.host.close();
      await big.host.close();
    }
  },
};
