/** The Chinese sentences, for texts that are put together here. */
import { loadSentences } from '../load-sentences.ts';

export const zhSentences = loadSentences('zh');
