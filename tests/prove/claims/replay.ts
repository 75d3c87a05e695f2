/** L5: replaying the log gives the stored runs to the byte, and the same effects. */
import { fillLedger } from '../../../bench/bulk.ts';
import { MERGED, TO_REVIEW, checks } from '../../../bench/story.ts';
import { createReplayThreads } from '../../../cli/replay-threads.ts';
import { openReader } from '../../../db/directory/open-reader.ts';
import { canonicalJson } from '#model/seal';
import { foldEvents, replayRuns } from '../../../orchestrator/audit/replay.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { timed, type Claim } from '../claim.ts';

const bar = { quick: 20_000, full: 200_000 };
const EVENTS_EACH = 100;
const ROUNDS = 3;

export const replayEquality: Claim = {
  name: 'replay',
  says: 'replay: a second fold of the log equals the stored run and the work that was asked for',
  bar,
  run: ({ quick, trials, progress }) =>
    timed(async () => {
      const { dir, remove } = temporaryDirectory();
      try {
        const wanted = trials ?? (quick ? bar.quick : bar.full);
        const story = [...TO_REVIEW, ...checks(EVENTS_EACH - TO_REVIEW.length - 2), MERGED];
        const { events } = await fillLedger(
          dir,
          [{ story, runs: Math.ceil(wanted / (EVENTS_EACH - 2)) }],
          Date.now() - 86_400_000,
        );
        const reader = openReader(dir);
        const threads = createReplayThreads(dir);
        const violations: string[] = [];
        let best = 0;
        for (let i = 0; i < ROUNDS; i += 1) {
          const before = performance.now();
          const judged = await replayRuns(reader, null, threads);
          best = Math.max(best, Math.round((judged.events * 1_000) / (performance.now() - before)));
          for (const f of judged.findings) violations.push(`${f.runId}: ${f.says}`);
          if (judged.events !== events) violations.push(`replay saw ${judged.events} of ${events} events`);
          progress(i + 1, ROUNDS);
        }
        const runs = await reader.query.runs({ live: false, limit: 1_000_000 });
        for (const stored of runs) {
          const { run, asked } = foldEvents(await reader.query.events(stored.id));
          if (canonicalJson(run) !== canonicalJson(stored))
            violations.push(`${stored.id} is not what its log makes`);
          const rows = new Map((await reader.query.effects({ runId: stored.id })).map((e) => [e.id, e]));
          for (const { id, effect } of asked) {
            const row = rows.get(id);
            // Replaced messages inherit sound, so they may differ.
            if (effect.do.kind !== 'chat_message' && canonicalJson(row?.do) !== canonicalJson(effect.do))
              violations.push(`effect ${id} is not what its event asked for`);
          }
        }
        await reader.close();
        return {
          trials: events,
          violations: [...new Set(violations)],
          note: `${runs.length} runs, ${ROUNDS} replays on ${threads.count + 1} threads`,
          measured: [
            { name: 'replay-rate', value: best, unit: 'events/s', bar: { is: '>=' as const, at: 50_000 } },
          ],
        };
      } finally {
        remove();
      }
    }),
};
