/** A picture that a person sent with an order, first in the chat, then as parts in the ledger (C2). */
import { z } from 'zod';

/** The largest picture that every provider takes (bytes). */
export const MAX_SENT_PICTURE_BYTES = 3_500_000;
export const PICTURE_PART_LENGTH = 1_000_000;
const MAX_PICTURE_PARTS = Math.ceil((MAX_SENT_PICTURE_BYTES * 4) / 3 / PICTURE_PART_LENGTH);

export const PICTURE_ARTIFACT = 'picture';

export const SentPicture = z.object({ id: z.string().min(1).max(300), size: z.number().nullable() });
export type SentPicture = z.infer<typeof SentPicture>;

const SENT_PICTURE_KINDS = ['png', 'jpg', 'webp'] as const;
export type SentPictureKind = (typeof SENT_PICTURE_KINDS)[number];

/** `parts` are digests of artifacts, in order. */
export const OrderPicture = z.object({
  kind: z.enum(SENT_PICTURE_KINDS),
  width: z.int().positive(),
  height: z.int().positive(),
  parts: z
    .array(z.string().regex(/^sha256:[0-9a-f]{64}$/))
    .min(1)
    .max(MAX_PICTURE_PARTS),
});
export type OrderPicture = z.infer<typeof OrderPicture>;
