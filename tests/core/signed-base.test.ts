/** G8: a base that takes only signed commits is known before anything is pushed. */
import { describe, expect, it } from 'vitest';
import { baseChecked, discovered, given, retry, startDiscovery, at } from '../support/core.ts';

describe('a base that takes only signed commits', () => {
  it('G8: is known from when the repository is read, before an agent works', () => {
    const story = given({}, startDiscovery, discovered({ wantsSigned: true }), baseChecked());
    expect(story.run).toMatchObject({
      target: { requiresSignedCommits: true },
      change: { pushedHead: null, commit: null },
    });
  });

  it('G8: is asked about anew when the repository is read again', () => {
    const wanted = at('DISCOVERY').when(discovered({ wantsSigned: true, banned: true }));
    expect(wanted.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      target: { requiresSignedCommits: true },
    });
    expect(wanted.when(retry('DISCOVERY'), discovered()).run.target.requiresSignedCommits).toBe(false);
  });
});
