/** Names Slack's conversations as chats: a person, a channel, or a thread in a channel. Pure. */

const PERSON = /^[UW][A-Z0-9]{2,20}$/;
const PLACE = /^(?:[UWCG][A-Z0-9]{2,20})(?::\d{1,12}\.\d{6})?$/;

export const isSlackUserId = (id: string): boolean => PERSON.test(id);
export const isSlackChatId = (chat: string): boolean => PLACE.test(chat);

/** A colon, because a slash is how Telegram's topics are written. */
export const formatThreadChat = (channel: string, thread: string): string => `${channel}:${thread}`;

export const parseSlackChat = (chat: string): { at: string; thread: string | null } => {
  const [at = '', thread = null] = chat.split(':');
  return { at, thread };
};

/** An id between this message and the next one that Slack can give. */
export const messageIdAfter = (messageId: string): string => {
  const [second = 0, count = 0] = messageId.split('.').map(Number);
  return `${second}.${String(count + 1).padStart(6, '0')}`;
};

export const isEarlierSlackMessage = (messageId: string, than: string): boolean => {
  const [[second = 0, count = 0], [otherSecond = 0, otherCount = 0]] = [messageId, than].map((ts) =>
    ts.split('.').map(Number),
  ) as [number[], number[]];
  return second === otherSecond ? count < otherCount : second < otherSecond;
};
