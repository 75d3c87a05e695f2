/** F5: how the repositories of a campaign stand, what comes next and what that waits for. */
import { comesTo, withAdoptedPulls, isEnded } from '../../orchestrator/core/campaign/adopted.ts';
import type { Campaign } from '../../orchestrator/core/campaign/campaign.ts';
import { leftTo, type Standings } from '../../orchestrator/core/campaign/advance.ts';
import { etaOf, mergedAfter, stuckIn } from '../../orchestrator/core/campaign/progress.ts';
import { nextSize, tallyOf } from '../../orchestrator/core/campaign/tally.ts';
import { MARKS, type Mark, type Standing } from '../../orchestrator/core/campaign/standing.ts';
import { DAY } from '../../orchestrator/core/units.ts';
import type { Texts } from '../language/language.ts';
import { duration, moment, showPath } from '../text/text.ts';
import { line, namesOf, type CampaignScene } from './campaign-lines.ts';

export const leftOf = ({ order, standings }: CampaignScene) => leftTo(order, standings);

/** Whoever waits for less is not named (ms). */
const LONG = 3 * DAY;
export const percent = (part: number): number => Math.round(part * 100);

const withMark = ({ standings }: CampaignScene, ...marks: Mark[]): Standing[] =>
  [...standings.values()].filter(({ mark }) => marks.includes(mark));

export const standing = (scene: CampaignScene, words: Texts): string[] => {
  const { campaign, order, standings } = scene;
  const t = words.campaign;
  const all = comesTo(order, campaign, standings);
  const whole = withAdoptedPulls(campaign, standings);
  const tally = tallyOf(order, campaign, standings);
  const merged = [...whole.values()].filter(({ mark }) => mark === 'merged').length;
  const failed = withMark(scene, 'failed');
  return [
    `<b>${line(t.merged(merged, all, percent(merged / all)))}</b>`,
    ...mergedAfter(whole, scene.now).map(({ days, merged: n, of }) =>
      line(t.mergedAfter(days, n, of, percent(n / of))),
    ),
    line(t.begun(tally.started, tally.of)),
    ...MARKS.flatMap((mark) => {
      const n = withMark(scene, mark).length;
      return n === 0 || mark === 'merged' ? [] : [`${n} ${line(t.marks[mark])}`];
    }),
    ...listed(t.onYou, withMark(scene, 'waits'), () => '', words),
    ...elsewhere(campaign, words),
    ...stuck(whole, scene.now, words),
    ...[...leftOf(scene)].map(([owner, repos]) => line(t.ownersNo(owner, repos.length))),
    ...[...Map.groupBy(withMark(scene, 'out'), ({ out }) => out)].flatMap(([why, some]) =>
      why === null ? [] : listed(t.out(some.length, t.leftOut[why]), some, () => '', words),
    ),
    ...[...scene.held.queued].map(([owner, n]) => line(t.queue(owner, n))),
    ...(scene.held.busy.size === 0
      ? []
      : [
          `${line(t.busy)}: ${namesOf(
            [...scene.held.busy].map(([repo, run]) => `${repo} (${run})`),
            words,
          )}`,
        ]),
    ...closeToLimits(scene, words),
    ...listed(t.failed, failed, (one) => (one.class ? `(${words.why.stops[one.class]})` : ''), words),
    '',
    ...outlook(scene, words),
  ];
};

/** Runs that have used most of a budget; what they say of it by themselves goes here. */
const closeToLimits = ({ standings }: CampaignScene, { campaign: t, budgets }: Texts): string[] => {
  const some = [...standings.values()].filter(({ near }) => near.length > 0);
  const shown = some.slice(0, 6).map(({ repo, run, near }) => {
    const used = near.map((one) => `${budgets.names[one.budget]} ${percent(one.used)} %`);
    return `${showPath(repo, 50)} ${line(`${run} (${used.join(', ')})`)}`;
  });
  const more = some.length > shown.length ? [line(t.more(some.length - shown.length))] : [];
  return some.length === 0 ? [] : [`${line(t.near)}: ${[...shown, ...more].join(' · ')}`];
};

/** What others opened, with what becomes of it: what is open comes first. */
const elsewhere = ({ adoptedPulls: adopted = [] }: Campaign, words: Texts): string[] => {
  const t = words.campaign;
  const rows = [...adopted].sort((a, b) => Number(isEnded(a)) - Number(isEnded(b)));
  return rows.length === 0
    ? []
    : [
        `${line(t.elsewhere(rows.length))}: ${namesOf(
          rows.map(({ repo, pull, mark }) => `${repo}${pull} ${t.adopted[mark]}`),
          words,
        )}`,
      ];
};

/** What waits for more than a few days, and on whom. */
const stuck = (whole: Standings, now: number, { campaign: t, calendar }: Texts): string[] => {
  const long = stuckIn(whole).filter(({ since }) => now - since >= LONG);
  if (long.length === 0) return [];
  const few = long.slice(0, 3).map(({ repo, on, since }) => {
    return `${showPath(repo, 50)} ${line(t.keeps(t.keepers[on], duration(now - since, calendar)))}`;
  });
  return [`${line(t.stuck(long.length))}: ${few.join(' · ')}`];
};

const listed = (
  title: string,
  some: readonly Standing[],
  why: (one: Standing) => string,
  words: Texts,
): string[] =>
  some.length === 0
    ? []
    : [
        `${line(title)}: ${namesOf(
          some.map((one) => [one.repo, one.run, why(one)].filter(Boolean).join(' ')),
          words,
        )}`,
      ];

/** What comes next, and what that waits for. */
const outlook = (
  { campaign, order, standings, next, now }: CampaignScene,
  { campaign: t, calendar }: Texts,
): string[] => {
  switch (campaign.state) {
    case 'running': {
      const eta = etaOf(order, campaign, standings, now);
      const tally = tallyOf(order, campaign, standings);
      const size = nextSize(order, campaign, standings);
      return [
        line(size > 0 ? t.nextStep(size) : tally.started === tally.of ? t.last : t.lastStep(tally)),
        ...(size > 0 ? [line(t.next(order.pace.next))] : []),
        ...(next.waits === null
          ? []
          : [
              line(
                next.waits.kind === 'hours'
                  ? t.outOfHours(moment(next.waits.until, now, calendar))
                  : t.waits[next.waits.kind](next.waits.count, next.waits.of),
              ),
            ]),
        ...(eta === null ? [] : [line(t.eta(duration(eta - now, calendar), moment(eta, now, calendar)))]),
      ];
    }
    case 'stopped': {
      const { reason } = campaign;
      return reason ? [line(t.stopped(reason.kind, reason.count, reason.of, percent(reason.bound)))] : [];
    }
    case 'planned':
      return [];
    default: {
      const tally = tallyOf(order, campaign, standings);
      const isShort = campaign.state === 'finished' && tally.started < tally.of;
      return [line(t[campaign.state]), ...(isShort ? [line(t.notStarted(tally))] : [])];
    }
  }
};
