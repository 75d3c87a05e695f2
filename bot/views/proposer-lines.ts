/** Shows the results of several engines, and the chosen change (E9). */
import type { RunAgent, ProposerTurn } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { durationText, escapeLine } from '../text/telegram-html.ts';
import { usdAmount } from './reports/report-screen.ts';
import { formatDiffSize } from './file-facts.ts';

const turnOf = (
  { engine, outcome: end, commit, costUsd, tokens, workedMs }: ProposerTurn,
  chosen: boolean,
  words: LanguageTexts,
): string =>
  [
    `${chosen ? '▸ ' : ''}${escapeLine(engine, 20)}: ${words.turns.ends[end]}`,
    commit ? formatDiffSize(commit.diff) : '',
    costUsd > 0 ? usdAmount(costUsd) : tokens > 0 ? words.turns.unpriced(tokens) : words.turns.tokens(tokens),
    durationText(workedMs, words.calendar),
  ]
    .filter(Boolean)
    .join(' ');

export const proposerResultsLine = (
  { agent: { proposerRotation: proposers } }: { agent: Pick<RunAgent, 'proposerRotation'> },
  words: LanguageTexts,
): string =>
  proposers
    ? [
        ...proposers.finishedTurns.map((turn) =>
          turnOf(turn, proposers.isChosen && turn.engine === proposers.engine, words),
        ),
        ...(areComparable(proposers.finishedTurns) ? [] : [words.turns.notComparable]),
      ].join(' · ')
    : '';

/** E18: costs are comparable only when all engines report them. */
const areComparable = (turns: readonly ProposerTurn[]): boolean =>
  turns.every(({ costUsd }) => costUsd === 0) || turns.every((one) => one.tokens === 0 || one.costUsd > 0);
