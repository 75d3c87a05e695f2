import { parseTurnFacts, readTurnTexts, proposerTotals, type TurnAction, type TurnFacts } from '#model/turn';
import { cutText } from '#model/values';
import type { TurnRow } from '#ports/records';
import type { PageContext } from './board-context.ts';
import { html, type Markup } from './markup.ts';
import { timeMark } from './run-parts.ts';

const MAX_TURNS = 60;
const MAX_INPUT_LENGTH = 600;
const MAX_ANSWER_LENGTH = 4_000;
type Texts = ReadonlyMap<string, string>;

const actionItem = (action: TurnAction, texts: Texts, { words }: PageContext): Markup => {
  const { run: t } = words.board;
  const { id, tool, decision, outcome, answer, replaces } = action;
  const input = texts.get((decision?.input ?? action.input).digest);
  const said = answer && texts.get(answer.digest);
  const stopped = decision?.verdict === 'rejected' || decision?.verdict === 'waits';
  const by = decision?.by.kind === 'human' ? decision.by.name : (decision?.policies ?? []).join(', ');
  return html`<li class="${stopped ? 'bad' : outcome?.ok === false ? 'warned' : 'good'}">
    <p class="line">
      <code>${id}</code> <b>${tool}</b>
      <span class="says">${decision === null ? t.undecided : t.turnVerdicts[decision.verdict]}</span>
      <code title="${decision?.policyVersion ?? ''}">${by}</code>
      ${action.risk !== null && html`<span class="chip risk-${action.risk}">${words.board.risk[action.risk]}</span>`}
      ${replaces !== null && html`<span>← <code>${replaces}</code></span>`}
    </p>
    <pre class="log" tabindex="0">${input === undefined ? t.textGone : cutText(input, MAX_INPUT_LENGTH)}</pre>
    ${(outcome?.files ?? []).map(({ path }) => html`<p><bdi>${path}</bdi></p>`)}
    ${
      answer !== null &&
      html`<details>
        <summary>${t.cameOut}</summary>
        <pre class="log" tabindex="0">
${said === undefined ? t.textGone : cutText(said ?? '', MAX_ANSWER_LENGTH)}</pre>
      </details>`
    }
  </li>`;
};

type Proposal = NonNullable<TurnFacts['choice']>['proposals'][number];
const RESULT_CLASS = {
  chosen: 'good',
  not_chosen: '',
  denied: 'bad',
  invalid: 'warned',
  failed: 'warned',
} as const;

const proposalItem = (proposal: Proposal, texts: Texts, { words }: PageContext): Markup => {
  const { run: t } = words.board;
  const { proposer, result, evidence, size, actions, failure, thought, usage, ms } = proposal;
  const problem = thought.problem && texts.get(thought.problem.digest);
  const reason = actions.map((one) => one.reason && texts.get(one.reason.digest)).find(Boolean);
  return html`<li class="proposal ${RESULT_CLASS[result]}">
    <p class="line">
      <b><bdi>${proposer}</bdi></b> <span class="says">${t.proposalResults[result]}</span>
      ${actions.map(
        ({ tool, risk, policies, allowedBy }) =>
          html`<code title="${policies.join(', ')}">${tool}</code>
            <span class="chip risk-${risk}">${words.board.risk[risk]}</span>
            ${allowedBy !== undefined && html`<span class="chip">${t.pickedBy(allowedBy)}</span>`}`,
      )}
      ${evidence.map((one) => html`<span class="chip">${t.evidenceOfProposals[one]}</span>`)}
      ${size > 0 && html`<span>${t.sizeOfProposal(size)}</span>`}
      <span>${t.tokensIn(usage.inputTokens + usage.outputTokens, ms)}</span>
    </p>
    ${failure !== null && html`<p class="none"><code>${failure}</code></p>`}
    ${typeof problem === 'string' && html`<p class="none">${cutText(problem, MAX_INPUT_LENGTH)}</p>`}
    ${typeof reason === 'string' && html`<p class="none">${cutText(reason, MAX_INPUT_LENGTH)}</p>`}
    ${
      result !== 'chosen' &&
      actions.map(({ input }) => {
        const text = texts.get(input.digest);
        return html`<pre class="log" tabindex="0">
${text === undefined ? t.textGone : cutText(text, MAX_INPUT_LENGTH)}</pre>`;
      })
    }
  </li>`;
};

const turnCard = (row: TurnRow, facts: TurnFacts, texts: Texts, page: PageContext): Markup => {
  const { run: t } = page.words.board;
  const { context, evaluation, actions, thought, usage } = facts;
  const problem = thought.problem && texts.get(thought.problem.digest);
  return html`<li class="turn" id="turn-${row.seq}">
    <p class="line">
      <b>${t.turn(row.seq)}</b>
      <span class="says">${t.evaluations[evaluation?.kind ?? 'under_way']}</span>
      <span>${t.contextOf(context.tokens, context.summarised)}</span>
      <span>${usage.inputTokens + usage.outputTokens}</span> ${timeMark(row.at, page)}
    </p>
    ${row.fault !== null && html`<p class="bad">${t.altered}</p>`}
    ${typeof problem === 'string' && html`<p class="none">${cutText(problem, MAX_INPUT_LENGTH)}</p>`}
    ${
      facts.choice !== undefined &&
      html`<ul class="plainlist">
        ${facts.choice.proposals.map((one) => proposalItem(one, texts, page))}
      </ul>`
    }
    <ul class="plainlist">
      ${actions.map((action) => actionItem(action, texts, page))}
    </ul>
  </li>`;
};

export const turnList = (rows: readonly TurnRow[], context: PageContext): Markup => {
  const texts = new Map(rows.flatMap((row) => Object.entries(readTurnTexts(row) ?? {})));
  const totals = proposerTotals(rows.flatMap((row) => parseTurnFacts(row) ?? []));
  const { run: t } = context.words.board;
  return html`${totals.map(
      ({ proposer, turns, chosen, usage }) =>
        html`<p class="line">
          <bdi>${proposer}</bdi>
          ${t.proposerTotal(chosen, turns, usage.inputTokens + usage.outputTokens, usage.costUsd)}
        </p>`,
    )}
    <ul class="checks">
      ${rows.slice(-MAX_TURNS).flatMap((row) => {
        const facts = parseTurnFacts(row);
        return facts ? [turnCard(row, facts, texts, context)] : [];
      })}
    </ul>`;
};
