/** The Chinese sentences, for texts that are put together here. */
import { composeTexts } from '../compose-texts.ts';
import { loadSentences } from '../load-sentences.ts';
import { whenRead } from '../when-read.ts';

export const zhComposed = whenRead(() => composeTexts(loadSentences('zh')));
