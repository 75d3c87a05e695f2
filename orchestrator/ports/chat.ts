/** Outgoing chat. */
import { OutsideFailure } from './failure.ts';
import type { SentMessage } from './rows.ts';

/** A group became a supergroup: the same people, under another id, for good. */
export class ChatMoved extends Error {
  readonly to: number;
  constructor(to: number) {
    super('The group became a supergroup.');
    this.to = to;
  }
}

/** The answer did not come: the message may have arrived all the same. Sending it again may repeat it. */
export class MaybeSent extends OutsideFailure {}

/** Throws ChatMoved, or OutsideFailure: rate_limited (with retryAt), forge_unavailable for transport, forge_refused for a message that can never be sent; MaybeSent, of a new message, where nobody knows. */
export type Chat = {
  send(message: { chat: number; html: string; buttons: Button[][]; silent: boolean }): Promise<SentMessage>;
  /** A message that is gone gives null; one that is the same already is a success. */
  edit(message: SentMessage & { html: string; buttons: Button[][] }): Promise<SentMessage | null>;
  document(message: {
    chat: number;
    name: string;
    content: string;
    caption: string;
    silent: boolean;
  }): Promise<SentMessage>;
};
export type Button = { text: string; token: string; style?: 'danger' | 'success' | 'primary' };
