/** F5: handles campaigns in the chat: planned and shown first, started by a tap. */
import {
  campaignFrom,
  readCampaignOrder,
  type NewCampaign,
  MAX_CAMPAIGN_FILE_BYTES,
  type PullList,
} from '#orders';
import { adoptNote, planSlot, campaignPlanNote } from '#campaigns';
import { planUndo, readUndoOrder, undoRequest } from '#campaigns/acts';
import { isWrong, wrongArgument, type CommandProblem, type WrongArgument } from '#model/chat';
import { queryText } from '#model/targets';
import { takesDecision } from '#model/campaign';
import { campaignIdOf } from '#runtime';
import { formOf } from '../language/command-forms.ts';
import { decodeSentText } from '../received-files.ts';
import { sayRecord } from '../text/catalogue.ts';
import { renderCampaigns } from '../views/campaign-list.ts';
import { costWarnings, orderFrom, personOf } from './steer-run.ts';
import {
  htmlReply,
  plainReply,
  refuseUpdate,
  settleUpdate,
  viewReply,
  type CommandContext,
} from './command-context.ts';

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

const wrongForm = (c: CommandContext, problem: CommandProblem): Promise<void> =>
  refuseUpdate(
    c,
    'wrong form',
    plainReply(`${sayRecord(c.words.problems, problem)} ${c.words.replies.wrong(formOf('batch', c.words))}`),
  );

const readAll = async (c: CommandContext, text: string): Promise<{ value: NewCampaign } | WrongArgument> => {
  if (c.file === null) return readCampaignOrder(text);
  const { id, size } = c.file;
  // guard: L8-file-size
  if (size !== null && size > MAX_CAMPAIGN_FILE_BYTES)
    return wrongArgument({ kind: 'file_long', most: MAX_CAMPAIGN_FILE_BYTES });
  const bytes = await c.adapter.sentFile?.(id, MAX_CAMPAIGN_FILE_BYTES);
  if (!bytes) return wrongArgument({ kind: 'file_gone' });
  const content = decodeSentText(bytes);
  if (content === null) return wrongArgument({ kind: 'file_text' });
  const read = await c.readers.readSentList(content, text);
  // Security: a script can reach what an agent cannot, so it may come only from the host.
  // guard: G5-script-at-host
  if (!isWrong(read) && read.value.script !== null) return wrongArgument({ kind: 'file_script' });
  return read;
};

export const planCampaign = async (c: CommandContext, text: string): Promise<void> => {
  const read = await readAll(c, text);
  if (isWrong(read)) return wrongForm(c, read.problem ?? { kind: 'no_list' });
  const { named, queries, order } = read.value;
  const asked = orderFrom(c, { ...order, host: null });
  if ('refused' in asked) return settleUpdate(c, 'refused', plainReply(asked.refused));
  const key = `batch:${c.row.key}`;
  const id = campaignIdOf(key);
  await c.receive([campaignPlanNote(key, { id, ...campaignFrom(read.value, asked.order) })]);
  const sought = queries.map(queryText).join(', ');
  const looking = { ...plainReply(c.words.campaign.looking(named.length, sought)), slot: planSlot(id) };
  await settleUpdate(c, 'a batch', looking, ...costWarnings(c, asked.order));
};

export const adoptPulls = async (c: CommandContext, { campaign: asked, pulls }: PullList): Promise<void> => {
  const all = await c.ledger.query.campaigns();
  const open = all.filter((one) => takesDecision(one, 'adopted'));
  const id = asked ?? (open.length === 1 ? open[0]?.id : undefined);
  const known = all.find((one) => one.id === id);
  if (id === undefined) return refuseUpdate(c, 'which campaign', plainReply(c.words.campaign.which));
  if (!known) return refuseUpdate(c, 'no such campaign', plainReply(c.words.campaign.unknown(id)));
  const slot = `adopt:${c.row.id}`;
  await c.receive([adoptNote(`adopt:${c.row.key}`, { id, pulls, by: personOf(c), chat: c.chat, slot })]);
  await settleUpdate(c, 'adopts', { ...plainReply(c.words.campaign.adopting(pulls.length)), slot });
};

export const showCampaigns = async (c: CommandContext, asked: string | null): Promise<void> => {
  const { query } = c.ledger;
  const all = await query.campaigns();
  const [only] = all.filter(({ state }) => state === 'running' || state === 'planned');
  const id = asked ?? (all.length === 1 ? only?.id : undefined);
  if (id === undefined) {
    const { html, buttons } = renderCampaigns(all, c.words);
    return settleUpdate(c, 'campaigns', htmlReply(html, buttons));
  }
  const known = all.find((one) => one.id === id.toLowerCase());
  if (!known) return refuseUpdate(c, 'no such campaign', plainReply(c.words.campaign.unknown(id)));
  return settleUpdate(
    c,
    'a campaign',
    viewReply({ view: 'campaign', campaign: known.id }, null, `${planSlot(known.id)}:${c.row.id}`),
  );
};
