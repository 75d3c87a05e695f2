/** Defines messages and taps independently of the chat; each chat converts its stored updates. */

import type { SentPicture } from '#model/order';
import type { SentRecording } from '../voice/voice-notes.ts';

type From = {
  user: string;
  name: string;
  language: string | null;
  chat: string;
  private: boolean;
};
export type SentFile = { id: string; name: string; size: number | null };

export type InboundUpdate =
  | (From & {
      kind: 'message';
      messageId: string;
      replyTo: string | null;
      /** Text of the replied-to message if a bot wrote it; `bot` is its username. */
      repliedTo?: { bot: string; text: string };
      text: string;
      file?: SentFile;
      picture?: SentPicture;
      recording?: SentRecording;
      shared?: readonly { id: string; name: string }[];
    })
  | (From & { kind: 'tap'; callbackId: string; messageId: string; data: string })
  | {
      kind: 'stranger';
      user: string;
      chat: string | null;
      callbackId: string | null;
      code: string | null;
      name: string;
      language: string | null;
    }
  /** The bot was added to or removed from a chat; `by` is the user, if known. */
  | { kind: 'place'; chat: string; here: boolean; title: string; by: string | null }
  | { kind: 'moved'; from: string; to: string }
  | {
      kind: 'inert';
      hint: InertHint | null;
      chat: string | null;
      callbackId: string | null;
      /** Reply only in a chat that a known user has written in. */
      known?: boolean;
    };
export type InertHint = 'edited' | 'forwarded' | 'anonymous' | 'inline' | 'textless';
