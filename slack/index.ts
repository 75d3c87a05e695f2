/** Slack as a chat, over Socket Mode; loaded only where it is configured. */
export type { SlackTokens } from './connect.ts';
export { checkSlack, SLACK_SCOPES, type SlackFinding } from './check-tokens.ts';
export { slackAdapter } from './slack-adapter.ts';
