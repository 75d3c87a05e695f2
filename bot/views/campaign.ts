/**
 * C2, F5: the card of a campaign: what would begin, before it is started; then how its repositories
 * stand, what comes next and what that waits for.
 */
import { comesTo, counted, isEnded } from '../../orchestrator/core/campaign/adopted.ts';
import { isOver, takesDecision, type Campaign } from '../../orchestrator/core/campaign/campaign.ts';
import { leftTo, stepSize, type Standings } from '../../orchestrator/core/campaign/advance.ts';
import { etaOf, mergedAfter, stuckIn } from '../../orchestrator/core/campaign/progress.ts';
import {
  cancellable,
  MARKS,
  retryable,
  withOpenPull,
  type Mark,
  type Standing,
} from '../../orchestrator/core/campaign/standing.ts';
import { written } from '../../orchestrator/core/campaign/query.ts';
import type { FailureClass } from '../../orchestrator/core/failures.ts';
import { DAY } from '../../orchestrator/core/units.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import { cut } from '../../orchestrator/core/text.ts';
import type { Texts } from '../language/language.ts';
import { duration, fit, moment, relative, said, show, showPath } from '../text/text.ts';
import { cameFrom, timesIn } from './campaign-arrived.ts';
import { idling, teaching, withdrawing } from './campaign-asking.ts';
import { line, namesOf, type CampaignScene } from './campaign-lines.ts';
import { money } from './report.ts';
import type { Rendered, Shown } from './scene.ts';

type CampaignView = Extract<View, { view: 'campaign' }>;

export const renderCampaign = (
  scene: CampaignScene,
  { asks, classes = [], lessons = [], runs = [], owner }: Omit<CampaignView, 'view' | 'campaign'>,
  words: Texts,
): Rendered => {
  const { campaign, order } = scene;
  const t = words.campaign;
  const since =
    campaign.state === 'planned' ? '' : ` · ${relative(campaign.since, scene.now, words.calendar)}`;
  const title = scene.times && campaign.state === 'running' ? t.scheduled : t.titles[campaign.state];
  const { goal } = order.run;
  const came = campaign.state === 'planned' ? cameFrom(scene, words) : [];
  // What is quoted says the goal already.
  const wanted = came.length > 0 && order.run.quoted ? [] : [said(goal, 300)];
  // A campaign that nobody named is called by its goal, which follows.
  const named = wanted.length === 0 || !goal.startsWith(order.name.replace(/…$/, ''));
  const called = named ? [show(order.name, 60)] : [];
  const head = `${[`<b>${title}</b>`, ...called, show(campaign.id, 12)].join(' · ')}${since}`;
  if (asks === 'idle') return idling(scene, head, words);
  if (asks === 'teach') return teaching(scene, head, lessons, words);
  const lines =
    campaign.state === 'planned'
      ? preview(scene, words)
      : campaign.lapsed
        ? [line(t.lapsed[campaign.lapsed])]
        : scene.times
          ? timesIn(scene, words)
          : standing(scene, words);
  const no =
    owner === undefined ? [] : [`<b>${line(t.ownersNo(owner, leftOf(scene).get(owner)?.length ?? 0))}</b>`];
  const sure = asks === 'close' ? ['', show(t.sure(cancellable(scene.standings).length), 300)] : [];
  if (asks === 'withdraw') return withdrawing(scene, head, runs, words);
  return {
    html: fit([head, ...no, ...came, ...wanted, ...lines, ...sure]),
    buttons:
      asks === 'close'
        ? closing(scene, words)
        : asks === 'retry'
          ? retrying(scene, classes, words)
          : buttonsOf(scene, words),
  };
};

const leftOf = ({ order, standings }: CampaignScene) => leftTo(order, standings);

/** Whoever waits for less is not named (ms). */
const LONG = 3 * DAY;
const percent = (part: number): number => Math.round(part * 100);

const preview = (scene: CampaignScene, words: Texts) => {
  const { order } = scene;
  const { targets, leftOut, found = [], unseen, pace, run, estimate } = order;
  const t = words.campaign;
  const groups = Map.groupBy(leftOut, ({ why }) => why);
  return [
    ...found.map(({ query, repos, given, of, whole }) =>
      line(t.found(cut(written(query), 120), repos, given, of, whole)),
    ),
    `${show(run.engine, 40)} · ${line(t.takePart(targets.length, targets.length + leftOut.length))}`,
    namesOf(
      targets.map(({ repo }) => repo),
      words,
    ),
    ...[...groups].map(
      ([why, some]) =>
        `${line(t.out(some.length, t.leftOut[why]))}: ${namesOf(
          some.map(({ repo, by }) => (by === null ? repo : `${repo} (${by})`)),
          words,
        )}`,
    ),
    ...(run.fixes ? [line(t.fixes(run.fixes.map(({ title }) => cut(title, 60)).join(' · ')))] : []),
    ...(unseen > 0 ? [line(t.unseen(unseen))] : []),
    '',
    ...(targets.length > 1 ? steps(order, words) : []),
    ...(pace.hours === undefined ? [] : [line(t.hours(pace.hours))]),
    ...(run.approvers ? [line(t.approvers(run.approvers.join(', ')))] : []),
    line(
      estimate
        ? t.estimate(
            duration(estimate.workMs, words.calendar),
            money(estimate.costUsd),
            duration(estimate.attentionMs, words.calendar),
            estimate.of,
          )
        : t.noEstimate,
    ),
    '',
    ...(scene.times ? timesIn(scene, words) : [line(t.nothingYet)]),
    line(t.patience),
  ];
};

/** Of one repository there is nothing to be said of steps. */
const steps = ({ targets, pace, limits }: CampaignScene['order'], { campaign: t }: Texts): string[] => [
  line(t.canary(Math.min(pace.canary, targets.length), pace.steps.join(', '))),
  line(t.next(pace.next)),
  line(t.limits(limits.perDay, limits.perOwner, limits.open)),
  line(t.stops(percent(pace.stop.failures), percent(pace.stop.denials))),
];

const withMark = ({ standings }: CampaignScene, ...marks: Mark[]): Standing[] =>
  [...standings.values()].filter(({ mark }) => marks.includes(mark));

const standing = (scene: CampaignScene, words: Texts): string[] => {
  const { campaign, order, standings } = scene;
  const t = words.campaign;
  const all = comesTo(order, campaign, standings);
  const whole = counted(campaign, standings);
  const merged = [...whole.values()].filter(({ mark }) => mark === 'merged').length;
  const failed = withMark(scene, 'failed');
  return [
    `<b>${line(t.merged(merged, all, percent(merged / all)))}</b>`,
    ...mergedAfter(whole, scene.now).map(({ days, merged: n, of }) =>
      line(t.mergedAfter(days, n, of, percent(n / of))),
    ),
    line(t.begun(standings.size, order.targets.length)),
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
    ...listed(t.failed, failed, (one) => (one.class ? `(${words.why.stops[one.class]})` : ''), words),
    '',
    ...outlook(scene, words),
  ];
};

/** What others opened, with what becomes of it: what is open comes first. */
const elsewhere = ({ adopted = [] }: Campaign, words: Texts): string[] => {
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
      const left = order.targets.length - campaign.released;
      const size = Math.min(left, stepSize(order.pace, campaign.step));
      return [
        line(left > 0 ? t.nextStep(size) : t.last),
        ...(left > 0 ? [line(t.next(order.pace.next))] : []),
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
    default:
      return [line(t[campaign.state])];
  }
};

const buttonsOf = (
  { campaign, order, standings, lessons }: CampaignScene,
  { campaign: t }: Texts,
): Shown[][] => {
  const can = (kind: Parameters<typeof takesDecision>[1], button: Shown): Shown[] =>
    takesDecision(campaign, kind) ? [button] : [];
  const planned = campaign.state === 'planned';
  return [
    [
      ...can('started', {
        verb: 'batchgo',
        text: order.schedule ? t.buttons.schedule : t.buttons.start(order.targets.length),
        style: 'success',
      }),
      ...can('paused', { verb: 'batchhold', text: t.buttons.pause }),
      ...can('resumed', { verb: 'batchon', text: t.buttons.resume, style: 'primary' }),
      ...can('closed', { verb: 'batchend', text: planned ? t.buttons.drop : t.buttons.close }),
    ],
    [
      ...(retryable(standings).length > 0
        ? [{ verb: 'batchretry', text: t.buttons.retry(retryable(standings).length) } as const]
        : []),
      ...(lessons.length > 0 ? [{ verb: 'batchlearn', text: t.buttons.learn(lessons.length) } as const] : []),
      ...(isOver(campaign) && withOpenPull(standings).length > 0
        ? [{ verb: 'batchpulls', text: t.buttons.withdraw(withOpenPull(standings).length) } as const]
        : []),
      ...(planned ? [] : [{ verb: 'batchlook', text: t.buttons.look } as const]),
    ],
  ].filter((row) => row.length > 0);
};

const closing = (scene: CampaignScene, { campaign: t, buttons }: Texts): Shown[][] => {
  const n = cancellable(scene.standings).length;
  return [
    [{ verb: 'batchsure', text: t.buttons.sure, style: 'danger' }],
    ...(n > 0 ? [[{ verb: 'batchcancel', text: t.buttons.cancel(n), style: 'danger' } as const]] : []),
    [{ verb: 'batchlook', text: buttons.back }],
  ];
};

/** All that can be tried again, or one class of it. */
const retrying = (
  { standings }: CampaignScene,
  classes: readonly FailureClass[],
  { campaign: t, buttons, why }: Texts,
): Shown[][] => [
  [{ verb: 'batchagain', text: t.buttons.all(retryable(standings).length) }],
  ...classes.map((one, index): Shown[] => [
    { verb: 'batchagain', text: `${why.stops[one]} · ${retryable(standings, one).length}`, index },
  ]),
  [{ verb: 'batchlook', text: buttons.back }],
];
