/** Renders the code host's state of a pull request: checks, verdict and reviews. */
import type { Run } from '#run';
import { isOnlyRedOnBase, currentVerdict, explainCiVerdict, redChecks } from '#kernel';
import type { PullEdit, PullSetup } from '#model/opening';
import { isTerminal } from '#model/run';
import type { CiFacts } from '#model/ci';
import type { LanguageTexts } from '../language/languages.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { escapeLine } from '../text/telegram-html.ts';
import { createRenderContext } from './reason-messages.ts';

const CHECK_MARKS = ['✗', '●', '✓', '–'] as const;
type Mark = (typeof CHECK_MARKS)[number];
const MAX_SHOWN_CHECKS = 6;

const markChecks = (ci: CiFacts): { name: string; mark: Mark }[] => {
  const red = redChecks(ci);
  const seen = Object.values(ci.checks).map((check) => {
    const { name, status, outcome } = check;
    if (red.includes(check)) return { name, mark: '✗' as const };
    if (status !== 'ended') return { name, mark: '●' as const };
    if (outcome === 'passed') return { name, mark: '✓' as const };
    const idle = outcome === 'idle';
    return { name, mark: idle ? ('–' as const) : ('●' as const) };
  });
  const missing = explainCiVerdict(ci)
    .why.filter((why) => why.kind === 'missing' || why.kind === 'imitated')
    .map(({ name }) => ({ name, mark: '●' as const }));
  const rankOf = (check: { mark: Mark }): number => CHECK_MARKS.indexOf(check.mark);
  return [...seen, ...missing].sort((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1));
};

/** A no-break space keeps the mark next to its name. */
const nameWithMark = (mark: string, name: string): string =>
  `${mark}\u00a0<code>${escapeLine(name, 20)}</code>`;

const checksOf = (
  { change: { pushedHead: pushed }, upstream: { observed: seen } }: Run,
  words: LanguageTexts,
): string => {
  const ci = pushed ? seen.ci[pushed.sha] : undefined;
  if (!ci) return '';
  const all = markChecks(ci);
  const rest = all.length - MAX_SHOWN_CHECKS;
  const shown = all.slice(0, MAX_SHOWN_CHECKS).map(({ name, mark }) => nameWithMark(mark, name));
  return [...shown, ...(rest > 0 ? [words.progress.moreChecks(rest)] : [])].join('  ');
};

const OPINIONS = { approved: '✓', wants_changes: '✎' } as const;

/** Reviewers without write access are marked, because their reviews decide nothing. */
const reviewersLine = ({ upstream: { observed: seen } }: Run, words: LanguageTexts): string => {
  const all = Object.entries(seen.reviews)
    .flatMap(([who, { state, access, at }]) =>
      state === 'approved' || state === 'wants_changes' ? [{ who, mark: OPINIONS[state], access, at }] : [],
    )
    .sort((a, b) => b.at - a.at || (a.who < b.who ? -1 : 1));
  const rest = all.length - MAX_SHOWN_CHECKS;
  const shown = all
    .slice(0, MAX_SHOWN_CHECKS)
    .map(
      ({ who, mark, access }) =>
        `${nameWithMark(mark, who)}${access === 'write' ? '' : ` (${words.comment.access[access]})`}`,
    );
  return [...shown, ...(rest > 0 ? [words.progress.moreChecks(rest)] : [])].join('  ');
};

const standingOf = (
  { upstream: { observed: seen }, target: { base }, change: { pushedHead: pushed } }: Run,
  words: LanguageTexts,
): string => {
  const pull = seen.pull?.headSha === pushed?.sha ? seen.pull : null;
  if (!pull?.baseStatus || pull.baseStatus === 'level') return '';
  return `⚠ ${words.card[pull.baseStatus](escapeLine(base?.ref ?? '', 40))}`;
};

const whyLine = (
  { change: { pushedHead: pushed }, upstream: { observed: seen } }: Run,
  now: number,
  words: LanguageTexts,
): string => {
  const ci = pushed ? seen.ci[pushed.sha] : undefined;
  const { why } = explainCiVerdict(ci);
  // Checks that run are marked in the list above, unless it was too long for them.
  const isListed = ci !== undefined && Object.keys(ci.checks).length <= MAX_SHOWN_CHECKS;
  const untold = why.filter((one) => !(isListed && one.kind === 'runs' && !one.required));
  const said = untold
    .map((one) => sayRecord(words.checkWhys, one, createRenderContext(now, words)))
    .filter(Boolean);
  const rest = said.length - MAX_SHOWN_REASONS;
  const told = said.slice(0, MAX_SHOWN_REASONS).map((one) => escapeLine(one, 160));
  return [...told, ...(rest > 0 ? [words.progress.moreChecks(rest)] : [])].join(' · ');
};
const MAX_SHOWN_REASONS = 3;

/** All checks have passed, and only the time for further checks to start is awaited. */
const isSettling = ({ change: { pushedHead: pushed }, upstream: { observed: seen } }: Run): boolean => {
  const { why } = explainCiVerdict(pushed ? seen.ci[pushed.sha] : undefined);
  return why.length === 1 && why[0]?.kind === 'settles';
};

/** Returns nothing for an ended run, whose checks are no longer polled. */
export const pullLines = (run: Run, now: number, words: LanguageTexts): string[] => {
  if (!run.upstream.pullRequest || !run.change.pushedHead || isTerminal(run.lifecycle.state)) return [];
  const lines = [
    standingOf(run, words),
    checksOf(run, words),
    // "Not finished" would contradict the list, in which all checks have passed.
    isSettling(run) ? '' : words.verdicts[currentVerdict(run)],
    isOnlyRedOnBase(run) ? words.detail.onBaseToo(escapeLine(run.upstream.ciComparison?.ref ?? '', 40)) : '',
    whyLine(run, now, words),
    reviewersLine(run, words),
  ];
  return lines.filter((line) => line !== '');
};

export const pullAddress = ({ upstream: { pullRequest: pr } }: Run): string =>
  pr ? `${escapeLine(pr.id, 100)} ${escapeLine(pr.url, 300)}` : '';

/** F13: names that a person takes off at the card. */
export const pullRemovalsText = (
  removals: NonNullable<PullEdit['without']>,
  { pullFields: says, pullAll }: LanguageTexts,
): string => {
  const textOf = ({ field, name }: (typeof removals)[number]): string => {
    if (name === undefined) return pullAll[field];
    return says[field === 'teams' ? 'reviewers' : field](escapeLine(name, 120));
  };
  return says.without(removals.map(textOf));
};

/** F13: how it opens, when that is not the usual way. */
export const pullOpeningText = (
  { draft, setup }: { draft: boolean; setup?: PullSetup },
  words: LanguageTexts,
): string => {
  if (!draft && !setup) return '';
  const { pullFields: says } = words;
  const joinNames = (names: readonly string[]): string => escapeLine(names.join(', '), 120);
  const people = setup ? [...setup.reviewers, ...setup.teams] : [];
  const fields = [
    setup && setup.labels.length > 0 ? says.labels(joinNames(setup.labels)) : '',
    people.length > 0 ? says.reviewers(joinNames(people)) : '',
    setup && setup.assignees.length > 0 ? says.assignees(joinNames(setup.assignees)) : '',
    setup && setup.milestone !== null ? says.milestone(joinNames([setup.milestone])) : '',
  ].filter((line) => line !== '');
  return words.card.opens(setup?.readyWhenGreen ? 'until_green' : draft ? 'yes' : 'no', fields);
};
