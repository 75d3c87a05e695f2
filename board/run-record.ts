/** Parts of the run page about what was judged, sealed, signed and asked for. */
import { objectionsOf } from '#model/assessment';
import type { AgentPlan } from '#model/feedback';
import { cutText } from '#model/values';
import type { PlanRound } from '#reports';
import { sortObjections } from '#views';
import { lastAssessedPublication, repositoryOf, type Run } from '#run';
import type { ReplayResult } from '#audit';
import type { ApprovalRow } from '#ports/ledger';
import type { BoardParts, PageContext } from './board-context.ts';
import { html, type Markup, type Part } from './markup.ts';
import { renderExternalLink, timeMark } from './run-parts.ts';

export const policyPart = (run: Run, { words }: PageContext): Markup => {
  const { run: t } = words.board;
  const assessed = lastAssessedPublication(run);
  if (!assessed) return html`<p class="none">${t.notJudged}</p>`;
  const objections = sortObjections(objectionsOf(assessed.assessment));
  return html`${
      objections.length === 0
        ? html`<p class="none">${t.noPolicies}</p>`
        : html`<ul class="policies">
            ${objections.map(
              ({ policy, verdict, reason }) =>
                html`<li class="${verdict === 'deny' ? 'bad' : 'warned'}">
                  <code>${policy}</code> <span class="says">${t.verdicts[verdict]}</span>
                  <p>${words.judgement(reason)}</p>
                </li>`,
            )}
          </ul>`
    }
    <p class="meta">
      <span>${words.board.risk[assessed.assessment.risk]}</span>
      <code>${assessed.assessment.policyVersion}</code>
    </p>`;
};

const MAX_PLAN_ROUNDS = 40;
const fieldValue = (value: unknown): string =>
  cutText(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 600);

export const sealPart = (run: Run, approvals: readonly ApprovalRow[], context: PageContext): Markup => {
  const { run: t } = context.words.board;
  const { proposal } = run.gate;
  const signers = signersOf(run);
  // A card that waits says nothing of who signed it.
  const decided = approvals.filter(({ state }) => state !== 'open');
  const opened = approvals.findLast(({ kind, state }) => kind === 'open_pr' && state === 'consumed');
  const pull = run.upstream.pullRequest;
  return html`${
      proposal
        ? html`<p>${t.digest} <code class="long">${proposal.digest}</code></p>
            <details>
              <summary>${t.fields}</summary>
              <dl class="facts">
                ${Object.entries(proposal.fields)
                  .filter(([, value]) => value !== undefined)
                  .map(
                    ([name, value]) =>
                      html`<div>
                        <dt><code>${name}</code></dt>
                        <dd class="long">${fieldValue(value)}</dd>
                      </div>`,
                  )}
              </dl>
            </details>`
        : html`<p class="none">${t.noSeal}</p>`
    }
    <h3>${t.signed}</h3>
    ${
      decided.length + signers.length === 0
        ? html`<p class="none">${t.nobody}</p>`
        : html`<ul class="plainlist">
            ${decided.map(
              ({ kind, state, digest, openedAt }) =>
                html`<li>
                  ${t.cards[kind]}: ${t.approvals[state]} ${timeMark(openedAt, context)}
                  <code title="${digest}">${digest.slice(0, 12)}</code>
                </li>`,
            )}
            ${signers.map(({ name, at }) => html`<li><b>${name}</b> ${timeMark(at, context)}</li>`)}
            ${run.gate.consumedApproval && html`<li><b>${run.gate.consumedApproval.by}</b></li>`}
          </ul>`
    }
    <h3>${t.receipt}</h3>
    ${
      pull && opened
        ? html`<p><code class="long">${opened.digest}</code></p>
            <p><code class="long">agentpr verify ${pull.url} --keys …</code></p>`
        : html`<p class="none">${t.noReceipt}</p>`
    }`;
};

const signersOf = ({ gate }: Run): readonly { name: string; at: number }[] => gate.approval?.signatures ?? [];

/** A replay is older than the page at most by this (ms): it reads every event of the run. */
const REPLAY_KEPT_MS = 30_000;
const MAX_REPLAYS = 50;
type KeptReplay = { at: number; replayed: Promise<ReplayResult> };
const replays = new WeakMap<BoardParts, Map<string, KeptReplay>>();

export const replayWithCache = ({ parts, now }: PageContext, runId: string): Promise<ReplayResult> => {
  const kept = replays.get(parts) ?? new Map<string, KeptReplay>();
  replays.set(parts, kept);
  const before = kept.get(runId);
  if (before && Math.abs(now - before.at) < REPLAY_KEPT_MS) return before.replayed;
  if (kept.size >= MAX_REPLAYS) kept.clear();
  const replayed = parts.replay(runId);
  kept.set(runId, { at: now, replayed });
  replayed.catch(() => kept.delete(runId));
  return replayed;
};

export const replayPart = (replayed: ReplayResult, { words }: PageContext): Markup => {
  const { run: t } = words.board;
  return html`<ul class="verdicts">
      ${(['trajectory', 'decisions', 'signatures'] as const).map((verdict) => {
        const found = replayed.findings.filter((one) => one.verdict === verdict);
        return html`<li class="${found.length === 0 ? 'good' : 'bad'}">
          <b aria-hidden="true">${found.length === 0 ? '✓' : '✗'}</b> ${t[verdict]}
          ${found.slice(0, 5).map(({ says }) => html`<p>${says}</p>`)}
        </li>`;
      })}
    </ul>
    <p class="none">${t.replayed(replayed.events)}</p>`;
};

export const contractPart = (run: Run, { words, parts }: PageContext): Markup => {
  const { run: t } = words.board;
  const { contract, base } = run.target;
  if (!contract) return html`<p class="none">${t.noContract}</p>`;
  const sourceLink = (source: string): Part => {
    const [, file = source, line] = /^(.*?)(?::(\d+))?$/s.exec(source) ?? [];
    const path = file.split('/').map(encodeURIComponent).join('/');
    const address = `${parts.serverUrl}/${repositoryOf(run)}/blob/${base?.sha ?? 'HEAD'}/${path}${line ? `#L${line}` : ''}`;
    return renderExternalLink(address, source, 'source');
  };
  return html`${
      contract.installs.length > 0 &&
      html`<h3>${t.installs}</h3>
        <ul class="plainlist">
          ${contract.installs.map(({ command, source }) => html`<li><code>${command}</code> ${sourceLink(source)}</li>`)}
        </ul>`
    }
    <h3>${t.checks}</h3>
    <ul class="plainlist">
      ${contract.checks.map(({ command, source }) => html`<li><code>${command}</code> ${sourceLink(source)}</li>`)}
    </ul>
    ${
      contract.rules.length > 0 &&
      html`<h3>${t.rules}</h3>
        <ul class="plainlist">
          ${contract.rules.map(
            ({ kind, quote, file, line }) =>
              html`<li>
                <code>${kind}</code> <q>${cutText(quote, 300)}</q> ${sourceLink(`${file}:${line}`)}
              </li>`,
          )}
        </ul>`
    }`;
};

export const planPart = ({ done, next, backlog, blocked }: AgentPlan, rounds: readonly PlanRound[]): Markup =>
  html`<ul class="plainlist">
      ${[
        ...done.map(({ text }) => html`<li class="good">✓ ${text}</li>`),
        next && html`<li><b>→ ${next.text}</b></li>`,
        ...blocked.map(({ text }) => html`<li class="bad">? ${text}</li>`),
        ...backlog.map(({ text }) => html`<li class="quiet">${text}</li>`),
      ]}
    </ul>
    ${rounds.slice(-MAX_PLAN_ROUNDS).map((round) => html`<pre class="log" tabindex="0">${JSON.stringify(round)}</pre>`)}`;
