/** E1: repositories nested in a workspace, and named pipes in place of files. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, write } from '../../support/git-world.ts';
import { has, unsafe, useVictim } from '../../support/victim.ts';

const victim = useVictim();

describe('E1: nothing that the agent leaves behind is executed', () => {
  it('a repository planted into a submodule; the submodule stays as it was', async () => {
    const sub = join(victim.run.ws, 'vendor/sub');
    git(sub, 'init', '-q');
    appendFileSync(join(sub, '.git/config'), victim.evilConfig());
    write(sub, { 'evil.txt': 'x\n' });
    const harvest = await victim.everyStep();
    expect(harvest.kind).toBe('no_changes');
    expect(has(harvest.kind === 'no_changes' ? harvest.skipped : [], 'nested_repository', 'vendor/sub')).toBe(
      true,
    );
  });

  it('a bare repository laid out as plain files', async () => {
    write(victim.run.ws, {
      HEAD: 'ref: refs/heads/main\n',
      config: victim.evilConfig(),
      'objects/info/x': 'x',
      'refs/heads/x': 'x',
    });
    victim.evilHooks(victim.run.ws);
    expect(victim.committed(await victim.everyStep()).paths).toContain('objects/info/x');
  });
});

describe('E1: nothing outside the workspace is read', () => {
  it.each(['.gitignore', '.gitattributes', 'pipe'])(
    'a named pipe called %s ends the harvest at once',
    async (name) => {
      rmSync(join(victim.run.ws, name), { force: true });
      execFileSync('mkfifo', [join(victim.run.ws, name)]);
      expect(has(unsafe(await victim.harvested()), 'special_file', name)).toBe(true);
    },
  );

  it('a tracked file that became a named pipe, and a socket', async () => {
    rmSync(join(victim.run.ws, 'a.txt'));
    execFileSync('mkfifo', [join(victim.run.ws, 'a.txt')]);
    execFileSync('python3', [
      '-c',
      `import os,socket;os.chdir(${JSON.stringify(victim.run.ws)});socket.socket(socket.AF_UNIX).bind('sock')`,
    ]);
    const findings = unsafe(await victim.harvested());
    expect(has(findings, 'special_file', 'a.txt')).toBe(true);
    expect(has(findings, 'special_file', 'sock')).toBe(true);
  });
});
