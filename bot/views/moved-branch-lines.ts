/** Renders a base that moved on, and somebody else's push to our branch (S10). */
import { STATE_TRAITS } from '#model/run';
import { hasForeignHead, type Run } from '#run';
import { checkMayUpdate } from '#kernel';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, shortSha, escapeLine } from '../text/telegram-html.ts';
import type { ViewButton } from './scene.ts';

/** Returns nothing until the other commits were read. */
export const foreignLines = (run: Run, words: LanguageTexts): string[] => {
  const {
    change: { foreignHead: foreign },
  } = run;
  if (!foreign || !hasForeignHead(run)) return [];
  const { head, adoptedBy: takenBy } = foreign;
  const w = words.foreign;
  if (!head) return [w.reading];
  const { files, added, deleted } = head.diffFromOurs;
  return [
    `${w.what(shortSha(head.sha), head.commits)} ${w.by(escapeLine(head.author, 80))}: ${codeLine(head.subject, 120)}`,
    w.size(files, added, deleted),
    head.containsOurs ? '' : `⚠ ${w.over}`,
    takenBy === null ? w.choose : w.taking(escapeLine(takenBy, 40)),
  ];
};

/** Shown only for the head that the message describes. */
export const adoptCommitButtons = (
  { change: { foreignHead: foreign } }: Run,
  shown: string | null,
  words: LanguageTexts,
): ViewButton[] =>
  foreign?.head?.sha === shown && foreign?.head && foreign.adoptedBy === null
    ? [{ verb: 'take', text: words.buttons.take(shortSha(foreign.head.sha)), style: 'primary' }]
    : [];

const needsBaseUpdate = ({
  upstream: { observed: seen, pullRequest: pr },
  gate: { proposal },
}: Run): boolean => {
  if (!pr) return proposal?.fields.conflicts === true;
  const standing = seen.pull?.baseStatus;
  return standing === 'behind' || standing === 'conflicts';
};

export const updateBranchButtons = (run: Run, words: LanguageTexts): ViewButton[] => {
  return STATE_TRAITS[run.lifecycle.state].updates && needsBaseUpdate(run) && checkMayUpdate(run) === null
    ? [{ verb: 'update', text: words.buttons.update }]
    : [];
};

export const forkLine = ({ target: { fork } }: Run, { card }: LanguageTexts): string =>
  fork === null ? '' : card.toFork(escapeLine(fork.repo, 80));

export const renderIncludedCommits = (
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
    base ? card.merges(escapeLine(it.ref, 40), shortSha(it.sha), it.commits) : '',
    taken ? card.theirs(shortSha(taken.sha), escapeLine(taken.author, 80), escapeLine(taken.by, 40)) : '',
  ]
    .filter(Boolean)
    .join(' · ');
};
