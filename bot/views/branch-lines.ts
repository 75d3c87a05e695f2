/**
 * S10: what people see and may do when the base moved on, or somebody else pushed to our branch.
 */
import { STATE_TRAITS } from '../../orchestrator/core/run-states.ts';
import { isForeign } from '../../orchestrator/core/machine/foreign-head.ts';
import { mayNotUpdate } from '../../orchestrator/core/machine/on-branch.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, shortSha, escapedLine } from '../text/telegram-html.ts';
import type { ViewButton } from './scene.ts';

/** Who pushed what, and how much; without what was not read yet. */
export const foreignLines = (run: Run, words: LanguageTexts): string[] => {
  const {
    change: { foreignHead: foreign },
  } = run;
  if (!foreign || !isForeign(run)) return [];
  const { head, adoptedBy: takenBy } = foreign;
  const w = words.foreign;
  if (!head) return [w.reading];
  const { files, added, deleted } = head.diffFromOurs;
  return [
    `${w.what(shortSha(head.sha), head.commits)} ${w.by(escapedLine(head.author, 80))}: ${codeLine(head.subject, 120)}`,
    w.size(files, added, deleted),
    head.containsOurs ? '' : `⚠ ${w.over}`,
    takenBy === null ? w.choose : w.taking(escapedLine(takenBy, 40)),
  ];
};

/** Only for a head that was read, and that the message was made for. */
export const takeButtons = (
  { change: { foreignHead: foreign } }: Run,
  shown: string | null,
  words: LanguageTexts,
): ViewButton[] =>
  foreign?.head?.sha === shown && foreign?.head && foreign.adoptedBy === null
    ? [{ verb: 'take', text: words.buttons.take(shortSha(foreign.head.sha)), style: 'primary' }]
    : [];

const stands = ({ upstream: { observed: seen, pullRequest: pr }, gate: { proposal } }: Run): boolean => {
  if (!pr) return proposal?.fields.conflicts === true;
  const standing = seen.pull?.baseStatus;
  return standing === 'behind' || standing === 'conflicts';
};

/** When the base is known to have moved on, and the machine would take it. */
export const offersUpdate = (run: Run, words: LanguageTexts): ViewButton[] => {
  return STATE_TRAITS[run.lifecycle.state].updates && stands(run) && mayNotUpdate(run) === null
    ? [{ verb: 'update', text: words.buttons.update }]
    : [];
};

/** F1: the fork that the branch is pushed to. */
export const forkLine = ({ target: { fork } }: Run, { card }: LanguageTexts): string =>
  fork === null ? '' : card.toFork(escapedLine(fork.repo, 80));

/** What the change takes along besides: commits of the base, or of somebody else. */
export const whatElse = (
  {
    change: { pendingMerge: merging, mergedBase: merged, adoptedHead: taken, commit },
    upstream: { pullRequest: pr },
  }: Run,
  words: LanguageTexts,
): string => {
  const { card } = words;
  const it = merging ?? (pr ? null : merged);
  const base = it && commit?.base === it.sha;
  return [
    base ? card.merges(escapedLine(it.ref, 40), shortSha(it.sha), it.commits) : '',
    taken ? card.theirs(shortSha(taken.sha), escapedLine(taken.author, 80), escapedLine(taken.by, 40)) : '',
  ]
    .filter(Boolean)
    .join(' · ');
};
