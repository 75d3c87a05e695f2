/**
 * E17 on real git: what an agent left in its workspace is found without a commit, and without
 * touching it.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, write, type World } from '../../support/git-world.ts';

const FILES = {
  'a.txt': 'one\n',
  'src/run.sh': 'exit 0\n',
  '.gitignore': 'dist/\n',
  '.claude/settings.json': '{}\n',
};
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const begin = async (id: string) => {
  const { sha, ws } = await world.prepare(id, world.repo(id, FILES));
  const look = (at = sha) => world.workspaces.left({ runId: id, base: sha, sha: at });
  return { sha, ws, look };
};

describe('what is left in a workspace', () => {
  it('E17: is nothing when it is as its commit has it, whatever the repository ignores', async () => {
    const { ws, look } = await begin('same');
    write(ws, { 'dist/out.js': 'x' });
    expect(await look()).toEqual({ files: [], unfit: [] });
  });

  it('E17: is every path that differs, also one whose mode alone does, and stays as it is', async () => {
    const { sha, ws, look } = await begin('edits');
    write(ws, { 'a.txt': 'two\n', 'new dir/ü.txt': 'new\n' });
    chmodSync(join(ws, 'src/run.sh'), 0o755);
    rmSync(join(ws, '.gitignore'));
    expect((await look()).files.sort()).toEqual([
      '+ new dir/ü.txt',
      '- .gitignore',
      '~ a.txt',
      '~ src/run.sh',
    ]);
    expect(readFileSync(join(ws, 'a.txt'), 'utf8')).toBe('two\n');
    const made = await world.harvest('edits', sha);
    if (made.kind !== 'commit') throw new Error(made.kind);
    expect(await look(made.commit.sha)).toEqual({ files: [], unfit: [] });
  });

  it('E17: has back what was set aside for an agent that was killed', async () => {
    const { ws, look } = await begin('aside');
    mkdirSync(`${ws}.aside`);
    renameSync(join(ws, '.claude'), join(`${ws}.aside`, '.claude'));
    write(ws, { 'a.txt': 'half' });
    expect(await look()).toEqual({ files: ['~ a.txt'], unfit: [] });
    expect([existsSync(`${ws}.aside`), existsSync(join(ws, '.claude/settings.json'))]).toEqual([false, true]);
  });

  it('E17: names what no commit can take, and why', async () => {
    const { ws, look } = await begin('unfit');
    writeFileSync(join(world.outside, 'theirs'), 'x');
    linkSync(join(world.outside, 'theirs'), join(ws, 'linked'));
    write(ws, { 'b.txt': 'b' });
    expect(await look()).toMatchObject({
      files: ['+ b.txt'],
      unfit: [{ kind: 'hard_link', path: 'linked' }],
    });
    execFileSync('mkfifo', [join(ws, 'pipe')]);
    expect(await look()).toMatchObject({ files: [], unfit: [{ kind: 'special_file', path: 'pipe' }] });
  });

  it('E17: can be read after a kill in a folder that its agent had locked', async () => {
    const { ws, look } = await begin('locked');
    write(ws, { 'deep/in.txt': 'x' });
    chmodSync(join(ws, 'deep'), 0o000);
    expect(await look()).toEqual({ files: ['+ deep/in.txt'], unfit: [] });
  });
});
