/** The page of one attempt's output: its distilled failure, then all of it. */
import { durationText } from '#chat-text';
import { isAgentStep } from '#model/agent';
import { attemptDurationMs } from '#views';
import type { BoardPage, PageContext } from '../board-context.ts';
import { html } from '../markup.ts';
import { runPath, timeMark } from '../run-parts.ts';

export const logPage = async (context: PageContext): Promise<BoardPage | null> => {
  const { parts, params, words } = context;
  const attempts = await parts.query.attempts(params.run ?? '');
  const attempt = attempts.find(({ id }) => String(id) === params.attempt);
  if (!attempt) return null;
  const { run: t } = words.board;
  const printed = [attempt.stdout ?? '', attempt.stderr ?? '']
    .filter((text) => text.trim() !== '')
    .join('\n');
  const isAgent = isAgentStep(attempt);
  const failed = attempt.outcome !== 'running' && attempt.exitCode !== 0 && !isAgent && printed !== '';
  const [whole, distilled] = await Promise.all([
    printed === '' ? '' : isAgent ? parts.readLog(printed).then(({ shown }) => shown) : printed,
    failed ? parts.distillLog(printed) : '',
  ]);
  const prompt =
    attempt.promptHash === null
      ? null
      : await parts.query.artifact(attempt.runId, `sha256:${attempt.promptHash}`);
  const title = `${attempt.step} #${attempt.no}`;
  const facts = [
    words.log.outcome(attempt.outcome),
    attempt.exitCode === null ? '' : words.log.exit(attempt.exitCode),
    durationText(attemptDurationMs(attempt, context.now), words.calendar),
    [attempt.engine, attempt.model].filter(Boolean).join(' '),
    attempt.containment ?? '',
  ].filter((one) => one !== '');
  const body = html`<nav class="crumbs" aria-label="${words.board.where}">
      <a href="${runPath(context, attempt.runId)}">${attempt.runId}</a>
    </nav>
    <div class="head"><h1>${title}</h1></div>
    <p class="meta">
      ${facts.map((fact) => html`<span>${fact}</span> `)} ${timeMark(attempt.startedAt, context)}
    </p>
    <p><code class="long">${attempt.command}</code></p>
    ${distilled !== '' && distilled !== whole && html`<pre class="log first" tabindex="0">${distilled}</pre>`}
    ${
      prompt !== null &&
      prompt.content !== '' &&
      html`<details class="part" id="prompt">
        <summary><h2>${t.prompt}</h2></summary>
        <pre class="log" tabindex="0">${prompt.content}</pre>
      </details>`
    }
    ${
      whole === ''
        ? html`<p class="none">${t.noOutput}</p>`
        : html`<h2>${isAgent ? t.transcript : t.fullLog}</h2>
            <pre class="log" tabindex="0">${whole}</pre>`
    }`;
  return { title, body };
};
