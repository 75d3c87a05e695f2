/** E1: what a run locked is open to us again, however much there is of it. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restorePermissions } from '../../executors/process/restore-permissions.ts';

let root: string;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'agentpr-open-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ['few', 3],
  ['many', 3_000],
])(
  'E1: of %s entries those that were locked are opened, and nothing else is changed',
  async (what, count) => {
    const [place, outside] = [join(root, what), join(root, `${what}-outside`)];
    const inner = join(place, 'a/b');
    mkdirSync(inner, { recursive: true });
    writeFileSync(outside, 'x');
    for (let i = 0; i < count; i += 1) writeFileSync(join(place, `${i}`), '');
    writeFileSync(join(inner, 'file'), 'x');
    writeFileSync(join(place, 'run.sh'), 'x');
    symlinkSync(outside, join(place, 'link'));
    symlinkSync('/nowhere', join(place, 'broken'));
    chmodSync(join(inner, 'file'), 0o000);
    chmodSync(join(place, 'run.sh'), 0o4711);
    chmodSync(outside, 0o000);
    chmodSync(inner, 0o000);
    chmodSync(join(place, 'a'), 0o055);
    chmodSync(place, 0o500);
    await restorePermissions(place, join(root, 'not-there'));
    const mode = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);
    expect([place, join(place, 'a'), inner, join(inner, 'file')].map(mode)).toEqual([
      '700',
      '755',
      '700',
      '600',
    ]);
    expect([join(place, 'run.sh'), outside].map(mode)).toEqual(['4711', '0']);
  },
);
