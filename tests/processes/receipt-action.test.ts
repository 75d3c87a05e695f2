/** G9: the committed action runs with nothing beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signedPull } from '../support/signed-pull.ts';

const ROOT = join(import.meta.dirname, '../..');
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentpr-action-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('G9: it runs alone in a folder: passes the right pull request, and fails it with another head', async () => {
  const { pull, published } = await signedPull({});
  // As GitHub has it: a folder without packages, whose package.json does not say how files are loaded.
  const program = join(dir, 'verify.mjs');
  copyFileSync(join(ROOT, 'action/verify.js'), program);
  const act = async (sha: string): Promise<string> => {
    const { title, body, base: ref, repo } = pull;
    const of = {
      title,
      body,
      head: { sha },
      base: { ref, repo: { full_name: repo } },
      user: { login: 'ana' },
    };
    const event = join(dir, 'event.json');
    writeFileSync(event, JSON.stringify({ pull_request: of }));
    const env = { GITHUB_EVENT_PATH: event, INPUT_KEYS: JSON.stringify(published) };
    const child = spawn(process.execPath, [program], { env, cwd: dir });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return `${child.exitCode} ${said}`;
  };
  expect(await act(pull.head)).toContain(`0 ✔ approver-`);
  expect(await act('e'.repeat(40))).toMatch(/^1 ::error::.*another commit/);
});
