/**
 * F8: what cannot be seen of the code host: a line where a run is shown, and one message for all
 * runs that share the trouble.
 */
import { isOfTheWay } from '../../orchestrator/core/host-refusal.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { isTerminal } from '../../orchestrator/core/states.ts';
import type { Texts } from '../language/language.ts';
import { fit, relative, said, show } from '../text/text.ts';
import { name, type Rendered } from './scene.ts';

const SHOWN = 10;

/** How old what is shown of the code host is; nothing while looks succeed. */
export const sightLine = (
  {
    upstream: {
      observed: { outage: blind },
    },
    lifecycle: { state },
  }: Run,
  now: number,
  words: Texts,
): string => {
  if (!blind || isTerminal(state)) return '';
  const { last, since, short } = words.sight;
  const when =
    blind.lastFailureAt === null
      ? `${since} ${relative(blind.startedAt, now, words.calendar)}`
      : `${last} ${relative(blind.lastFailureAt, now, words.calendar)}`;
  return `⚠ ${when}: ${show(short(blind.failure))}`;
};

/** `runs` are those that cannot be seen still. */
export const renderBlind = (runs: readonly Run[], now: number, words: Texts): Rendered => {
  const { sight, fleet } = words;
  const [first] = runs;
  if (!first?.upstream.observed.outage) return { html: `<b>✔ ${show(sight.title.again)}</b>`, buttons: [] };
  const is = first.upstream.observed.outage.failure;
  const whole = is.parts.includes('pull') || is.parts.includes('branch');
  const rest = runs.length - SHOWN;
  return {
    html: fit([
      `<b>⚠ ${show(whole ? sight.title.none : sight.title.some)}</b>`,
      show(sight.todo(is), 500),
      ...(whole ? [] : [show(sight.unread(is.parts))]),
      ...(is.message === '' || (is.refusal && isOfTheWay(is.refusal)) ? [] : [said(is.message, 300)]),
      show(sight.runs(runs.length)),
      ...runs.slice(0, SHOWN).map((run) => `${name(run)}\n   ${sightLine(run, now, words)}`),
      ...(rest > 0 ? [fleet.more(rest)] : []),
      show(sight.goesOn),
    ]),
    buttons: [],
  };
};
