/** The patterns of words, a class of a language each, and as code joins them over all languages. */
import { join } from 'node:path';
import { WORD_FOLDERS } from '../../../tools/load-data.ts';
import { joinSources, readWords, toWordSources } from '../../../tools/read-words.ts';
import type { Expression } from './literal-expressions.ts';

export const readWordPatterns = (root: string): Expression[] =>
  Object.entries(WORD_FOLDERS).flatMap(([folder, flags]) => {
    const files = readWords(join(root, folder)).map(toWordSources);
    const groups = new Set(files.flatMap(({ sources }) => Object.keys(sources)));
    const joined = [...groups].flatMap((group) => [...joinSources(files, group).values()]);
    return [
      ...joined.map((source) => ({ source, flags, at: `${folder}/*.yaml` })),
      ...files.flatMap(({ name, sources }) =>
        Object.values(sources)
          .flatMap((group) => Object.values(group))
          .map((source) => ({ source, flags, at: `${folder}/${name}.yaml` })),
      ),
    ];
  });
