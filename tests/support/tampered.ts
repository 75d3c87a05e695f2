/** Every field of a value changed once, texts cut, and values of alike fields swapped. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Tampered = { how: string; value: unknown };

const other = (value: Json): Json => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 'null';
  if (typeof value !== 'string' || value === '') return 'x';
  // In the middle, where each bit of base64 counts.
  const at = Math.floor(value.length / 2);
  return value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1);
};

type Field = { path: string[]; value: Json };
const fieldsOf = (value: Json, path: string[] = []): Field[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => fieldsOf(part, [...path, name]))
    : [{ path, value }];

const withField = (whole: Json, path: readonly string[], put: (value: Json) => Json | undefined): Json => {
  const [name, ...rest] = path;
  if (name === undefined) return put(whole) ?? null;
  const copy = structuredClone(whole) as { [key: string]: Json };
  const changed = rest.length === 0 ? put(copy[name] ?? null) : withField(copy[name] ?? null, rest, put);
  if (changed === undefined) delete copy[name];
  else copy[name] = changed;
  return Array.isArray(copy) ? copy.filter((one) => one !== undefined) : copy;
};

export const listTampered = (whole: unknown): Tampered[] => {
  const json = JSON.parse(JSON.stringify(whole)) as Json;
  const fields = fieldsOf(json);
  const texts = fields.filter(
    (field): field is Field & { value: string } => typeof field.value === 'string' && field.value.length > 4,
  );
  const swaps = texts.flatMap((one, i) =>
    texts
      .slice(i + 1)
      .filter((two) => two.value !== one.value && two.value.length === one.value.length)
      .map((two) => ({ one, two })),
  );
  return [
    ...fields.flatMap(({ path }) => [
      { how: `${path.join('.')} is other`, value: withField(json, path, other) },
      { how: `${path.join('.')} is gone`, value: withField(json, path, () => undefined) },
    ]),
    ...texts.map(({ path, value }) => ({
      how: `${path.join('.')} is cut`,
      value: withField(json, path, () => value.slice(0, -2)),
    })),
    ...swaps.map(({ one, two }) => ({
      how: `${one.path.join('.')} and ${two.path.join('.')} are swapped`,
      value: withField(
        withField(json, one.path, () => two.value),
        two.path,
        () => one.value,
      ),
    })),
  ];
};
