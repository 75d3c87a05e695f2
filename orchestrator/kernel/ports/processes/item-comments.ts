/** Comments where an order came from: an issue tracker, or any program with a webhook here (F5). */

/** Posts once and never again; `message` says why it was refused or is not known to be there. */
export type PostItemComment = (
  item: { hook: string; id: string },
  text: string,
  signal: AbortSignal,
) => Promise<{ outcome: 'posted' | 'refused' | 'unclear'; message: string }>;
