/** E13: one step of looking for what judges a change, from all texts that are known by now. */
import { findJudges, type Judging } from './find.ts';
import { withJudging } from './manifest.ts';

export type JudgesKnown = Parameters<typeof findJudges>[0];
/** `merged` are manifests of the change with what judges in the base's, by path. */
export type FoundJudges = Judging & { merged: readonly (readonly [path: string, text: string])[] };

export const readJudges = (known: JudgesKnown, onReading: (file: string) => void): FoundJudges => {
  const found = findJudges(known, onReading);
  const merged = found.files.flatMap((path): [string, string][] => {
    if (!/(?:^|\/)package\.json$/.test(path)) return [];
    onReading(path);
    const text = withJudging(...(known.texts.get(path) ?? [null, null]));
    return text === null ? [] : [[path, text]];
  });
  return { ...found, merged };
};
