/** O5: a run that was long looked at still tells what happened to it, on the first page. */
import { expect, it } from 'vitest';
import { timelinePart } from '../../board/run-timeline.ts';
import type { PageContext } from '../../board/board-context.ts';
import { LANGUAGE_TEXTS } from '#language';
import type { Run } from '#run';
import type { EventRow } from '#ports/ledger';

const at = Date.UTC(2026, 4, 1);
const event = (seq: number, type: string): EventRow =>
  ({
    seq,
    type,
    at,
    stateAfter: 'REVIEW_WAIT',
    body: JSON.stringify({ input: {}, changes: {} }),
  }) as EventRow;
const REVIEWED = { id: 'r1', lifecycle: { state: 'REVIEW_WAIT' } } as Run;
const told = (events: readonly EventRow[], query = '', run = REVIEWED): string =>
  String(
    timelinePart(events, {
      url: new URL(`http://127.0.0.1/board/run/r1${query}`),
      c: { words: LANGUAGE_TEXTS.en, now: at, base: '' } as unknown as PageContext,
      run,
    }),
  );
const looks = (from: number, count: number): EventRow[] =>
  Array.from({ length: count }, (_, i) => event(from + i, 'forge.pull.observed'));

it('O5: looks that changed nothing take one entry, however many there were, and hide nothing else', () => {
  const shown = told([event(1, 'command.fix'), ...looks(2, 300)]);
  expect(shown).toContain('event-1"');
  expect(shown).toContain('300 looks at the code host that found nothing new');
  expect(shown).not.toContain('older events');
  expect(shown.match(/id="event-/g)).toHaveLength(21);
});

it('O5: of more than sixty entries the older ones are a page further, each once', () => {
  const events = Array.from({ length: 150 }, (_, i) =>
    event(i + 1, i % 2 === 0 ? 'command.fix' : 'forge.pull.observed'),
  );
  const first = told(events);
  expect(first).toContain('90 older events');
  const second = told(events, '?events=90');
  const seqs = [...`${first}${second}`.matchAll(/id="event-(\d+)"/g)].map(([, seq]) => Number(seq));
  expect(seqs).toEqual(Array.from({ length: 120 }, (_, i) => 150 - i));
});

it('S10: calls a run that was denied denied, and not failed', () => {
  const reason = { kind: 'ended_by_person', how: 'denied', by: 'Ana' };
  const run = { id: 'r1', lifecycle: { state: 'FAILED_TERMINAL', reason } } as Run;
  const denial: EventRow = { ...event(2, 'command.deny'), stateAfter: 'FAILED_TERMINAL' };
  const shown = told([event(1, 'command.run.create'), denial], '', run);
  expect(shown).toContain('>was denied<');
  expect(shown).not.toContain('>Failed<');
});
