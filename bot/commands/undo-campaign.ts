/** F5: `/campaign <id> undo` makes the preview of a campaign of reverts; its button starts it. */
import { EVERY_REPOSITORY } from '../../orchestrator/commands/campaign-order.ts';
import { isWrong } from '../../orchestrator/commands/command-problems.ts';
import { readOrder } from '../../orchestrator/commands/order-argument.ts';
import { planSlot } from '../../orchestrator/campaigns/campaign-arrivals.effect.ts';
import { campaignPlanNote } from '../../orchestrator/campaigns/plan-campaign.effect.ts';
import { campaignIdOf } from '../../orchestrator/kernel/runtime/random-ids.ts';
import {
  planUndo,
  UNDO_GOAL,
  UNDO_TITLE,
  undoRequest,
} from '../../orchestrator/campaigns/undo-campaign.effect.ts';
import { showCampaigns } from './campaign-commands.ts';
import { plainReply, refuseUpdate, settleUpdate, type CommandContext } from './command-context.ts';
import { orderFrom } from './steer-run.ts';

export const undoCampaign = async (c: CommandContext, id: string): Promise<void> => {
  const t = c.words.campaign;
  const undo = await planUndo(c.ledger.query, id);
  switch (undo.kind) {
    case 'unknown':
      return refuseUpdate(c, 'no such campaign', plainReply(t.unknown(id)));
    case 'scheduled':
    case 'nothing':
      return refuseUpdate(c, 'nothing to undo', plainReply(t.undo[undo.kind](id)));
    case 'open':
      return showCampaigns(c, undo.campaign);
    case 'plan': {
      const engine = undo.engine === null ? [] : ([['engine', undo.engine]] as const);
      const read = readOrder(EVERY_REPOSITORY, UNDO_GOAL, [['title', UNDO_TITLE], ...engine]);
      if (isWrong(read)) throw new Error('the order of an undo cannot be read');
      const asked = orderFrom(c, read.value);
      if ('refused' in asked) return settleUpdate(c, 'refused', plainReply(asked.refused));
      const key = `undo:${id}:${c.row.key}`;
      const plan = undoRequest(id, undo, asked.order);
      await c.receive([campaignPlanNote(key, { id: campaignIdOf(key), ...plan })]);
      const looking = {
        ...plainReply(t.undo.looking(undo.targets.length)),
        slot: planSlot(campaignIdOf(key)),
      };
      return settleUpdate(c, 'an undo', looking);
    }
  }
};
