/** Reading of what a box asks its model, in a thread of readers. */
import { readModelRequest, type Asks } from './read-model-request.ts';

export const tasks = {
  read: ({ bytes, asks }: { bytes: Uint8Array; asks: Asks }) => readModelRequest(bytes, asks),
};
