/** Draws how many are merged over time, as an SVG without styles of its own. */
import { html, type Markup } from './markup.ts';

const WIDTH = 720;
const HEIGHT = 120;
const MARGIN = 8;

export const mergedCurve = (
  times: readonly number[],
  { all, from, now, label }: { all: number; from: number; now: number; label: string },
): Markup => {
  const x = (at: number): number => MARGIN + ((at - from) / Math.max(1, now - from)) * (WIDTH - 2 * MARGIN);
  const y = (n: number): number => HEIGHT - MARGIN - (n / Math.max(1, all)) * (HEIGHT - 2 * MARGIN);
  const steps = [...times]
    .sort((a, b) => a - b)
    .map((at, i) => `H${x(at).toFixed(1)}V${y(i + 1).toFixed(1)}`);
  const line = `M${x(from)} ${y(0)}${steps.join('')}H${x(now).toFixed(1)}`;
  return html`<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
    <path class="all" d="M${MARGIN} ${y(all)}H${WIDTH - MARGIN}" />
    <path class="area" d="${line}V${y(0)}Z" />
    <path class="line" d="${line}" />
  </svg>`;
};
