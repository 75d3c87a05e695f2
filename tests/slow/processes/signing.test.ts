/** F1: commits that the operator's SSH key signs, with real git; the key is shown to nobody else. */
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSigningKey } from '../../../executors/git/signing-key.ts';
import { createWorkspaces } from '../../../executors/git/workspace/workspace.ts';
import { AT, AUTHOR, createWorld, git, write, type World } from '../../support/git-world.ts';

const probe = (): boolean => {
  try {
    execFileSync('ssh-keygen', ['-?'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
};

describe('which key may be used', () => {
  it('E16: none that others can read, nor one where agents and checks could', () => {
    const dir = mkdtempSync('/tmp/agentpr-key-');
    try {
      const key = join(dir, 'id');
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      expect(checkSigningKey(key, ['/opt/tools'])).toBeNull();
      expect(checkSigningKey(key, [dir])).toMatch(/which agents and checks can read/);
      const box = join(dir, 'box');
      mkdirSync(box);
      symlinkSync(key, join(box, 'link'));
      expect(checkSigningKey(join(box, 'link'), [dir])).toMatch(/agents and checks/);
      chmodSync(key, 0o640);
      expect(checkSigningKey(key, [])).toMatch(/chmod 600/);
      expect(checkSigningKey(join(dir, 'none'), [])).toMatch(/cannot be read/);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it.skipIf(!probe())('F1: only one that signs without a passphrase, as ssh-keygen itself says', () => {
    const dir = mkdtempSync('/tmp/agentpr-key-');
    const signs = (key: string): boolean => {
      const args = ['-Y', 'sign', '-n', 'git', '-f', key];
      const env = { PATH: process.env.PATH, SSH_ASKPASS: '/bin/false', SSH_ASKPASS_REQUIRE: 'force' };
      return spawnSync('ssh-keygen', args, { input: 'x', env }).status === 0;
    };
    try {
      for (const type of [['ed25519'], ['rsa', '-b', '2048'], ['ecdsa'], ['rsa', '-b', '2048', '-m', 'PEM']])
        for (const phrase of ['', 'a phrase']) {
          const key = join(dir, `${type.join('')}-${phrase.length}`);
          execFileSync('ssh-keygen', ['-q', '-t', ...type, '-N', phrase, '-f', key]);
          expect(signs(key), key).toBe(phrase === '');
          expect(checkSigningKey(key, []) === null, key).toBe(phrase === '');
          if (phrase !== '') expect(checkSigningKey(key, [])).toMatch(/has a passphrase.*without one/);
        }
      const alone = join(dir, 'alone');
      copyFileSync(join(dir, 'ed25519-0.pub'), alone);
      chmodSync(alone, 0o600);
      expect([signs(alone), checkSigningKey(alone, [])]).toEqual([
        false,
        expect.stringMatching(/public half.*private one/),
      ]);
      const nothing = join(dir, 'nothing');
      for (const text of [
        '',
        'no key\n',
        '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbg==\n-----END',
        'x'.repeat(70_000),
      ]) {
        writeFileSync(nothing, text, { mode: 0o600 });
        expect([signs(nothing), checkSigningKey(nothing, [])]).toEqual([
          false,
          expect.stringMatching(/holds no private SSH key/),
        ]);
      }
      mkdirSync(join(dir, 'folder'), { mode: 0o700 });
      expect(checkSigningKey(join(dir, 'folder'), [])).toMatch(/holds no private SSH key/);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe.skipIf(!probe())('a signed commit', () => {
  let world: World;
  let key: string;
  beforeAll(async () => {
    world = await createWorld();
    key = join(world.outside, 'id_ed25519');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ana', '-f', key]);
  });
  afterAll(() => world.close());

  const made = async (signingKey: string, runId: string) => {
    const credential = async () => 'tok';
    const workspaces = createWorkspaces({
      dataDir: world.data,
      serverUrl: world.host.origin,
      credential,
      signingKey,
    });
    const repo = world.repo(runId, { 'a.txt': 'one\n' });
    const { sha: base, ws } = await world.prepare(runId, repo);
    write(ws, { 'a.txt': 'two\n' });
    const harvest = await workspaces.harvest({
      runId,
      base,
      parent: base,
      message: 'Change\n',
      author: AUTHOR,
      at: AT,
    });
    if (harvest.kind !== 'commit') throw new Error(harvest.kind);
    const { sha } = harvest.commit;
    return { sha, compared: await workspaces.compare({ runId, repo, base: 'main', head: sha }) };
  };

  it('F1: is verified by git, and the card can say by which key', async () => {
    const { sha, compared } = await made(key, 'signed');
    const [, print = ''] = execFileSync('ssh-keygen', ['-lf', key], { encoding: 'utf8' }).split(' ');
    expect(compared.signer).toBe(print);
    const allowed = join(world.outside, 'allowed');
    const [type, body] = execFileSync('cat', [`${key}.pub`], { encoding: 'utf8' }).split(' ');
    writeFileSync(allowed, `${AUTHOR.email} ${type} ${body}\n`);
    const dir = join(world.data, 'runs', 'signed', 'git');
    git(dir, '-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'verify-commit', sha);
  });

  it('F1: is not made unsigned where the key cannot sign', async () => {
    const bad = join(world.outside, 'bad');
    writeFileSync(bad, 'no key\n', { mode: 0o600 });
    await expect(made(bad, 'unsigned')).rejects.toMatchObject({
      class: 'env_missing',
      message: expect.stringMatching(/could not be signed with .*signing\.sshKey/) as string,
    });
  });
});
