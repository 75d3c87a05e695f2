/**
 * S10: what people see and may do when the base moved on, or somebody else pushed to our branch.
 */
import { STATE } from '../../orchestrator/core/states.ts';
import { isForeign } from '../../orchestrator/core/machine/foreign.ts';
import { mayNotUpdate } from '../../orchestrator/core/machine/on-branch.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { Texts } from '../language/language.ts';
import { said, short, show } from '../text/text.ts';
import type { Shown } from './scene.ts';

/** Who pushed what, and how much; without what was not read yet. */
export const foreignLines = (run: Run, words: Texts): string[] => {
  const {
    change: { foreignHead: foreign },
  } = run;
  if (!foreign || !isForeign(run)) return [];
  const { head, adoptedBy: takenBy } = foreign;
  const w = words.foreign;
  if (!head) return [w.reading];
  const { files, added, deleted } = head.diffFromOurs;
  return [
    `${w.what(short(head.sha), head.commits)} ${w.by(show(head.author, 80))}: ${said(head.subject, 120)}`,
    w.size(files, added, deleted),
    head.containsOurs ? '' : `⚠ ${w.over}`,
    takenBy === null ? w.choose : w.taking(show(takenBy, 40)),
  ];
};

/** Only for a head that was read, and that the message was made for. */
export const takeButtons = (
  { change: { foreignHead: foreign } }: Run,
  shown: string | null,
  words: Texts,
): Shown[] =>
  foreign?.head?.sha === shown && foreign?.head && foreign.adoptedBy === null
    ? [{ verb: 'take', text: words.buttons.take(short(foreign.head.sha)), style: 'primary' }]
    : [];

const stands = ({ upstream: { observed: seen, pullRequest: pr }, gate: { proposal } }: Run): boolean => {
  if (!pr) return proposal?.fields.conflicts === true;
  const standing = seen.pull?.baseStatus;
  return standing === 'behind' || standing === 'conflicts';
};

/** When the base is known to have moved on, and the machine would take it. */
export const offersUpdate = (run: Run, words: Texts): Shown[] => {
  return STATE[run.lifecycle.state].updates && stands(run) && mayNotUpdate(run) === null
    ? [{ verb: 'update', text: words.buttons.update }]
    : [];
};

/** F1: the fork that the branch is pushed to. */
export const forkLine = ({ target: { fork } }: Run, { card }: Texts): string =>
  fork === null ? '' : card.toFork(show(fork.repo, 80));

/** What the change takes along besides: commits of the base, or of somebody else. */
export const whatElse = (
  {
    change: { pendingMerge: merging, mergedBase: merged, adoptedHead: taken, commit },
    upstream: { pullRequest: pr },
  }: Run,
  words: Texts,
): string => {
  const { card } = words;
  const it = merging ?? (pr ? null : merged);
  const base = it && commit?.base === it.sha;
  return [
    base ? card.merges(show(it.ref, 40), short(it.sha), it.commits) : '',
    taken ? card.theirs(short(taken.sha), show(taken.author, 80), show(taken.by, 40)) : '',
  ]
    .filter(Boolean)
    .join(' · ');
};
