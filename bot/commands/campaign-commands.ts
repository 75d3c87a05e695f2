/** Handles campaigns in the chat: planned and shown first, started by a tap (F5). */
import {
  toCampaignRequest,
  readCampaignOrder,
  type NewCampaign,
  MAX_CAMPAIGN_FILE_BYTES,
  type PullList,
} from '#orders';
import { adoptionInboxItem, campaignSlot, campaignPlanInboxItem } from '#campaigns';
import { planUndo, createUndoOrder, createUndoRequest } from '#campaigns/acts';
import { isWrongArgument, toWrongArgument, type CommandProblem, type WrongArgument } from '#model/chat';
import { formatRepoQuery } from '#model/targets';
import { canTakeDecision } from '#model/campaign';
import { campaignIdOf } from '#runtime';
import { commandFormOf } from '../language/command-forms.ts';
import { decodeSentText } from '../received-files.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { renderCampaigns } from '../views/campaign-list.ts';
import { costWarnings, buildChatOrder } from './create-run.ts';
import {
  personOf,
  htmlReply,
  plainReply,
  refuseUpdate,
  settleUpdate,
  viewReply,
  type CommandContext,
} from './command-context.ts';

export const undoCampaign = async (context: CommandContext, id: string): Promise<void> => {
  const t = context.words.campaign;
  const undo = await planUndo(context.ledger.query, id);
  switch (undo.kind) {
    case 'unknown':
      return refuseUpdate(context, 'no such campaign', plainReply(t.unknown(id)));
    case 'scheduled':
    case 'nothing':
      return refuseUpdate(context, 'nothing to undo', plainReply(t.undo[undo.kind](id)));
    case 'open':
      return showCampaigns(context, undo.campaign);
    case 'plan': {
      const read = createUndoOrder(undo);
      if (isWrongArgument(read)) throw new Error('the order of an undo cannot be read');
      const asked = buildChatOrder(context, read.value);
      if ('refused' in asked) return settleUpdate(context, 'refused', plainReply(asked.refused));
      const key = `undo:${id}:${context.row.key}`;
      const plan = createUndoRequest(id, undo, asked.order);
      await context.receive([campaignPlanInboxItem(key, { id: campaignIdOf(key), ...plan })]);
      const looking = {
        ...plainReply(t.undo.looking(undo.targets.length)),
        slot: campaignSlot(campaignIdOf(key)),
      };
      return settleUpdate(context, 'an undo', looking);
    }
  }
};

const refuseCampaignForm = (context: CommandContext, problem: CommandProblem): Promise<void> =>
  refuseUpdate(
    context,
    'wrong form',
    plainReply(
      `${sayRecord(context.words.problems, problem)} ${context.words.replies.wrong(commandFormOf('batch', context.words))}`,
    ),
  );

const readAll = async (
  context: CommandContext,
  text: string,
): Promise<{ value: NewCampaign } | WrongArgument> => {
  if (context.file === null) return readCampaignOrder(text);
  const { id, size } = context.file;
  // guard: L8-file-size
  if (size !== null && size > MAX_CAMPAIGN_FILE_BYTES)
    return toWrongArgument({ kind: 'file_long', most: MAX_CAMPAIGN_FILE_BYTES });
  const bytes = await context.adapter.sentFile?.(id, MAX_CAMPAIGN_FILE_BYTES);
  if (!bytes) return toWrongArgument({ kind: 'file_gone' });
  const content = decodeSentText(bytes);
  if (content === null) return toWrongArgument({ kind: 'file_text' });
  const read = await context.readers.readSentList(content, text);
  // Security: a script can reach what an agent cannot, so it may come only from the host.
  // guard: G5-script-at-host
  if (!isWrongArgument(read) && read.value.script !== null) return toWrongArgument({ kind: 'file_script' });
  return read;
};

export const planCampaign = async (context: CommandContext, text: string): Promise<void> => {
  const read = await readAll(context, text);
  if (isWrongArgument(read)) return refuseCampaignForm(context, read.problem ?? { kind: 'no_list' });
  const { named, queries, order } = read.value;
  const asked = buildChatOrder(context, { ...order, host: null });
  if ('refused' in asked) return settleUpdate(context, 'refused', plainReply(asked.refused));
  const key = `batch:${context.row.key}`;
  const id = campaignIdOf(key);
  await context.receive([campaignPlanInboxItem(key, { id, ...toCampaignRequest(read.value, asked.order) })]);
  const sought = queries.map(formatRepoQuery).join(', ');
  const looking = {
    ...plainReply(context.words.campaign.looking(named.length, sought)),
    slot: campaignSlot(id),
  };
  await settleUpdate(context, 'a batch', looking, ...costWarnings(context, asked.order));
};

export const adoptPulls = async (
  context: CommandContext,
  { campaign: asked, pulls }: PullList,
): Promise<void> => {
  const all = await context.ledger.query.campaigns();
  const open = all.filter((one) => canTakeDecision(one, 'adopted'));
  const id = asked ?? (open.length === 1 ? open[0]?.id : undefined);
  const known = all.find((one) => one.id === id);
  if (id === undefined)
    return refuseUpdate(context, 'which campaign', plainReply(context.words.campaign.which));
  if (!known)
    return refuseUpdate(context, 'no such campaign', plainReply(context.words.campaign.unknown(id)));
  const slot = `adopt:${context.row.id}`;
  await context.receive([
    adoptionInboxItem(`adopt:${context.row.key}`, {
      id,
      pulls,
      by: personOf(context),
      chat: context.chat,
      slot,
    }),
  ]);
  await settleUpdate(context, 'adopts', {
    ...plainReply(context.words.campaign.adopting(pulls.length)),
    slot,
  });
};

export const showCampaigns = async (context: CommandContext, asked: string | null): Promise<void> => {
  const { query } = context.ledger;
  const all = await query.campaigns();
  const [only] = all.filter(({ state }) => state === 'running' || state === 'planned');
  const id = asked ?? (all.length === 1 ? only?.id : undefined);
  if (id === undefined) {
    const { html, buttons } = renderCampaigns(all, context.words);
    return settleUpdate(context, 'campaigns', htmlReply(html, buttons));
  }
  const known = all.find((one) => one.id === id.toLowerCase());
  if (!known)
    return refuseUpdate(context, 'no such campaign', plainReply(context.words.campaign.unknown(id)));
  return settleUpdate(
    context,
    'a campaign',
    viewReply({ view: 'campaign', campaign: known.id }, null, `${campaignSlot(known.id)}:${context.row.id}`),
  );
};
