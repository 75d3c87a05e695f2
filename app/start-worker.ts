/**
 * L7: a worker process: it does what needs a run's workspace, for a control that people and the code
 * host talk to.
 */
import { statfsSync } from 'node:fs';
import { hostname } from 'node:os';
import { MB } from '../orchestrator/core/units.ts';
import { randomIds } from '../orchestrator/engine/ids.ts';
import { connectionNote } from '../orchestrator/engine/notices.ts';
import { recover } from '../orchestrator/engine/reconcile.ts';
import { createSubmit } from '../orchestrator/engine/submit.ts';
import { createWorker } from '../orchestrator/engine/worker.ts';
import { TOUCH_MS } from '../db/queue/boss.ts';
import { assertGit } from '../executors/git/git.ts';
import { createLent } from '../executors/sandbox/lent.ts';
import { createReaper } from '../executors/process/reaper.ts';
import { systemTimers } from './clock.ts';
import type { WorkConfig } from './config.ts';
import { createConnections, type News } from './connections.ts';
import { createHands } from './hands.ts';
import { listenForHealth } from './http.ts';
import { createLogger, louderOnSignal } from './logger.ts';
import { looksOf } from './looks.ts';
import { openByRole } from './opened.ts';
import { hearOthers } from './others.ts';
import type { App, AppOptions } from './start.ts';

/** Where its workspaces lie. */
export type WorkerApp = Omit<App, 'ledger'> & { place: string };

/** Below this, others take what there is to do (bytes). */
const ROOM = 64 * MB;
const roomAt = (place: string) => (): boolean => {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= ROOM;
};

export const startWorker = async (
  config: WorkConfig,
  { onConnection }: Pick<AppOptions, 'onConnection'> = {},
): Promise<WorkerApp> => {
  const lent = createLent();
  const log = createLogger(config.logLevel, undefined, (line) => lent.hide(line));
  const asBefore = louderOnSignal(log);
  await assertGit();
  const { ledger, clock, place, fleet, taken } = await openByRole(config, log);
  // A start that fails must leave nothing open that would keep the process alive.
  const giveUp = async (error: unknown): Promise<never> => {
    await ledger.close();
    throw error;
  };
  if (!fleet) return giveUp(new Error('a worker works beside others'));
  const hands = await createHands({
    config,
    ledger,
    clock,
    place,
    lent,
    log,
    mayMakeKeys: false,
    onTrouble: () => connections.doubt('forge'),
  }).catch(giveUp);
  const { workspaces, writers, reputation, house, forge, sandbox } = hands;
  const connections = createConnections({
    looks: looksOf({ config, bot: null, forge, sandbox }),
    clock,
    timers: systemTimers,
    changed: (one) => onConnection?.(connections.now(), one),
    // The control knows of everybody else.
    tell: (news) => {
      if (news.party.kind !== 'engine') return;
      ledger
        .receive([engineNote(news)], clock.now())
        .catch((error: unknown) => log.error({ err: error }, 'nobody could be told of an engine'));
    },
  });
  await recover({ ledger, workspaces, reaper: createReaper({ dataDir: place }), clock, log });
  const submit = createSubmit({
    ledger,
    clock,
    ids: randomIds,
    onWritten: (run) => {
      reputation.note(run);
      worker.onWritten(run);
    },
  });
  const hasRoom = roomAt(place);
  const worker = createWorker({
    ledger,
    jobs: fleet.jobs,
    submit,
    clock,
    timers: systemTimers,
    log,
    writers,
    hasRoom,
    heavyCap: config.file.maxParallelPerProcess,
    touchMs: TOUCH_MS,
    // The control hears of it and tells people.
    report: (note) => ledger.receive([note], clock.now()),
    before: () => house.refresh(),
    handlers: hands.mover.handlers(
      hands.handlers(submit, { tell: async () => ({ kind: 'dead', reason: 'a worker tells nobody' }) }),
    ),
  });
  const http = await listenForHealth(config.http, {
    ledger,
    connections: () => connections.now(),
    attempts: hands.attempts,
    hasRoom,
    worker,
    clock,
    log,
  }).catch(async (error: unknown) => {
    await hands.close();
    return giveUp(error);
  });
  const others = hearOthers(fleet, {
    ledger,
    log,
    wake: worker.wake,
    written: worker.onWritten,
    cares: worker.worksOn,
  });
  worker.wake();
  connections.start();
  return {
    place,
    address: http.address,
    failed: taken,
    async stop() {
      asBefore();
      others.stop();
      await connections.stop();
      await http.close();
      const stopped = worker.stop();
      hands.stopGit();
      await stopped;
      await hands.close();
      await ledger.close();
    },
  };
};

/** Each worker has engines of its own. Chats with a run at work hear of it. */
const engineNote = ({ party, says, ...news }: News) =>
  connectionNote({ ...party, ...news, says: `on ${hostname()}: ${says}` }, []);
