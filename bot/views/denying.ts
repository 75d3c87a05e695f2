/** P4: the reasons that a card offers for a no. */
import { DENIALS } from '../../orchestrator/core/feedback.ts';
import type { Texts } from '../language/language.ts';
import type { Shown } from './scene.ts';

/** In the order of their buttons, which name them by their place. */
export const DENY_WAYS = [...DENIALS, 'other', 'none'] as const;

export const denyButtons = ({ denials, buttons }: Texts): Shown[][] => {
  const chips = DENY_WAYS.map((way, index): Shown => ({ verb: 'denyas', text: denials.chips[way], index }));
  const rows = [0, 2, 4].map((from) => chips.slice(from, from + 2));
  return [...rows, [{ verb: 'back', text: buttons.back }]];
};
