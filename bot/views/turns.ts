/** E9: what several engines came to that tried the same, and whose change goes on. */
import type { RunAgent } from '../../orchestrator/core/machine/run.ts';
import type { Turn } from '../../orchestrator/core/machine/turns.ts';
import type { Texts } from '../language/language.ts';
import { duration, show } from '../text/text.ts';
import { money } from './report.ts';
import { sizeOf } from './scene.ts';

const turnOf = (
  { engine, outcome: end, commit, costUsd, tokens, workedMs }: Turn,
  chosen: boolean,
  words: Texts,
): string =>
  [
    `${chosen ? '▸ ' : ''}${show(engine, 20)}: ${words.turns.ends[end]}`,
    commit ? sizeOf(commit.diff) : '',
    costUsd > 0 ? money(costUsd) : tokens > 0 ? words.turns.unpriced(tokens) : words.turns.tokens(tokens),
    duration(workedMs, words.calendar),
  ]
    .filter(Boolean)
    .join(' ');

/** Empty where one engine works. */
export const turnsLine = (
  { agent: { proposerRotation: proposers } }: { agent: Pick<RunAgent, 'proposerRotation'> },
  words: Texts,
): string =>
  proposers
    ? [
        ...proposers.finishedTurns.map((turn) =>
          turnOf(turn, proposers.isChosen && turn.engine === proposers.engine, words),
        ),
        ...(areComparable(proposers.finishedTurns) ? [] : [words.turns.notComparable]),
      ].join(' · ')
    : '';

/** E18: by what they cost, which some engines tell and others do not. */
const areComparable = (turns: readonly Turn[]): boolean =>
  turns.every(({ costUsd }) => costUsd === 0) || turns.every((one) => one.tokens === 0 || one.costUsd > 0);
