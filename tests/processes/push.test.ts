/**
 * Pushing: what arrives, what is refused and why, what a lost answer means, and where the token is
 * not.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanGitOutput } from '../../executors/git/git-failure.ts';
import { readRejection } from '../../executors/git/code-host-remote.ts';
import type { PushOutcome, RepoRef } from '#ports/workspaces';
import { createWorld, everything, git, TOKEN, write, type World } from '../support/git-world.ts';

let world: World;
let repo: RepoRef;
let base: string;
let sha: string;
let ws: string;

beforeAll(async () => {
  world = await createWorld();
  repo = world.repo('target', { 'a.txt': 'one\n' });
  ({ sha: base, ws } = await world.prepare('p1', repo));
  sha = await change('two\n');
});
afterAll(() => world.close());
beforeEach(() => {
  Object.assign(world.host.fate, { token: TOKEN, status: null, dropAfterPush: false, redirect: null });
});
afterEach(() => hook('update', 'exit 0'));

const change = async (text: string, parent = base): Promise<string> => {
  write(ws, { 'a.txt': text });
  const harvest = await world.harvest('p1', base, parent);
  if (harvest.kind !== 'commit') throw new Error(harvest.kind);
  return harvest.commit.sha;
};
const push = (branch: string, expected: string | null = null, what = sha): Promise<PushOutcome> =>
  world.workspaces.push({ runId: 'p1', repo, sha: what, branch, expect: expected });
const remote = (branch: string) => world.workspaces.remoteHead({ runId: 'p1', repo, branch });
const hook = (name: string, script: string): void => {
  const dir = join(world.bare(repo), 'hooks');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dir, name), 0o755);
};
const pushes = (): number => world.host.requests.filter((r) => /^POST .*receive-pack/.test(r)).length;
const failing = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('E14: a push is read back and equals ours', () => {
  it('arrives with its objects, on a branch that did not exist', async () => {
    expect(await remote('new')).toBeNull();
    expect(await push('new')).toEqual({ kind: 'pushed', branch: 'new', sha });
    expect(git(world.bare(repo), 'rev-parse', 'new')).toBe(sha);
    expect(git(world.bare(repo), 'fsck', '--full', '--no-dangling')).toBe('');
    expect(await remote('new')).toBe(sha);
  });

  it('is taken away again only as long as it is where we left it', async () => {
    const remove = (branch: string): Promise<void> =>
      world.workspaces.removeRemote({ runId: 'p1', repo, branch, sha });
    await push('over');
    await remove('over');
    expect(await remote('over')).toBeNull();
    git(world.bare(repo), 'branch', 'moved', base);
    await remove('moved');
    await remove('never-there');
    expect(await remote('moved')).toBe(base);
  });

  it('is a success without another push when the branch is already there', async () => {
    await push('again');
    const before = pushes();
    expect(await push('again')).toMatchObject({ kind: 'pushed' });
    expect(await push('again', 'f'.repeat(40))).toMatchObject({ kind: 'pushed' });
    expect(pushes()).toBe(before);
  });

  it('does not overwrite a branch that must not exist, or that moved meanwhile', async () => {
    git(world.bare(repo), 'branch', 'theirs', base);
    expect(await push('theirs')).toMatchObject({ kind: 'rejected', because: 'stale' });
    await push('ours');
    const next = await change('three\n', sha);
    git(world.bare(repo), 'branch', '-f', 'ours', base);
    expect(await push('ours', sha, next)).toMatchObject({ kind: 'rejected', because: 'stale' });
    expect(await remote('ours')).toBe(base);
    expect(await push('ours', base, next)).toMatchObject({ kind: 'pushed', sha: next });
  });

  it('is built upon when the workspace is made anew', async () => {
    await push('anew');
    await world.prepare('p1', repo);
    const next = await change('anew\n', sha);
    expect(await push('anew', sha, next)).toMatchObject({ kind: 'pushed', sha: next });
    expect(git(world.bare(repo), 'rev-parse', 'anew~1')).toBe(sha);
  });

  it('succeeds when the push arrived and its answer was lost', async () => {
    world.host.fate.dropAfterPush = true;
    expect(await push('lost')).toMatchObject({ kind: 'pushed' });
    expect(git(world.bare(repo), 'rev-parse', 'lost')).toBe(sha);
  });

  it('shows what the code host has made of it, to whoever reads it back', async () => {
    hook('post-receive', `git update-ref refs/heads/twisted ${base}`);
    expect(await push('twisted')).toMatchObject({ kind: 'pushed' });
    expect(await remote('twisted')).toBe(base);
    hook('post-receive', 'exit 0');
  });
});

describe('E14: a refusal says why', () => {
  it('the name of the branch, in the words of the server', async () => {
    hook(
      'update',
      `case "$1" in refs/heads/fix/*) exit 0;; *) echo "Branch name must match fix/*" >&2; exit 1;; esac`,
    );
    const outcome = await push('topic');
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'name' });
    expect(outcome.kind === 'rejected' && outcome.reason).toContain('Branch name must match fix/*');
    expect(await push('fix/topic')).toMatchObject({ kind: 'pushed' });
  });

  it('a name that clashes with a branch that is a folder, and names that git does not allow', async () => {
    git(world.bare(repo), 'branch', 'folder', base);
    expect(await push('folder/inside')).toMatchObject({ kind: 'rejected', because: 'name' });
    for (const name of ['', '-x', 'a..b', 'a b', 'x.lock', '@', 'a/', 'refs/heads/a', 'a:b', 'a\n'])
      expect(await push(name)).toMatchObject({ kind: 'rejected', because: 'name' });
  });

  it('anything else, without control characters', async () => {
    hook('update', `printf 'no \\033[31mred\\033[0m pushes on Fridays\\007\\n' >&2; exit 1`);
    const outcome = await push('friday');
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'other' });
    expect(outcome.kind === 'rejected' && outcome.reason).toMatch(/no red pushes on Fridays/);
  });

  it('a credential that may read but not push', async () => {
    world.host.fate.status = { code: 403, path: /receive-pack/ };
    expect(await push('forbidden')).toMatchObject({ kind: 'rejected', because: 'closed' });
    world.host.fate.status = { code: 401, path: /receive-pack/ };
    expect(await push('unknown')).toMatchObject({ kind: 'rejected', because: 'auth' });
  });

  it('a repository that was archived meanwhile', () => {
    const says =
      'remote: This repository was archived so it is read-only.\nfatal: unable to access: The requested URL returned error: 403';
    expect(readRejection('', says)).toMatchObject({ kind: 'rejected', because: 'archived' });
  });

  it('an outage is not a refusal', async () => {
    world.host.fate.status = { code: 502, path: /receive-pack/ };
    expect(await failing(push('outage'))).toMatchObject({ class: 'forge_unavailable' });
    world.host.fate.status = { code: 502, path: /./ };
    expect(await failing(push('outage'))).toMatchObject({ class: 'forge_unavailable' });
    expect(await failing(remote('outage'))).toMatchObject({ class: 'forge_unavailable' });
  });

  it('reads what GitHub says of rules, protection and tokens', () => {
    const said = (reason: string, ...words: string[]) =>
      readRejection(
        `To x\n!\tabc:refs/heads/b\t[remote rejected] (${reason})\nDone\n`,
        words.map((w) => `remote: ${w}`).join('\n'),
      )?.because;
    const rule = 'error: GH013: Repository rule violations found for refs/heads/b.';
    expect(
      said(
        'push declined due to repository rule violations',
        rule,
        '- Cannot create ref due to creations being restricted.',
      ),
    ).toBe('name');
    expect(
      said(
        'push declined due to repository rule violations',
        rule,
        '- Branch name must match a given regex pattern: ^fix/',
      ),
    ).toBe('name');
    expect(
      said('push declined due to repository rule violations', rule, '- Push cannot contain secrets'),
    ).toBe('other');
    expect(
      said(
        'push declined due to repository rule violations',
        rule,
        '- Commit message must match a given pattern',
      ),
    ).toBe('other');
    expect(said('protected branch hook declined', 'error: GH006: Protected branch update failed')).toBe(
      'other',
    );
    expect(
      said(
        'refusing to allow a Personal Access Token to create or update workflow `.github/workflows/ci.yml` without `workflow` scope',
      ),
    ).toBe('auth');
    expect(cleanGitOutput('fatal: unable to access https://user:pw@host/x.git\nhint: no\n')).toBe(
      'fatal: unable to access (address)',
    );
    expect(cleanGitOutput("fatal: unable to access 'https://host/x.git/': Failed to connect")).toBe(
      'fatal: unable to access (address) Failed to connect',
    );
  });
});

describe('G5: the token', () => {
  /** Arguments and environments of all processes that can be seen, as text. */
  const processes = (): string =>
    readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .flatMap((pid) =>
        ['cmdline', 'environ'].map((file) => {
          try {
            return readFileSync(`/proc/${pid}/${file}`, 'latin1');
          } catch {
            return '';
          }
        }),
      )
      .join('\n');

  it('G5: is in no argument, environment or file during and after a push', async () => {
    const gate = join(world.dir, 'gate');
    execFileSync('mkfifo', [gate]);
    // Both ends wait here: the hook opens for reading, the test for writing, so that the push is
    // surely under way.
    hook('pre-receive', `read _ < '${gate}'`);
    const pushing = push('slow');
    const seen: string[] = [];
    const { open } = await import('node:fs/promises');
    const opened = open(gate, 'w');
    let waiting = true;
    void opened.then(() => (waiting = false));
    while (waiting) {
      seen.push(processes());
      await new Promise((resolve) => setImmediate(resolve));
    }
    seen.push(processes());
    const file = await opened;
    await file.write('go\n');
    await file.close();
    expect(await pushing).toMatchObject({ kind: 'pushed' });
    hook('pre-receive', 'exit 0');
    expect(seen.some((text) => text.includes('git-remote-http') || text.includes('remote-http'))).toBe(true);
    expect(seen.filter((text) => text.includes(TOKEN))).toEqual([]);
    const encoded = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
    for (const entry of everything(world.data))
      if (entry.file) {
        const text = readFileSync(entry.path, 'latin1');
        expect(text.includes(TOKEN) || text.includes(encoded), entry.path).toBe(false);
      }
  });
});

describe('comparing with the base of today', () => {
  const compare = (head: string) => world.workspaces.compare({ runId: 'p1', repo, base: 'main', head });

  it('G2: finds where the change starts from, and whether it conflicts, after the base moved', async () => {
    const tree = git(join(world.data, 'runs/p1/git'), 'rev-parse', `${sha}^{tree}`);
    const same = { mergeBase: base, tree, author: 'Ana <ana@example.org>' };
    const { diff } = await compare(sha);
    expect(diff).toMatch(/^[0-9a-f]{64}$/);
    expect(await compare(sha)).toEqual({ ...same, tip: base, diff, conflicts: false });
    const apart = world.advance(repo, { 'other.txt': 'x\n' });
    expect(await compare(sha)).toEqual({ ...same, tip: apart, diff, conflicts: false });
    const against = world.advance(repo, { 'a.txt': 'theirs\n' });
    expect(await compare(sha)).toEqual({ ...same, tip: against, diff, conflicts: true });
  });
});
