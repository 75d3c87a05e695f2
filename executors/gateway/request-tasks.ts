/** Reading of what a box asks its model, in a thread of readers. */
import { readModelRequest, type ModelRequestTarget } from './read-model-request.ts';

export const tasks = {
  read: ({ bytes, asks }: { bytes: Uint8Array; asks: ModelRequestTarget }) => readModelRequest(bytes, asks),
};
