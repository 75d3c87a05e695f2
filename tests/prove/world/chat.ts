/** The chat in memory: messages with buttons. */
import type { ChatPort } from '#ports/chat';
import type { SentMessage } from '#ports/ledger';
import { shaky, type WorldParts } from './parts.ts';
import type { Shown } from './state.ts';

export const createWorldChat = (parts: WorldParts): ChatPort => {
  const { held, clock } = parts;
  const attempt = shaky(parts);
  const show = (message: Omit<Shown, 'id' | 'first' | 'at'>): SentMessage => {
    const id = String((held.record.lastMessage += 1));
    held.messages.push({ ...message, first: message.html, at: clock.now(), id });
    return { chat: message.chat, messageId: id };
  };
  return {
    send: async ({ chat, html, buttons }) => {
      const behind = await parts.explain(buttons.flat());
      return attempt('chat', () => show({ chat, html, ...behind, buttons: buttons.flat() }));
    },
    edit: async ({ chat, messageId, html, buttons }) => {
      const behind = await parts.explain(buttons.flat());
      return attempt('chat', () => {
        const shown = held.messages.find((m) => m.chat === chat && m.id === messageId);
        if (!shown) return null;
        shown.html = html;
        Object.assign(shown, behind);
        shown.buttons = buttons.flat();
        return { chat, messageId };
      });
    },
    pin: async () => attempt('chat', () => true),
    document: async ({ chat, caption }) =>
      attempt('chat', () => show({ chat, html: caption, more: '', each: '', buttons: [] })),
    album: async ({ chat, pictures }) =>
      attempt('chat', () =>
        show({
          chat,
          html: pictures.map(({ caption }) => caption).join('\n'),
          more: '',
          each: '',
          buttons: [],
        }),
      ),
  };
};
