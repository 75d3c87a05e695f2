/** The port for outgoing chat messages. */
import { OutsideFailure } from '#ports/forge';
import type { SentMessage } from '#ports/ledger';

/** The service moved a chat to another id, or merged it into another one, permanently. */
export class ChatMoved extends Error {
  readonly to: string;
  constructor(to: string) {
    super('The chat has another id now.');
    this.to = to;
  }
}

/** The answer was lost, so the message may have been delivered; sending again may repeat it. */
export class MaybeSent extends OutsideFailure {}

/**
 * Throws ChatMoved, MaybeSent for a new message, or OutsideFailure: rate_limited (with retryAt),
 * chat_unavailable (transport), chat_refused (can never be sent), auth_missing.
 */
export type ChatPort = {
  /** `asks` opens the reader's reply field; such a message has no buttons. */
  send(message: {
    chat: string;
    html: string;
    buttons: ChatButton[][];
    silent: boolean;
    asks?: true;
  }): Promise<SentMessage>;
  /** Returns null when the message is gone; an unchanged message is a success. */
  edit(message: SentMessage & { html: string; buttons: ChatButton[][] }): Promise<SentMessage | null>;
  /** Pins or unpins silently; false when the chat does not allow it. */
  pin(message: SentMessage & { on: boolean }): Promise<boolean>;
  document(message: {
    chat: string;
    name: string;
    content: string | Uint8Array;
    caption: string;
    silent: boolean;
  }): Promise<SentMessage>;
  /** Sends 2 to 10 pictures as one message; its id is that of the first picture. */
  album(message: { chat: string; pictures: readonly ChatPicture[]; silent: boolean }): Promise<SentMessage>;
};
/** `wide` and `high` are in pixels; the caption is markup. */
export type ChatPicture = { name: string; content: Uint8Array; caption: string; wide: number; high: number };
/** Buttons that open a URL or copy text need no callback; the token of `app` serves where it is refused. */
export type ChatButton = {
  text: string;
  token: string;
  style?: 'danger' | 'success' | 'primary';
  opens?: string;
  app?: string;
  copies?: string;
};
