/** F5: `/campaign <id> undo` makes the preview of a campaign of reverts; its button starts it. */
import { isWrong } from '../../orchestrator/model/command-problems.ts';
import { planSlot, campaignPlanNote, planUndo, readUndoOrder, undoRequest } from '#campaigns';
import { campaignIdOf } from '../../orchestrator/kernel/runtime/random-ids.ts';
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
      const read = readUndoOrder(undo);
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
