/** Lists the topics of `/help`; each has a page. */
export const HELP_TOPICS = ['look', 'ask', 'decide', 'steer', 'installation'] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];
