/** Finds secrets, for the policy that stops changes and for hiding (C5, G8): one list of places. */
import { secretNameOf, type SecretName } from '#model/change';
import {
  KEY_BEGINS,
  KEY_BYTES,
  KEY_HEADER,
  LIKELY_SECRET_SHAPES,
  NAMED_SECRET,
  SECRET_SHAPES,
} from './secret-shapes.ts';

/** `sure` stops a change; a likely one needs a signature. */
type FoundSecret = { what: SecretName; sure: boolean };
type SecretSpan = FoundSecret & { from: number; to: number };

/** A pattern may end before its token; Base64 has more characters. */
const restOf = ({ source }: RegExp): string =>
  /\+\/[^\]]{0,5}\]\{\d+\}$/.test(source) ? '[A-Za-z0-9+/_-]*={0,2}' : '[A-Za-z0-9_-]*';
const SECRET_PATTERNS = SECRET_SHAPES.map(({ sure, what, seen }) => ({
  sure,
  what,
  here: new RegExp(`${seen.source}${restOf(seen)}`, 'y'),
}));
/** One combined pattern, because most texts have no secret. */
const ANY = new RegExp(
  `\\b(?:${SECRET_SHAPES.map(({ seen }) => seen.source.replace(/^\\b/, '').replaceAll('?<keep>', '?:')).join('|')})`,
  'g',
);
/** A cheap test before the patterns of likely secrets. */
const LIKELY_SIGNS =
  /:\/\/|bearer|basic|passw|passphrase|pwd|secret|token|credential|key|_auth|\beyJ|\bmachine|\bcurl|sig=|proxy|authorization|cookie|kennwort|contrase|senha|密|口令|令牌|"auth"|"[dk]"/i;

const placeOf = (found: RegExpExecArray, secret: FoundSecret): SecretSpan => {
  const from = found.index + (found.groups?.['keep']?.length ?? 0);
  return { from, to: found.index + found[0].length, ...secret };
};

const placesOf = (text: string, shape: RegExp, made: (found: string) => FoundSecret): SecretSpan[] =>
  [...text.matchAll(shape)].map((found) => placeOf(found, made(found[0])));

const findKnownSecrets = (text: string): SecretSpan[] =>
  [...text.matchAll(ANY)].flatMap(({ index }) =>
    SECRET_PATTERNS.flatMap(({ here, sure, what }) => {
      here.lastIndex = index;
      const found = here.exec(text);
      return found ? [placeOf(found, { what, sure: sure.test(found[0]) })] : [];
    }),
  );

/** A call or member instead of a value: `token = issue2faToken(user)`. */
const isCode = (text: string, { from, to, what }: SecretSpan): boolean =>
  what.noun === NAMED_SECRET.noun &&
  (text[to] === '(' ||
    (!/["'`]/.test(text[from - 1] ?? '') &&
      /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(text.slice(from, to))));

const findLikelySecrets = (text: string): SecretSpan[] =>
  LIKELY_SIGNS.test(text)
    ? LIKELY_SECRET_SHAPES.flatMap(([shape, what]) =>
        placesOf(text, shape, () => ({ what, sure: false })),
      ).filter((place) => !isCode(text, place))
    : [];

/** Longer than any key on one line (characters). */
const MAX_KEY_LINE_LENGTH = 20_000;
const KEY = secretNameOf('private_key');
const keyBegins = (text: string): SecretSpan[] =>
  placesOf(text, KEY_BEGINS, (found) => ({
    what: KEY,
    sure: !/(?:KEY|BLOCK) ?-{4,5}$/.test(found),
  })).map(
    // A quoted PEM header alone is a search string; at a line's end a key follows.
    (place) => ({
      ...place,
      sure:
        place.sure ||
        /^(?:\\{1,4}[nr])?["'`]?[ \t]*(?:[,;][ \t]*)?\r?(?:\n|$)/.test(text.slice(place.to, place.to + 40)),
    }),
  );

/** Where keys begin, and whether the last line of the text still belongs to one. */
const keyBytes = (text: string, firstLines: readonly number[]): { places: SecretSpan[]; isOpen: boolean } => {
  const places: SecretSpan[] = [];
  let isOpen = false;
  for (const first of firstLines) {
    let at = text.indexOf('\n', first) + 1;
    while (at > 0) {
      const end = text.indexOf('\n', at);
      const line = text.slice(at, Math.min(end < 0 ? text.length : end, at + MAX_KEY_LINE_LENGTH));
      const { before, bytes } = KEY_BYTES.exec(line)?.groups ?? {};
      if (bytes !== undefined) {
        const from = at + (before?.length ?? 0);
        places.push({ from, to: from + bytes.length, what: KEY, sure: true });
      } else if (!KEY_HEADER.test(line)) break;
      at = end + 1;
    }
    isOpen ||= at === 0;
  }
  return { places, isOpen };
};

const inLine = (text: string, place: SecretSpan): SecretSpan => {
  const end = text.indexOf('\n', place.from);
  return end < 0 || end >= place.to ? place : { ...place, to: end };
};

/** Sorted and without overlaps; a sure place wins. */
const mergeOverlaps = (places: SecretSpan[]): SecretSpan[] => {
  const out: SecretSpan[] = [];
  for (const place of places.sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = out.at(-1);
    if (last === undefined || place.from >= last.to) out.push({ ...place });
    else {
      last.to = Math.max(last.to, place.to);
      if (place.sure && !last.sure) Object.assign(last, { what: place.what, sure: true });
    }
  }
  return out;
};

const isMark = (text: string, { from }: SecretSpan): boolean => {
  const at = /\[secret(?: \d{1,7})?\]/y;
  at.lastIndex = from;
  return at.test(text);
};

const findKeys = (text: string): { places: SecretSpan[]; isOpen: boolean } => {
  const begins = /---- ?BEGIN/.test(text) ? keyBegins(text) : [];
  const { places, isOpen } = keyBytes(text, [
    ...begins.map(({ to }) => to),
    ...Array.from(text.matchAll(/PuTTY-User-Key-File-[23]:/g), ({ index }) => index),
  ]);
  return { places: [...begins, ...places], isOpen };
};

export const findSecretSpans = (text: string): SecretSpan[] => {
  const all = [...findKnownSecrets(text), ...findKeys(text).places, ...findLikelySecrets(text)];
  return mergeOverlaps(
    all.map((place) => inLine(text, place)).filter((p) => p.to > p.from && !isMark(text, p)),
  );
};

export const findSecrets = (text: string): FoundSecret[] => {
  const kinds = new Map<string, FoundSecret>();
  for (const { what, sure } of findSecretSpans(text)) {
    const name = `${what.noun} ${what.of}`;
    const before = kinds.get(name);
    kinds.set(name, { what, sure: sure || (before?.sure ?? false) });
  }
  return [...kinds.values()];
};

export const KEY_BEGIN = '-----BEGIN PRIVATE KEY-----\n';
/** Tells whether a private key goes on after these whole lines, of which the first may belong to one already. */
export const endsInPrivateKey = (lines: string, { isInKey = false } = {}): boolean =>
  findKeys(isInKey ? KEY_BEGIN + lines : lines).isOpen;
