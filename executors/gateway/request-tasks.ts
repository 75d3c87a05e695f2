/** Parses a box's model requests in a reader thread. */
import { readModelRequest, type ModelRequestTarget } from './read-model-request.ts';

export const readerTasks = {
  read: ({ bytes, asks }: { bytes: Uint8Array; asks: ModelRequestTarget }) => readModelRequest(bytes, asks),
};
