/** C2: which pictures of a user interface people are shown beside a card. */
import { expect, it } from 'vitest';
import { changedPictureSides, type TreePictures } from '#model/change';
import { readRepositoryFile } from '../../governor/repository-policies.ts';
import { at, validated } from '../support/core.ts';

const kept = (tree: string, files: Record<string, string>): TreePictures => ({
  tree,
  files: new Map(Object.entries(files)),
});

it('C2: what looks the same is left out; what is new or gone has one side', () => {
  const before = kept('B', { 'same.png': '1', 'gone.png': '2', 'page.png': '3' });
  const after = kept('A', { 'same.png': '1', 'new.png': '4', 'page.png': '5' });
  expect(changedPictureSides(before, after)).toEqual([
    { side: 'before', sha: 'B', path: 'gone.png' },
    { side: 'after', sha: 'A', path: 'new.png' },
    { side: 'before', sha: 'B', path: 'page.png' },
    { side: 'after', sha: 'A', path: 'page.png' },
  ]);
  expect(changedPictureSides(null, after).map(({ side }) => side)).toEqual(['after', 'after', 'after']);
});

it('C2: an album never takes more than Telegram does', () => {
  const many = (value: string): TreePictures =>
    kept(value, Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.png`, value])));
  expect(changedPictureSides(many('B'), many('A'))).toHaveLength(10);
});

it('C2: pictures go where the card goes, without a sound, and change nothing about it', () => {
  const checked = at('LOCAL_VALIDATING');
  const sides = [{ side: 'after' as const, sha: 'a'.repeat(40), path: 'page.png' }];
  const withPictures = checked.when((run) => {
    const { input } = validated()(run);
    return { input: { ...input, pictures: sides } as typeof input };
  });
  const plain = checked.when(validated());
  const shows = withPictures.effects.flatMap((e) => (e.do.kind === 'chat_message' ? [e.do] : []));
  expect(shows).toContainEqual({
    kind: 'chat_message',
    slot: null,
    urgent: false,
    sound: false,
    content: { view: 'pictures', sides },
  });
  expect(withPictures.run).toEqual(plain.run);
});

it.each([
  [{ command: 'npm run shots', from: 'shots' }, true],
  [{ command: 'npm run shots', from: '../shots' }, false],
  [{ command: 'npm run shots', from: '' }, false],
  [{ command: 'a\nb', from: 'shots' }, false],
])('C2: a repository names a command and a folder of its own: %j', (pictures, fine) => {
  expect('problem' in readRepositoryFile(JSON.stringify({ pictures }))).toBe(!fine);
});
