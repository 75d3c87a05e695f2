/** Encodes a forum topic and its chat as one chat name, for the Telegram adapter only. */

type Place = { chat: string; topic: number | null };

export const formatTopicChat = (chat: string, topic: number): string => `${chat}/${topic}`;

export const parseTopicChat = (place: string): Place => {
  const [chat = '', topic] = place.split('/');
  return { chat, topic: topic === undefined ? null : Number(topic) };
};
