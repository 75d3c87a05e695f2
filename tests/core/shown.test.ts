/** F8: what others change of a pull request of ours is told, once and in one message. */
import { describe, expect, it } from 'vitest';
import { changesBetween, mergePullShown, bodyFingerprint, type PullShown } from '#model/pull';
import { toCheckRequirement } from '#model/ci';
import { act, at, notes, proposal, pull, sha, type Act, type Story } from '../support/core.ts';

const BODY = 'What was wrong, and why this mends it.';
const first: PullShown = {
  at: 1_000,
  title: 'Fix rounding',
  bodyDigest: bodyFingerprint(BODY),
  base: 'main',
  draft: false,
  locked: false,
  autoMerge: null,
  labels: ['bug'],
  reviewers: [],
};
const { title: TITLE, body: SIGNED_BODY } = proposal('open_pr', sha('a')).fields;
const shows = (change: Partial<PullShown> = {}, when = 2_000): Act =>
  pull({ shown: { ...first, at: when, ...change } });
const watched = at('REVIEW_WAIT').when(pull({ shown: first }));
const told = ({ effects }: Pick<Story, 'effects'>): string[] => notes(effects);
const news = (change: Partial<PullShown>): string[] => told(watched.when(shows(change)));

describe('a pull request that others change', () => {
  it.each<[string, Partial<PullShown>, string]>([
    ['a title', { title: 'Fix the rounding' }, 'its title is now “Fix the rounding”'],
    ['a base', { base: 'release/2.x' }, 'it now goes into release/2.x'],
    ['a description', { bodyDigest: bodyFingerprint('Other words.') }, 'its description was edited'],
    ['a draft', { draft: true }, 'it is a draft now'],
    ['a lock', { locked: true }, 'its conversation is locked'],
    ['a merge queue', { inMergeQueue: true }, 'it entered the merge queue'],
    ['auto-merge', { autoMerge: 'zoe' }, 'zoe turned auto-merge on'],
    ['labels', { labels: ['size/S'] }, 'labels +size/S, −bug'],
    ['reviewers', { reviewers: ['core', 'mia'] }, 'a review was requested from core, mia'],
  ])('F8: %s: is told', (_, change, words) => {
    expect(news(change)).toEqual([`#7 was changed on the code host: ${words}.`]);
  });

  const repo = { name: 'ana/app', archived: false, private: false };
  it.each<[string, Partial<typeof repo>, string]>([
    ['made private', { private: true }, 'its repository is private now'],
    ['renamed', { name: 'ana/application' }, 'its repository is ana/application now'],
    ['transferred', { name: 'zoe/app' }, 'its repository is zoe/app now'],
  ])('F8: whose repository is %s: is told, and again when that is taken back', (_, change, words) => {
    const known = watched.when(shows({ repo }));
    expect(told(known)).toEqual([]);
    const changed = known.when(shows({ repo: { ...repo, ...change } }));
    expect(told(changed)).toEqual([expect.stringContaining(words)]);
    expect(changed.run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(told(changed.when(shows({ repo: { ...repo, ...change } }, 3_000)))).toEqual([]);
    expect(told(changed.when(shows({ repo }, 3_000)))).toHaveLength(1);
    // Who does not say leaves it as it was.
    expect(told(changed.when(shows({}, 3_000)))).toEqual([]);
  });

  const rules = (guarded: boolean, required: string[], partial = false): Act =>
    act((run) => ({
      type: 'forge.ci.observed',
      sha: run.change.pushedHead?.sha ?? '',
      checks: [],
      awaitsMaintainer: false,
      usesMergeQueue: false,
      required: required.map((name) => toCheckRequirement(name)),
      partial,
      isProtected: guarded,
      polledAt: null,
    }));
  it('F8: whose base branch is protected: is told, with what has to pass', () => {
    const open = watched.when(rules(false, []));
    expect(told(open)).toEqual([]);
    const guarded = open.when(rules(true, ['build']));
    expect(told(guarded)).toEqual([
      '#7 was changed on the code host: the branch it goes into is protected now; what must pass before it may be merged: +build.',
    ]);
    expect(told(guarded.when(rules(true, ['build'])))).toEqual([]);
    // Of a look that may not read all of it nothing is known.
    expect(told(guarded.when(rules(false, [], true)))).toEqual([]);
    expect(told(guarded.when(rules(true, ['lint'])))).toEqual([expect.stringContaining('+lint, −build')]);
    expect(told(guarded.when(rules(false, [])))).toEqual([expect.stringContaining('no longer protected')]);
  });

  it('F8: is told in one message of all that changed, and of the same thing once', () => {
    const change = { title: 'Fix it', draft: true, labels: [] };
    expect(news(change)).toEqual([
      '#7 was changed on the code host: its title is now “Fix it”; it is a draft now; labels −bug.',
    ]);
    const known = watched.when(shows(change));
    expect(told(known.when(shows(change, 3_000)))).toEqual([]);
    expect(told(known.when(shows({}, 4_000)))).toEqual([
      '#7 was changed on the code host: its title is now “Fix rounding”; it is ready for review now; labels +bug.',
    ]);
  });

  it('F8: is told of nothing that comes late, and of nothing that a first look shows as it was signed', () => {
    const known = watched.when(shows({ title: 'Newest' }, 3_000));
    expect(told(known.when(shows({ title: 'Older' }, 2_500)))).toEqual([]);
    expect(known.when(shows({ title: 'Older' }, 2_500)).run.upstream.observed.pull?.metadata?.title).toBe(
      'Newest',
    );
    const asSigned = { title: TITLE, bodyDigest: bodyFingerprint(SIGNED_BODY), labels: [] };
    expect(told(at('REVIEW_WAIT').when(shows({ ...asSigned, locked: true })))).toEqual([]);
  });

  it('S12: is told of what an app changed before the first look, and followed', () => {
    const touched = shows({
      title: `ABC-1: ${TITLE}`,
      draft: true,
      labels: ['size/S'],
      bodyDigest: bodyFingerprint('Theirs.'),
    });
    const story = at('CI_WAIT').when(touched);
    expect(told(story)).toEqual([
      `#7 was changed on the code host: its title is now “ABC-1: ${TITLE}”; its description was edited; it is a draft now; labels +size/S.`,
    ]);
    expect(story.run.lifecycle.state).toBe('CI_WAIT');
    expect(told(story.when(touched))).toEqual([]);
  });

  it('F8: is told of no change once it has ended', () => {
    const merged = watched.when(pull({ merged: true, shown: { ...first, at: 9_000, labels: [] } }));
    expect(merged.run.lifecycle.state).toBe('DONE');
    expect(told(merged)).toEqual([]);
  });

  it.each(['CI_WAIT', 'PAUSED', 'NEEDS_HUMAN_REVIEW', 'ITERATING'] as const)('F8: is told in %s', (state) => {
    const story = at(state);
    if (!story.run.upstream.pullRequest) return;
    expect(told(story.when(pull({ shown: first }), shows({ locked: true })))).toHaveLength(1);
  });
});

describe('what is our own', () => {
  const none = { bodies: [], reviewed: [] };
  const changes = (after: Partial<PullShown>, ours = {}): unknown =>
    changesBetween(first, { ...first, ...after }, { ...none, ...ours });

  it('F8: a description that we gave it is no change, however its lines end', () => {
    const print = bodyFingerprint('New words.\r\n\r\nSecond.\r\n');
    expect(changes({ bodyDigest: print })).toEqual([{ what: 'body' }]);
    expect(changes({ bodyDigest: print }, { bodies: ['New words.\n\nSecond.'] })).toEqual([]);
    expect(changes({ bodyDigest: bodyFingerprint(`${BODY}\n`) })).toEqual([]);
  });

  it('F8: our own edit that a webhook tells of says nothing of the description', () => {
    expect(mergePullShown(first, { ...first, bodyDigest: '' })).toEqual(first);
    expect(changesBetween({ ...first, bodyDigest: '' }, first, none)).toEqual([]);
  });

  it('F8: who gave a review is asked for another one by us', () => {
    expect(changes({ reviewers: ['mia', 'zoe'] }, { reviewed: ['mia'] })).toEqual([
      { what: 'reviewers', added: ['zoe'] },
    ]);
  });

  it('F8: a place in the merge queue lasts until it is told of again', () => {
    const queued = mergePullShown(first, { ...first, inMergeQueue: true });
    expect(mergePullShown(queued, { ...first, at: 5_000 })?.inMergeQueue).toBe(true);
  });
});
