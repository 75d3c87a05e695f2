/** `npm run bench:chat`: latency and correctness of messages, taps and cards on the phone. */
import { command } from './command.ts';
import { badTaps } from './rows/bad-taps.ts';
import { floodRow } from './rows/flood.ts';
import { freeText } from './rows/free-text.ts';
import { gateCard } from './rows/gate-card.ts';
import { longRun } from './rows/long-run.ts';
import { opening } from './rows/pull-opening.ts';
import { startUp } from './rows/start-up.ts';
import { status } from './rows/status.ts';
import { taps } from './rows/taps.ts';
import { voice } from './rows/voice.ts';
import { waitingList } from './rows/waiting-list.ts';

await command([
  freeText,
  badTaps,
  longRun,
  startUp,
  taps,
  status,
  opening,
  gateCard,
  floodRow,
  voice,
  waitingList,
]);
