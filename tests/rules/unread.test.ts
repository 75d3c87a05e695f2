/** Sentences, settings and fixtures that nobody reads any more are named, as exports are. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { expect, it } from 'vitest';
import { FileSettings } from '../../app/settings-schema.ts';
import { listKnownKeys } from '../../model/settings/schema-keys.ts';
import { PRODUCT_FOLDERS, ROOT } from './product.ts';

const textsOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT })
    .filter((file) => !/sentence-tree\.ts$|(?:^|\/)(?:node_modules|fixtures)\//.test(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
const product = textsOf(`{${[...PRODUCT_FOLDERS, 'playground'].join(',')}}/**/*.ts`);

/** Names in code, and parts of quoted ones: `command.run.create` is said as `command_run_create` or `run_create`. */
const namesIn = (text: string): string[] => [
  ...(text.match(/[A-Za-z_$][\w$]*/g) ?? []),
  ...[...text.matchAll(/'([a-z]\w*(?:[.-]\w+)+)'/gi)].flatMap(([, quoted = '']) => {
    const whole = quoted.replace(/[.-]/g, '_');
    return [whole, whole.slice(whole.indexOf('_') + 1)];
  }),
];

/** Beginnings of names that code completes: `github_${state}`. */
const beginningsIn = (text: string): string[] =>
  [...text.matchAll(/`([a-z]\w*_)\$\{/g)].map(([, begins = '']) => begins);

/** Each part of a sentence's name has to occur, where no other sentence says it. */
const findUnread = (catalogue: string, code: readonly string[]): string[] => {
  const known = new Set(code.flatMap(namesIn));
  const beginnings = [...new Set(code.flatMap(beginningsIn))];
  const isKnown = (part: string): boolean =>
    known.has(part) || /^\d+$/.test(part) || beginnings.some((begins) => part.startsWith(begins));
  const said = new Set([...catalogue.matchAll(/\{ ([A-Za-z][\w-]*) \}/g)].map(([, name]) => name));
  return [...catalogue.matchAll(/^([A-Za-z][\w-]*) *=/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !said.has(name) && !name.split('-').every(isKnown));
};

it('finds a sentence that nobody says', () => {
  const catalogue =
    'card-size = a\ncard-inAll = b\ncard-host_away = f\nkinds-run_create = c\ncard-part = d\ncard-whole = { card-part }\n';
  const code = [
    "say(words.card.size, words.card.whole, 'command.run.create', words.kinds, words.card[`host_${state}`])",
  ];
  expect(findUnread(catalogue, code)).toEqual(['card-inAll']);
});

it('C1: each sentence is said somewhere', () => {
  const english = readFileSync(join(ROOT, 'bot/sentences/en.ftl'), 'utf8');
  expect(english.match(/^[A-Za-z][\w-]* *=/gm)?.length).toBeGreaterThan(3_000);
  expect(findUnread(english, product)).toEqual([]);
});

const keysBelow = (path: readonly string[]): string[] =>
  path.length > 6
    ? []
    : listKnownKeys(FileSettings, path).flatMap((key) => [key, ...keysBelow([...path, key])]);
/** A key stands in its schema as `key: z.string()` or `key: Schema`; anything else reads it. */
const SCHEMA_KEY = /(?<![\w$.-])['"]?[\w$]+['"]?: *(?=z\.|[A-Z]\w*[.(,])/g;
const COMMENT_LINE = /^\s*(?:\/\*\*|\*|\/\/).*$/gm;
const keysRead = (code: readonly string[]): ReadonlySet<string> =>
  new Set(
    code.flatMap((text) => {
      const read = text.replace(COMMENT_LINE, '').replace(SCHEMA_KEY, '');
      const quoted = [...read.matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].map(([, name = '']) => name);
      return [...quoted, ...(read.match(/[A-Za-z_$][\w$]*/g) ?? [])];
    }),
  );

it('finds a setting that nobody reads', () => {
  const read = keysRead([
    'const Schema = z.strictObject({ limit: z.int(), place: Place.optional() });',
    'file.limit',
  ]);
  expect(['limit', 'place'].filter((key) => !read.has(key))).toEqual(['place']);
});

it('each setting is read somewhere', () => {
  const keys = new Set(keysBelow([]));
  expect(keys.size).toBeGreaterThan(100);
  const read = keysRead(product);
  expect([...keys].filter((key) => !read.has(key))).toEqual([]);
});

it('each fixture is named, or the folder that holds it', () => {
  const readers = textsOf('{tests,bench,playground,app,cli,db}/**/*.{ts,js,json}');
  const named = new Set(readers.flatMap((text) => text.match(/[\w.+@-]+(?=['`/])/g) ?? []));
  const fixtures = globSync('tests/fixtures/**/*.*', { cwd: ROOT });
  expect(fixtures.length).toBeGreaterThan(100);
  const unread = fixtures.filter((file) => {
    const folders = dirname(file).split('/').slice(2);
    return ![basename(file), basename(file, extname(file)), ...folders].some((name) => named.has(name));
  });
  expect(unread).toEqual([]);
});
