/** F7: commits of what reviewers suggest, with real git, and no workspace touched. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLinesInsteadOfSuggestion } from '../../../orchestrator/kernel/reviews/compare-suggestion.io.ts';
import type { Run } from '#run';
import { ENGLISH_WORDING } from '#language';
import type { TriageItem } from '#model/review';
import type { SuggestedEdit } from '#model/change';
import { AT, AUTHOR, createWorld, git, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const FILES = { 'a.txt': 'one\ntwo\n', 'dos.txt': 'one\r\ntwo\r\n', 'bin.dat': 'a\0b\n', 'dir/ü.txt': 'ü\n' };
let runs = 0;
const suggested = async (...edits: SuggestedEdit[]) => {
  runs += 1;
  const runId = `suggest${runs}`;
  const { sha: base, ws } = await world.prepare(runId, world.repo(runId, FILES));
  const message = () => 'Address the review\n\nCo-authored-by: mia <7+mia@users.example>';
  const commit = await world.workspaces.suggest({
    runId,
    base,
    parent: base,
    edits,
    message,
    author: AUTHOR,
    at: AT,
  });
  const show = (what: string): string => git(join(world.data, 'runs', runId, 'git'), 'show', what);
  return { commit, base, ws, show };
};
const edit = (path: string, line: number, ...lines: string[]): SuggestedEdit => ({
  path,
  from: line,
  to: line,
  lines,
});

it('F7: is a commit on top with exactly these lines, its author named, and the workspace as it was', async () => {
  const { commit, base, ws, show } = await suggested(edit('a.txt', 2, 'TWO'), edit('dir/ü.txt', 1, 'Ü'));
  if (!commit) throw new Error('nothing fitted');
  expect(show(`${commit.sha}:a.txt`)).toBe('one\nTWO');
  expect(show(`${commit.sha}:dir/ü.txt`)).toBe('Ü');
  expect(commit.diff.files.map(({ path }) => path).sort()).toEqual(['a.txt', 'dir/ü.txt']);
  expect(show(`${commit.sha}^`)).toContain(base);
  expect(commit.message).toContain('Co-authored-by: mia');
  expect(readFileSync(join(ws, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
});

it('F7: keeps the ends of lines, and takes lines away', async () => {
  const { commit } = await suggested(edit('dos.txt', 1, 'ONE'), edit('a.txt', 1));
  expect(commit?.diff).toMatchObject({ added: 1, deleted: 2 });
});

it.each<[string, SuggestedEdit]>([
  ['a file that is not there', edit('gone.txt', 1, 'x')],
  ['a line that is not there', edit('a.txt', 9, 'x')],
  ['what is no text', edit('bin.dat', 1, 'x')],
  ['what says the same', edit('a.txt', 1, 'one')],
  ['a way out of the tree', edit('../a.txt', 1, 'x')],
])('F7: of %s is nothing', async (_, one) => {
  expect((await suggested(one)).commit).toBeNull();
});

describe('a fix that does otherwise than suggested', () => {
  /** Returns the answer to a suggestion for the second line when the fix has `made` there. */
  const compared = async (suggestion: string, made: readonly string[] | null) => {
    runs += 1;
    const id = `instead${runs}`;
    const text = 'one\ntwo\nthree\n';
    const { sha: base } = await world.prepare(id, world.repo(id, { 'a.txt': text }));
    const edits = [{ path: 'a.txt', from: 2, to: 2, lines: [...(made ?? ['TWO'])] }];
    const commit = await world.workspaces.suggest({
      runId: id,
      base,
      parent: base,
      edits,
      message: () => 'Fix it',
      author: AUTHOR,
      at: AT,
    });
    const sha = commit?.sha ?? '';
    const item = {
      body: `\`\`\`suggestion\n${suggestion}\`\`\``,
      path: 'a.txt',
      line: 2,
      hunk: '@@ -0,0 +1,3 @@\n one\n two',
      fixedIn: sha,
    } as TriageItem;
    return findLinesInsteadOfSuggestion(
      world,
      { id, change: { ownCommits: [base, sha] } } as unknown as Run,
      item,
    );
  };

  it('F7: says what stands there in place of the suggested lines', async () => {
    expect(await compared('zwei\n', ['deux'])).toEqual({ lines: ['deux'] });
  });

  it.each<[string, string, string[]]>([
    ['it has the suggested lines', 'zwei\n', ['zwei']],
    ['it has them with another indentation', 'zwei\n', ['  zwei']],
    ['it takes the lines away, as suggested', '', ['TWO']],
  ])('F7: says no difference where %s', async (_, suggestion, made) => {
    expect(await compared(suggestion, made)).toBeNull();
  });

  it('F7: quotes lines whole, whatever bars they contain, and says so where it has none to quote', () => {
    expect(ENGLISH_WORDING.fixedOtherwise('abc', ['```', 'x'])).toContain('\n````\n```\nx\n````');
    expect(ENGLISH_WORDING.fixedOtherwise('abc', [])).toBe(
      'Fixed in abc, otherwise than suggested: the suggested lines are not in it.',
    );
  });
});
