/** Small parts of a run that several pages show. */
import { currentActivity, findEnding, isUnderWay, liveHeading } from '#views';
import { durationText, momentText } from '#chat-text';
import type { LanguageTexts } from '#language';
import { lastAssessedPublication, repositoryOf, type Run } from '#run';
import { STATE_TRAITS } from '#model/run';
import { cutText } from '#model/values';
import type { PageContext } from './board-context.ts';
import { html, type Markup } from './markup.ts';

type RunTone = 'waits' | 'wrong' | 'works' | 'quiet' | 'good' | 'over';

export const toneOf = (run: Run): RunTone => {
  const { state, reason } = run.lifecycle;
  const { wrong, life, works } = STATE_TRAITS[state];
  if (run.gate.approval || state === 'PAUSED' || state === 'PLAN_READY') return 'waits';
  if (state === 'DONE') return 'good';
  if (reason.kind === 'ended_by_person') return 'over';
  if (wrong) return 'wrong';
  if (life === 'over') return 'over';
  return works ? 'works' : 'quiet';
};

export const titleOfRun = ({ order, gate, upstream }: Run): string => {
  const opened = upstream.pullRequest && upstream.observed.pull?.metadata?.title;
  const [line = ''] = (opened ?? gate.proposal?.fields.title ?? order.title ?? order.goal).split('\n', 1);
  return cutText(line, 160);
};

export const describeRunStanding = (run: Run, words: LanguageTexts): string =>
  findEnding(run, words)?.did ??
  (isUnderWay(run, words) ? currentActivity(run, words) : liveHeading(run, words));

export const timeMark = (at: number, { now, words }: Pick<PageContext, 'now' | 'words'>): Markup => {
  const exact = new Date(at).toISOString();
  return html`<time datetime="${exact}" title="${momentText(at, now, words.calendar)}"
    >${durationText(now - at, words.calendar)}</time
  >`;
};

export const riskChip = (run: Run, { board }: LanguageTexts): Markup | false => {
  const risk = lastAssessedPublication(run)?.assessment.risk;
  return risk !== undefined && html`<span class="chip risk-${risk}">${board.risk[risk]}</span>`;
};

const SAFE_ADDRESS = /^https?:\/\/[^\s"'<>]+$/;
/** An address of others is a link only when a browser can do nothing but open it. */
export const renderExternalLink = (address: string, text: string, kind = ''): Markup =>
  SAFE_ADDRESS.test(address)
    ? html`<a class="${kind}" href="${address}" rel="noreferrer noopener" target="_blank">${text}</a>`
    : html`<span>${text}</span>`;

export const runPath = ({ base }: Pick<PageContext, 'base'>, id: string): string =>
  `${base}/run/${encodeURIComponent(id)}`;

export const chatLink = ({ parts, words }: PageContext, id: string): Markup | false => {
  const address = parts.chatAddress(`run-${id}`);
  return address !== null && renderExternalLink(address, words.board.inbox.inChat, 'button');
};

export const renderRunName = (run: Run): Markup =>
  html`<bdi class="place">${cutText(repositoryOf(run), 60)}</bdi> <code>${run.id}</code>`;
