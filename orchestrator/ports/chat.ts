/** Outgoing chat. */
import { OutsideFailure } from './outside-failure.ts';
import type { SentMessage } from './rows.ts';

/** A chat has another id from now on, or is a part of another: the same people, for good. */
export class ChatMoved extends Error {
  readonly to: string;
  constructor(to: string) {
    super('The chat has another id now.');
    this.to = to;
  }
}

/**
 * The answer did not come: the message may have arrived all the same. Sending it again may repeat
 * it.
 */
export class MaybeSent extends OutsideFailure {}

/**
 * Throws ChatMoved, or OutsideFailure: rate_limited (with retryAt), forge_unavailable for
 * transport, forge_refused for a message that can never be sent; MaybeSent, of a new message, where
 * nobody knows.
 */
export type ChatPort = {
  /** `asks`: the reader's field is opened for an answer to it; then it has no buttons. */
  send(message: {
    chat: string;
    html: string;
    buttons: ChatButton[][];
    silent: boolean;
    asks?: true;
  }): Promise<SentMessage>;
  /** A message that is gone gives null; one that is the same already is a success. */
  edit(message: SentMessage & { html: string; buttons: ChatButton[][] }): Promise<SentMessage | null>;
  /** Pins the message or takes its pin away, without a sound; false where the chat does not let us. */
  pin(message: SentMessage & { on: boolean }): Promise<boolean>;
  document(message: {
    chat: string;
    name: string;
    /** Text, or the bytes of a picture. */
    content: string | Uint8Array;
    caption: string;
    silent: boolean;
  }): Promise<SentMessage>;
  /** Two to ten pictures in one message; its id is that of the first. */
  album(message: { chat: string; pictures: readonly ChatPicture[]; silent: boolean }): Promise<SentMessage>;
};
/** `wide` and `high` in points; the caption is markup. */
export type ChatPicture = { name: string; content: Uint8Array; caption: string; wide: number; high: number };
/** One that opens an address, or copies a text, is no tap of ours, and has no token. */
export type ChatButton = {
  text: string;
  token: string;
  style?: 'danger' | 'success' | 'primary';
  opens?: string;
  copies?: string;
};
