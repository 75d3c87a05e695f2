/** The patterns of words, a class of all languages each. */
import { join } from 'node:path';
import { WORD_FOLDERS } from '../../../tools/load-data.ts';
import { listClasses, readWords } from '../../../tools/words/read-words.ts';
import type { Expression } from './literal-expressions.ts';

export const readWordPatterns = (root: string): Expression[] =>
  WORD_FOLDERS.flatMap((folder) => {
    const files = readWords(join(root, folder));
    const groups = new Set(files.flatMap((file) => Object.keys(file.classes)));
    return [...groups].flatMap((group) =>
      [...listClasses(files, group).values()].map((source) => ({
        source,
        flags: 'iu',
        at: `${folder}/${group}`,
      })),
    );
  });
