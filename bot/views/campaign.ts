/**
 * C2, F5: the card of a campaign: what would begin, before it is started; then how its repositories
 * stand, what comes next and what that waits for.
 */
import { isOver, takesDecision } from '../../orchestrator/core/campaign/campaign.ts';
import { askedIn, cancellable, retryable, withOpenPull } from '../../orchestrator/core/campaign/standing.ts';
import { written } from '../../orchestrator/core/campaign/query.ts';
import type { FailureClass } from '../../orchestrator/core/failures.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import { cut } from '../../orchestrator/core/text.ts';
import type { Texts } from '../language/language.ts';
import { duration, fit, relative, said, show } from '../text/text.ts';
import { cameFrom, timesIn } from './campaign-arrived.ts';
import { askingFirst, idling, teaching, withdrawing } from './campaign-asking.ts';
import { filledLines } from './campaign-example.ts';
import { line, namesOf, type CampaignScene } from './campaign-lines.ts';
import { leftOf, percent, standing } from './campaign-standing.ts';
import { money } from './report.ts';
import type { Rendered, Shown } from './scene.ts';
import { amountOf } from './why.ts';

type CampaignView = Extract<View, { view: 'campaign' }>;

export const renderCampaign = (
  scene: CampaignScene,
  { asks, classes = [], lessons = [], asked = [], runs = [], owner }: Omit<CampaignView, 'view' | 'campaign'>,
  words: Texts,
): Rendered => {
  const { campaign, order } = scene;
  const t = words.campaign;
  const since =
    campaign.state === 'planned' ? '' : ` · ${relative(campaign.stateEnteredAt, scene.now, words.calendar)}`;
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
  if (asks === 'first') return askingFirst(scene, asked, words);
  if (asks === 'teach') return teaching(scene, head, lessons, words);
  const lines =
    campaign.state === 'planned'
      ? preview(scene, words)
      : campaign.expiry
        ? [line(t.lapsed[campaign.expiry])]
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

const preview = (scene: CampaignScene, words: Texts) => {
  const { order } = scene;
  const { targets, excludedTargets: leftOut, unnamed = {}, found = [], unseen, pace, run, estimate } = order;
  const t = words.campaign;
  const groups = Map.groupBy(leftOut, ({ why }) => why);
  const more = Object.values(unnamed).reduce((n, one) => n + one, 0);
  return [
    ...found.map(({ query, repos, given, of, whole }) =>
      line(t.found(cut(written(query), 120), repos, given, of, whole)),
    ),
    `${show(run.engine, 40)} · ${line(t.takePart(targets.length, targets.length + leftOut.length + more))}`,
    namesOf(
      targets.map(({ repo }) => repo),
      words,
    ),
    ...[...groups].map(
      ([why, some]) =>
        `${line(t.out(some.length + (unnamed[why] ?? 0), t.leftOut[why]))}: ${namesOf(
          some.map(({ repo, by }) => (by === null || by === repo ? repo : `${repo} (${by})`)),
          words,
        )}`,
    ),
    ...(run.fixes ? [line(t.fixes(run.fixes.map(({ title }) => cut(title, 60)).join(' · ')))] : []),
    ...filledLines(order, words),
    ...(unseen > 0 ? [line(t.unseen(unseen))] : []),
    '',
    ...(targets.length > 1 ? steps(order, words) : []),
    ...(pace.hours === undefined ? [] : [line(t.hours(pace.hours))]),
    ...(run.approvers ? [line(t.approvers(run.approvers.join(', ')))] : []),
    line(
      estimate
        ? t.estimate(
            duration(estimate.workMs, words.calendar),
            estimate.costUsd > 0 || run.engine === 'script' ? money(estimate.costUsd) : t.costUnknown,
            duration(estimate.attentionMs, words.calendar),
            estimate.of,
          )
        : t.noEstimate,
    ),
    ...cautionLines(order, words),
    '',
    ...(scene.times ? timesIn(scene, words) : [line(t.nothingYet)]),
    line(t.patience),
  ];
};

/** E18: whoever asked for it, a person starts it, and reads this before. */
const cautionLines = ({ cautions = [], run }: CampaignScene['order'], words: Texts): string[] => {
  const limit = amountOf('cost', run.bounds.maxCostUsd ?? 0, words);
  return cautions.map((one) => show(words.budgets.caution(one, limit), 500));
};

/** Of one repository there is nothing to be said of steps. */
const steps = ({ targets, pace, limits }: CampaignScene['order'], { campaign: t }: Texts): string[] => [
  line(t.canary(Math.min(pace.canary, targets.length), pace.steps.join(', '))),
  line(t.next(pace.next)),
  line(t.limits(limits.perDay, limits.perOwner, limits.open)),
  line(t.stops(percent(pace.stop.failures), percent(pace.stop.denials))),
];

const buttonsOf = (
  { campaign, order, standings, lessons }: CampaignScene,
  { campaign: t }: Texts,
): Shown[][] => {
  const can = (kind: Parameters<typeof takesDecision>[1], button: Shown): Shown[] =>
    takesDecision(campaign, kind) ? [button] : [];
  const planned = campaign.state === 'planned';
  const first = askedIn(standings).length;
  return [
    ...(first > 0 ? [[{ verb: 'batchfirst', text: t.buttons.first(first), style: 'primary' } as const]] : []),
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
