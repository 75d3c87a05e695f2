/**
 * What somebody said or tapped, whichever chat it came from. Each chat reads its own stored
 * messages into this.
 */

/** `language` is the tag that their program speaks, when it says one. */
type From = {
  user: string;
  name: string;
  language: string | null;
  chat: string;
  /** The chat is this person's own. */
  private: boolean;
};
/** A file that came with the words; `size` in bytes, where the chat says it. */
export type SentFile = { id: string; name: string; size: number | null };

export type InboundUpdate =
  | (From & {
      kind: 'message';
      messageId: string;
      /** The message of the same chat that it answers. */
      replyTo: string | null;
      /** What that says, where a bot wrote it: `bot` is its @name. */
      repliedTo?: { bot: string; text: string };
      text: string;
      file?: SentFile;
      /** It stood below a picture. */
      captioned?: true;
      /** People that an admin chose on their phone. */
      shared?: readonly { id: string; name: string }[];
    })
  | (From & { kind: 'tap'; callbackId: string; messageId: string; data: string })
  | {
      kind: 'stranger';
      user: string;
      chat: string | null;
      callbackId: string | null;
      /** What an invitation gave them, and how they are called then. */
      code: string | null;
      name: string;
      language: string | null;
    }
  /** We were let into a chat, or it was taken from us; `by` whom, when that is somebody. */
  | { kind: 'place'; chat: string; here: boolean; title: string; by: string | null }
  /** A chat has another id from now on. */
  | { kind: 'moved'; from: string; to: string }
  /** What never acts; `hint` is worth telling the sender. */
  | {
      kind: 'inert';
      hint: InertHint | null;
      chat: string | null;
      callbackId: string | null;
      /** Only a chat in which somebody of ours was heard is answered. */
      known?: boolean;
    };
export type InertHint = 'edited' | 'forwarded' | 'anonymous' | 'inline' | 'textless';
