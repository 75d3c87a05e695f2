/** English words that are published or recorded, whatever the language of a chat. */

/** Published in the description of a closed pull request, so it is English in every chat. */
export const CAMPAIGN_CLOSING_NOTE =
  'Thank you for your time. The change that this pull request belongs to is no longer pursued, so we are closing it. There is nothing for you to do.';

export const UNDO_WORDS = {
  closing:
    'Thank you for your time. The change that this pull request belongs to is being taken back everywhere, so we are closing it. There is nothing for you to do.',
  reason: 'The campaign is being undone.',
} as const;
