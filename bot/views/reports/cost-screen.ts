/** Renders what was spent beside its limits, and the call when a limit is near or used up (P7). */
import type { MessageView } from '#effects';
import type { SpendingAmount, SpendingLimit } from '#model/spending';
import { spendingRaiseKey, type SpendingReport } from '#limits';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import type { LanguageTexts } from '../../language/languages.ts';
import { escapeLine, fitLines } from '../../text/telegram-html.ts';
import type { RenderedMessage, ViewButton } from '../scene.ts';

const MAX_SHARES = 5;
const MAX_LIMITS = 12;

const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? '$<0.01' : `$${usd.toFixed(2)}`);
const tokens = (count: number, { costs }: LanguageTexts): string => costs.tokens(count);
const amountText = ({ costUsd, tokens: count }: SpendingAmount, words: LanguageTexts): string =>
  `${dollars(costUsd)} · ${tokens(count, words)}`;

/** Names come from chats: one may be empty, or nothing that anybody sees. */
const personText = (name: string, { costs }: LanguageTexts): string =>
  escapeLine(name).trim() === '' ? costs.nameless : name;

/** `person` is the name of whom the limit is for. */
const scopeText = (
  { scope, of, period }: SpendingLimit,
  person: string | undefined,
  words: LanguageTexts,
): string => {
  const { costs } = words;
  const name = scope === 'person' ? personText(person ?? '', words) : (of ?? '');
  return costs.limit(scope === 'all' ? costs.scopes.all : costs.scopes[scope](name), costs.periods[period]);
};

const usageText = (limit: SpendingLimit, used: SpendingAmount, words: LanguageTexts): string =>
  [
    limit.costUsd === null ? '' : words.costs.of(dollars(used.costUsd), dollars(limit.costUsd)),
    limit.tokens === null ? '' : words.costs.of(tokens(used.tokens, words), tokens(limit.tokens, words)),
  ]
    .filter(Boolean)
    .join(' · ');

const raiseButton = (limit: SpendingLimit, { costs }: LanguageTexts): ViewButton =>
  ({
    verb: 'say',
    text: costs.raise,
    runId: '',
    says: `/cost raise ${spendingRaiseKey(limit)}`,
  }) as ViewButton;

type CostTable = { title: string; rows: (readonly [string, string])[] };

/** Tables of the money spent, one for each group, and of the limits. */
export const costTables = (report: SpendingReport, words: LanguageTexts): CostTable[] => {
  const { costs } = words;
  const { day, month, groups, limits } = report;
  return [
    {
      title: costs.title,
      rows: [
        [costs.periods.day, amountText(day, words)],
        [costs.periods.month, amountText(month, words)],
      ],
    },
    ...groups
      .filter(({ shares }) => shares.length > 0)
      .map(({ by, shares }) => ({
        title: costs.by[by],
        rows: shares.map(
          (share) =>
            [by === 'person' ? personText(share.name, words) : share.name, amountText(share, words)] as const,
        ),
      })),
    {
      title: limits.length === 0 ? costs.noLimits : costs.limits,
      rows: limits.map(
        ({ limit, used, person }) =>
          [scopeText(limit, person, words), usageText(limit, used, words)] as const,
      ),
    },
  ];
};

export const renderCosts = (report: SpendingReport, role: UserRole, words: LanguageTexts) => {
  const tables = costTables(report, words);
  const html = fitLines(
    tables.flatMap(({ title, rows }, i) => [
      `<b>${escapeLine(title)}</b>`,
      ...rows
        .slice(0, i === tables.length - 1 ? MAX_LIMITS : MAX_SHARES)
        .map(([name, text]) => escapeLine(`${name}: ${text}`, 200)),
    ]),
  );
  const near = report.limits.filter(
    ({ limit, used }) =>
      (limit.costUsd !== null && used.costUsd >= limit.costUsd * 0.8) ||
      (limit.tokens !== null && used.tokens >= limit.tokens * 0.8),
  );
  const buttons = hasRoleAtLeast(role, 'admin')
    ? near.slice(0, 3).map(({ limit }) => [raiseButton(limit, words)])
    : [];
  return { html, buttons };
};

type SpendingView = Extract<MessageView, { view: 'spending' }>;

export const spendingLimitText = ({ costUsd, tokens: count }: SpendingLimit, words: LanguageTexts): string =>
  [costUsd === null ? '' : dollars(costUsd), count === null ? '' : tokens(count, words)]
    .filter(Boolean)
    .join(' · ');

const changeText = ({ limit, by }: NonNullable<SpendingView['changed']>, words: LanguageTexts): string => {
  const { costs } = words;
  const amount = spendingLimitText(limit, words);
  return by === null ? costs.isNow(amount) : costs.raisedBy(personText(by, words), amount);
};

/** One for each limit, whoever reached it; once it is raised, nothing is left to tap. */
export const renderSpendingCall = (view: SpendingView, words: LanguageTexts): RenderedMessage => {
  const { what, limit, used, shares, person, changed } = view;
  const { costs, calendar } = words;
  const scope = scopeText(limit, person, words);
  const end = limit.until === null ? null : new Date(limit.until);
  const date = end && calendar.date(end.getUTCDate(), end.getUTCMonth() + 1);
  const lines = [
    `${changed ? '✓' : what === 'warned' ? '⚠' : '✋'} <b>${escapeLine(
      changed ? costs.raised(scope) : what === 'warned' ? costs.near(scope) : costs.usedUp(scope),
    )}</b>`,
    escapeLine(usageText(limit, used, words)),
    ...shares.map((share) =>
      escapeLine(
        `${limit.scope === 'person' ? share.name : personText(share.name, words)}: ${amountText(share, words)}`,
        160,
      ),
    ),
    changed ? escapeLine(changeText(changed, words)) : '',
    what === 'warned' || changed
      ? ''
      : escapeLine(date === null ? costs.waitsForRaise : costs.waitsUntil(date)),
  ];
  return {
    html: fitLines(lines.filter((line) => line !== '')),
    buttons: changed ? [] : [[{ verb: 'spending.raise', text: costs.raise }]],
  };
};
