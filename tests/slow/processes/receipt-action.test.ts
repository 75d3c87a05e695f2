/** G9: the committed action is what the sources make. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../..');
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentpr-action-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('G9: the committed file is what `npm run action` writes, and the one that action.yml runs', async () => {
  const { runs, inputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as {
    runs: { using: string; main: string };
    inputs: Record<string, unknown>;
  };
  expect(runs).toEqual({ using: 'node24', main: 'action/verify.js' });
  expect(Object.keys(inputs)).toEqual(['keys', 'approvers', 'authors']);
  const [code] = (await once(spawn('node', ['pack.js', 'action', dir], { cwd: ROOT }), 'close')) as [number];
  expect(code).toBe(0);
  const [made, committed] = [join(dir, 'verify.js'), join(ROOT, runs.main)].map((file) => readFileSync(file));
  expect(committed?.equals(made ?? Buffer.alloc(0)), 'run `npm run action` and commit it').toBe(true);
});
