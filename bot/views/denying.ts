/**
 * P4: what a card offers once somebody taps *Deny* or *Ask for changes*: reasons that end the run,
 * and wishes that the agent goes on with.
 */
import type { Texts } from '../language/language.ts';
import type { Shown } from './scene.ts';

/** In the order of their buttons, which name them by their place. */
export const DENY_WAYS = ['approach', 'unneeded', 'none'] as const;
export const CHANGE_WAYS = ['big', 'tests'] as const;

export const denyButtons = ({ denials, buttons }: Texts): Shown[][] => {
  const [first, second, none] = DENY_WAYS.map((way, index): Shown => ({
    verb: 'denyas',
    text: denials.chips[way],
    index,
  }));
  return [
    [first, second],
    [none, { verb: 'back', text: buttons.back } as const],
  ].map((row) => row.filter((one) => one !== undefined));
};

export const changeButtons = ({ denials, buttons }: Texts): Shown[][] => [
  CHANGE_WAYS.map((way, index): Shown => ({ verb: 'changeas', text: denials.chips[way], index })),
  [{ verb: 'back', text: buttons.back }],
];
