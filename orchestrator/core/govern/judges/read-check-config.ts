/** E13: one step of looking for what judges a change, from all texts that are known by now. */
import { findCheckConfig, type FoundCheckConfig } from './check-config-files.ts';
import { withJudging } from './manifest-fields.ts';

export type KnownCheckConfig = Parameters<typeof findCheckConfig>[0];
/** `merged` are manifests of the change with what judges in the base's, by path. */
export type FoundCheckConfigFiles = FoundCheckConfig & {
  merged: readonly (readonly [path: string, text: string])[];
};

export const readCheckConfig = (
  known: KnownCheckConfig,
  onReading: (file: string) => void,
): FoundCheckConfigFiles => {
  const found = findCheckConfig(known, onReading);
  const merged = found.files.flatMap((path): [string, string][] => {
    if (!/(?:^|\/)package\.json$/.test(path)) return [];
    onReading(path);
    const text = withJudging(...(known.texts.get(path) ?? [null, null]));
    return text === null ? [] : [[path, text]];
  });
  return { ...found, merged };
};
