/**
 * P5: who may steer a run by what they write under a pull request: asked of the code host once, and
 * of nobody else.
 */
import { describe, expect, it } from 'vitest';
import { createAccessReader } from '../../forge/author-access.ts';
import type { GitHubClient } from '../../forge/github-client.ts';
import { OutsideFailure } from '#ports/forge';

/** `says` is what the code host calls their permission, or the failure that it answers with. */
const created = (says: string | OutsideFailure) => {
  const asked: unknown[] = [];
  const client = {
    get: async (route: string, where: unknown, shape: { parse(value: unknown): unknown }) => {
      asked.push([route, where]);
      if (says instanceof OutsideFailure) throw says;
      return shape.parse({ permission: says, role_name: 'custom' });
    },
  } as unknown as GitHubClient;
  return { asked, access: createAccessReader(client, { owner: 'ana', repo: 'app' }) };
};

describe('who may steer', () => {
  it('P5: the owner may, and nobody is asked', async () => {
    const { access, asked } = created('read');
    expect(await access('ana', 'OWNER')).toBe('write');
    expect(asked).toEqual([]);
  });

  it.each([
    ...['admin', 'maintain', 'write'].map((may) => [may, 'write']),
    ...['read', 'triage', 'none', '', 'WRITE', 'writer'].map((may) => [may, 'read']),
  ])('P5: a member or collaborator whose permission is “%s” counts as %s', async (may, as) => {
    for (const association of ['MEMBER', 'COLLABORATOR'])
      expect(await created(may ?? '').access('kim', association)).toBe(as);
  });

  it('P5: everybody else reads, whatever their permission, and nobody is asked', async () => {
    for (const association of ['CONTRIBUTOR', 'FIRST_TIMER', 'NONE', 'MANNEQUIN', 'owner', '']) {
      const { access, asked } = created('admin');
      expect(await access('eve', association), association).toBe('read');
      expect(asked).toEqual([]);
    }
  });

  it('P5: of an account that is gone nobody knows, not even where it says owner', async () => {
    const { access, asked } = created('admin');
    for (const association of ['OWNER', 'MEMBER', 'NONE'])
      expect(await access(null, association)).toBe('unknown');
    expect(asked).toEqual([]);
  });

  it('P5: a permission that is hidden is unknown; any other failure is no answer', async () => {
    for (const hidden of ['repository_missing', 'forge_refused'] as const)
      expect(await created(new OutsideFailure(hidden, 'no')).access('kim', 'MEMBER')).toBe('unknown');
    const away = created(new OutsideFailure('forge_unavailable', 'away'));
    await expect(away.access('kim', 'MEMBER')).rejects.toThrow('away');
  });

  it('F1: asks for each of them once, at the repository itself', async () => {
    const { access, asked } = created('write');
    await Promise.all([access('kim', 'MEMBER'), access('kim', 'COLLABORATOR'), access('lee', 'MEMBER')]);
    const route = '/repos/{owner}/{repo}/collaborators/{username}/permission';
    expect(asked).toEqual([
      [route, { owner: 'ana', repo: 'app', username: 'kim' }],
      [route, { owner: 'ana', repo: 'app', username: 'lee' }],
    ]);
  });
});
