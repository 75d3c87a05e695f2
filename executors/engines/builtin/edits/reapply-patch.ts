import { applyPatch, type FoundFile } from './apply-patch.ts';
import { parseFileText } from './file-text.ts';

type Files = ReadonlyMap<string, Uint8Array | null>;

const found = (bytes: Uint8Array | null | undefined): FoundFile => {
  if (bytes === null || bytes === undefined) return { kind: 'none' };
  const text = parseFileText(bytes);
  return text === null ? { kind: 'refused', why: 'it is no text in UTF-8' } : { kind: 'text', text };
};

export const reapplyPatch = (patch: string, usual: string | null, files: Files): Files | null => {
  const names = [...files.keys()];
  const fitted = applyPatch(
    patch,
    { root: '/', read: (path) => found(files.get(path)), files: () => names, seen: () => names },
    usual,
  );
  return fitted.kind === 'fits' ? new Map(fitted.writes.map(({ path, bytes }) => [path, bytes])) : null;
};
