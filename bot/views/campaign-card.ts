/** Renders a campaign's card: the preview before the start, then the progress (C2, F5). */
import { openQuestionsIn, cancellableRuns, retryableRuns, runsWithOpenPull } from '#campaign-standing';
import { suggestBudgetRaises } from '#campaigns';
import { variablesOfTarget, isCampaignOver, canTakeDecision } from '#model/campaign';
import { renderVariables } from '#model/settings';
import { hasLinks } from '#model/targets';
import type { FailureClass } from '#model/failure';
import type { MessageView } from '#effects';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, relativeTimeHtml, codeLine, escapeLine, escapeBlock } from '../text/telegram-html.ts';
import {
  renderRequirementQuestions,
  renderIdlePulls,
  renderLessons,
  renderWithdrawal,
} from './campaign-questions.ts';
import { campaignLine, type CampaignScene } from './campaign-lines.ts';
import { renderPreview, scheduleTimeLines } from './campaign-preview.ts';
import { remainingRepositories, campaignStanding } from './campaign-standing.ts';
import type { RenderedMessage, ViewButton } from './scene.ts';
import { budgetsText } from './reason-messages.ts';

/** Everything that the agent reads must fit, up to this much markup (characters). */
const LONGEST_QUOTE = 2_600;

/** Outsiders' text is rendered so that nothing in it can be tapped. */
const sourceLines = ({ campaign, order }: CampaignScene, { campaign: t }: LanguageTexts): string[] => {
  const { origin } = campaign;
  const { quoted } = order.run;
  return [
    ...(origin ? [`<b>${campaignLine(t.came(origin))}</b>`] : []),
    ...(quoted || origin?.kind === 'issue'
      ? [escapeLine(origin?.kind === 'issue' ? origin.url : (quoted?.url ?? ''), 300)]
      : []),
    ...(quoted
      ? [
          campaignLine(`${t.quoted}:`),
          `<blockquote expandable><code>${escapeBlock(quoted.text, LONGEST_QUOTE)}</code></blockquote>`,
        ]
      : []),
  ];
};

type CampaignView = Extract<MessageView, { view: 'campaign' }>;

export const renderCampaign = (
  scene: CampaignScene,
  { asks, classes = [], lessons = [], asked = [], runs = [], owner }: Omit<CampaignView, 'view' | 'campaign'>,
  words: LanguageTexts,
  /** The terminal has no buttons. */
  { onHost = false } = {},
): RenderedMessage => {
  const { campaign, order } = scene;
  const t = words.campaign;
  const since =
    campaign.state === 'planned'
      ? ''
      : ` · ${relativeTimeHtml(campaign.stateEnteredAt, scene.now, words.calendar)}`;
  const title = scene.times && campaign.state === 'running' ? t.scheduled : t.titles[campaign.state];
  const given = (order.schedule?.named ?? order.targets).map((target) => variablesOfTarget(target));
  const goal = renderVariables(order.run.goal, given);
  const name = renderVariables(order.name, given);
  const came = campaign.state === 'planned' ? sourceLines(scene, words) : [];
  const undo = undoLines(scene, words);
  // The quoted source already contains the goal.
  const wanted = came.length > 0 && order.run.quoted ? [] : [codeLine(goal, 300)];
  const named = wanted.length === 0 || !order.run.goal.startsWith(order.name.replace(/…$/, ''));
  const called = named ? [escapeLine(name, 60)] : [];
  const head = `${[`<b>${title}</b>`, ...called, escapeLine(campaign.id, 12)].join(' · ')}${since}`;
  if (asks === 'idle') return renderIdlePulls(scene, head, words);
  if (asks === 'first') return renderRequirementQuestions(scene, asked, words);
  if (asks === 'teach') return renderLessons(scene, head, lessons, words);
  const lines =
    campaign.state === 'planned'
      ? renderPreview(scene, words, { onHost })
      : campaign.expiry
        ? [campaignLine(t.lapsed[campaign.expiry])]
        : scene.times
          ? scheduleTimeLines(scene, words)
          : campaignStanding(scene, words);
  const no =
    owner === undefined
      ? []
      : [`<b>${campaignLine(t.ownersNo(owner, remainingRepositories(scene).get(owner)?.length ?? 0))}</b>`];
  const sure = asks === 'close' ? ['', escapeLine(t.sure(cancellableRuns(scene.standings).length), 300)] : [];
  if (asks === 'withdraw') return renderWithdrawal(scene, head, runs, words);
  return {
    html: fitLines([head, ...no, ...undo, ...came, ...wanted, ...lines, ...sure]),
    buttons:
      asks === 'close'
        ? closingButtons(scene, words)
        : asks === 'retry'
          ? retryButtons(scene, classes, words)
          : buttonsOf(scene, words),
  };
};

const undoLines = ({ campaign, order, undo, undoneBy }: CampaignScene, words: LanguageTexts): string[] => {
  const t = words.campaign.undo;
  const by = undoneBy.length === 0 ? [] : [campaignLine(t.by(undoneBy.join(', ')))];
  if (!undo) return by;
  const { open, working, fresh } = undo;
  const planned = campaign.state === 'planned';
  return [
    ...by,
    campaignLine(t.of(undo.id)),
    ...(planned && hasLinks(order.targets) ? [campaignLine(t.reverse)] : []),
    ...(planned && open + working > 0 ? [campaignLine(t.also(open, working))] : []),
    ...(!planned && open > 0 ? [campaignLine(t.rest(open))] : []),
    ...(!planned && fresh > 0 ? [campaignLine(t.fresh(fresh, undo.id))] : []),
  ];
};

const buttonsOf = (scene: CampaignScene, words: LanguageTexts): ViewButton[][] => {
  const { campaign, order, standings, lessons } = scene;
  const { campaign: t } = words;
  const short = suggestBudgetRaises(scene);
  const buttonIfAllowed = (kind: Parameters<typeof canTakeDecision>[1], button: ViewButton): ViewButton[] =>
    canTakeDecision(campaign, kind) ? [button] : [];
  // guard: G3-undo-closes
  const starts = campaign.undoes === undefined ? 'campaign.start' : 'campaign.start_undo';
  const planned = campaign.state === 'planned';
  const first = openQuestionsIn(standings).length;
  return [
    ...(first > 0
      ? [[{ verb: 'campaign.questions', text: t.buttons.first(first), style: 'primary' } as const]]
      : []),
    [
      ...buttonIfAllowed('started', {
        verb: starts,
        text: order.schedule
          ? t.buttons.schedule
          : t.buttons[campaign.undoes === undefined ? 'start' : 'undo'](order.targets.length),
        style: 'success',
      }),
      ...buttonIfAllowed('paused', { verb: 'campaign.pause', text: t.buttons.pause }),
      ...buttonIfAllowed('resumed', { verb: 'campaign.resume', text: t.buttons.resume, style: 'primary' }),
      ...buttonIfAllowed('closed', {
        verb: 'campaign.close',
        text: planned ? t.buttons.drop : t.buttons.close,
      }),
    ],
    ...(short.length > 0
      ? [[{ verb: 'campaign.raise_budget', text: words.budgets.raise(budgetsText(short, words)) } as const]]
      : []),
    [
      ...(retryableRuns(standings).length > 0
        ? [{ verb: 'campaign.retry', text: t.buttons.retry(retryableRuns(standings).length) } as const]
        : []),
      ...(lessons.length > 0
        ? [{ verb: 'campaign.lessons', text: t.buttons.learn(lessons.length) } as const]
        : []),
      ...(isCampaignOver(campaign) && runsWithOpenPull(standings).length > 0
        ? [
            {
              verb: 'campaign.withdraw',
              text: t.buttons.withdraw(runsWithOpenPull(standings).length),
            } as const,
          ]
        : []),
      ...(planned ? [] : [{ verb: 'campaign.look', text: t.buttons.look } as const]),
    ],
  ].filter((row) => row.length > 0);
};

const closingButtons = (scene: CampaignScene, { campaign: t, buttons }: LanguageTexts): ViewButton[][] => {
  const n = cancellableRuns(scene.standings).length;
  return [
    [{ verb: 'campaign.confirm_close', text: t.buttons.sure, style: 'danger' }],
    ...(n > 0
      ? [[{ verb: 'campaign.close_and_cancel', text: t.buttons.cancel(n), style: 'danger' } as const]]
      : []),
    [{ verb: 'campaign.look', text: buttons.back }],
  ];
};

const retryButtons = (
  { standings }: CampaignScene,
  classes: readonly FailureClass[],
  { campaign: t, buttons, why }: LanguageTexts,
): ViewButton[][] => [
  [{ verb: 'campaign.retry_class', text: t.buttons.all(retryableRuns(standings).length) }],
  ...classes.map((one, index): ViewButton[] => [
    {
      verb: 'campaign.retry_class',
      text: `${why.stops[one]} · ${retryableRuns(standings, one).length}`,
      index,
    },
  ]),
  [{ verb: 'campaign.look', text: buttons.back }],
];
