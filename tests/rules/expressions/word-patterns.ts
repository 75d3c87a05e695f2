/** The patterns of words, a class of a language each. */
import { join } from 'node:path';
import { WORD_FOLDERS } from '../../../tools/load-data.ts';
import { readWords, sourcesOf } from '../../../tools/read-words.ts';
import type { Expression } from './literal-expressions.ts';

export const readWordPatterns = (root: string): Expression[] =>
  Object.entries(WORD_FOLDERS).flatMap(([folder, flags]) =>
    readWords(join(root, folder))
      .map(sourcesOf)
      .flatMap(({ language, sources }) =>
        Object.values(sources)
          .flatMap((group) => Object.values(group))
          .map((source) => ({ source, flags, at: `${folder}/${language}.yaml` })),
      ),
  );
