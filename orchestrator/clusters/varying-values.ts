/** Replaces what is one repository's own (name, owner, run, variables) by marks. */

/** `⟪mark⟫` stands for `value` in text shown for several repositories. */
export type VaryingValue = { mark: string; value: string };

/** Shorter values occur in any change by chance (characters). */
const MIN_VARYING_LENGTH = 3;
const VARYING_MARK = /^[A-Za-z][A-Za-z0-9_-]{0,30}$/;

/** `declared` are the campaign's variables of this repository. */
export const varyingValuesOf = (
  { id, repo }: { id: string; repo: string },
  declared: Readonly<Record<string, string>> = {},
): VaryingValue[] => {
  const at = repo.lastIndexOf('/');
  const [owner, name] = [repo.slice(0, Math.max(0, at)), repo.slice(at + 1)];
  const all: VaryingValue[] = [
    { mark: 'repository', value: repo },
    { mark: 'name', value: name },
    { mark: 'owner', value: owner },
    { mark: 'name_', value: name.replace(/[-.]/g, '_') },
    { mark: 'run', value: id },
    ...Object.entries(declared)
      .filter(([key]) => VARYING_MARK.test(key))
      .map(([key, value]) => ({ mark: `$${key}`, value })),
  ];
  const known = new Set<string>();
  return all.filter(({ value }) => {
    const fits = value.length >= MIN_VARYING_LENGTH && !/[⟪⟫\n]/.test(value) && !known.has(value);
    known.add(value);
    return fits;
  });
};

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** A name inside a longer word is another word. */
const WORD = '[\\p{L}\\p{M}\\p{N}_]';

/** Lossless: putting the values back gives the same text. */
export const abstractVaryingValues = (text: string, varying: readonly VaryingValue[]): string => {
  const byValue = new Map(varying.map(({ mark, value }) => [value, mark]));
  const values = [...byValue.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp);
  const own = values.length === 0 ? '' : `|(?<!${WORD})(?:${values.join('|')})(?!${WORD})`;
  // guard: G8-written-mark
  return text.replace(new RegExp(`⟪${own}`, 'gu'), (found) =>
    found === '⟪' ? '⟪⟪' : `⟪${byValue.get(found) ?? ''}⟫`,
  );
};

/** The text of one repository: its values where the marks stand. */
export const fillVaryingValues = (text: string, varying: readonly VaryingValue[]): string => {
  const byMark = new Map(varying.map(({ mark, value }) => [mark, value]));
  return text.replace(/⟪(?:⟪|([^⟪⟫]*)⟫)/gu, (found, mark?: string) =>
    mark === undefined ? '⟪' : (byMark.get(mark) ?? found),
  );
};
