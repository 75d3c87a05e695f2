/** Changes with one planted line of any place, size, encoding and file type. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../prove/random.ts';
import type { Files } from './git-world.ts';

/** Changes the workspace; returns bytes that must be visible, or null. */
type Scene = { ws: string; random: Random; evil: string };
export type Plant = (scene: Scene) => Buffer | null;

const raw = (text: string): Buffer => Buffer.from(text, 'latin1');
const numbered = (n: number, text: (i: number) => string, end = '\n'): string =>
  Array.from({ length: n }, (_, i) => text(i) + end).join('');
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

const KEY = [
  ['-----BEGIN', 'RSA', 'PRIVATE', 'KEY-----'].join(' '),
  ['-----END', 'RSA', 'PRIVATE', 'KEY-----'].join(' '),
];
const SMALL = 90;
const small = (i: number): string => `src/part-${i}.js`;

export const BASE: Files = {
  'README.md': 'An app.\n',
  'big.txt': numbered(4_000, (i) => `line ${i} of a long file`),
  ...Object.fromEntries(Array.from({ length: SMALL }, (_, i) => [small(i), `export const n = ${i};\n`])),
  'crlf.txt': numbered(40, (i) => `line ${i}`, '\r\n'),
  'latin1.txt': raw(numbered(40, (i) => `caf\xe9 ${i}`)),
  'utf16.txt': utf16(numbered(40, (i) => `line ${i}`)),
  'cr.txt': numbered(40, (i) => `line ${i}`, '\r'),
  'late-nul.txt': `${numbered(900, (i) => `line ${i}`)}\0\n`,
  'open-end.txt': 'one\ntwo\nthree',
  'long.txt': `${'x'.repeat(60_000)}\n`,
  'longs.txt': numbered(198, (i) => String(i).repeat(1_000).slice(0, 1_000)),
  'keys.txt': `before\n${KEY[0]}\n${numbered(20, () => 'MIIEowIBAAKCAQEA'.repeat(4))}${KEY[1]}\nafter\n`,
  'open-key.txt': `how to write ${KEY[0]}\n${numbered(30, (i) => `line ${i}`)}`,
  'image.bin': raw(numbered(60, (i) => `\0\x89PNG ${i}\xff`)),
  'run.sh': '#!/bin/sh\necho hello\n',
  'empty.txt': '',
  'docs/old name.md': numbered(60, (i) => `text ${i}`),
  'quoted "name".txt': 'one\n',
  'caf\u00e9/\u4e2d\u6587.txt': 'one\n',
  'gone.txt': numbered(30, (i) => `check(${i});`),
};

const at = (ws: string, name: string): string => join(ws, name);
const edit = (ws: string, name: string, change: (bytes: string) => string): void =>
  writeFileSync(at(ws, name), raw(change(readFileSync(at(ws, name), 'latin1'))));

/** Inserts a line into a file with these line endings. */
const into =
  (name: string, end = '\n', say = (evil: string): string => evil): Plant =>
  ({ ws, random, evil }) => {
    const line = say(evil);
    edit(ws, name, (bytes) => {
      const lines = bytes.split(end);
      lines.splice(1 + random.int(Math.max(1, lines.length - 2)), 0, line);
      return lines.join(end);
    });
    return raw(line);
  };

const saying =
  (...lines: readonly string[]): Plant =>
  ({ ws, random, evil }) => {
    const line = random.pick(lines).replaceAll('EVIL', evil);
    edit(ws, 'README.md', (bytes) => `${bytes}${line}\n`);
    return raw(line);
  };
const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

export const PLANTS: Readonly<Record<string, Plant>> = {
  'in the middle of a huge file': into('big.txt'),
  'among hundreds of lines': ({ ws, random, evil }) => {
    edit(ws, 'big.txt', (bytes) => bytes.replaceAll('line', 'row'));
    return into('big.txt')({ ws, random, evil });
  },
  'in one file of ninety': ({ ws, random, evil }) => {
    for (let i = 0; i < SMALL; i += 1) appendFileSync(at(ws, small(i)), `export const m = ${i};\n`);
    return into(small(random.int(SMALL)))({ ws, random, evil });
  },
  'in a file with CRLF': into('crlf.txt', '\r\n'),
  'among line ends that change': ({ ws, random, evil }) => {
    edit(ws, 'crlf.txt', (bytes) => bytes.replaceAll('\r\n', '\n'));
    return into('crlf.txt')({ ws, random, evil });
  },
  'in Latin-1': into('latin1.txt', '\n', (evil) => `caf\xe9 ${evil} \xff`),
  'in UTF-16': ({ ws, random, evil }) => {
    const lines = readFileSync(at(ws, 'utf16.txt'), 'utf16le').split('\n');
    lines.splice(1 + random.int(lines.length - 2), 0, evil);
    writeFileSync(at(ws, 'utf16.txt'), lines.join('\n'), 'utf16le');
    return Buffer.from(evil, 'utf16le');
  },
  'in a new file of UTF-16': ({ ws, evil }) => {
    writeFileSync(at(ws, 'new.txt'), utf16(`one\n${evil}\n`));
    return Buffer.from(evil, 'utf16le');
  },
  'between carriage returns': into('cr.txt', '\r'),
  'after a NUL byte late in a file': ({ ws, evil }) => {
    appendFileSync(at(ws, 'late-nul.txt'), `${evil}\n`);
    return raw(evil);
  },
  'behind a NUL byte': into('README.md', '\n', (evil) => `ok\0${evil}`),
  'in a line without end': ({ ws, random, evil }) => {
    edit(ws, 'long.txt', (bytes) => {
      const place = random.int(bytes.length - 1);
      return bytes.slice(0, place) + evil + bytes.slice(place);
    });
    return raw(evil);
  },
  'in one of 198 long lines': ({ ws, random, evil }) => {
    edit(ws, 'longs.txt', (bytes) => bytes.replaceAll(/^./gm, 'y'));
    return into('longs.txt')({ ws, random, evil });
  },
  'inside a key': into('keys.txt'),
  'after words about a key': into('open-key.txt'),
  'in a binary file': into('image.bin'),
  'in a new binary file': ({ ws, random, evil }) => {
    const noise = Buffer.from(Array.from({ length: 3_000 }, () => random.int(256)));
    writeFileSync(at(ws, 'new.bin'), Buffer.concat([Buffer.alloc(2), noise, raw(evil), noise]));
    return raw(evil);
  },
  'in more than a file holds': ({ ws, random, evil }) => {
    const noise = Buffer.alloc(3_600_000, 0).map(() => random.int(256));
    writeFileSync(at(ws, 'much.bin'), Buffer.concat([Buffer.alloc(2), noise, raw(evil)]));
    return raw(evil);
  },
  'as the last line, which does not end': ({ ws, evil }) => {
    appendFileSync(at(ws, 'open-end.txt'), `\n${evil}`);
    return raw(evil);
  },
  'as an end that is taken away': ({ ws }) => {
    edit(ws, 'README.md', (bytes) => bytes.trimEnd());
    return null;
  },
  'as blanks at the end of a line': ({ ws, random }) => {
    edit(ws, 'big.txt', (bytes) =>
      bytes.replace(`line ${random.int(3_000)} of`, (m) => m).replace(/file$/m, 'file \t '),
    );
    return raw('file \t ');
  },
  'as a line of blanks': ({ ws }) => {
    edit(ws, 'README.md', (bytes) => `${bytes}   \n`);
    return raw('   ');
  },
  'as the name of a file': ({ ws, evil }) => {
    const name = evil.replace(/[/"\\]/g, "'");
    writeFileSync(at(ws, name), 'x\n');
    return raw(name);
  },
  'as the name of an empty file': ({ ws, evil }) => {
    const name = `${evil.replace(/[/"\\]/g, '')} .js`;
    writeFileSync(at(ws, name), '');
    return raw(name);
  },
  'in a file whose name is quoted': into('quoted "name".txt'),
  'in a file with a name of other letters': into('caf\u00e9/\u4e2d\u6587.txt'),
  'as a mode': ({ ws }) => {
    chmodSync(at(ws, 'run.sh'), 0o755);
    return raw('new mode 100755');
  },
  'as a mode with a line': ({ ws, random, evil }) => {
    chmodSync(at(ws, 'run.sh'), 0o755);
    return into('run.sh')({ ws, random, evil });
  },
  'as the target of a link': ({ ws, evil }) => {
    symlinkSync(evil.replaceAll('/', ''), at(ws, 'link'));
    return raw(evil.replaceAll('/', ''));
  },
  'as a link in place of a file': ({ ws }) => {
    rmSync(at(ws, 'run.sh'));
    symlinkSync('README.md', at(ws, 'run.sh'));
    return raw('README.md');
  },
  'as the address of a submodule': ({ ws, evil }) => {
    writeFileSync(at(ws, '.gitmodules'), `[submodule "x"]\n\tpath = x\n\turl = ${evil}\n`);
    return raw(evil);
  },
  'in a file that moves': ({ ws, random, evil }) => {
    renameSync(at(ws, 'docs/old name.md'), at(ws, 'docs/new name.md'));
    return into('docs/new name.md')({ ws, random, evil });
  },
  'as a line that goes away': ({ ws, random }) => {
    const line = `check(${random.int(30)});`;
    edit(ws, 'gone.txt', (bytes) => bytes.replace(`${line}\n`, ''));
    return raw(line);
  },
  'as a file that goes away': ({ ws }) => {
    rmSync(at(ws, 'gone.txt'));
    return raw('-check(29);');
  },
  'as an empty file that is filled': ({ ws, evil }) => {
    writeFileSync(at(ws, 'empty.txt'), evil);
    return raw(evil);
  },
  'in a deep folder': ({ ws, random, evil }) => {
    const folder = Array.from({ length: 12 }, () => random.text(8)).join('/');
    mkdirSync(at(ws, folder), { recursive: true });
    writeFileSync(at(ws, `${folder}/a.js`), `${evil}\n`);
    return raw(evil);
  },
  'as what looks like a patch': saying(
    'diff --git a/EVIL b/EVIL',
    '--- a/EVIL',
    '+++ b/EVIL',
    '@@ -1 +1 @@ EVIL',
    '-- EVIL',
    '\\ No newline at end of file EVIL',
    'Binary files differ EVIL',
  ),
  'as what looks like our signs': saying(
    utf8('\u27e6hidden\u27e7 EVIL'),
    utf8('\u27e641\u27e7 EVIL'),
    utf8('EVIL \u27e6U+0041\u27e7'),
    '[secret] EVIL',
    'EVIL \\u{202e} \\xff',
  ),
  'beside what is not seen': saying(
    ...[
      '\u200b',
      '\u3164',
      '\u2800',
      '\ufe0f',
      '\u034f',
      '\ufffc',
      '\u00ad',
      '\u2028',
      '\u0085',
      '\ufeff',
      '\u{e0041}',
      '\u00a0',
    ].map((c) => utf8(`EVIL${c}//${c}`)),
  ),
  'beside control characters': saying(
    'EVIL\x1b[2K\x1b[1A',
    'EVIL\r# harmless',
    '\x0cEVIL',
    '\x0bEVIL\x08\x08',
    'EVIL\x7f',
  ),
  'in broken UTF-8': saying(
    '\xc0\xafEVIL',
    'EVIL\xe2\x80',
    '\xed\xa0\x80EVIL',
    '\xf5\x80\x80\x80EVIL',
    'EVIL\xfe\xff',
  ),
};

export const summaryOf = (random: Random, evil: string): string =>
  random.pick([
    `Did it.\n\n${'It took a while. '.repeat(random.int(40))}${evil}`,
    `Rounds half up.${' '.repeat(200)}${evil}`,
    `${evil}\r\nDone.`,
    `One\u202e ${evil}`,
    `See [this](https://evil.example/${evil.length}) and ![x](https://evil.example/x.png), fixes #1, @team`,
    '',
  ]);
