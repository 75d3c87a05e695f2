/** Reading of what a box asks its model, in a thread of readers. */
import { readAsked, type Asks } from './request.ts';

export const tasks = {
  read: ({ bytes, asks }: { bytes: Uint8Array; asks: Asks }) => readAsked(bytes, asks),
};
