/** `npm run bench:chat`: how soon a tap is acknowledged, and how soon a gate card comes past 200 edits that wait. */
import { command } from './command.ts';
import { gateCard } from './rows/gate-card.ts';
import { taps } from './rows/taps.ts';

await command([taps, gateCard]);
