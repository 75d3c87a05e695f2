/**
 * `npm run bench:chat`: how soon a tap is acknowledged and a gate card comes, past 200 edits that
 * wait and in a flood.
 */
import { command } from './command.ts';
import { floodRow } from './rows/flood.ts';
import { gateCard } from './rows/gate-card.ts';
import { taps } from './rows/taps.ts';

await command([taps, gateCard, floodRow]);
