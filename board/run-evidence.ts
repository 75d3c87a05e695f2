/** Parts of the run page about checks and attempts. */
import { durationText } from '#chat-text';
import type { Run } from '#run';
import type { CheckResult } from '#model/evidence';
import { cutText } from '#model/values';
import type { AttemptRow } from '#ports/ledger';
import { attemptDurationMs } from '#views';
import type { PageContext } from './board-context.ts';
import { html, type Markup } from './markup.ts';
import { runPath, timeMark } from './run-parts.ts';

const MARKS: Readonly<Record<CheckResult['outcome'], { mark: string; tone: string }>> = {
  passed: { mark: '✓', tone: 'good' },
  failed: { mark: '✗', tone: 'bad' },
  timed_out: { mark: '✗', tone: 'bad' },
  not_run: { mark: '–', tone: 'quiet' },
  ran_no_test: { mark: '–', tone: 'quiet' },
};
const MAX_TAIL_LENGTH = 6_000;
const MAX_ATTEMPTS = 60;

const logPath = (context: PageContext, attempt: AttemptRow): string =>
  `${runPath(context, attempt.runId)}/log/${attempt.id}`;

export const checkList = (run: Run, attempts: readonly AttemptRow[], context: PageContext): Markup => {
  const { run: t } = context.words.board;
  const checks = [...(run.change.evaluation?.checks ?? [])].sort(
    (a, b) => Number(a.outcome === 'passed') - Number(b.outcome === 'passed'),
  );
  if (checks.length === 0) return html`<p class="none">${t.noChecks}</p>`;
  return html`<ul class="checks">
    ${checks.map((check) => {
      const { mark, tone } = MARKS[check.outcome];
      const attempt = attempts.findLast(({ step }) => step === check.name);
      return html`<li class="${tone}">
        <p class="line">
          <b aria-hidden="true">${mark}</b><code>${check.command || check.name}</code>
          <span class="says">${context.words.log.outcome(check.outcome)}</span>
          <span class="when">${durationText(check.ms, context.words.calendar)}</span>
          ${attempt && html`<a class="quiet" href="${logPath(context, attempt)}">${t.fullLog}</a>`}
        </p>
        ${
          check.outcome !== 'passed' &&
          check.tail !== '' &&
          html`<pre class="log" tabindex="0">${cutText(check.tail, MAX_TAIL_LENGTH)}</pre>`
        }
      </li>`;
    })}
  </ul>`;
};

export const attemptList = (attempts: readonly AttemptRow[], context: PageContext): Markup => {
  const { run: t } = context.words.board;
  if (attempts.length === 0) return html`<p class="none">${t.noAttempts}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t.attempts}">
    <table class="figures attempts">
      <tbody>
        ${attempts
          .slice(-MAX_ATTEMPTS)
          .reverse()
          .map(
            (one) =>
              html`<tr>
                <th scope="row"><a href="${logPath(context, one)}">${one.step} #${one.no}</a></th>
                <td class="${one.outcome === 'running' ? '' : one.exitCode === 0 ? 'good' : 'bad'}">
                  ${context.words.log.outcome(one.outcome)}
                </td>
                <td class="n">
                  ${durationText(attemptDurationMs(one, context.now), context.words.calendar)}
                </td>
                <td>${[one.engine, one.model].filter(Boolean).join(' ')}</td>
                <td>${one.containment}</td>
                <td class="n">${timeMark(one.startedAt, context)}</td>
              </tr>`,
          )}
      </tbody>
    </table>
  </div>`;
};
