/** Lists encodings of an exposed secret, and the secrets in a sign-in file. Pure. */

/** This many consecutive letters and digits betray a secret. */
export const SECRET_WINDOW_LENGTH = 20;
export const MIN_SECRET_LENGTH = 8;

/** Encodes at every alignment that preceding bytes may cause. */
const encodeAtShifts = (bytes: Buffer, bits: number, alphabet: string): string[] => {
  const shifts = bits === 6 ? 3 : 5;
  return Array.from({ length: shifts }, (_, shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    let text = '';
    for (let from = 0; from + bits <= whole.length * 8; from += bits) {
      if (from < shift * 8) continue;
      const word = ((whole[from >> 3] ?? 0) << 8) | (whole[(from >> 3) + 1] ?? 0);
      text += alphabet[(word >> (16 - bits - (from & 7))) & ((1 << bits) - 1)] ?? '';
    }
    return text;
  });
};
const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const HEX32_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUV';
const UU = String.fromCharCode(...Array.from({ length: 64 }, (_, i) => 32 + i));
const base64 = (bytes: Buffer): string[] => encodeAtShifts(bytes, 6, BASE64_ALPHABET);

/** Alphabets of Adobe, of Git and Python, and of ZeroMQ. */
const BASE85_ALPHABETS = [
  String.fromCharCode(...Array.from({ length: 85 }, (_, i) => 33 + i)),
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~',
  '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#',
];
/** Only whole groups of four bytes are independent of their neighbours. */
const base85 = (bytes: Buffer): string[] =>
  BASE85_ALPHABETS.flatMap((alphabet) =>
    [0, 1, 2, 3].map((skip) => {
      let text = '';
      for (let from = skip; from + 4 <= bytes.length; from += 4) {
        const word = bytes.readUInt32BE(from);
        for (let power = 85 ** 4; power >= 1; power /= 85)
          text += alphabet[Math.floor(word / power) % 85] ?? '';
      }
      return text;
    }),
  );

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const start = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - start + 13) % 26) + start);
  });
const reverseText = (text: string): string => [...text].reverse().join('');

/** The header is equal in all tokens of an issuer. */
const ownParts = (secret: string): string[] => {
  const [, payload, signature] = /^eyJ[\w-]+\.([\w-]+)\.([\w-]+)$/.exec(secret) ?? [];
  if (payload === undefined || signature === undefined) return [secret];
  return [payload.slice(payload.length >> 1), signature];
};

/** Compressed or encrypted secrets cannot be found. */
export const listSecretEncodings = (secret: string): string[] =>
  ownParts(secret).flatMap((part) => {
    const bytes = Buffer.from(part);
    return [
      ...[part, reverseText(part), rot13(part), bytes.toString('hex')],
      ...base64(bytes),
      ...base64(Buffer.from(reverseText(part))),
      ...base64(Buffer.from(part, 'utf16le')),
      ...base64(Buffer.from(bytes.toString('base64'))),
      ...base64(Buffer.from(bytes.toString('hex'))),
      ...encodeAtShifts(bytes, 5, BASE32_ALPHABET),
      ...encodeAtShifts(bytes, 5, HEX32_ALPHABET),
      ...encodeAtShifts(bytes, 6, UU),
      ...base85(bytes),
      Buffer.from(bytes.toString('base64')).toString('hex'),
      reverseText(bytes.toString('base64')),
      reverseText(bytes.toString('hex')),
    ];
  });

/** Each piece alone betrays the secret. */
export const listSecretFragments = (form: string): string[] => {
  const folded = form.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (folded.length < MIN_SECRET_LENGTH) return [];
  const length = Math.min(SECRET_WINDOW_LENGTH, folded.length);
  return Array.from({ length: folded.length - length + 1 }, (_, i) => folded.slice(i, i + length));
};

const SECRET_NAME = /key|token|secret|passw|credential|access|refresh|auth|cookie|session|bearer/i;
const NOT_SECRET_PATTERNS = [
  /^[a-z]+:\/\/[^@]*$/i,
  /^[^\s@]+@[^\s@]+$/,
  /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)$/,
  /\s/,
];
const isPlain = (text: string): boolean => NOT_SECRET_PATTERNS.some((form) => form.test(text));

const secretLeavesOf = (value: unknown, name: string): string[] => {
  if (typeof value === 'string') {
    if (/scope|type|email|expires|last_refresh/i.test(name) || isPlain(value)) return [];
    return value.length >= (SECRET_NAME.test(name) ? MIN_SECRET_LENGTH : 16) ? [value] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    secretLeavesOf(inner, Array.isArray(value) ? name : key),
  );
};

export const readSignInSecrets = (content: string): string[] => {
  try {
    return secretLeavesOf(JSON.parse(content), '');
  } catch {
    const words = content.split(/[\s"'`]+|^[\w.-]+\s*[=:]\s*|(?<=\s)[\w.-]+=/m);
    return words
      .flatMap((word) => [word, word.replace(/^[\w.-]+=/, '')])
      .filter((w) => w.length >= 16 && !isPlain(w));
  }
};
