/** A run as a strip of steps: what people decided, and what agents and checks did, in its order (E21). */
import { z } from 'zod';
import { sayRecord } from '#chat-text';
import { createRenderContext } from '#views';
import { parseTurnFacts, readTurnTexts } from '#model/turn';
import { cutText } from '#model/values';
import { isAgentStep } from '#model/agent';
import type { AttemptRow, EventRow } from '#ports/ledger';
import type { LoggedStep } from '#ports/workspaces';
import type { TurnRow } from '#ports/records';
import type { PageContext } from './board-context.ts';
import { html, type Markup, type Part } from './markup.ts';
import { runPath } from './run-parts.ts';
import { eventWords, readTimelineEvent } from './run-timeline.ts';

type FrameKind = keyof PageContext['words']['board']['film']['kinds'];
type Frame = {
  at: number;
  kind: FrameKind;
  tone: '' | 'good' | 'bad' | 'person';
  title: Part;
  detail: Part;
};

/** More steps than these make a page that nobody scrubs through; the last ones stay. */
const MAX_FRAMES = 400;
const MAX_READ_LOGS = 12;
const MAX_TITLE_LENGTH = 160;
const MAX_DETAIL_LENGTH = 2_000;
const MAX_EDIT_LINES = 40;

const text = z.string().optional().catch(undefined);
const Edit = z.object({
  file_path: text,
  filePath: text,
  path: text,
  old_string: text,
  oldString: text,
  search: text,
  new_string: text,
  newString: text,
  replace: text,
  content: text,
});
/** The tools' own forms of an edit; null where a call is none. */
const readEdit = (call: string): { path: string; before: string; after: string } | null => {
  const begin = call.indexOf('{');
  if (call.startsWith('$ ') || begin < 0) return null;
  try {
    const given = Edit.safeParse(JSON.parse(call.slice(begin))).data;
    const path = given?.file_path ?? given?.filePath ?? given?.path;
    const after = given?.new_string ?? given?.newString ?? given?.replace ?? given?.content;
    if (!given || path === undefined || after === undefined) return null;
    return { path, after, before: given.old_string ?? given.oldString ?? given.search ?? '' };
  } catch {
    return null;
  }
};

const linesOf = (whole: string, mark: string): string =>
  whole === ''
    ? ''
    : whole
        .split('\n')
        .slice(0, MAX_EDIT_LINES)
        .map((line) => `${mark}${line}\n`)
        .join('');

const editFrame = (at: number, { path, before, after }: NonNullable<ReturnType<typeof readEdit>>): Frame => ({
  at,
  kind: 'edit',
  tone: 'good',
  title: html`<bdi>${cutText(path, MAX_TITLE_LENGTH)}</bdi>`,
  detail: html`<pre
    class="log"
    tabindex="0"
  ><span class="minus">${linesOf(before, '- ')}</span><span class="plus">${linesOf(after, '+ ')}</span></pre>`,
});

const logOf = (content: string): Part =>
  content.trim() !== '' && html`<pre class="log" tabindex="0">${cutText(content, MAX_DETAIL_LENGTH)}</pre>`;

const stepFrame = (at: number, step: LoggedStep): Frame => {
  if (step.kind === 'said') {
    const [line = ''] = step.text.split('\n', 1);
    return { at, kind: 'said', tone: '', title: cutText(line, MAX_TITLE_LENGTH), detail: logOf(step.text) };
  }
  const { call, failed, output } = step;
  const edit = failed ? null : readEdit(call);
  if (edit) return editFrame(at, edit);
  const isCommand = call.startsWith('$ ');
  return {
    at,
    kind: isCommand ? 'command' : 'call',
    tone: failed ? 'bad' : 'good',
    title: html`<code>${cutText(call, MAX_TITLE_LENGTH)}</code>`,
    detail: logOf(output),
  };
};

const eventFrame = (event: EventRow, before: string, { words, now }: PageContext): Frame | null => {
  const told = readTimelineEvent(event);
  const by = told?.input.by;
  // Events that change nothing a person sees stay in the timeline.
  if (!by && event.stateAfter === before) return null;
  const reason = told?.changes.lifecycle?.reason;
  const said = told?.input.reason;
  return {
    at: event.at,
    kind: 'event',
    tone: by ? 'person' : '',
    title: html`${eventWords(event.type, words)} ${by && html`<b>${by.name}</b>`}`,
    detail: html`${reason && html`<p>${sayRecord(words.reasons, reason, createRenderContext(now, words))}</p>`}
    ${said !== undefined && said !== '' && html`<p><q>${cutText(said, 300)}</q></p>`}`,
  };
};

const turnFrames = (rows: readonly TurnRow[], { words }: PageContext): Frame[] =>
  rows.flatMap((row) => {
    const facts = parseTurnFacts(row);
    if (!facts) return [];
    const texts = new Map(Object.entries(readTurnTexts(row) ?? {}));
    const { run: t } = words.board;
    return facts.actions.map((action): Frame => {
      const input = texts.get((action.decision?.input ?? action.input).digest) ?? '';
      const answer = action.answer && texts.get(action.answer.digest);
      const ok = action.outcome?.ok;
      const detail = [input, answer ?? ''].filter((one) => one !== '').join('\n\n');
      return {
        at: row.at,
        kind: 'turn',
        tone: ok === undefined ? '' : ok ? 'good' : 'bad',
        title: html`${t.turn(row.seq)} <code>${action.tool}</code>`,
        detail: logOf(detail),
      };
    });
  });

const checkFrame = async (attempt: AttemptRow, c: PageContext): Promise<Frame> => {
  const printed = [attempt.stdout ?? '', attempt.stderr ?? ''].filter((one) => one.trim() !== '').join('\n');
  const { shown } = printed === '' ? { shown: '' } : await c.parts.readLog(printed);
  return {
    at: attempt.startedAt,
    kind: 'check',
    tone: attempt.outcome === 'running' ? '' : attempt.exitCode === 0 ? 'good' : 'bad',
    title: html`<code>${cutText(attempt.command, MAX_TITLE_LENGTH)}</code>
      <span class="says">${c.words.log.outcome(attempt.outcome)}</span>
      <a class="quiet" href="${runPath(c, attempt.runId)}/log/${attempt.id}"
        >${c.words.board.run.fullLog}</a
      >`,
    detail: logOf(shown.slice(-MAX_DETAIL_LENGTH)),
  };
};

/** An engine that records its turns has them in place of its log. */
const agentFrames = async (
  attempt: AttemptRow,
  turns: readonly TurnRow[],
  c: PageContext,
): Promise<Frame[]> => {
  const own = turns.filter((row) => row.attempt === attempt.id);
  if (own.length > 0) return turnFrames(own, c);
  const { steps } = await c.parts.readLog(attempt.stdout ?? '');
  return steps.map((step) => stepFrame(attempt.startedAt, step));
};

export const listFrames = async (
  events: readonly EventRow[],
  attempts: readonly AttemptRow[],
  turns: readonly TurnRow[],
  c: PageContext,
): Promise<{ frames: Frame[]; cut: number }> => {
  const told = events.flatMap((event, i) => eventFrame(event, events[i - 1]?.stateAfter ?? '', c) ?? []);
  const agents = attempts.filter(isAgentStep).slice(-MAX_READ_LOGS);
  const done: Shot[] = told.map(toShot);
  for (const one of agents) done.push(...(await agentFrames(one, turns, c)).map(toShot));
  for (const one of attempts)
    if (!isAgentStep(one)) done.push({ at: one.startedAt, show: () => checkFrame(one, c) });
  // The sort is stable, so that steps of one attempt keep their order.
  const last = done.sort((a, b) => a.at - b.at).slice(-MAX_FRAMES);
  const frames: Frame[] = [];
  for (const { show } of last) frames.push(await show());
  return { frames, cut: done.length - last.length };
};

type Shot = { at: number; show: () => Promise<Frame> };
const toShot = (frame: Frame): Shot => ({ at: frame.at, show: () => Promise.resolve(frame) });

export const frameItem = (frame: Frame, no: number, c: PageContext, mark: Markup): Markup =>
  html`<li class="frame ${frame.kind} ${frame.tone}" id="step-${no}">
    <p class="line">
      <span class="chip">${c.words.board.film.kinds[frame.kind]}</span> <span>${frame.title}</span>
      <span class="when">${mark}</span>
    </p>
    ${frame.detail}
  </li>`;
