/** Compares what a card says of base and change with what was measured by hand, in one row for each repository. */
import { isBlockingCheck, type CheckResult } from '#model/evidence';
import type { CheckedOrder, HandResult } from './check-order.ts';
import type { Order } from './order-list.ts';
import type { PlayedOrder } from './play-order.ts';

export type OrderOutcome = { order: Order; played: PlayedOrder; checked: CheckedOrder | null };

const said = (results: readonly CheckResult[]): string =>
  results
    .map(({ name, outcome, environmentGap, onBase }) => {
      const why = environmentGap?.kind ?? (onBase?.excused ? 'as before' : null);
      return `${name} ${outcome}${why === null ? '' : ` (${why})`}`;
    })
    .join(', ') || 'nothing';

const measured = (results: readonly HandResult[]): string =>
  results
    .map(({ command, code }) => `${command.slice(0, 40)} ${code === 0 ? 'ok' : `red ${code}`}`)
    .join(', ');

/** Commands that both ran and judge differently; one that the product explains by the machine is none. */
export const findContradictions = (
  where: string,
  results: readonly CheckResult[],
  hand: readonly HandResult[],
): string[] =>
  hand.flatMap(({ command, code }) =>
    results
      .filter((one) => one.command === command || one.command.endsWith(`&& ${command}`))
      .filter(({ outcome, environmentGap }) => !environmentGap && (outcome === 'passed') !== (code === 0))
      .map(({ name, outcome }) => `${where}: ${name} ${outcome}, by hand exit ${code}`),
  );

/** From what a person wrote down of the pull request before it was first played. */
const findDifferences = (
  { hand: { pull: expected } }: Order,
  pull: NonNullable<PlayedOrder['pull']>,
): string[] => {
  if (expected === undefined) return [];
  return [
    ...(pull.base === expected.base ? [] : [`opened against ${pull.base}`]),
    ...(new RegExp(expected.title, 'u').test(pull.title) ? [] : [`titled ${pull.title}`]),
    ...expected.has
      .filter((text) => !pull.body.split('<details>')[0]?.includes(text))
      .map((text) => `without ${text}`),
  ];
};

export const judgeOrder = ({
  order,
  played,
  checked,
}: OrderOutcome): { verdict: string; problems: string[] } => {
  const base = played.run?.target.baseline;
  const change = played.run?.change.evaluation?.checks ?? [];
  const problems = [
    ...findContradictions('base', [...(base?.installs ?? []), ...(base?.checks ?? [])], checked?.base ?? []),
    ...findContradictions('change', change, checked?.change ?? []),
  ];
  if (played.pull === null) {
    const isRight = order.refused !== undefined && played.phone.join('\n').includes(order.refused);
    return { verdict: isRight ? 'refused, rightly' : 'no pull request', problems };
  }
  if (order.refused !== undefined) problems.push('opened, and should have been refused');
  problems.push(...findDifferences(order, played.pull));
  if (change.some(isBlockingCheck)) problems.push('opened over a red check');
  const isGreen = change.length > 0 && change.every(({ outcome }) => outcome === 'passed');
  return { verdict: isGreen ? 'green' : 'red and explained', problems };
};

export const orderRow = (outcome: OrderOutcome): string => {
  const { order, played, checked } = outcome;
  const base = played.run?.target.baseline;
  const { verdict, problems } = judgeOrder(outcome);
  const cells = [
    order.repo,
    base ? `${said([...base.installs, ...base.checks])}` : 'not reached',
    checked === null ? '' : measured(checked.base),
    said(played.run?.change.evaluation?.checks ?? []),
    checked === null ? '' : measured(checked.change),
    `${Math.round(played.ms / 1000)} s`,
    problems.length > 0 ? `WRONG: ${problems.join('; ')}` : verdict,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
};

export const ORDER_HEAD =
  '| repository | base, says the product | base, by hand | change, says the product | change, by hand | time | |\n|---|---|---|---|---|---|---|';

export const summariseOrders = (outcomes: readonly OrderOutcome[]): string => {
  const fine = outcomes.filter((one) => {
    const { verdict, problems } = judgeOrder(one);
    return problems.length === 0 && verdict !== 'no pull request';
  });
  const share = outcomes.length === 0 ? 0 : Math.round((100 * fine.length) / outcomes.length);
  return `true, and green, explained or rightly refused: ${fine.length} of ${outcomes.length} (${share} %)`;
};

export const orderTranscript = ({ order, played, checked }: OrderOutcome): string =>
  [
    `# ${order.repo}: ${order.about}`,
    `ended: ${played.ended}`,
    `## Before the agent\n${played.stopped ?? 'nothing stopped it'}`,
    `## The card\n${played.card}`,
    `## The pull request\n${played.pull === null ? 'none' : `${played.pull.title}\n${played.pull.branch} → ${played.pull.base}\n\n${played.pull.body}`}`,
    `## The phone at the end\n${played.phone.join('\n---\n')}`,
    `## By hand\n${JSON.stringify(checked, null, 1)}`,
    `## Plan and results\n${JSON.stringify({ contract: played.run?.target.contract, baseline: played.run?.target.baseline, evaluation: played.run?.change.evaluation, lifecycle: played.run?.lifecycle }, null, 1)}`,
  ].join('\n\n');
