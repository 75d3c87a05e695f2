/** E13 on real git: an export of the change with the base's version of what judges it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, write, type World } from '../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('an export with what judges the change as the base has it', () => {
  it('E13: has changed, removed and added ones as there, one in part, and all else of the change', async () => {
    const files = {
      'check.sh': 'exit 1\n',
      'gone.ini': 'x\n',
      'package.json': '{"scripts":{}}\n',
      'a.txt': 'one\n',
    };
    const repo = world.repo('judged', files, (dir) => {
      chmodSync(join(dir, 'check.sh'), 0o755);
      execFileSync('git', ['add', '-A'], { cwd: dir });
    });
    const { sha, ws } = await world.prepare('j1', repo);
    write(ws, { 'check.sh': 'exit 0\n', 'a.txt': 'two\n', 'ü.config.js': 'new\n', 'package.json': '{}\n' });
    chmodSync(join(ws, 'check.sh'), 0o644);
    rmSync(join(ws, 'gone.ini'));
    const made = await world.harvest('j1', sha);
    if (made.kind !== 'commit') throw new Error(made.kind);
    const paths = ['check.sh', 'gone.ini', 'ü.config.js', 'package.json'];
    const over = { base: sha, paths, texts: { 'package.json': '{"mixed":1}\n' } };
    const place = await world.workspaces.export({ runId: 'j1', sha: made.commit.sha, over });
    await place.renew({ last: true });
    const read = (name: string): string => readFileSync(join(place.dir, name), 'utf8');
    expect([read('check.sh'), read('gone.ini'), read('a.txt')]).toEqual(['exit 1\n', 'x\n', 'two\n']);
    expect(read('package.json')).toBe('{"mixed":1}\n');
    expect(existsSync(join(place.dir, 'ü.config.js'))).toBe(false);
    expect(await place.intact()).toBe(true);
    expect(() => execFileSync('./check.sh', { cwd: place.dir, stdio: 'ignore' })).toThrow();
    await place.remove();
    const plain = await world.workspaces.export({ runId: 'j1', sha: made.commit.sha });
    expect(readFileSync(join(plain.dir, 'check.sh'), 'utf8')).toBe('exit 0\n');
    await plain.remove();
  });
});
