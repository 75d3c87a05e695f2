/** G5: whatever an agent makes of its HOME, taking its sign-in back touches nothing outside of it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { exposeSignIn } from '../../executors/engines/shared/expose-sign-in.ts';
import { MB } from '#model/values';
import { ensureRealDirectory } from '../../executors/process/home-files.ts';

const root = mkdtempSync(join(tmpdir(), 'agentpr-sign-in-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const operator = join(root, 'operator');
const home = join(root, 'home');
const authFile = join(operator, 'auth.json');
const place = join(home, '.codex/auth.json');
let seen: string[] = [];
let takeBack: () => void = () => {};
beforeEach(() => {
  for (const dir of [operator, home]) {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir);
  }
  writeFileSync(authFile, 'the sign-in');
  seen = [];
  const own = { authFile, directory: ensureRealDirectory(home, '.codex'), name: 'auth.json' };
  const lent = exposeSignIn(
    own,
    (content) => content,
    (content) => void seen.push(content),
  );
  if (lent === null) throw new Error('it was not lent');
  takeBack = lent;
});

it('G5: what the program renewed is known, and is taken away', () => {
  writeFileSync(place, 'renewed');
  takeBack();
  expect([seen, existsSync(place)]).toEqual([['the sign-in', 'renewed'], false]);
});

it('G5: a folder of the host behind a link in place of ours is neither read nor emptied', () => {
  renameSync(join(home, '.codex'), join(home, 'moved'));
  symlinkSync(operator, join(home, '.codex'));
  writeFileSync(authFile, 'of the operator');
  takeBack();
  expect([seen, readFileSync(authFile, 'utf8')]).toEqual([['the sign-in'], 'of the operator']);
});

it('G5: a file that would fill our memory is removed unread', () => {
  truncateSync(place, 600 * MB);
  takeBack();
  expect([seen, existsSync(place)]).toEqual([['the sign-in'], false]);
});
