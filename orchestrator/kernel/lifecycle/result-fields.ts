/** Fields that results of several effects share. */
import { z } from 'zod';
import { DiscardedEdits } from '#model/change';
import { TurnHead } from '#model/turn';

export const OUTPUT_BYTES = z.number().exactOptional();
export const TURNS = TurnHead.exactOptional();
export const DISCARDED_EDITS = DiscardedEdits.nullable().exactOptional();
