/** What the forge's facts lead to, in whatever order they come. */
import { describe, expect, it } from 'vitest';
import type { Effect } from '#effects';
import {
  ciCompared,
  approvePush,
  at,
  cancel,
  check,
  ci,
  comment,
  deny,
  countOf,
  failed,
  headIs,
  headRead,
  implemented,
  iterate,
  later,
  ofEpoch,
  pause,
  pull,
  pushed,
  red,
  rerun,
  resume,
  retry,
  review,
  rings,
  running,
  sha,
  looked,
  validated,
  why,
  works,
  type Act,
  type Story,
} from '../support/core.ts';
import { reasonOf, toldIn, words } from '../support/english.ts';

const settleTime = later(30_000, looked);
/** One fix, from ITERATING to CI_WAIT, as an allowed and automatic push. */
const fix = (letter: string): Act[] => [implemented(letter), validated(), pushed()];
const auto = { autoIterate: true };

/** Words of people on the code host, as they are shown. */
const told = (effects: readonly Effect[]): [string | null, string, string][] =>
  effects.flatMap((e) =>
    e.do.kind === 'chat_message' && e.do.content.view === 'comment'
      ? [[e.do.slot, e.do.content.author, e.do.content.body]]
      : [],
  );

describe('CI and reviews', () => {
  it('F3: green counts after its settle time, also when nothing else happens', () => {
    const green = at('CI_WAIT').when(check());
    expect(green.run.lifecycle.state).toBe('CI_WAIT');
    expect(works(green)).toContain('expedite_poll');
    expect(green.when(later(24_000, looked)).step.kind).toBe('ignored');
    expect(green.when(later(25_000, looked)).run.lifecycle.state).toBe('REVIEW_WAIT');
  });

  it('F3: no CI is marked as such, after its grace', () => {
    const silent = at('CI_WAIT').when(ci([]));
    expect(silent.run.lifecycle.state).toBe('CI_WAIT');
    const over = silent.when(later(180_000, looked));
    expect(over.run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(reasonOf(over.run)).toContain('ran no checks');
  });

  it('F3: where a maintainer held the checks back, silence counts from when they were let go', () => {
    const held: Act = (run) => {
      const { input } = ci([])(run);
      return { input: { ...input, awaitsMaintainer: true } as typeof input };
    };
    const free = at('CI_WAIT').when(held, later(3_600_000, ci([])));
    expect(free.run.lifecycle.state).toBe('CI_WAIT');
    expect(free.when(later(180_000, looked)).run.lifecycle.state).toBe('REVIEW_WAIT');
  });

  it('F3: a clock that was put back takes no green back, and stops no look', () => {
    const green = at('REVIEW_WAIT').when(later(-3_600_000, pull()));
    expect(green.run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(green.when(running).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S2: checks running again, or waiting for a maintainer, move back to CI_WAIT', () => {
    expect(at('REVIEW_WAIT').when(running).run.lifecycle.state).toBe('CI_WAIT');
    expect(
      at('REVIEW_WAIT').when(check({ outcome: 'awaits_maintainer', name: 'b' })).run.lifecycle.state,
    ).toBe('CI_WAIT');
  });

  it('S2: red starts a fix from both waits', () => {
    for (const state of ['CI_WAIT', 'REVIEW_WAIT'] as const) {
      const story = at(state).when(check({ outcome: 'failed', startedAt: 9 }), ciCompared([]));
      expect(story.run).toMatchObject({ lifecycle: { state: 'ITERATING', counts: { iterations: 1 } } });
      expect(works(story)).toEqual(['implement']);
    }
  });

  it('F3: red of another head moves nothing', () => {
    expect(at('CI_WAIT').when(check({ outcome: 'failed' }, 'e')).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S7: over the bound, red ends in exactly one escalation', () => {
    const story = at('CI_WAIT', { maxIterations: 0 }).when(
      red,
      ciCompared([]),
      check({ outcome: 'failed', name: 'lint' }),
      check({ outcome: 'failed', startedAt: 8 }),
    );
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.all)).toBe(1);
  });

  it('S7: twenty failing fixes with a cap of two give two dispatches and one escalation', () => {
    let story = at('CI_WAIT', { ...auto, maxIterations: 2 });
    const before = countOf(story.all, 'implement');
    for (let i = 0; i < 20; i += 1) {
      story = story.when(check({ outcome: 'failed', startedAt: i }), ciCompared([]));
      if (story.run.lifecycle.state === 'ITERATING') story = story.when(...fix('bcdef'[i] ?? 'e'));
    }
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(countOf(story.all, 'implement') - before).toBe(2);
    expect(rings(story.all)).toBe(1);
  });

  it('S7: the bound survives new heads, retries by a person and pauses', () => {
    const spent = at('ITERATING', { ...auto, maxIterations: 1 }).when(
      ...fix('b'),
      pause,
      resume(),
      red,
      ciCompared([]),
    );
    expect(spent.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', counts: { iterations: 1 } },
    });
    expect(spent.when(retry()).run.lifecycle.state).toBe('ITERATING');
    expect(spent.when(retry('CI_WAIT')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('P5: changes requested count from people with write access only, and once', () => {
    expect(at('REVIEW_WAIT').when(review({ access: 'read' })).run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(at('REVIEW_WAIT').when(review({ access: 'unknown' })).run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(at('REVIEW_WAIT').when(review({ state: 'approved' })).run.lifecycle.state).toBe('REVIEW_WAIT');
    const story = at('REVIEW_WAIT', auto).when(review());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: {
        round: { kind: 'review_fix', feedback: [{ kind: 'review', reviewer: 'mia', body: 'Use salut.' }] },
      },
    });
    expect(story.when(...fix('b'), review()).run.lifecycle.state).toBe('CI_WAIT');
    expect(story.when(...fix('b'), review({ submittedAt: 90 })).run.lifecycle.state).toBe('ITERATING');
  });

  it('S2: a review whose access becomes known later counts then', () => {
    expect(at('REVIEW_WAIT').when(review({ access: 'unknown' }), review()).run.lifecycle.state).toBe(
      'ITERATING',
    );
    expect(
      at('PAUSED').when(review(), review({ access: 'unknown' })).run.upstream.observed.reviews.mia?.access,
    ).toBe('write');
  });

  it('S2: a dismissal counts, and a comment replaces no opinion, in any order', () => {
    const dismissed = review({ state: 'withdrawn' });
    expect(at('CI_WAIT').when(pause, review(), dismissed, resume()).run.lifecycle.state).toBe('CI_WAIT');
    expect(at('CI_WAIT').when(pause, dismissed, review(), resume()).run.lifecycle.state).toBe('CI_WAIT');
    const chat = review({ state: 'remarked', submittedAt: 99 });
    expect(at('CI_WAIT').when(pause, review(), chat, resume()).run.lifecycle.state).toBe('ITERATING');
    expect(at('CI_WAIT').when(pause, chat, review(), resume()).run.lifecycle.state).toBe('ITERATING');
  });

  it('P5: a reviewer may have any login', () => {
    const named = at('REVIEW_WAIT').when(review({ reviewer: 'constructor', state: 'remarked' }));
    expect(named.run.upstream.observed.reviews.constructor).toMatchObject({ state: 'remarked' });
  });

  it('F6: a name that is red for two apps is told once', () => {
    const twice = at('CI_WAIT').when(pause, check({ outcome: 'failed', app: 'other' }), red, resume());
    expect(toldIn(twice.run)).toBe('CI is red: test');
  });

  it('F6: all that is asked for reaches the agent, of every reviewer and of CI, late or early', () => {
    const both = at('CI_WAIT').when(
      pause,
      review({ reviewer: 'zoe', submittedAt: 70 }),
      review({ submittedAt: 60 }),
      red,
      resume(),
      ciCompared([]),
    );
    expect(toldIn(both.run)).toBe(
      'mia requested changes:\n\nUse salut.\n\nzoe requested changes:\n\nUse salut.\n\nCI is red: test',
    );
    expect(both.run.lifecycle.counts.iterations).toBe(1);
    const older = at('REVIEW_WAIT', auto).when(
      review({ reviewer: 'zoe', submittedAt: 70 }),
      review({ submittedAt: 60 }),
      ...fix('b'),
    );
    expect(older.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: {
        round: { kind: 'review_fix', feedback: [{ kind: 'review', reviewer: 'mia', body: 'Use salut.' }] },
      },
    });
  });

  it('S2: a review before CI moves at once, and green later changes nothing', () => {
    const story = at('CI_WAIT').when(review(), check());
    expect(story.run).toMatchObject({ lifecycle: { state: 'ITERATING', counts: { iterations: 1 } } });
  });

  it('S2: a tap on a comment starts a fix; at the bound it asks', () => {
    const story = at('REVIEW_WAIT').when(iterate('Rename it.'));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'person_request', feedback: words('Rename it.') } },
    });
    expect(at('REVIEW_WAIT', { maxIterations: 0 }).when(iterate()).run.lifecycle.state).toBe(
      'NEEDS_HUMAN_REVIEW',
    );
    expect(at('CI_WAIT').when(iterate()).run.lifecycle.state).toBe('ITERATING');
  });

  it('P5: a comment is shown, moves nothing, and is one message however often it is seen', () => {
    const story = at('REVIEW_WAIT').when(comment);
    expect(story.run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(told(story.effects)).toEqual([['comment:https://forge/c/1', 'mia', 'Nice.']]);
    expect(story.when(comment).step.kind).toBe('ignored');
    expect(at('PLAN_READY').when(comment).step.kind).toBe('ignored');
    expect(at('PAUSED').when(comment).step.kind).toBe('ignored');
  });

  it('L8: of comments only the newest are remembered', () => {
    const one =
      (n: number): Act =>
      (run) => {
        const { input } = comment(run);
        return { input: { ...input, url: `https://forge/c/${n}` } as typeof input };
      };
    const many = at('REVIEW_WAIT').when(...Array.from({ length: 205 }, (_, n) => one(n)));
    expect(many.run.upstream.observed.reportedComments).toHaveLength(200);
    expect(many.when(one(204)).step.kind).toBe('ignored');
  });

  it('P5: a review that moves nothing by itself is shown to a person', () => {
    const wait = at('REVIEW_WAIT');
    const words = (story: Story): string[] => told(story.effects).map(([, who, body]) => `${who}: ${body}`);
    const remark = review({ state: 'remarked', body: 'Is that so?' });
    expect(words(wait.when(remark))).toEqual(['mia: Is that so?']);
    expect(wait.when(remark, remark).step.kind).toBe('ignored');
    for (const access of ['read', 'unknown'] as const)
      expect(words(wait.when(review({ access, reviewer: 'stranger' })))).toEqual(['stranger: Use salut.']);
    // Whoever has an opinion may make remarks as well.
    const later = review({ state: 'remarked', body: 'And rename it.', submittedAt: 80 });
    for (const opinion of [review({ access: 'read' }), review({ state: 'approved' }), remark]) {
      const after = wait.when(opinion, later);
      expect(words(after)).toEqual(['mia: And rename it.']);
      expect(after.when(opinion).step.kind).toBe('ignored');
      expect(after.when(later).step.kind).toBe('ignored');
    }
    expect(words(wait.when(review({ state: 'approved', body: 'Great.' })))).toEqual([]);
    expect(words(wait.when(review({ state: 'remarked', body: '  ' })))).toEqual([]);
    expect(words(wait.when(review()))).toEqual([]);
  });

  it('S2: a fix without changes asks, and offers to run CI again', () => {
    const stuck = at('ITERATING').when(implemented(null));
    expect(stuck.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(reasonOf(stuck.run)).toContain('run again');
    const again = stuck.when(rerun);
    expect(again.run.lifecycle.state).toBe('CI_WAIT');
    expect(again.effects).toContainEqual(
      expect.objectContaining({ do: { kind: 'rerun_ci', sha: sha('a') } }),
    );
    expect(why(at('NEEDS_HUMAN_REVIEW').when(rerun))).toContain('no pull request');
    expect(why(at('PUSHED').when(deny('No.'), rerun))).toContain('no pull request');
  });

  it('F3: after a re-run the old red is history, whatever the clocks say; a new red counts', () => {
    const again = at('ITERATING').when(implemented(null), rerun);
    expect(again.when(red).run.lifecycle.state).toBe('CI_WAIT');
    expect(again.when(ci([{ outcome: 'failed' }])).run.lifecycle.state).toBe('CI_WAIT');
    const second = again.when(check({ outcome: null, startedAt: 1_001 }));
    expect(second.when(later(60_000, looked)).run.lifecycle.state).toBe('CI_WAIT');
    expect(second.when(check({ outcome: 'failed', startedAt: 1_001 })).run.lifecycle.state).toBe('ITERATING');
    const green = second.when(check({ startedAt: 1_001 }), settleTime);
    expect(green.run.lifecycle.state).toBe('REVIEW_WAIT');
  });

  it('F3: what was green stays known after a re-run of what was red', () => {
    const two = at('CI_WAIT').when(check({ name: 'lint' }), red, implemented(null), rerun);
    expect(two.when(check({ startedAt: 2_000 }), settleTime).run.lifecycle.state).toBe('REVIEW_WAIT');
  });
});

describe('facts that end or stop a run', () => {
  /** Every live state in which a pull request may be known. */
  const withPull: Record<string, Story> = {
    CI_WAIT: at('CI_WAIT'),
    REVIEW_WAIT: at('REVIEW_WAIT'),
    ITERATING: at('ITERATING'),
    PAUSED: at('CI_WAIT').when(pause),
    NEEDS_HUMAN_REVIEW: at('ITERATING').when(implemented(null)),
    FAILED_RETRYABLE: at('ITERATING').when(failed('crashed')),
  };

  it.each(Object.entries(withPull))(
    'S2: merged ends %s as DONE, closed as FAILED_TERMINAL',
    (state, story) => {
      expect(story.run.lifecycle.state).toBe(state);
      const merged = story.when(pull({ merged: true }));
      expect(merged.run).toMatchObject({
        lifecycle: { state: 'DONE', reason: { kind: 'pull_merged', by: 'maintainer' } },
      });
      expect(works(merged)).toEqual(['remove_workspace']);
      const closed = story.when(pull({ closed: true }));
      expect(closed.run.lifecycle.state).toBe('FAILED_TERMINAL');
      expect(story.when(pull({ merged: true, id: '#99' })).run.lifecycle.state).toBe(state);
    },
  );

  it('S2: a head that is not ours voids approvals and asks', () => {
    const story = at('PUSHED').when(headIs('e'));
    expect(story.run).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' }, gate: { approval: null } });
    expect(story.approvals).toMatchObject([{ op: 'close', state: 'void' }]);
    expect(reasonOf(story.run)).toContain('was at aaaaaa, and is at eeeeee');
    // It is read first, as it may be the base alone.
    expect(rings(story.effects)).toBe(0);
    expect(rings(story.when(headRead()).effects)).toBe(1);
    expect(at('CI_WAIT').when(pull({ head: 'e' })).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('S7: a head that is not ours rings once, whatever else is heard of it', () => {
    const story = at('CI_WAIT').when(pull({ head: 'e' }), check(), headIs('f'), headRead());
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.all)).toBe(1);
  });

  it('S2: a head that is not ours is asked about again as long as it is there', () => {
    const story = at('PUSHED').when(headIs('e'), retry());
    expect(story.run).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' }, gate: { approval: null } });
    expect(at('PUSHED').when(headIs('e'), headIs('a'), retry()).run.lifecycle.state).toBe('PUSHED');
  });

  it('S2: the head of another pull request, or a deleted branch, says nothing about ours', () => {
    expect(at('CI_WAIT').when(pull({ id: '#99', head: 'e' })).step.kind).toBe('ignored');
    const gone = at('PUSHED').when(headIs('e'), headIs(null), retry());
    expect(gone.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('G1: before our own is known, a pull request that shows no commit of ours says nothing', () => {
    const asked = at('PUSHED');
    expect(asked.when(pull({ head: 'e', id: '#99' })).step.kind).toBe('ignored');
    expect(asked.when(pull({ id: '#99', merged: true })).run.lifecycle.state).toBe('PUSHED');
  });

  it('S2: the head of another branch says nothing about ours', () => {
    const other: Act = () => ({
      input: { type: 'forge.head.observed', branch: 'somebody/else', sha: sha('e') },
    });
    expect(at('PUSHED').when(other).step.kind).toBe('ignored');
  });

  it('S2: a push that landed after a stranger’s says where the branch is now', () => {
    const pushing = at('LOCAL_VALIDATING').when(validated());
    const again = pushing.when(pushed(), deny('More.'), retry(), implemented('b'), validated());
    const landed = again.when(pause, headIs('e'), ofEpoch(again.run.lifecycle.epoch, pushed('b')));
    expect(landed.run.upstream.observed.branchHead).toBe(sha('b'));
    expect(landed.when(resume()).run.lifecycle.state).toBe('PUSHED');
  });

  it('S6: the branch is watched as soon as it is pushed, and nothing is left behind at the end', () => {
    expect(at('PUSHED').effects.map((e) => e.do.kind)).toContain('poll');
    expect(works(at('PUSHED').when(cancel))).toEqual(['remove_workspace']);
  });

  it('S2: a head that is not ours is found after a pause, also behind a kept result', () => {
    expect(at('PUSHED').when(pause, headIs('e'), resume()).run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      gate: { approval: null },
    });
    const busy = at('ITERATING');
    const kept = busy.when(pause, headIs('e'), ofEpoch(busy.run.lifecycle.epoch, implemented('b')), resume());
    expect(kept.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(works(kept)).toEqual(['read_head']);
  });

  it('S2: heads of our own are not taken for a stranger’s, early or late', () => {
    const pushing = at('ITERATING', auto).when(implemented('b'), validated());
    expect(pushing.when(headIs('b')).run.lifecycle.state).toBe('ITERATING');
    expect(pushing.when(headIs('b'), pushed(), headIs('a')).run.lifecycle.state).toBe('CI_WAIT');
    expect(pushing.when(pushed(), pull({ head: 'a' })).run.lifecycle.state).toBe('CI_WAIT');
    const signed = at('ITERATING').when(implemented('b'), validated(), approvePush(), headIs('b'));
    expect(signed.run.lifecycle.state).toBe('ITERATING');
    expect(at('PUSHED').when(headIs(null)).run.lifecycle.state).toBe('PUSHED');
  });
});
