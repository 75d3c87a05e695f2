/** The part of the run page that says what is at work now; the stream brings it anew (E21). */
import { describeActivity } from '#views';
import { durationText } from '#chat-text';
import { isAgentStep } from '#model/agent';
import { engineOf, type Run } from '#run';
import type { AttemptRow } from '#ports/ledger';
import type { BoardAnswer, PageContext } from './board-context.ts';
import { html, type Markup } from './markup.ts';

const planLine = ({ agent: { plan: kept } }: Run, { progress }: PageContext['words']): Markup | false => {
  if (!kept) return false;
  const { next, backlog, done, blocked } = kept.plan;
  const all = done.length + backlog.length + blocked.length + (next ? 1 : 0);
  return (
    all > 0 &&
    html`<p class="meta">
      <span>${progress.plan(done.length, all)}</span> ${next && html`<b>→ ${next.text}</b>`}
    </p>`
  );
};

/** It stays on the page while nothing is at work, so that the stream finds it. */
export const nowPart = (run: Run, attempts: readonly AttemptRow[], c: PageContext): Markup => {
  const last = attempts.at(-1);
  if (last?.outcome !== 'running') return html`<section class="part now" id="now" hidden></section>`;
  const { words, now } = c;
  const { run: t } = words.board;
  const isAgent = isAgentStep(last);
  const { doing, rate } = describeActivity(run, last, words);
  const lines = last.activity?.lines ?? [];
  return html`<section class="part now" id="now" aria-labelledby="now-title">
    <h2 id="now-title"><a class="plain" href="#now">${t.now}</a></h2>
    <p class="line">
      <b>${isAgent ? engineOf(run) : last.command}</b>
      ${doing !== '' && html`<span class="doing">${doing}</span>`}
    </p>
    <p class="meta">
      <span>${durationText(now - last.startedAt, words.calendar)}</span>
      <span>${rate}</span>
    </p>
    ${isAgent && planLine(run, words)}
    ${lines.length > 0 && html`<pre class="log" tabindex="0" aria-label="${t.lastLines}">${lines.join('\n')}</pre>`}
  </section>`;
};

export const nowAnswer = async (c: PageContext): Promise<BoardAnswer | null> => {
  const { query } = c.parts;
  const run = await query.run(c.params['run'] ?? '');
  if (!run) return null;
  const attempts = await query.attempts(run.id);
  return { type: 'text/html; charset=utf-8', body: nowPart(run, attempts, c).toString() };
};
