/** Draws how many are merged over time, as an SVG without styles of its own. */
import { html, type Markup } from './markup.ts';

const WIDTH = 720;
const HEIGHT = 120;
const MARGIN = 8;

export const renderMergedCurve = (
  times: readonly number[],
  { all, from, now, label }: { all: number; from: number; now: number; label: string },
): Markup => {
  const toX = (at: number): number => MARGIN + ((at - from) / Math.max(1, now - from)) * (WIDTH - 2 * MARGIN);
  const toY = (count: number): number => HEIGHT - MARGIN - (count / Math.max(1, all)) * (HEIGHT - 2 * MARGIN);
  const steps = [...times]
    .sort((a, b) => a - b)
    .map((at, i) => `H${toX(at).toFixed(1)}V${toY(i + 1).toFixed(1)}`);
  const line = `M${toX(from)} ${toY(0)}${steps.join('')}H${toX(now).toFixed(1)}`;
  return html`<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
    <path class="all" d="M${MARGIN} ${toY(all)}H${WIDTH - MARGIN}" />
    <path class="area" d="${line}V${toY(0)}Z" />
    <path class="line" d="${line}" />
  </svg>`;
};
