/**
 * A place to write to: a chat, or one topic of it. Everybody but Telegram's own adapter takes it for
 * the name of a chat.
 */

type Place = { chat: string; topic: number | null };

export const inTopic = (chat: string, topic: number): string => `${chat}/${topic}`;

export const readPlace = (place: string): Place => {
  const [chat = '', topic] = place.split('/');
  return { chat, topic: topic === undefined ? null : Number(topic) };
};
