/**
 * L7: a worker process: it does what needs a run's workspace, for a control that people and the code
 * host talk to.
 */
import { randomIds } from '../orchestrator/engine/ids.ts';
import { recover } from '../orchestrator/engine/reconcile.ts';
import { createSubmit } from '../orchestrator/engine/submit.ts';
import { createWorker } from '../orchestrator/engine/worker.ts';
import { TOUCH_MS } from '../db/queue/boss.ts';
import { assertGit } from '../executors/git/git.ts';
import { createLent } from '../executors/sandbox/lent.ts';
import { createReaper } from '../executors/process/reaper.ts';
import { systemTimers } from './clock.ts';
import type { Config } from './config.ts';
import { createHands } from './hands.ts';
import { createLogger, louderOnSignal } from './logger.ts';
import { openByRole } from './opened.ts';
import { hearOthers } from './others.ts';

export type WorkerApp = {
  /** Where its workspaces lie. */
  place: string;
  /** Rejects when it can no longer work. */
  failed: Promise<never>;
  stop(): Promise<void>;
};

export const startWorker = async (config: Config): Promise<WorkerApp> => {
  const lent = createLent();
  const log = createLogger(config.logLevel, undefined, (line) => lent.hide(line));
  const asBefore = louderOnSignal(log);
  await assertGit();
  const { ledger, clock, place, fleet, taken } = await openByRole(config, log);
  if (!fleet) throw new Error('a worker works beside others');
  const hands = await createHands({
    ...{ config, ledger, clock, place, lent, log, mayMakeKeys: false, onTrouble: () => {} },
  }).catch(async (error: unknown) => {
    await ledger.close();
    throw error;
  });
  const { workspaces, writers, reputation, house } = hands;
  await recover({ ledger, workspaces, reaper: createReaper({ dataDir: place }), clock, log });
  const submit = createSubmit({
    ...{ ledger, clock, ids: randomIds },
    onWritten: (run) => {
      reputation.note(run);
      worker.onWritten(run);
    },
  });
  const worker = createWorker({
    ...{ ledger, jobs: fleet.jobs, submit, clock, timers: systemTimers, log, writers },
    heavyCap: config.file.maxParallelRuns,
    touchMs: TOUCH_MS,
    // The control hears of it and tells people.
    report: (note) => ledger.receive([note], clock.now()),
    before: () => house.refresh(),
    handlers: hands.mover.handlers(
      hands.handlers(submit, { tell: async () => ({ kind: 'dead', reason: 'a worker tells nobody' }) }),
    ),
  });
  const others = hearOthers(fleet, {
    ...{ ledger, log, wake: worker.wake, written: worker.onWritten, cares: worker.worksOn },
  });
  worker.wake();
  return {
    place,
    failed: taken,
    async stop() {
      asBefore();
      others.stop();
      const stopped = worker.stop();
      hands.stopGit();
      await stopped;
      await hands.close();
      await ledger.close();
    },
  };
};
