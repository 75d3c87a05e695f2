/** The part of the run page that tells every event, newest first. */
import { z } from 'zod';
import { createRenderContext, findEnding } from '#views';
import { sayRecord } from '#chat-text';
import { Reason, type Run } from '#run';
import type { LanguageTexts } from '#language';
import type { InputType } from '#inputs';
import { CampaignLesson } from '#model/feedback';
import { cutText } from '#model/values';
import { RUN_STATES } from '#model/run';
import type { EventRow } from '#ports/ledger';
import type { PageContext } from './board-context.ts';
import { html, type Markup } from './markup.ts';
import { runPath, timeMark } from './run-parts.ts';

const ENTRIES_OF_A_PAGE = 60;
/** Looks that are listed where many in a row changed nothing; the others are counted. */
const LISTED_LOOKS = 20;

const Told = z.object({
  input: z.object({
    by: z.object({ name: z.string() }).optional().catch(undefined),
    reason: z.string().optional().catch(undefined),
    lesson: CampaignLesson.optional().catch(undefined),
  }),
  changes: z
    .object({ lifecycle: z.object({ reason: Reason.optional().catch(undefined) }).optional() })
    .catch({}),
  effects: z.array(z.object({ do: z.object({ kind: z.string() }) })).catch([]),
});

type Told = z.infer<typeof Told> | undefined;
export const readTimelineEvent = (event: EventRow): Told => Told.safeParse(JSON.parse(event.body)).data;
/** Timers of ours, which say nothing to people. */
const TIMERS: readonly string[] = ['poll', 'offer_input', 'expedite_poll'];

/** A look at the code host that changed neither the state nor what anybody is told. */
const isQuiet = (event: EventRow, before: string): boolean => {
  if (!event.type.startsWith('forge.') || event.stateAfter !== before) return false;
  const told = readTimelineEvent(event);
  return (
    told?.changes.lifecycle?.reason === undefined &&
    (told?.effects ?? []).every(({ do: { kind } }) => TIMERS.includes(kind))
  );
};

type Dashed<T extends string> = T extends `${infer A}.${infer B}` ? `${A}_${Dashed<B>}` : T;
/** An event of another version has its name alone. */
export const eventWords = (type: string, { board }: LanguageTexts): string => {
  const says: Record<Dashed<InputType>, string> = board.run.events;
  const key = type.replaceAll('.', '_');
  return Object.hasOwn(says, key) ? says[key as Dashed<InputType>] : type;
};

const renderEntry = (event: EventRow, before: string, run: Run, context: PageContext): Markup => {
  const { words, now } = context;
  const told = readTimelineEvent(event);
  // Agents are told lessons in English; people read them in their own language.
  const lesson = told?.input.lesson;
  const reason = lesson ? undefined : told?.changes.lifecycle?.reason;
  const state = RUN_STATES.find((one) => one === event.stateAfter);
  // Only the last event knows that a person ended the run, which is no failure.
  const ended = event.stateAfter === run.lifecycle.state ? findEnding(run, words)?.did : undefined;
  const heading = state && (ended ?? words.headings[state]);
  const kinds = new Set(told?.effects.flatMap(({ do: { kind } }) => (TIMERS.includes(kind) ? [] : [kind])));
  const inRecord = [event.type, ...kinds].join(' → ');
  return html`<li id="event-${event.seq}">
    <p class="line">
      <a class="seq" href="#event-${event.seq}">${event.seq}</a>
      <span title="${inRecord}">${eventWords(event.type, words)}</span>
      ${told?.input.by && html`<b>${told.input.by.name}</b>`}
      ${state && event.stateAfter !== before && html`<span class="chip">${heading}</span>`}
      <span class="when">${timeMark(event.at, context)}</span>
    </p>
    ${reason && html`<p class="why">${sayRecord(words.reasons, reason, createRenderContext(now, words))}</p>`}
    ${lesson && html`<p class="why">${words.campaign.wish(lesson)}</p>`}
    ${!lesson && told?.input.reason && html`<p class="why"><q>${cutText(told.input.reason, 300)}</q></p>`}
  </li>`;
};

export const timelinePart = (
  events: readonly EventRow[],
  { url, c, run }: { url: URL; c: PageContext; run: Run },
): Markup => {
  const { run: t } = c.words.board;
  const asked = Number(url.searchParams.get('events'));
  const end = Number.isSafeInteger(asked) && asked > 0 ? Math.min(asked, events.length) : events.length;
  const rows: { quiet: boolean; count: number; entries: Markup[] }[] = [];
  let start = end;
  for (let i = end - 1; i >= 0; i -= 1) {
    const event = events[i];
    if (!event) break;
    const before = events[i - 1]?.stateAfter ?? '';
    const quiet = isQuiet(event, before);
    const newer = rows.at(-1);
    if (newer && quiet && newer.quiet) {
      newer.count += 1;
      if (newer.entries.length < LISTED_LOOKS) newer.entries.push(renderEntry(event, before, run, c));
    } else if (rows.length === ENTRIES_OF_A_PAGE) break;
    else rows.push({ quiet, count: 1, entries: [renderEntry(event, before, run, c)] });
    start = i;
  }
  return html`<ol class="timeline">
      ${rows.map(({ quiet, count, entries }) =>
        quiet && count > 1
          ? html`<li>
              <details>
                <summary>${t.looks(count)}</summary>
                <ol class="timeline">
                  ${entries}
                </ol>
              </details>
            </li>`
          : entries,
      )}
    </ol>
    ${start > 0 && html`<p><a href="${runPath(c, run.id)}?events=${start}#timeline">${t.more(start)}</a></p>`}`;
};
