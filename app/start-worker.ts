/** Starts a worker process, which performs the effects that need a workspace (L7). */
import { statfsSync } from 'node:fs';
import { hostname } from 'node:os';
import { MB } from '#model/values';
import { randomIds, recoverAfterCrash, pruneHandlingStops, createSubmitInput } from '#runtime';
import { createReaper } from '#process';
import { connectionInboxItem } from '#notices';
import { createWorker } from '#workers';
import { retryWhileUnavailable, TOUCH_MS } from '#db';
import type { WorkConfig } from './config.ts';
import { CALM_LIMITS } from '#ports/chat';
import { createConnectionMonitor, type ConnectionChange } from './connection-monitor.ts';
import { listenForHealth } from './http-listener.ts';
import { listProbesAt } from './probes/probe-table.ts';
import { createAppContext } from './app-context.ts';
import { openProcess } from './opened-process.ts';
import { subscribeToPeers } from './peer-events.ts';
import type { RunningApp, AppOptions } from './running-app.ts';

export type WorkerApp = Omit<RunningApp, 'ledger' | 'boardLink'> & { place: string };

const MIN_WORKER_DISK_BYTES = 64 * MB;
const createDiskSpaceCheck = (place: string) => (): boolean => {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= MIN_WORKER_DISK_BYTES;
};

export const startWorker = async (
  config: WorkConfig,
  { onConnection }: Pick<AppOptions, 'onConnection'> = {},
): Promise<WorkerApp> => {
  // Messages are sent by the control process.
  const app = await createAppContext(config, await openProcess(config, CALM_LIMITS), {
    mayMakeKeys: false,
    admins: null,
    stopReceiving: async () => {},
    onTrouble: () => connections.doubt('forge'),
  });
  const { ledger, clock, timers, place, fleet, log, hands, watches, life } = app;
  const { handling, tracing, attempts } = watches;
  const { taken, giveUp } = life;
  if (!fleet) return giveUp(new Error('a worker works beside others'));
  const { workspaces, writers, reputation, runtimeSettings, host, forge, sandbox } = hands;
  const connections = createConnectionMonitor({
    checks: listProbesAt('watch').flatMap((probe) => probe({ config, chats: [], host, forge, sandbox })),
    clock,
    timers,
    changed: (one) => onConnection?.(connections.now(), one),
    // The control process reports other connections.
    tell: (news) => {
      if (news.party.kind !== 'engine') return;
      ledger
        .receive([engineNote(news)], clock.now())
        .catch((error: unknown) => log.error({ err: error }, 'nobody could be told of an engine'));
    },
  });
  const reaper = createReaper({ dataDir: place });
  const pickUp = (): Promise<unknown> =>
    recoverAfterCrash({ ledger, workspaces, reaper, clock, log }).then(() =>
      pruneHandlingStops(handling, ledger.query),
    );
  await retryWhileUnavailable(pickUp, (why) => log.warn({}, why.message)).catch(giveUp);
  const submit = createSubmitInput({
    ledger,
    clock,
    ids: randomIds,
    onWritten: (run, before) => {
      tracing?.written(run, before);
      reputation.note(run);
      worker.onWritten(run);
    },
  });
  const hasRoom = createDiskSpaceCheck(place);
  const worker = createWorker({
    ledger,
    jobs: fleet.jobs,
    submit,
    clock,
    timers,
    log,
    writers,
    watch: handling,
    hasRoom,
    heavyCap: config.file.maxParallelPerProcess,
    touchMs: TOUCH_MS,
    report: (note) => ledger.receive([note], clock.now()),
    before: () => runtimeSettings.refresh(),
    handlers: hands.mover.handlers(
      app.handlers(submit, { tell: async () => ({ kind: 'dead', reason: 'a worker tells nobody' }) }),
    ),
  });
  const http = await listenForHealth(config.http, {
    ledger,
    connections: () => connections.now(),
    attempts,
    hasRoom,
    worker,
    clock,
    log,
  }).catch(giveUp);
  const others = subscribeToPeers(fleet, {
    ledger,
    log,
    wake: worker.wake,
    written: worker.onWritten,
    concerns: worker.worksOn,
  });
  worker.wake();
  connections.start();
  return {
    place,
    address: http.address,
    failed: taken,
    async stop() {
      others.stop();
      await connections.stop();
      await http.close();
      await life.end(() => worker.stop());
    },
  };
};

/** Reported only to chats with a running run; each worker has its own engines, so `says` names it. */
const engineNote = ({ party, says, findings: _, ...news }: ConnectionChange) =>
  connectionInboxItem({ ...party, ...news, says: `on ${hostname()}: ${says}` }, []);
