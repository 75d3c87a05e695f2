/** List of what waits for people, riskiest and oldest first, and what can be decided together (C6). */
import { permissionQuestionOf, type Run } from '#run';
import { sha256Hex } from '#runtime';
import { canonicalJson } from '#model/seal';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, escapeLine, escapeProse, fitLines } from '../text/telegram-html.ts';
import { evidenceLines } from './evidence-lines.ts';
import { buttonRows, fleetEntry, withOutage, type AnswerButton, type ScreenContent } from './screen-rows.ts';
import { readPermissionInput } from './permission-card.ts';
import { renderReason } from './reason-messages.ts';
import { shortName } from './run-lines.ts';
import type { ButtonVerb } from './scene.ts';

type WaitingSort = 'approval' | 'question' | 'human' | 'plan' | 'paused';
type Waiting = { run: Run; sort: WaitingSort; why: string; rank: number };

const RISK_RANKS = { high: 0, medium: 1, low: 2 } as const;
const SORT_RANKS = { question: 0, human: 3, plan: 4, paused: 5 } as const;

export const riskOfCard = ({ gate: { approval, proposal }, review }: Run): keyof typeof RISK_RANKS =>
  (approval?.kind === 'reply' ? review.pendingReplies?.proposal : proposal)?.fields.assessment.risk ?? 'high';

export const findWaitingKind = (run: Run): WaitingSort | null => {
  if (run.gate.approval) return 'approval';
  if (permissionQuestionOf(run)) return 'question';
  const { state } = run.lifecycle;
  if (state === 'NEEDS_HUMAN_REVIEW') return 'human';
  if (state === 'PAUSED') return 'paused';
  return state === 'PLAN_READY' && run.target.escalation !== null ? 'plan' : null;
};

const pressingAt = ({ lifecycle, gate: { approval } }: Run): number =>
  approval?.expiresAt ?? lifecycle.stateEnteredAt;

export const listWaitingRuns = (runs: readonly Run[], words: LanguageTexts): Waiting[] =>
  runs
    .flatMap((run): Waiting[] => {
      const sort = findWaitingKind(run);
      if (sort === null) return [];
      const rank = sort === 'approval' ? RISK_RANKS[riskOfCard(run)] : SORT_RANKS[sort];
      return [{ run, sort, why: words.fleet.waits[sort === 'question' ? 'human' : sort], rank }];
    })
    .sort((a, b) => a.rank - b.rank || pressingAt(a.run) - pressingAt(b.run));

/** Low-risk changes that are not public yet; each still has to pass the checks of its own card. */
export const isDecidableFromList = (run: Run): boolean =>
  run.gate.approval !== null &&
  run.gate.approval.kind !== 'reply' &&
  run.upstream.pullRequest === null &&
  riskOfCard(run) === 'low';

export const findPermissionQuestionKey = (run: Run): string | null => {
  const question = permissionQuestionOf(run);
  return question && sha256Hex(canonicalJson([question.digest, question.objections])).slice(0, 16);
};

const firstSentence = (text: string): string => /^[^]*?(?:[.!?](?=\s|$)|[。！？])/u.exec(text)?.[0] ?? text;

export const waitingLine = ({ run, why }: Waiting, now: number, words: LanguageTexts): string => {
  const line = withOutage(fleetEntry(run, '⚠ ', why, now, words), run, now, words);
  if (!run.gate.approval)
    return `${line}\n   ${escapeProse(firstSentence(renderReason(run, now, words)), 100)}`;
  if (run.gate.approval.kind === 'reply') return line;
  return `${line}\n   ${evidenceLines(run, words)[0] ?? ''} · ${words.card.risk(riskOfCard(run))}`;
};

export const showButton = ({ run, sort }: Waiting, words: LanguageTexts): AnswerButton => ({
  verb: 'show',
  text: `${words.fleet.does[sort === 'question' ? 'human' : sort]} · ${shortName(run)}`,
  runId: run.id,
});

const MAX_PENDING_ROWS = 12;

type Rows = { html: string[]; buttons: AnswerButton[]; covers: Set<Run> };

const alikeQuestions = (waits: readonly Waiting[], words: LanguageTexts): Rows => {
  const rows: Rows = { html: [], buttons: [], covers: new Set() };
  const asking = waits.flatMap(({ run }) => (permissionQuestionOf(run) ? [run] : []));
  for (const [key, runs] of Map.groupBy(asking, findPermissionQuestionKey)) {
    const [first] = runs;
    const question = first && permissionQuestionOf(first);
    if (key === null || !question || runs.length < 2) continue;
    rows.html.push(
      `⚠ ${escapeLine(words.fleet.alikeQuestions(runs.length))}\n   ${codeLine(readPermissionInput(question).text, 80)}`,
    );
    rows.buttons.push({
      verb: 'say',
      text: words.fleet.answerAlike(runs.length),
      runId: '',
      says: `/pending ${key}`,
    });
    for (const run of runs) rows.covers.add(run);
  }
  return rows;
};

export const renderPending = (runs: readonly Run[], now: number, words: LanguageTexts): ScreenContent => {
  const waits = listWaitingRuns(runs, words);
  if (waits.length === 0) return { html: escapeLine(words.fleet.calm), buttons: [] };
  const alike = alikeQuestions(waits, words);
  const single = waits.filter(({ run }) => !alike.covers.has(run));
  const listed = single.filter(({ run }) => isDecidableFromList(run)).length;
  const shown = single.slice(0, MAX_PENDING_ROWS);
  const low: AnswerButton[] =
    listed < 2 ? [] : [{ verb: 'say', text: words.fleet.decideLow(listed), runId: '', says: '/pending low' }];
  return {
    html: fitLines([
      `<b>${words.fleet.pending(waits.length)}</b>`,
      ...alike.html,
      ...shown.map((w) => waitingLine(w, now, words)),
      ...(single.length > shown.length ? [words.fleet.more(single.length - shown.length)] : []),
    ]),
    buttons: buttonRows([...alike.buttons, ...low, ...shown.map((one) => showButton(one, words))], 1),
  };
};

export const renderDigest = (
  runs: readonly Run[],
  now: number,
  words: LanguageTexts,
): { html: string; buttons: { verb: ButtonVerb; text: string }[][] } => {
  const { html } = renderPending(runs, now, words);
  return {
    html: `<b>${escapeLine(words.installation.quietOver)}</b>\n${html}`,
    buttons:
      listWaitingRuns(runs, words).length > 0 ? [[{ verb: 'pending', text: words.welcome.pending }]] : [],
  };
};
