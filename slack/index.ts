/** Slack as a chat, over Socket Mode; loaded only where it is configured. */
export type { SlackTokens } from './connect.ts';
export { checkSlackTokens, SLACK_SCOPES, type SlackFinding } from './check-tokens.ts';
export { createSlackAdapter } from './slack-adapter.ts';
