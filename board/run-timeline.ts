/** The part of the run page that tells every event, newest first. */
import { z } from 'zod';
import { settingAt } from '../bot/views/reason-messages.ts';
import { sayRecord } from '../bot/text/catalogue.ts';
import { Reason } from '../orchestrator/core/machine/reasons.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import { RUN_STATES } from '../orchestrator/core/run-states.ts';
import type { EventRow } from '../orchestrator/ports.ts';
import type { PageContext } from './board-context.ts';
import { html, type Markup } from './markup.ts';
import { runPath, timeMark } from './run-parts.ts';

const EVENTS_OF_A_PAGE = 60;

const Told = z.object({
  input: z.object({ by: z.object({ name: z.string() }).optional().catch(undefined) }),
  changes: z
    .object({ lifecycle: z.object({ reason: Reason.optional().catch(undefined) }).optional() })
    .catch({}),
  effects: z.array(z.object({ do: z.object({ kind: z.string() }) })).catch([]),
});

const entry = (event: EventRow, before: string, c: PageContext): Markup => {
  const { words, now } = c;
  const told = Told.safeParse(JSON.parse(event.body)).data;
  const reason = told?.changes.lifecycle?.reason;
  const state = RUN_STATES.find((one) => one === event.stateAfter);
  const kinds = [...new Set(told?.effects.map(({ do: { kind } }) => kind.replaceAll('_', ' ')))];
  return html`<li id="event-${event.seq}">
    <p class="line">
      <a class="seq" href="#event-${event.seq}">${event.seq}</a>
      <code>${event.type}</code>
      ${told?.input.by && html`<b>${told.input.by.name}</b>`}
      ${state && event.stateAfter !== before && html`<span class="chip">${words.headings[state]}</span>`}
      <span class="when">${timeMark(event.at, c)}</span>
    </p>
    ${reason && html`<p class="why">${sayRecord(words.reasons, reason, settingAt(now, words))}</p>`}
    ${kinds.length > 0 && html`<p class="does">→ ${kinds.join(', ')}</p>`}
  </li>`;
};

export const timelinePart = (
  events: readonly EventRow[],
  { url, c, run }: { url: URL; c: PageContext; run: Run },
): Markup => {
  const { run: t } = c.words.board;
  const asked = Number(url.searchParams.get('events'));
  const end = Number.isSafeInteger(asked) && asked > 0 ? Math.min(asked, events.length) : events.length;
  const start = Math.max(0, end - EVENTS_OF_A_PAGE);
  const shown = events.slice(start, end);
  return html`<ol class="timeline">
      ${shown.map((event, i) => entry(event, events[start + i - 1]?.stateAfter ?? '', c)).reverse()}
    </ol>
    ${start > 0 && html`<p><a href="${runPath(c, run.id)}?events=${start}#timeline">${t.more(start)}</a></p>`}`;
};
