/** The texts that an action makes public, and what a text would trigger there. */
import { type TextSignal, findTextSignals } from '#text-safety';
import type { PublicPlace } from '#model/assessment';
import { withoutTrailers } from '#model/trailers';
import { withoutAskedClosing } from '#model/requirements';
import type { PolicyContext } from './policy-types.ts';
import { isChangeAction, type GovernedAction } from './governed-action.ts';

/** Ignores what the repository itself requires, word for word, at the end of a text. */
export const signalsIn = (
  action: GovernedAction,
  where: PublicPlace,
  text: string,
  { closes = [] }: Pick<PolicyContext, 'closes'> = {},
): TextSignal[] => {
  if (!isChangeAction(action)) return findTextSignals(text);
  const bare = where === 'commit_message' ? withoutTrailers(text, action.trailers ?? []) : text;
  return findTextSignals(where === 'branch_name' ? bare : withoutAskedClosing(bare, closes));
};

export const listPublicTexts = (action: GovernedAction): [PublicPlace, string][] => {
  switch (action.kind) {
    case 'push':
      return [
        ['commit_message', action.commit.message],
        ['branch_name', action.branch],
        ...(action.body === undefined ? [] : [['description', action.body] satisfies [PublicPlace, string]]),
      ];
    case 'open_pr':
      return [
        ['title', action.title],
        ['description', action.body],
        ['commit_message', action.commit.message],
        ['branch_name', action.branch],
      ];
    case 'comment':
      return [['comment', action.body]];
    case 'reply':
      return [['reply', action.body]];
    case 'command':
      return [];
    default:
      return action satisfies never;
  }
};
