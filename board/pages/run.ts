/** One run: how it came here, what it changes, what judged it, who signed. */
import { listPlanRounds } from '#reports';
import { renderReason, formatUsage, sortFilesByRisk, deservesAttention } from '#views';
import { durationText } from '#chat-text';
import { operatorWordsMode, selectDeliveredWords, selectQueuedWords, repositoryOf, type Run } from '#run';
import type { EventRow } from '#ports/ledger';
import type { BoardPage, PageContext } from '../board-context.ts';
import { html, type Markup, type Part } from '../markup.ts';
import { APP_BASE } from '../page-frame.ts';
import { viewQuery, type DiffView } from './diff-parts.ts';
import { attemptList, checkList } from '../run-evidence.ts';
import { contractPart, planPart, policyPart, replayWithCache, replayPart, sealPart } from '../run-record.ts';
import { nowPart } from '../run-now.ts';
import { timelinePart } from '../run-timeline.ts';
import { turnList } from '../run-turns.ts';
import {
  chatLink,
  renderExternalLink,
  renderRunName,
  riskChip,
  runPath,
  describeRunStanding,
  timeMark,
  titleOfRun,
  toneOf,
} from '../run-parts.ts';

type StepName = keyof PageContext['words']['board']['run']['steps'];
const STEPS: readonly (readonly [StepName, readonly string[]])[] = [
  ['queued', ['QUEUED']],
  ['reading', ['DISCOVERY', 'PLAN_READY']],
  ['changing', ['IMPLEMENTING', 'ITERATING']],
  ['checking', ['LOCAL_VALIDATING']],
  ['deciding', ['PUSHED']],
  ['ci', ['CI_WAIT']],
  ['review', ['REVIEW_WAIT']],
  ['end', ['DONE', 'SKIPPED', 'FAILED_TERMINAL']],
];

const wayPart = (run: Run, events: readonly EventRow[], { words }: PageContext): Markup => {
  const { run: t } = words.board;
  const { state, resumeState } = run.lifecycle;
  const standing = run.gate.approval ? 'PUSHED' : (resumeState ?? state);
  const seen = new Map<string, number>();
  let before = '';
  for (const { stateAfter } of events) {
    if (stateAfter !== before) seen.set(stateAfter, (seen.get(stateAfter) ?? 0) + 1);
    before = stateAfter;
  }
  return html`<ol class="way tone-${toneOf(run)}" aria-label="${t.path}">
    ${STEPS.map(([name, states]) => {
      const times = states.reduce((n, one) => n + (seen.get(one) ?? 0), 0);
      const isHere = states.includes(standing);
      const kind = isHere ? 'here' : times > 0 ? 'done' : 'open';
      return html`<li class="${kind}" ${isHere ? html`aria-current="step"` : ''}>
        <i aria-hidden="true"></i><span>${t.steps[name]}</span>${times > 1 && html`<small>×${times}</small>`}
      </li>`;
    })}
  </ol>`;
};

const WHOLE_CHANGE: DiffView = { since: 'base', split: false, blanks: true, wrap: true };
const changePart = (run: Run, context: PageContext): Markup => {
  const { run: t } = context.words.board;
  const { commit } = run.change;
  if (!commit) return html`<p class="none">${t.noChange}</p>`;
  const { diff } = commit;
  const diffPath = `${runPath(context, run.id)}/diff`;
  const files = sortFilesByRisk(diff);
  return html`<p class="meta">
      <span>${t.size(diff.files.length, diff.added, diff.deleted)}</span>
      <a class="button primary" href="${diffPath}">${t.readDiff}</a>
    </p>
    <ul class="files">
      ${files.slice(0, 12).map(
        (file, at) =>
          html`<li>
            <a href="${diffPath}${viewQuery(run, WHOLE_CHANGE, { file: at })}#file-${at}"
              ><bdi>${file.path}</bdi></a
            >
            ${deservesAttention(diff, file) && html`<span class="warn" aria-hidden="true">⚠</span>`}
            <span class="size"><b class="plus">+${file.added}</b> <b class="minus">−${file.deleted}</b></span>
          </li>`,
      )}
    </ul>`;
};

/** E21: what waits for the agent, what it heard, and a field for more. */
const wordsPart = (run: Run, c: PageContext): Markup | false => {
  const { tell: t } = c.words.board;
  const told = [...selectDeliveredWords(run), ...selectQueuedWords(run)];
  const hears = c.parts.tell !== null && c.base !== APP_BASE ? operatorWordsMode(run) : null;
  if (told.length === 0 && hears === null) return false;
  return html`<ul class="words">
      ${told.map(
        ({ words, by, delivered, when }) =>
          html`<li>
            <p class="prose">${words}</p>
            <small
              >${by} · ${delivered ? html`${t.heard} ${timeMark(delivered.at, c)}` : t.waits[when]}</small
            >
          </li>`,
      )}
    </ul>
    ${
      hears === 'words' &&
      html`<div class="asks" data-run="${run.id}" data-failed="${t.failed}">
        <label for="tell-words">${t.label}</label>
        <textarea id="tell-words" rows="3" maxlength="2000"></textarea>
        <div class="row-of-buttons">
          <button class="button primary" type="button" data-tell="after">${t.after}</button>
          <button class="button" type="button" data-tell="now">${t.now}</button>
        </div>
        <p id="tell-says" class="says" role="status"></p>
      </div>`
    }
    ${hears === 'script' && html`<p class="says">${t.script}</p>`}`;
};

const renderFact = (name: string, value: Part): Markup | false =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

const factsPart = (run: Run, context: PageContext): Markup => {
  const { run: t } = context.words.board;
  const { usage, workedMs } = run.lifecycle;
  const pull = run.upstream.pullRequest;
  const { campaign, picture, quoted } = run.order;
  return html`<dl class="facts">
    ${[
      renderFact(
        t.ordered,
        html`${timeMark(run.lifecycle.createdAt, context)} ${t.by(run.order.requester.name)}`,
      ),
      renderFact(t.source, quoted && renderExternalLink(quoted.url, quoted.url)),
      renderFact(t.engine, run.order.engine),
      renderFact(t.picture, picture && t.pictureSize(picture.width, picture.height)),
      renderFact(
        t.base,
        run.target.base &&
          html`<code>${run.target.base.ref}</code> <code>${run.target.base.sha.slice(0, 7)}</code>`,
      ),
      renderFact(t.branch, run.change.pushedHead && html`<code>${run.change.pushedHead.branch}</code>`),
      renderFact(t.pull, pull && renderExternalLink(pull.url, pull.id)),
      renderFact(
        t.campaign,
        campaign !== undefined && html`<a href="${context.base}/campaign/${campaign}">${campaign}</a>`,
      ),
      renderFact(t.worked, durationText(workedMs, context.words.calendar)),
      renderFact(t.tokens, formatUsage(run, 'tokens', usage.inputTokens + usage.outputTokens, context.words)),
    ]}
  </dl>`;
};

const renderPart = (id: string, title: string, content: Part): Markup =>
  html`<section class="part" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title"><a class="plain" href="#${id}">${title}</a></h2>
    ${content}
  </section>`;
const collapsiblePart = (id: string, title: string, content: Part): Markup =>
  html`<details class="part" id="${id}">
    <summary><h2>${title}</h2></summary>
    ${content}
  </details>`;

export const runPage = async (c: PageContext): Promise<BoardPage | null> => {
  const { parts, params, words, url } = c;
  const run = await parts.query.run(params.run ?? '');
  if (!run) return null;
  const [events, attempts, approvals, replayed, turns] = await Promise.all([
    parts.query.events(run.id),
    parts.query.attempts(run.id),
    parts.query.approvals({ runId: run.id }),
    replayWithCache(c, run.id),
    parts.query.turns(run.id),
  ]);
  const { run: t } = words.board;
  const title = titleOfRun(run);
  const told = wordsPart(run, c);
  const body = html`<nav class="crumbs" aria-label="${words.board.where}">
      <a href="${c.base}/?q=${encodeURIComponent(`repo:${repositoryOf(run)}`)}">${renderRunName(run)}</a>
    </nav>
    <div class="head tone-${toneOf(run)}">
      <h1>${title}</h1>
      <p class="meta">
        <span class="state"><i class="dot" aria-hidden="true"></i>${describeRunStanding(run, words)}</span>
        ${timeMark(run.lifecycle.stateEnteredAt, c)} ${riskChip(run, words)} ${chatLink(c, run.id)}
      </p>
    </div>
    ${wayPart(run, events, c)}
    <p class="reason">${renderReason(run, c.now, words)}</p>
    <div class="columns">
      <div class="main">
        ${nowPart(run, attempts, c)}
        ${[
          told && renderPart('words', words.board.tell.heading, told),
          renderPart('change', t.change, changePart(run, c)),
          renderPart('checks', t.checks, checkList(run, attempts, c)),
          run.agent.summary !== '' &&
            renderPart('summary', t.summary, html`<p class="prose">${run.agent.summary}</p>`),
          renderPart('policies', t.policies, policyPart(run, c)),
          renderPart(
            'timeline',
            t.timeline,
            html`<p><a class="button" href="${runPath(c, run.id)}/film">${words.board.film.open}</a></p>
              ${timelinePart(events, { url, c, run })}`,
          ),
          renderPart('attempts', t.attempts, attemptList(attempts, c)),
          turns.length > 0 && renderPart('turns', t.turns, turnList(turns, c)),
        ]}
      </div>
      <aside>
        ${[
          renderPart('facts', t.facts, factsPart(run, c)),
          renderPart('goal', t.goal, html`<p class="prose">${run.order.goal}</p>`),
          renderPart('seal', t.seal, sealPart(run, approvals, c)),
          renderPart('replay', t.replay, replayPart(replayed, c)),
          collapsiblePart('contract', t.contract, contractPart(run, c)),
          run.agent.plan &&
            collapsiblePart('plan', t.plan, planPart(run.agent.plan.plan, listPlanRounds(events, turns))),
        ]}
      </aside>
    </div>`;
  return { title, here: 'inbox', body, watches: { run: run.id }, wide: true };
};
