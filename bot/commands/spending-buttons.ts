/** The button of a call about a limit of spending above runs (P7). */
import { spendingRaiseKey } from '#limits';
import { spendingLimitText } from '../views/reports/cost-screen.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import { viewReply, personOf } from './command-context.ts';
import { cardOn, defineButton } from './define-button.ts';

export const SPENDING_BUTTONS = [
  defineButton(cardOn('spending'), {
    verb: 'spending.raise',
    // guard: P7-admins-raise
    role: 'admin',
    /** A call is about the limit that it shows: one that was raised or set anew since is not raised. */
    onTap: async ({ c, show, row }): PendingTapAnswer => {
      const { costs } = c.words;
      const key = spendingRaiseKey(show.limit);
      const now = await c.services.costs?.raise({ key, by: personOf(c), cause: c.row.key });
      if (!now) return settleTap(c, costs.noSuchLimit, true);
      const { limit, isRaised } = now;
      const text = costs.isNow(spendingLimitText(limit, c.words));
      if (isRaised) return settleTap(c, text, false);
      return settleTap(c, text, false, viewReply({ ...show, changed: { limit, by: null } }, null, row.slot));
    },
  }),
];
