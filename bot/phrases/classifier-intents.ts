/** Lists the classifier's intents, in the column order of its weights (C4). */
export const CLASSIFIED_INTENTS = [
  'status',
  'pending',
  'runs',
  'help',
  'detail',
  'diff',
  'log',
  'plan',
  'budget',
  'settings',
  'users',
  'report',
  'campaign',
  'batch',
  'new',
  'fix',
  'retry',
  'resume',
  'pause',
  'cancel',
  'skip',
  'update',
  'done',
  'deny',
  'approve',
  'merge',
  'language_en',
  'language_zh',
  /** `none` is a negation or a question about a change, `chat` asks for nothing. */
  'none',
  'chat',
] as const;
export type ClassifiedIntent = (typeof CLASSIFIED_INTENTS)[number];

/** One character per weight in `weights.json`; the middle one is zero. */
export const WEIGHT_LEVELS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

export const applySoftmax = (scores: Float64Array): void => {
  const most = Math.max(...scores);
  let sum = 0;
  for (let k = 0; k < scores.length; k += 1) {
    const share = Math.exp((scores[k] ?? 0) - most);
    scores[k] = share;
    sum += share;
  }
  for (let k = 0; k < scores.length; k += 1) scores[k] = (scores[k] ?? 0) / sum;
};
