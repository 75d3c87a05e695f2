/** A worker whose agents only sleep. Prints each effect with its start. */
import { openSharedLedger } from '../../db/directory/shared-ledger.ts';
import { TOUCH_MS } from '../../db/queue/pg-boss-queue.ts';
import { type EffectHandlers, randomIds, createSubmitInput } from '#runtime';
import { createWorker } from '../../orchestrator/workers/job-worker.ts';
import { systemTimers } from '../../app/clock.ts';

const [dataDir = '', database = '', sleeps = '0', at = '1'] = process.argv.slice(2);
const onTrouble = (error: unknown): void => console.error(error);
const { ledger, jobs, clock, onNews } = await openSharedLedger({
  dataDir,
  database,
  role: 'worker',
  onTrouble,
});
const quiet = (): void => undefined;
const worker = createWorker({
  ledger,
  jobs,
  clock,
  timers: systemTimers,
  touchMs: TOUCH_MS,
  heavyCap: Number(at),
  log: { debug: quiet, info: quiet, warn: onTrouble, error: onTrouble },
  submit: createSubmitInput({ ledger, clock, ids: randomIds }),
  before: async () => undefined,
  hasRoom: () => true,
  report: async () => undefined,
  handlers: {
    discover: async ({ n }: { n: number }) => {
      process.stdout.write(`begun ${n} ${Date.now()}\n`);
      await new Promise((resolve) => setTimeout(resolve, Number(sleeps)));
      process.stdout.write(`ended ${n}\n`);
      return { kind: 'done', result: null };
    },
  } as unknown as EffectHandlers,
});
onNews(worker.wake);
worker.wake();
process.stdout.write('ready\n');
