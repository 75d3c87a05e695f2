/** Slack as a second chat, over Socket Mode; loaded only where it is configured. */
export { connectSlack, type SlackConnection, type SlackTokens } from './connect.ts';
export { checkSlack, SLACK_SCOPES, type SlackFinding } from './check-tokens.ts';
export { isEarlierInSlack, isSlackChat, isSlackPerson } from './places.ts';
export { isSlackRecord, readSlackRecord } from './read-record.ts';
