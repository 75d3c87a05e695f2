/** Finds secrets, hidden characters and weaker tests in added content (P2, G8). */
import type { Finding } from '#model/change';
import { canonicalJson } from '#model/seal';
import {
  findLookalike,
  findInvisibleCharacter,
  findHiddenCharacterKind,
  findSecretSpans,
} from '#text-safety';
import { type BlobSide } from '../blob-pairs.ts';
import { eachLine, isBinary, decodeEditorText } from '../blob-text.ts';
import { findRemovedTests, findWeakenedTests } from './weakened-tests.ts';

const MAX_LINE = 5000;
const PER_KIND = 5;

type Found = Omit<Finding, 'path'>;

/** Checked per word, because lines can be endless. */
const WORD_PATTERN = /[\p{L}\p{N}\p{M}_]+/gu;
const LATIN = /\p{Script=Latin}/u;
const ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχ\u01c0-\u01c3]/u;
export const hasMixedAlphabets = (text: string): boolean =>
  ALIKE.test(text) && (text.match(WORD_PATTERN) ?? []).some((word) => ALIKE.test(word) && LATIN.test(word));

/** A leading byte order mark and a trailing carriage return are normal. */
const stripLineMarks = (text: string, line: number): string =>
  (line === 1 ? text.replace(/^\ufeff/, '') : text).replace(/\r$/, '');

const findUnseen = (text: string, line: number): Found[] => {
  const plain = stripLineMarks(text, line);
  const found = findInvisibleCharacter(plain);
  if (found !== null) {
    const kind = findHiddenCharacterKind(plain) === 'bidi' ? 'bidi_text' : 'hidden_text';
    return [{ kind, line, note: { kind: 'character', code: found } }];
  }
  return plain.includes('\ufffd') ? [{ kind: 'hidden_text', line, note: { kind: 'not_text' } }] : [];
};

const MAX_SHOWN = 60;
const shortenText = (as: string): string => (as.length > MAX_SHOWN ? `${as.slice(0, MAX_SHOWN)}…` : as);

const inLine = (line: number, text: string): Found[] => {
  const found = findUnseen(text, line);
  if (text.length > MAX_LINE)
    found.push({ kind: 'long_line', line, note: { kind: 'characters', count: text.length } });
  if (hasMixedAlphabets(text)) found.push({ kind: 'mixed_script', line, note: { kind: 'scripts_mixed' } });
  const alike = findLookalike(stripLineMarks(text, line));
  // guard: G8-look-alikes-found
  if (alike !== null)
    found.push({
      kind: 'look_alike',
      line,
      note: { kind: 'reads_as', as: shortenText(alike.as), characters: alike.codes },
    });
  return found;
};

const secretAt = ({ what, sure }: ReturnType<typeof findSecretSpans>[number], line: number): Found => ({
  kind: sure ? 'secret' : 'likely_secret',
  line,
  note: { kind: 'looks_like', secret: what },
});

const LFS = Buffer.from('version https://git-lfs.github.com/spec/');
export const isLfsPointer = (bytes: Uint8Array): boolean => LFS.equals(bytes.subarray(0, LFS.length));

const tallyLines = (text: string): Map<string, number> => {
  const lines = new Map<string, number>();
  eachLine(text, (line) => void lines.set(line, (lines.get(line) ?? 0) + 1));
  return lines;
};

/** Invalid UTF-8 must be compared by bytes, because it decodes to one character. */
const rawLines = (text: string, { bytes }: BlobSide): string[] | null =>
  text.includes('\ufffd') && !isBinary(bytes) ? Buffer.from(bytes).toString('latin1').split('\n') : null;

/** Content that was public before is not reported. */
const findInAddedText = (before: BlobSide | null, after: BlobSide, text: string): Found[] => {
  const found: Found[] = [];
  const raw = rawLines(text, after);
  const old =
    before === null
      ? null
      : raw
        ? Buffer.from(before.bytes).toString('latin1')
        : decodeEditorText(before.bytes);
  const known = old === null ? new Map<string, number>() : tallyLines(old);
  const left = new Map(known);
  const harmless = new Set<string>();
  const places = findSecretSpans(text);
  let next = 0;
  let no = 0;
  eachLine(text, (line, from) => {
    no += 1;
    const key = raw?.[no - 1] ?? line;
    for (; (places[next]?.from ?? Infinity) <= from + line.length; next++) {
      const place = places[next];
      if (place && !known.has(key)) found.push(secretAt(place, no));
    }
    const spare = left.get(key) ?? 0;
    if (spare > 0) left.set(key, spare - 1);
    else if (!harmless.has(line)) {
      const inThis = inLine(no, line);
      if (inThis.length === 0) harmless.add(line);
      found.push(...inThis);
    }
  });
  return found;
};

const findInAddedBytes = (before: BlobSide | null, after: BlobSide): Found[] => {
  const rawTextOf = (side: BlobSide): string => Buffer.from(side.bytes).toString('latin1');
  const old = before === null ? '' : rawTextOf(before);
  const now = rawTextOf(after);
  const found = [now, now.replaceAll('\0', '')].flatMap((text) =>
    findSecretSpans(text)
      .filter(({ sure, from, to }) => sure && !old.includes(text.slice(from, to)))
      .map((place) => secretAt(place, 0)),
  );
  return [...new Map(found.map((f) => [canonicalJson(f.note), f])).values()];
};

const capByKind = (found: readonly Found[], path: string): Finding[] => {
  const kept = new Map<Finding['kind'], Finding[]>();
  for (const one of found) {
    const same = kept.get(one.kind) ?? [];
    kept.set(one.kind, same);
    const last = same.at(-1);
    if (same.length < PER_KIND || last === undefined) same.push({ ...one, path });
    else last.count = (last.count ?? 1) + 1;
  }
  return [...kept.values()].flat();
};

export const contentFindings = (before: BlobSide | null, after: BlobSide | null): Finding[] => {
  const found = findRemovedTests(before, after);
  if (after === null) return found;
  const { path } = after;
  const text = decodeEditorText(after.bytes);
  if (text === null) return [...found, ...capByKind(findInAddedBytes(before, after), path)];
  const old = before === null ? null : decodeEditorText(before.bytes);
  found.push(...findWeakenedTests(before, after));
  if (isLfsPointer(after.bytes) && text !== old)
    found.push({ kind: 'lfs_pointer', path, line: 1, note: { kind: 'stored_elsewhere' } });
  const bytes = isBinary(after.bytes) ? findInAddedBytes(before, after) : [];
  return [...found, ...capByKind([...findInAddedText(before, after, text), ...bytes], path)];
};
