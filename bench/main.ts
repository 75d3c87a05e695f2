/** `npm run bench`: the numbers of the specification (§9), as ratios of one run. */
import { command } from './command.ts';
import { campaign } from './rows/campaign.ts';
import { containment } from './rows/containment.ts';
import { duplicates } from './rows/duplicates.ts';
import { eventBytes } from './rows/event-bytes.ts';
import { gateway } from './rows/gateway.ts';
import { handlingWatch } from './rows/handling-watch.ts';
import { largeBodies } from './rows/large-bodies.ts';
import { ledgerStep } from './rows/ledger-step.ts';
import { parallelRuns } from './rows/parallel-runs.ts';
import { postgres } from './rows/postgres.ts';
import { replay } from './rows/replay.ts';
import { proposers } from './rows/proposers.ts';
import { replayTurns } from './rows/replay-turns.ts';
import { refusedCards } from './rows/refused-cards.ts';
import { report } from './rows/report.ts';
import { repositoryMap } from './rows/repository-map.ts';
import { runProcesses } from './rows/run-processes.ts';
import { scale } from './rows/scale.ts';
import { startUp } from './rows/start-up.ts';
import { webhook } from './rows/webhook.ts';
import { webhookSteps } from './rows/webhook-steps.ts';
import { workers } from './rows/workers.ts';
import { workspace } from './rows/workspace.ts';

await command([
  webhook,
  webhookSteps,
  ledgerStep,
  duplicates,
  largeBodies,
  workspace,
  scale,
  report,
  startUp,
  replay,
  replayTurns,
  repositoryMap,
  proposers,
  eventBytes,
  containment,
  gateway,
  handlingWatch,
  refusedCards,
  parallelRuns,
  runProcesses,
  campaign,
  postgres,
  workers,
]);
