/** The campaigns that there are, newest first, each with a button to its card. */
import { isOver, type Campaign } from '../../orchestrator/core/campaign/campaign.ts';
import type { Texts } from '../language/language.ts';
import { fit, show } from '../text/text.ts';
import { pairs, type Answer } from './fleet.ts';

const MOST = 10;

export const renderCampaigns = (all: readonly Campaign[], { campaign: t }: Texts): Answer => {
  const shown = [...all].sort((a, b) => Number(isOver(a)) - Number(isOver(b))).slice(0, MOST);
  if (shown.length === 0) return { html: show(t.none), buttons: [] };
  const rows = shown.map(
    (one) =>
      `${show(one.id, 12)} · ${show(one.schedule === undefined ? t.entry(t.states[one.state], one.released) : t.scheduledEntry(one.state, one.schedule))}`,
  );
  const more = all.length > MOST ? [show(t.more(all.length - MOST))] : [];
  return {
    html: fit([`<b>${show(t.list)}</b>`, ...rows, ...more]),
    buttons: pairs(
      shown.map(({ id }) => ({ verb: 'say', text: id, runId: '', says: `/campaign ${id}` }) as const),
      2,
    ),
  };
};
