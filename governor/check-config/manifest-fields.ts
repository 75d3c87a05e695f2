/** Takes the scripts and tool settings of a `package.json`, not its dependencies or name (E13). */
import { z } from 'zod';
import { canonicalJson } from '#model/seal';

const ORDINARY: readonly string[] = [
  ...[
    'name',
    'version',
    'description',
    'keywords',
    'author',
    'contributors',
    'license',
    'private',
    'homepage',
  ],
  ...['repository', 'bugs', 'funding', 'files', 'publishConfig', 'sideEffects', 'engines', 'os', 'cpu'],
  ...['main', 'module', 'types', 'typings', 'exports', 'bin', 'man', 'browser', 'type'],
  ...['dependencies', 'devDependencies', 'peerDependencies', 'peerDependenciesMeta', 'optionalDependencies'],
  ...['bundledDependencies', 'bundleDependencies'],
];
const Fields = z.record(z.string(), z.unknown());
type Fields = z.infer<typeof Fields>;

export const parseManifest = (text: string | null): Fields | null => {
  try {
    return text === null ? null : (Fields.safeParse(JSON.parse(text.replace(/^\uFEFF/, ''))).data ?? null);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

export const selectCheckConfigFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !ORDINARY.includes(key)));

/** True also when one side is absent or unreadable. */
export const changesCheckConfig = (before: string | null, after: string | null): boolean => {
  const [a, b] = [parseManifest(before), parseManifest(after)];
  if (a === null || b === null) return before !== after;
  return canonicalJson(selectCheckConfigFields(a)) !== canonicalJson(selectCheckConfigFields(b));
};

/** The new manifest with the old scripts and settings; null when one is unreadable. */
export const withCheckConfigFields = (before: string | null, after: string | null): string | null => {
  const [a, b] = [parseManifest(before), parseManifest(after)];
  if (a === null || b === null) return null;
  const kept = Object.entries(b).filter(([key]) => ORDINARY.includes(key));
  return `${JSON.stringify({ ...Object.fromEntries(kept), ...selectCheckConfigFields(a) }, null, 2)}\n`;
};

export const parseManifestScripts = (text: string | null): ReadonlyMap<string, string> => {
  const scripts = Fields.safeParse(parseManifest(text)?.scripts).data ?? {};
  return new Map(
    Object.entries(scripts).flatMap(([name, command]): [string, string][] =>
      typeof command === 'string' ? [[name, command]] : [],
    ),
  );
};
