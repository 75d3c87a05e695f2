/** Slack as a chat of this host, over Socket Mode. */
import type { ChatAdapter } from '#chat';
import { CALM_LIMITS } from '#ports/chat';
import { connectSlack, type SlackTokens } from './connect.ts';
import { isEarlierSlackMessage, isSlackChatId, isSlackUserId } from './chat-ids.ts';
import { isSlackRecord, readSlackRecord } from './read-record.ts';
import { SLACK_NAME } from './web-api.ts';

export const createSlackAdapter = ({ botToken, appToken, apiRoot }: SlackTokens): ChatAdapter => ({
  name: SLACK_NAME,
  limits: CALM_LIMITS,
  isLimitedAsOne: false,
  hasRecordings: false,
  isOurs: isSlackRecord,
  hasChat: isSlackChatId,
  hasPerson: isSlackUserId,
  read: readSlackRecord,
  isEarlier: isEarlierSlackMessage,
  connect: (parts) => {
    const slack = connectSlack({ ...parts, botToken, appToken, apiRoot });
    return {
      out: slack.port,
      // Whatever Slack refuses is told as a connection, and stops nothing.
      start: async (onReceiving) => {
        slack.start();
        onReceiving();
      },
      stop: () => slack.stop(),
      whoAmI: (signal) => slack.whoAmI(signal),
      botName: () => slack.botName(),
      invitationText: (code) => `start ${code}`,
      sentFile: slack.sentFile,
      answerTap: (tap) => slack.answer(tap),
    };
  },
});
