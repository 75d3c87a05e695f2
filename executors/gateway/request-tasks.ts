/** Parses a box's model requests in a reader thread. */
import { readModelRequest, type ModelRequestTarget } from './read-model-request.ts';

export const tasks = {
  read: ({ bytes, asks }: { bytes: Uint8Array; asks: ModelRequestTarget }) => readModelRequest(bytes, asks),
};
