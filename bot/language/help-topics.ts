/** What people come to do; `/help` has a page for each. */
export const HELP_TOPICS = ['look', 'ask', 'decide', 'steer', 'house'] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];
