/** The Chinese sentences, for texts that are put together here. */
import { composeTexts } from '../compose-texts.ts';
import { loadSentences } from '../load-sentences.ts';

export const zhComposed = composeTexts(loadSentences('zh'));
