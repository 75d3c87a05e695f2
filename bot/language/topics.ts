/** What people come to do; `/help` has a page for each. */
export const TOPICS = ['look', 'ask', 'decide', 'steer', 'house'] as const;
export type Topic = (typeof TOPICS)[number];
