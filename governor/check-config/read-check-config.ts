/** One step of the search for check configuration, with all texts known so far (E13). */
import { findCheckConfig, type FoundCheckConfig } from './check-config-files.ts';
import { withCheckConfigFields } from './manifest-fields.ts';

type KnownCheckConfig = Parameters<typeof findCheckConfig>[0];
/** `merged`: manifests of the change with scripts and settings of the base. */
type FoundCheckConfigFiles = FoundCheckConfig & {
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
    const text = withCheckConfigFields(...(known.texts.get(path) ?? [null, null]));
    return text === null ? [] : [[path, text]];
  });
  return { ...found, merged };
};
