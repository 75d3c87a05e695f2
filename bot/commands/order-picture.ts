/** Takes the picture of an order from the chat, as context for the engines that can see (C2). */
import type { CommandProblem } from '#model/chat';
import {
  enginesInTurn,
  type Order,
  MAX_SENT_PICTURE_BYTES,
  PICTURE_ARTIFACT,
  PICTURE_PART_LENGTH,
  type SentPicture,
} from '#model/order';
import { sha256Hex } from '#runtime';
import type { NewStepArtifact } from '#ports/steps';
import { cleanPicture } from '../text/clean-picture.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { plainReply, type CommandContext, type CommandReply } from './command-context.ts';

type Taken = { order: Order; artifacts: readonly NewStepArtifact[] } | { refused: string };

export const selectSupportedPicture = (
  { engines: { seesPictures }, words }: CommandContext,
  order: Order,
  picture: SentPicture | null,
): { picture: SentPicture | null; told: CommandReply[] } => {
  if (picture === null) return { picture, told: [] };
  const asked = [...new Set([order.engine, ...enginesInTurn(order)])];
  const blind = asked.filter((engine) => seesPictures?.(engine) !== true);
  return {
    picture: blind.length === asked.length ? null : picture,
    told: blind.length > 0 ? [plainReply(words.pictures.unseen(blind.join(', ')))] : [],
  };
};

export const downloadOrderPicture = async (
  context: CommandContext,
  order: Order,
  given: SentPicture | null,
): Promise<Taken> => {
  const { picture: sent } = selectSupportedPicture(context, order, given);
  if (sent === null) return { order, artifacts: [] };
  const toRefusal = (problem: CommandProblem): Taken => ({
    refused: sayRecord(context.words.problems, problem),
  });
  const most = MAX_SENT_PICTURE_BYTES;
  // guard: C2-picture-size
  if ((sent.size ?? 0) > most) return toRefusal({ kind: 'picture_large', most });
  const bytes = await context.adapter.sentFile?.(sent.id, most);
  if (!bytes) return toRefusal({ kind: 'picture_gone', most });
  const clean = cleanPicture(bytes);
  if ('unfit' in clean) return toRefusal({ kind: `picture_${clean.unfit}` });
  const text = Buffer.from(clean.bytes).toString('base64');
  const parts = Array.from({ length: Math.ceil(text.length / PICTURE_PART_LENGTH) }, (_, i) =>
    text.slice(i * PICTURE_PART_LENGTH, (i + 1) * PICTURE_PART_LENGTH),
  );
  const { kind, width, height } = clean;
  return {
    order: {
      ...order,
      picture: { kind, width, height, parts: parts.map((part) => `sha256:${sha256Hex(part)}`) },
    },
    artifacts: parts.map((content) => ({ type: PICTURE_ARTIFACT, content })),
  };
};
