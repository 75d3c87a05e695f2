/** The part of a change's page where an approver decides with a key of their own (G11). */
import { objectionsOf } from '#model/assessment';
import { cutText } from '#model/values';
import { headName } from '#model/pull';
import { stripMarkup } from '#chat-text';
import { composeUnanswered, sortObjections, pullOpeningText, publicParts, showsFix } from '#views';
import type { OfferedDecision } from '#passkeys';
import type { Run } from '#run';
import type { PageContext } from '../board-context.ts';
import { toJsonAttribute, html, type Markup } from '../markup.ts';
import { APP_BASE } from '../page-frame.ts';

/** All of what becomes public beside the lines of the change; null where it cannot be read now. */
const publicWords = async (
  run: Run,
  { publicName }: OfferedDecision,
  { parts, words }: PageContext,
): Promise<Markup | null> => {
  const fields = run.gate.proposal?.fields;
  const { decide: t } = words.board;
  const patch = await parts.patch(run.id, showsFix(run) ? 'pushed' : 'base');
  if (!fields || !patch) return null;
  const opens = fields.action === 'open_pr' ? stripMarkup(pullOpeningText(fields, words)) : '';
  return html`<details class="words" id="decide-words">
    <summary>${t.words}</summary>
    <dl class="facts">
      <div>
        <dt>${t.into}</dt>
        <dd><code>${fields.baseRef}</code> ← <code>${headName(run.target.fork, fields.branch)}</code></dd>
      </div>
      <div>
        <dt>${t.commit}</dt>
        <dd><code>${fields.headSha}</code></dd>
      </div>
    </dl>
    ${opens !== '' && html`<p>${opens}</p>`}
    ${publicParts(run, patch.messages, words, publicName).map(
      ([heading, text]) =>
        html`<h3>${heading}</h3>
          <pre class="log" tabindex="0">${text}</pre>`,
    )}
  </details>`;
};

/** A name and what stood there, for people who have to be told what changed. */
export type ShownFact = readonly [string, string];
export const listShownFacts = (run: Run, { words }: Pick<PageContext, 'words'>): ShownFact[] => {
  const fields = run.gate.proposal?.fields;
  const { decide: t } = words.board;
  if (!fields) return [];
  return [
    [t.commit, fields.headSha.slice(0, 12)],
    [t.title, cutText(fields.title, 80)],
    [t.into, `${fields.baseRef} ← ${fields.branch}`],
    [t.author, fields.author],
  ];
};

/** E21: the answers stand below the decision, which they leave as it is. */
export const questionsPart = (run: Run, { words, now }: PageContext): Markup | false => {
  const { personQuestions = [] } = run.agent;
  if (personQuestions.length === 0) return false;
  const { answer: t } = words;
  return html`<section class="part" id="questions" aria-labelledby="questions-title">
    <h2 id="questions-title">${t.questions}</h2>
    ${personQuestions.toReversed().map(
      ({ by, text, outcome }) =>
        html`<p>${t.asked(by)}: ${text}</p>
          ${
            outcome?.kind === 'answered'
              ? html`<p>${t.says}</p>
                  <pre class="log" tabindex="0">${outcome.text}</pre>`
              : html`<p class="none">
                  ${outcome === null ? t.open : composeUnanswered(outcome, now, words)}
                </p>`
          }`,
    )}
  </section>`;
};

const renderButtons = (run: Run, offered: OfferedDecision, { words }: PageContext): Markup => {
  const { decide: t } = words.board;
  const kind = run.gate.approval?.kind === 'push' ? 'push' : 'open_pr';
  const asked = {
    approval: offered.approval,
    rpId: offered.rpId,
    challenge: offered.challenge,
    keys: offered.keys,
    texts: offered.texts,
    shown: listShownFacts(run, { words }),
  };
  return html`<div class="row-of-buttons">
      <button class="button primary" type="button" data-decide="approve">${t.approves[kind]}</button>
      <button class="button" type="button" data-asks="changes">${t.changes}</button>
      <button class="button" type="button" data-asks="deny">${t.deny}</button>
      ${run.agent.session !== null && html`<button class="button" type="button" data-asks="ask">${t.ask}</button>`}
    </div>
    <div class="asks" id="decide-asks" hidden>
      <label for="decide-why">${t.why}</label>
      <textarea id="decide-why" rows="3" maxlength="2000"></textarea>
      <button class="button" type="button" id="decide-send">${t.send}</button>
    </div>
    <p id="decide-says" class="says" role="status"></p>
    <div id="decide-asked" data-asked="${toJsonAttribute(asked)}" hidden></div>`;
};

/** `whole`: all bytes of the change can be read on this page. */
export const decidePart = async (run: Run, whole: boolean, context: PageContext): Promise<Markup | false> => {
  const { keys } = context.parts;
  const { decide: t } = context.words.board;
  const offered = keys && (await keys.decisions.offer(run, context.visitor.id));
  if (!offered) return false;
  const objections = sortObjections(objectionsOf(run.gate.proposal?.fields.assessment ?? { reasons: [] }));
  const path = `/board/run/${encodeURIComponent(run.id)}/diff`;
  const decides = context.base !== APP_BASE && whole && offered.keys.length > 0;
  const published = decides ? await publicWords(run, offered, context) : null;
  const inner =
    context.base === APP_BASE
      ? html`<p>${t.elsewhere}</p>
          <p><a class="button primary" href="${path}" target="_blank" rel="noopener">${t.browser}</a></p>`
      : !whole || (decides && published === null)
        ? html`<p class="none">${t.notWhole}</p>`
        : offered.keys.length === 0
          ? html`<p class="none">${offered.needsKey ? t.noTrustedKey : t.noKey}</p>`
          : html`${published ?? ''}${renderButtons(run, offered, context)}`;
  return html`<section
    class="part decide"
    id="decide"
    aria-labelledby="decide-title"
    data-run="${run.id}"
    data-failed="${t.failed}"
    data-moved="${t.moved}"
    data-unsupported="${t.unsupported}"
  >
    <h2 id="decide-title">${t.heading}</h2>
    ${offered.needsKey && html`<p>${t.needsKey}</p>`}
    ${offered.left > 1 && html`<p>${t.left(offered.left)}</p>`}
    ${
      objections.length > 0 &&
      html`<ul class="policies">
        ${objections.map(
          ({ policy, reason }) =>
            html`<li class="warned">
              <code>${policy}</code>
              <p>${context.words.judgement(reason)}</p>
            </li>`,
        )}
      </ul>`
    }
    ${inner}
  </section>`;
};
