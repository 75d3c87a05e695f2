/** F5: several fixes in one run: each its own round, one change, one pull request. */
import { describe, expect, it } from 'vitest';
import { titlesOfFinishedFixes } from '#kernel';
import { currentOrderedFix } from '../../orchestrator/kernel/rounds/ordered-fixes.ts';
import { pullBody } from '../../pull-text/pull-body.ts';
import {
  bounds,
  given,
  implemented,
  pause,
  resume,
  sha,
  validated,
  ways,
  works,
  type Story,
} from '../support/core.ts';
import { act, type Act } from '../support/core-acts.ts';
import { commit } from '../support/core-samples.ts';

const FIXES = ['Pin it', 'Sort it', 'Greet'].map((title) => ({ title, goal: `Do: ${title}` }));
/** What the workspace holds after it, by a letter. */
const leaves = (letter: string): Act =>
  act((run) => {
    const done = implemented(letter)(run).input;
    if (done.type !== 'worker.implementation.completed') throw new Error('no commit');
    return { ...done, commit: { ...commit(letter), tree: sha(letter) } };
  });
const begun = (): Story => given({ bounds: bounds(), title: 'Tidy up', fixes: FIXES }, ...ways.IMPLEMENTING);

describe('ordered fixes', () => {
  it('F5: are made one after the other, and checked and published once', () => {
    const one = begun().when(leaves('a'));
    expect(currentOrderedFix(one.run)).toMatchObject({ title: 'Sort it', no: 2, of: 3 });
    expect(one.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', reason: { kind: 'fix_started', no: 2, of: 3, title: 'Sort it' } },
    });
    expect(works(one)).toEqual(['implement']);
    const two = one.when(leaves('b'));
    expect(two.run.lifecycle.state).toBe('IMPLEMENTING');
    const three = two.when(leaves('c'));
    expect(three.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(works(three)).toEqual(['check']);
    expect(currentOrderedFix(three.run)).toBeNull();
    expect(titlesOfFinishedFixes(three.run)).toEqual(['Pin it', 'Sort it', 'Greet']);
  });

  it('F5: one that changes nothing is left out and named', () => {
    // The same commit once more: the second fix left the files as they were.
    const story = begun().when(leaves('a'), leaves('a'), leaves('c'));
    expect(titlesOfFinishedFixes(story.run)).toEqual(['Pin it', 'Greet']);
    expect(titlesOfFinishedFixes(story.run, { changed: false })).toEqual(['Sort it']);
  });

  it('F5: where none changes anything, a person is asked as ever', () => {
    const story = begun().when(implemented(null), implemented(null), implemented(null));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'no_changes' } },
    });
  });

  it('S7: go on where they stood after a pause', () => {
    const story = begun().when(leaves('a'), pause, resume());
    expect(currentOrderedFix(story.run)?.no).toBe(2);
  });

  it('E8: what fails afterwards is about all of them', () => {
    const story = begun().when(leaves('a'), leaves('b'), leaves('c'), validated({ passed: false }));
    expect(currentOrderedFix(story.run)).toBeNull();
    expect(story.run.agent.round.kind).toBe('check_fix');
  });

  it('F9: the description lists what is in it, in words that call nobody and close nothing', () => {
    const body = pullBody({
      order: begun().run.order,
      contract: null,
      commit: commit('a'),
      checks: [],
      summary: 'Greeted @everybody',
      made: ['Pin it', 'Fixes #3 for @acme/all'],
    });
    expect(body).toContain('2 fixes in this pull request:\n\n- Pin it.\n- ');
    expect(body).not.toContain('Greeted');
    expect(body).not.toMatch(/(?<![`\w])@acme\/all/);
  });
});
