/** Renders the choices after *Deny* (reasons that end the run) and *Ask for changes* (P4). */
import type { LanguageTexts } from '../language/languages.ts';
import type { ViewButton } from './scene.ts';

/** Buttons refer to positions in these lists. */
export const DENY_WAYS = ['approach', 'unneeded', 'none'] as const;
export const CHANGE_WAYS = ['big', 'tests'] as const;

export const denyButtons = ({ denials, buttons }: LanguageTexts): ViewButton[][] => {
  const [first, second, none] = DENY_WAYS.map((way, index): ViewButton => ({
    verb: 'deny.reason',
    text: denials.chips[way],
    index,
  }));
  return [
    [first, second],
    [none, { verb: 'back', text: buttons.back } as const],
  ].map((row) => row.filter((one) => one !== undefined));
};

export const changeRequestButtons = ({ denials, buttons }: LanguageTexts): ViewButton[][] => [
  CHANGE_WAYS.map((way, index): ViewButton => ({ verb: 'changes.reason', text: denials.chips[way], index })),
  [{ verb: 'back', text: buttons.back }],
];
