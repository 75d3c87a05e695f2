/** A secret in every searched encoding, computed independently of the search. */
const hex = (code: number): string => code.toString(16).padStart(2, '0');

/** The leading byte shifts the secret's position. */
const base85 = (bytes: Buffer, alphabet: string): string => {
  const all = Buffer.concat([Buffer.from('x'), bytes]);
  let text = '';
  for (let from = 0; from + 4 <= all.length; from += 4) {
    let word = all.readUInt32BE(from);
    let signs = '';
    for (let i = 0; i < 5; i += 1, word = Math.floor(word / 85)) signs = (alphabet[word % 85] ?? '') + signs;
    text += signs;
  }
  return text;
};
const uuencoded = (all: Buffer): string => {
  const rows: string[] = [];
  for (let from = 0; from < all.length; from += 45) {
    const row = Buffer.concat([all.subarray(from, from + 45), Buffer.alloc(2)]);
    const size = Math.min(45, all.length - from);
    let text = String.fromCharCode(32 + size);
    for (let i = 0; i < size; i += 3) {
      const word = row.readUIntBE(i, 3);
      for (const shift of [18, 12, 6, 0]) text += String.fromCharCode(((word >> shift) & 63 || 64) + 32);
    }
    rows.push(text);
  }
  return rows.join('\n');
};

/** One text per encoding. */
export const secretForms = (key: string): Readonly<Record<string, string | Buffer>> => {
  const bytes = Buffer.from(key);
  const each = (form: (code: number) => string, between = ''): string => [...bytes].map(form).join(between);
  return {
    raw: `const key = "${key}";`,
    'base64, nothing before it': bytes.toString('base64'),
    'base64, shifted by one': Buffer.from(`x${key}yz`).toString('base64'),
    'base64 for addresses, shifted by two': Buffer.from(`xy${key}`).toString('base64url'),
    'base64 over lines': bytes.toString('base64').replace(/.{10}/g, '$&\n'),
    'base64 twice': Buffer.from(bytes.toString('base64')).toString('base64'),
    'base64 of UTF-16': Buffer.from(key, 'utf16le').toString('base64'),
    hex: bytes.toString('hex'),
    'hex in capitals': bytes.toString('hex').toUpperCase(),
    'hex with blanks': each(hex, ' '),
    'an array of hex': each((c) => `0x${hex(c)}`, ', '),
    'an array of numbers': `[${each(String, ', ')}]`,
    'escapes of C': each((c) => `\\x${hex(c)}`),
    'octal escapes': each((c) => `\\${c.toString(8).padStart(3, '0')}`),
    'escapes of JSON': each((c) => `\\u00${hex(c)}`),
    'escapes of JavaScript': each((c) => `\\u{${hex(c)}}`),
    'percent signs': each((c) => `%${hex(c)}`),
    'some percent signs': key.replaceAll(/[-_]/g, (c) => `%${hex(c.charCodeAt(0))}`),
    'percent signs, twice': each((c) => `%25${hex(c)}`),
    'entities of percent signs': each((c) => `&#37;${hex(c)}`),
    'Base85 of Python, behind a byte': base85(
      bytes,
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~',
    ),
    'Base85 of Adobe': base85(bytes, String.fromCharCode(...Array.from({ length: 85 }, (_, i) => 33 + i))),
    uuencode: uuencoded(bytes),
    'quoted-printable': key.replaceAll(/[-_]/g, (c) => `=${hex(c.charCodeAt(0)).toUpperCase()}`),
    entities: each((c) => `&#${c};`),
    reversed: [...key].reverse().join(''),
    'turned by thirteen letters': key.replaceAll(/[a-z]/gi, (c) => {
      const start = c <= 'Z' ? 65 : 97;
      return String.fromCharCode(((c.charCodeAt(0) - start + 13) % 26) + start);
    }),
    'split over lines': key.replaceAll(/.{7}/g, '$&\n'),
    'put together from parts': `"${key.slice(0, 9)}" +\n  '${key.slice(9, 20)}' + "${key.slice(20)}"`,
    'in JSON in JSON': JSON.stringify(JSON.stringify({ key })),
    'with characters that nobody sees': [...key].join('\u200b'),
    'UTF-16': Buffer.from(key, 'utf16le'),
    'half of it': key.slice(14, 42),
  };
};
