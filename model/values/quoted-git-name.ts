/** Decodes names as git writes them into a patch. */

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** git quotes names with control characters, quotes or backslashes. */
export const unquoteGitName = (name: string): string =>
  /^".*"$/su.test(name)
    ? name
        .slice(1, -1)
        .replace(/\\(?:([0-7]{3})|([^]))/g, (_all: string, octal: string | undefined, sign: string) =>
          octal === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(octal, 8)),
        )
    : name;
