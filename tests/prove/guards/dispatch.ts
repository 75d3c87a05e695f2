/** Guards of what is performed and what came in: leases, shutdowns, tries, turns. */
import type { Check, Guard } from './table.ts';

const dispatch: Check = { test: 'tests/contracts/dispatch.test.ts' };
const inbox: Check = { test: 'tests/contracts/inbox.test.ts' };
const at = (file: 'dispatch' | 'inbox', rule: string, name: string, find: string, put = ''): Guard => ({
  ...{ rule, name, file: `orchestrator/engine/${file}.ts`, by: file === 'inbox' ? inbox : dispatch },
  find,
  put,
});

export const DISPATCH: readonly Guard[] = [
  at('dispatch', 'L6', 'a shutdown ends nothing', 'if (signal.reason !== SHUTDOWN)\n', 'if (true)\n'),
  at(
    'dispatch',
    'L6',
    'a shutdown waits for what it stops',
    'await Promise.allSettled([...running.values()].map((r) => r.done));',
  ),
  at('dispatch', 'L4', 'a lease is renewed', '    schedule();\n    return { cancel', '    return { cancel'),
  at('dispatch', 'L4', 'a lease is renewed again', '      else schedule();\n'),
  at(
    'dispatch',
    'L4',
    'whoever lost the lease stops',
    'if (!ours && STOPPABLE.includes(claim.do.kind)) stop.abort();\n      else schedule();',
    'schedule();',
  ),
  at(
    'dispatch',
    'S2',
    'what works for a state that is left stops',
    'if (over && STOPPABLE.includes(claim.do.kind)) stop.abort();',
  ),
  at(
    'dispatch',
    'G1',
    'an opening that was begun is not stopped',
    "['discover', 'implement', 'check', 'observe'];",
    "['discover', 'implement', 'check', 'observe', 'push', 'open_pr'];",
  ),
  at(
    'dispatch',
    'E6',
    'there is no more at once than room',
    'const limit = cap - count(kinds);',
    'const limit = cap;',
  ),
  at(
    'dispatch',
    'S6',
    'a person is told before something is given up',
    'if (givenUp(claim, outcome)) await report(stuckNote(claim, outcome.reason));',
  ),
  at(
    'dispatch',
    'F5',
    'a host that asks for patience gets it',
    'if (asked > ours) return later(asked, false);',
  ),
  at(
    'dispatch',
    'S6',
    'tries outside come to an end',
    'claim.tries < OUTSIDE_TRIES ||',
    'claim.tries < Infinity ||',
  ),
  at('inbox', 'S6', 'a message is given up some time', 'row.tries + 1 >= TRIES', 'row.tries < 0'),
  at(
    'inbox',
    'S6',
    'whoever sent it hears so',
    'const replies = dead ? await sorry',
    'const replies = !dead ? await sorry',
  ),
  at('inbox', 'S4', 'messages are handled in their order', ' && !paused.has(laneOf(row));', ';'),
  at('inbox', 'S6', 'what failed is tried again', '      paused.delete(lane);\n'),
];
