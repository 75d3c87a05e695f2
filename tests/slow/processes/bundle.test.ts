/** A checkout runs as a bundle of its sources, whoever builds it and whenever they change. */
import { execFile, type ExecFileException } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PRODUCT_FOLDERS } from '../../rules/product.ts';
import { makeTemporaryDirectory } from '#process';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDERS = [...PRODUCT_FOLDERS, 'skills'];

let place: string;
let dir: string;
const bundles = () => join(dir, 'node_modules/.cache/agentpr/bundles');
const built = (): string[] => readdirSync(bundles()).toSorted();
const agentpr = async (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(dir, 'cli/agentpr.js'), ...args], { cwd: '/' });

beforeAll(() => {
  // A blank and letters beyond ASCII, as in the names of people's folders.
  place = makeTemporaryDirectory('agentpr-bundle-');
  dir = join(place, 'Ana’s 项目');
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(dir, folder), { recursive: true });
  cpSync(join(ROOT, 'playground'), join(dir, 'playground'), {
    recursive: true,
    filter: (path) => !path.includes('playground/tests') && !path.includes('playground/node_modules'),
  });
  for (const file of ['build.js', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, file), join(dir, file));
  mkdirSync(join(dir, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((one) => one !== '.cache'))
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));
beforeEach(() => rmSync(bundles(), { recursive: true, force: true }));

describe('a bundle of the checkout', () => {
  it('O1: is built by the first start and taken by the next ones', async () => {
    expect((await agentpr('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const first = built();
    expect(first).toHaveLength(1);
    await agentpr('--version');
    expect(built()).toEqual(first);
  });

  it('O1: is built anew when a source changes', async () => {
    const file = join(dir, 'cli/package-version.ts');
    const source = readFileSync(file, 'utf8');
    await agentpr('--version');
    writeFileSync(file, source.replace('.version;', ".version + '-changed';"));
    try {
      expect((await agentpr('--version')).stdout).toMatch(/-changed\n$/);
      expect(built()).toHaveLength(2);
    } finally {
      writeFileSync(file, source);
    }
  });

  it('O1: is one, where several processes start at once', async () => {
    const said = await Promise.all([1, 2, 3].map(() => agentpr('--version')));
    expect(new Set(said.map(({ stdout }) => stdout)).size).toBe(1);
    expect(built()).toHaveLength(1);
  });

  it('O1: is left out where none can be built: the sources run', async () => {
    // A file where the folder of bundles would be: nobody, not even root, can make it.
    mkdirSync(join(dir, 'node_modules/.cache/agentpr'), { recursive: true });
    writeFileSync(bundles(), '');
    expect((await agentpr('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('O1: gives the same exit codes and words as the sources', async () => {
    const failed = async (): Promise<ExecFileException & { stderr: string }> =>
      agentpr('run', 'show').then(
        () => Promise.reject(new Error('it did not fail')),
        (error: unknown) => error as ExecFileException & { stderr: string },
      );
    const bundled = await failed();
    rmSync(bundles(), { recursive: true, force: true });
    writeFileSync(bundles(), '');
    const { code, stderr } = await failed();
    expect({ code: bundled.code, stderr: bundled.stderr }).toEqual({ code, stderr });
  });
});
