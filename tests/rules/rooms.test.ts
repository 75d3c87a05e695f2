/** Rooms: every folder of the product with code has a README that fits a screen. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PRODUCT_FOLDERS } from './product.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Parts of a room: their room's README speaks of them. */
const PARTS =
  /^(board|bot\/language|executors\/(engines|checks)|db\/sql|discovery|governor|executors\/git\/workspace|model|tools|orchestrator\/kernel\/ports)\/./;
const MOST_LINES = 20;
const MOST_LINES_OF_CODE = 500;

const files = execFileSync('git', ['ls-files', '-z', ...PRODUCT_FOLDERS], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file.endsWith('.ts'));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const rooms = [...new Set(files.map((file) => dirname(file)))].filter((folder) => !PARTS.test(folder));

it('each room has a README of at most 20 lines', () => {
  expect(rooms.length).toBeGreaterThan(20);
  const pages = rooms.map((room) => join(room, 'README.md'));
  expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  expect(pages.filter((page) => read(page).split('\n').length > MOST_LINES + 1)).toEqual([]);
});

it('a file of the product has at most 500 lines', () => {
  expect(files.filter((file) => read(file).split('\n').length > MOST_LINES_OF_CODE + 1)).toEqual([]);
});

it('the README of a room names only files that exist', () => {
  const gone = rooms.flatMap((room) =>
    [...read(join(room, 'README.md')).matchAll(/`([\w./-]+\.ts)`/g)].flatMap(([, file = '']) =>
      existsSync(join(ROOT, room, file)) ? [] : [`${room}: ${file}`],
    ),
  );
  expect(gone).toEqual([]);
});

it('the top of the repository holds what is named here, and nothing that was left lying', () => {
  const top = new Set(
    execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
      .split('\0')
      .filter((file) => file && !file.startsWith('.'))
      .map((file) => file.split('/')[0] ?? ''),
  );
  const settings = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'vitest.config.ts',
  ];
  const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'SECURITY.md'];
  const programs = [
    'build.js',
    'pack.js',
    'prepare.js',
    'release.js',
    'action.yml',
    'compose.yaml',
    'Dockerfile',
  ];
  const folders = [...PRODUCT_FOLDERS, 'action', 'bench', 'deploy', 'docs', 'playground', 'skills', 'tests'];
  const known = new Set([...settings, ...pages, ...programs, ...folders]);
  expect([...top].filter((name) => !known.has(name))).toEqual([]);
});
