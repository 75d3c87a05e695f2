/** L7: workers that start at the same moment make the same directories. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertLedgerExists } from '../../db/data-directory-paths.ts';
import { checkStoredLedger } from '../../db/directory/open-ledger.ts';
import { makeDirectory } from '../../db/directory/make-directory.ts';

const MAKE = new URL('../../db/directory/make-directory.ts', import.meta.url).href;
const PLACES = 400;

it('L7: several programs make the same directories at once, and none of them ends for it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-made-'));
  // Each says that it is there and waits for all, so that they begin together.
  const code = `import { makeDirectory } from ${JSON.stringify(MAKE)};
    process.stdout.write('there');
    process.stdin.once('data', () => {
      for (let i = 0; i < ${PLACES}; i += 1) makeDirectory(${JSON.stringify(dir)} + '/' + i + '/workers');
      process.exit(0);
    });`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'pipe' }),
  );
  const said = children.map(({ stderr }) => stderr.setEncoding('utf8').toArray());
  const ended = children.map((child) => once(child, 'close'));
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
  for (const { stdin } of children) stdin.write('go');
  expect((await Promise.all(said)).flat().join('')).toBe('');
  expect((await Promise.all(ended)).map(([exitCode]: unknown[]) => exitCode)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(dir)).toHaveLength(PLACES);
  expect(statSync(join(dir, '0', 'workers')).mode & 0o777).toBe(0o700);
});

it('a file in its place is said', () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-made-'));
  writeFileSync(join(dir, 'data'), '');
  expect(() => makeDirectory(join(dir, 'data', 'workers'))).toThrow(/cannot be made \(.*\)\. Choose one/);
});

it('O2: a directory that cannot be looked into is not called one without a ledger', () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'agentpr-made-')), 'loop');
  symlinkSync(dir, dir);
  expect(() => assertLedgerExists(dir)).toThrow(/ELOOP/);
  expect(checkStoredLedger(dir)?.message).toMatch(/ELOOP/);
});
