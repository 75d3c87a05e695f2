/** What `npm publish` would send, installed in an empty folder, plays the demo there. */
import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { makeTemporaryDirectory } from '#process';

const ROOT = join(import.meta.dirname, '../../..');
const Packed = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);
const Played = z.object({
  run: z.object({ lifecycle: z.object({ state: z.string() }) }),
  proof: z.object({ holds: z.boolean() }),
  verdicts: z.record(z.string(), z.boolean()),
});

/** Without the packages of this checkout: whatever Node the machine has, or none but npm's. */
const PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');
const run = async (cwd: string, command: string, args: string[], env = { ...process.env }) =>
  (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 100_000_000 })).stdout;

let place: string;
let packed: z.infer<typeof Packed>[0];
beforeAll(async () => {
  place = join(realpathSync(makeTemporaryDirectory('agentpr-pack-')), 'an empty folder');
  // By it npm knows where to install: without it, one of a folder above would be taken.
  mkdirSync(join(place, 'node_modules'), { recursive: true });
  await run(ROOT, 'npm', ['run', '-s', 'build']);
  [packed] = Packed.parse(
    JSON.parse(await run(ROOT, 'npm', ['pack', './dist', '--json', '--pack-destination', place])),
  );
}, 400_000);
afterAll(() => rmSync(dirname(place), { recursive: true, force: true }));

it('O1: the package holds what runs, its licence and its docs, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      ...['LICENSE', 'README.md', 'package.json', '.env.example', 'cli/agentpr.js', 'bundle/cli/main.js'],
      'npm-shrinkwrap.json',
      ...[
        'bundle/playground/assets/phone.html',
        'bundle/playground/sample/LICENSE',
        'bundle/skills/v2/repo-preflight-contract.md',
        'bundle/skills/v3/report-form.md',
      ],
      ...['bundle/programs/box-tools/main.js', 'bundle/programs/box-forwarder/main.js'],
      'THIRD-PARTY-LICENSES.txt',
      'docs/run-it-for-a-year.md',
    ]),
  );
  const strange = paths.filter(
    (path) =>
      !/^(bundle|docs)\/|^(LICENSE|THIRD-PARTY-LICENSES\.txt|README\.md|(?:package|npm-shrinkwrap)\.json|\.env\.example|cli\/agentpr\.js)$/.test(
        path,
      ) ||
      /(^|\/)(node_modules|tests|bench|\.env)(\/|$)|\.ts$|\.map$|\.tsbuildinfo$|^bundle\/playground\/tests/.test(
        path,
      ),
  );
  expect(strange.filter((path) => !path.startsWith('bundle/playground/sample/'))).toEqual([]);
  expect(packed.size).toBeLessThan(3_500_000);
});

it('O1, O6: `npm install <package>` in an empty folder, then `npx agentpr demo --once`, opens and merges one pull request', async () => {
  const file = join(place, packed.filename);
  await run(place, 'npm', [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel',
    'error',
    file,
  ]);
  const env = { HOME: process.env.HOME, LANG: 'C.UTF-8', PATH };
  const out = await run(place, 'npx', ['--no-install', 'agentpr', 'demo', '--once', '--json'], env);
  const { run: ended, proof, verdicts } = Played.parse(JSON.parse(out));
  expect(ended.lifecycle.state).toBe('DONE');
  expect(proof.holds).toBe(true);
  expect(Object.values(verdicts)).toEqual([true, true, true]);
}, 300_000);
