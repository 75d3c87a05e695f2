/** The patterns of words, a class of a language each. */
import { join } from 'node:path';
import { WORD_FOLDERS } from '../../../tools/load-data.ts';
import { listClasses, readWords } from '../../../tools/words/read-words.ts';
import type { Expression } from './literal-expressions.ts';

export const readWordPatterns = (root: string): Expression[] =>
  Object.entries(WORD_FOLDERS).flatMap(([folder, flags]) =>
    readWords(join(root, folder)).flatMap((file) =>
      Object.keys(file.classes).flatMap((group) =>
        [...listClasses([file], group).values()].map((source) => ({
          source,
          flags,
          at: `${folder}/${file.language}.yaml`,
        })),
      ),
    ),
  );
