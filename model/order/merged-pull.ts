import { z } from 'zod';
import { OpaqueId } from './order.ts';

export const MergedPull = z.object({
  pull: OpaqueId,
  commit: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  baseRef: z.string().min(1).max(300),
  subjects: z.array(z.string().max(500)).max(250),
});
export type MergedPull = z.infer<typeof MergedPull>;
