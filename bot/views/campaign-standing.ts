/** Shows a campaign's progress, its next step, and the cause of a wait (F5). */
import {
  countTargetsAndPulls,
  withAdoptedPulls,
  isAdoptedPullEnded,
  remainingByOwner,
  etaOf,
  mergeSharesByAge,
  listStuckRuns,
  nextStepSize,
  tallyOf,
  STANDING_MARKS,
  type RunStandings,
  type StandingMark,
  type RunStanding,
  type CampaignTally,
} from '#campaign-standing';
import type { Campaign } from '#model/campaign';
import { DAY } from '#model/values';
import type { LanguageTexts } from '../language/languages.ts';
import { durationText, momentText, showPath } from '../text/telegram-html.ts';
import { waveLines } from './wave-lines.ts';
import { findFailureName } from './reports/report-screen.ts';
import { campaignLine, repositoryNames, type CampaignScene } from './campaign-lines.ts';

export const remainingRepositories = ({ order, standings }: CampaignScene) =>
  remainingByOwner(order, standings);

const MIN_NAMED_WAIT_MS = 3 * DAY;
export const wholePercent = (part: number): number => Math.round(part * 100);

const withMark = ({ standings }: CampaignScene, ...marks: StandingMark[]): RunStanding[] =>
  [...standings.values()].filter(({ mark }) => marks.includes(mark));

export const campaignStanding = (scene: CampaignScene, words: LanguageTexts): string[] => {
  const { campaign, order, standings } = scene;
  const t = words.campaign;
  const all = countTargetsAndPulls(order, campaign, standings);
  const whole = withAdoptedPulls(campaign, standings);
  const tally = tallyOf(order, campaign, standings);
  const merged = [...whole.values()].filter(({ mark }) => mark === 'merged').length;
  const failed = withMark(scene, 'failed');
  return [
    `<b>${campaignLine(t.merged(merged, all, wholePercent(merged / all)))}</b>`,
    ...mergeSharesByAge(whole, scene.now).map(({ days, merged: n, of }) =>
      campaignLine(t.mergedAfter(days, n, of, wholePercent(n / of))),
    ),
    campaignLine(t.begun(tally.started, tally.of)),
    ...STANDING_MARKS.flatMap((mark) => {
      const n = withMark(scene, mark).length;
      return n === 0 || mark === 'merged' ? [] : [`${n} ${campaignLine(t.marks[mark])}`];
    }),
    ...waveLines(scene, words),
    ...repositoryLines(t.onYou, withMark(scene, 'waits'), () => '', words),
    ...linesOfAdopted(campaign, words),
    ...stuckLines(whole, scene.now, words),
    ...[...remainingRepositories(scene)].map(([owner, repos]) =>
      campaignLine(t.ownersNo(owner, repos.length)),
    ),
    ...[...Map.groupBy(withMark(scene, 'out'), ({ out }) => out)].flatMap(([why, some]) =>
      why === null ? [] : repositoryLines(t.out(some.length, t.leftOut[why]), some, () => '', words),
    ),
    ...[...scene.held.queued].map(([owner, n]) => campaignLine(t.queue(owner, n))),
    ...(scene.held.busy.size === 0
      ? []
      : [
          `${campaignLine(t.busy)}: ${repositoryNames(
            [...scene.held.busy].map(([repo, run]) => `${repo} (${run})`),
            words,
          )}`,
        ]),
    ...closeToLimits(scene, words),
    ...repositoryLines(t.failed, failed, (one) => causeOf(one, words), words),
    '',
    ...outlookLines(scene, words),
  ];
};

const closeToLimits = ({ standings }: CampaignScene, { campaign: t, budgets }: LanguageTexts): string[] => {
  const some = [...standings.values()].filter(({ near }) => near.length > 0);
  const shown = some.slice(0, 6).map(({ repo, run, near }) => {
    const used = near.map((one) => `${budgets.names[one.budget]} ${wholePercent(one.used)} %`);
    return `${showPath(repo, 50)} ${campaignLine(`${run} (${used.join(', ')})`)}`;
  });
  const more = some.length > shown.length ? [campaignLine(t.more(some.length - shown.length))] : [];
  return some.length === 0 ? [] : [`${campaignLine(t.near)}: ${[...shown, ...more].join(' · ')}`];
};

const linesOfAdopted = ({ adoptedPulls: adopted = [] }: Campaign, words: LanguageTexts): string[] => {
  const t = words.campaign;
  const rows = [...adopted].sort((a, b) => Number(isAdoptedPullEnded(a)) - Number(isAdoptedPullEnded(b)));
  return rows.length === 0
    ? []
    : [
        `${campaignLine(t.elsewhere(rows.length))}: ${repositoryNames(
          rows.map(({ repo, pull, mark }) => `${repo}${pull} ${t.adopted[mark]}`),
          words,
        )}`,
      ];
};

const stuckLines = (whole: RunStandings, now: number, { campaign: t, calendar }: LanguageTexts): string[] => {
  const long = listStuckRuns(whole).filter(({ since }) => now - since >= MIN_NAMED_WAIT_MS);
  if (long.length === 0) return [];
  const few = long.slice(0, 3).map(({ repo, on, since }) => {
    return `${showPath(repo, 50)} ${campaignLine(t.keeps(t.keepers[on], durationText(now - since, calendar)))}`;
  });
  return [`${campaignLine(t.stuck(long.length))}: ${few.join(' · ')}`];
};

const causeOf = ({ stop = '' }: RunStanding, words: LanguageTexts): string => {
  const cause = findFailureName(stop, words);
  return cause === null ? '' : `(${cause})`;
};

const repositoryLines = (
  title: string,
  some: readonly RunStanding[],
  why: (one: RunStanding) => string,
  words: LanguageTexts,
): string[] =>
  some.length === 0
    ? []
    : [
        `${campaignLine(title)}: ${repositoryNames(
          some.map((one) => [one.repo, one.run, why(one)].filter(Boolean).join(' ')),
          words,
        )}`,
      ];

const lastLine = (tally: CampaignTally, texts: LanguageTexts['campaign']): string => {
  if (tally.started === tally.of) return texts.last;
  // Repositories that wait still begin, so "no further step" would contradict the time that is given.
  const left = tally.waiting + tally.later;
  return left > 0 ? texts.lastStepWaits(left) : texts.lastStep(tally);
};

const outlookLines = (
  { campaign, order, standings, next, now }: CampaignScene,
  { campaign: t, calendar }: LanguageTexts,
): string[] => {
  switch (campaign.state) {
    case 'running': {
      const eta = etaOf(order, campaign, standings, now);
      const tally = tallyOf(order, campaign, standings);
      const size = nextStepSize(order, campaign, standings);
      return [
        campaignLine(size > 0 ? t.nextStep(size) : lastLine(tally, t)),
        ...(size > 0 ? [campaignLine(t.next(order.pace.next))] : []),
        ...(next.waits === null
          ? []
          : [
              campaignLine(
                next.waits.kind === 'hours'
                  ? t.outOfHours(momentText(next.waits.until, now, calendar))
                  : t.waits[next.waits.kind](next.waits.count, next.waits.of),
              ),
            ]),
        ...(eta === null
          ? []
          : [campaignLine(t.eta(durationText(eta - now, calendar), momentText(eta, now, calendar)))]),
      ];
    }
    case 'stopped': {
      const { reason } = campaign;
      return reason
        ? [campaignLine(t.stopped(reason.kind, reason.count, reason.of, wholePercent(reason.bound)))]
        : [];
    }
    case 'planned':
      return [];
    default: {
      const tally = tallyOf(order, campaign, standings);
      const isShort = campaign.state === 'finished' && tally.started < tally.of;
      return [campaignLine(t[campaign.state]), ...(isShort ? [campaignLine(t.notStarted(tally))] : [])];
    }
  }
};
