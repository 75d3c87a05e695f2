/**
 * P4: what a card offers once somebody taps *Deny* or *Ask for changes*: reasons that end the run,
 * and wishes that the agent goes on with.
 */
import type { LanguageTexts } from '../language/languages.ts';
import type { ViewButton } from './scene.ts';

/** In the order of their buttons, which name them by their place. */
export const DENY_WAYS = ['approach', 'unneeded', 'none'] as const;
export const CHANGE_WAYS = ['big', 'tests'] as const;

export const denyButtons = ({ denials, buttons }: LanguageTexts): ViewButton[][] => {
  const [first, second, none] = DENY_WAYS.map((way, index): ViewButton => ({
    verb: 'denyas',
    text: denials.chips[way],
    index,
  }));
  return [
    [first, second],
    [none, { verb: 'back', text: buttons.back } as const],
  ].map((row) => row.filter((one) => one !== undefined));
};

export const changeButtons = ({ denials, buttons }: LanguageTexts): ViewButton[][] => [
  CHANGE_WAYS.map((way, index): ViewButton => ({ verb: 'changeas', text: denials.chips[way], index })),
  [{ verb: 'back', text: buttons.back }],
];
