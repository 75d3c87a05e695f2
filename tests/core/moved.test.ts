/** F12: what the code host moves, renames or closes is followed, in every state that waits for it. */
import { describe, expect, it } from 'vitest';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { repositoryOf } from '#run';
import type { RunState } from '#model/run';
import {
  approvePush,
  at,
  baseFollowed,
  baseMerged,
  branchRenamed,
  cards,
  confirm,
  failed,
  headIs,
  headRead,
  home,
  implemented,
  iterate,
  notes,
  ofEpoch,
  opened,
  pause,
  pull,
  pushed,
  red,
  repositoryIs,
  resume,
  retry,
  rings,
  sha,
  shows,
  takeHead,
  updateBase,
  validated,
  why,
  works,
  type Act,
  type Story,
} from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

const moved = shows({ base: 'develop' });
const archived = shows({ repo: home({ archived: true }) });
const unarchived = shows({ repo: home() });
const forkGone = shows({ headDeleted: true });
const forkBack = shows({ headDeleted: false });

/** Every state in which a run with a pull request may be when somebody moves it. */
const OPEN: Record<string, { story: Story; state: RunState }> = {
  'checks are waited for': { story: at('CI_WAIT'), state: 'CI_WAIT' },
  'a review is waited for': { story: at('REVIEW_WAIT'), state: 'REVIEW_WAIT' },
  'a fix is made': { story: at('ITERATING'), state: 'ITERATING' },
  'a fix is checked': { story: at('ITERATING').when(implemented('f')), state: 'ITERATING' },
  'the card of a fix waits': {
    story: at('ITERATING').when(implemented('f'), validated({ risk: 'high' })),
    state: 'ITERATING',
  },
  'a base is merged': { story: at('CI_WAIT').when(updateBase), state: 'ITERATING' },
  'conflicts are resolved': {
    story: at('CI_WAIT').when(updateBase, baseMerged('conflicts')),
    state: 'ITERATING',
  },
  'a merge is checked': { story: at('CI_WAIT').when(updateBase, baseMerged('merged')), state: 'ITERATING' },
  'the card of a merge waits': {
    story: at('CI_WAIT').when(updateBase, baseMerged('merged'), validated({ risk: 'high' })),
    state: 'ITERATING',
  },
  'a person has paused it': { story: at('CI_WAIT').when(pause), state: 'PAUSED' },
  'a paused fix': { story: at('ITERATING').when(pause), state: 'PAUSED' },
  'a person is asked': { story: at('ITERATING').when(implemented(null)), state: 'NEEDS_HUMAN_REVIEW' },
  'somebody else pushed': { story: at('CI_WAIT').when(headIs('e')), state: 'NEEDS_HUMAN_REVIEW' },
  'it is tried again later': { story: at('ITERATING').when(failed('crashed')), state: 'FAILED_RETRYABLE' },
};
const rows = Object.entries(OPEN).map(([name, row]) => ({ name, ...row }));

describe('a pull request that is moved to another base', () => {
  it.each(rows)('F12: while $name: the run follows, and says so once', ({ story, state }) => {
    const after = story.when(moved);
    expect([after.run.lifecycle.state, after.run.target.base?.ref]).toEqual([state, 'develop']);
    expect(after.run.upstream.observed.pull?.metadata?.base).toBe('develop');
    expect([after.run.change.pendingMerge, after.run.upstream.ciComparison, after.run.gate.approval]).toEqual(
      [null, null, null],
    );
    expect(after.when(moved).run.lifecycle.epoch).toBe(after.run.lifecycle.epoch);
    expect(notes(after.effects)).toEqual(['#7 was changed on the code host: it now goes into develop.']);
  });

  it('F12: before its opening was heard of: the run follows as soon as it is, and says so', () => {
    const after = at('PUSHED').when(confirm(), moved, opened());
    expect([after.run.lifecycle.state, after.run.target.base?.ref]).toEqual(['CI_WAIT', 'develop']);
    expect(after.run.target.pendingBaseChange).toMatchObject({ from: 'main', to: 'develop' });
    expect(notes(after.effects)).toEqual(['#7 was changed on the code host: it now goes into develop.']);
    const held = at('PUSHED').when(confirm(), archived, opened());
    expect([held.run.lifecycle.state, held.run.lifecycle.reason.kind]).toEqual(['PAUSED', 'push_blocked']);
  });

  it.each(rows.filter(({ state }) => state === 'ITERATING'))(
    'F12: while $name: nothing goes on before the change was compared with its new base',
    ({ story }) => {
      const after = story.when(moved);
      expect(works(after)).toEqual(['compare_base']);
      const late = after.when(ofEpoch(story.run.lifecycle.epoch, implemented('z')));
      expect(late.step.kind).toBe('ignored');
      expect(after.when(ofEpoch(story.run.lifecycle.epoch, baseMerged('merged'))).step.kind).toBe('ignored');
      const done = after.when(baseFollowed('d'));
      expect(done.run.target.pendingBaseChange).toBeNull();
      expect([done.run.target.base?.ref, done.run.target.base?.sha, done.run.change.commit?.base]).toEqual([
        'develop',
        sha('d'),
        sha('d'),
      ]);
    },
  );

  it('F12: commits of the old base that were merged and not pushed are dropped, and the update begins anew', () => {
    for (const name of [
      'a base is merged',
      'conflicts are resolved',
      'a merge is checked',
      'the card of a merge waits',
    ]) {
      const after = OPEN[name]?.story.when(moved) ?? at('CI_WAIT');
      expect([name, after.run.target.pendingBaseChange?.commitSha, after.run.agent.round.kind]).toEqual([
        name,
        sha('a'),
        'update_from_base',
      ]);
      const again = after.when(baseFollowed('d'));
      expect([works(again), again.run.change.commit?.sha]).toEqual([['update_from_base'], sha('a')]);
      expect(again.when(baseMerged('level', 'm', 'd')).run.lifecycle.state).toBe('CI_WAIT');
    }
  });

  it('F12: a fix that was checked against the old base is checked again, and its card is another one', () => {
    const card = OPEN['the card of a fix waits']?.story ?? at('CI_WAIT');
    const id = card.run.gate.approval?.id ?? '';
    const after = card.when(moved);
    expect(after.approvals).toMatchObject([{ op: 'close', id, state: 'void' }]);
    expect(after.when(approvePush({ id })).step.kind).toBe('refused');
    const checked = after.when(baseFollowed('d'));
    expect(works(checked)).toEqual(['check']);
    const next = checked.when(validated({ risk: 'high' }));
    expect(cards(next.effects)).toEqual([next.run.gate.approval?.id]);
    expect(next.run.gate.approval?.id).not.toBe(id);
  });

  it('F12: while nothing was to be made it is compared when work on it begins, and not before', () => {
    const after = at('REVIEW_WAIT').when(moved);
    expect(works(after)).toEqual([]);
    const fix = after.when(iterate());
    expect([fix.run.lifecycle.state, works(fix)]).toEqual(['ITERATING', ['compare_base']]);
    const agent = fix.when(baseFollowed('d'));
    expect([works(agent), agent.run.agent.round.kind]).toEqual([['implement'], 'person_request']);
    const update = after.when(updateBase);
    expect(works(update)).toEqual(['compare_base']);
    expect(works(update.when(baseFollowed('d')))).toEqual(['update_from_base']);
  });

  it('F12: moved twice before it was compared, it is compared with the last one', () => {
    const twice = at('ITERATING').when(moved, shows({ base: 'next' }));
    expect(twice.run.target.pendingBaseChange).toMatchObject({ from: 'main', to: 'next' });
    const late = twice.when(
      ofEpoch(twice.run.lifecycle.epoch, (run) => {
        const { input } = baseFollowed()(run);
        return { input: input.type === 'worker.base.compared' ? { ...input, ref: 'develop' } : input };
      }),
    );
    expect(works(late)).toEqual(['compare_base']);
    expect(late.when(baseFollowed()).run.target.base?.ref).toBe('next');
  });

  it('F12: of another base nothing is known: a conflict with the old one is forgotten, that with the new one told', () => {
    const conflicts = at('REVIEW_WAIT').when(shows(), pull({ standing: 'conflicts' }));
    const after = conflicts.when(moved);
    expect(after.run.upstream.observed.pull?.baseStatus).toBeUndefined();
    const again = after.when(pull({ standing: 'conflicts' }));
    expect(rings(again.effects)).toBe(1);
  });

  it('F12: what was pushed while it was moved is what the next fix goes on top of', () => {
    const { story } = OPEN['a fix is checked'] ?? { story: at('CI_WAIT') };
    const under = story.when(validated());
    const after = under.when(moved, ofEpoch(under.run.lifecycle.epoch, pushed('f')));
    expect([after.run.change.pushedHead?.sha, after.run.target.pendingBaseChange?.commitSha]).toEqual([
      sha('f'),
      sha('f'),
    ]);
    const done = after.when(baseFollowed('d'));
    expect([done.run.lifecycle.state, done.run.change.commit?.sha]).toEqual(['CI_WAIT', sha('f')]);
  });

  it('F12: a paused result for the old base is not used when the run goes on', () => {
    const busy = at('ITERATING');
    const kept = busy.when(pause, ofEpoch(busy.run.lifecycle.epoch, implemented('f')), moved);
    const on = kept.when(resume());
    expect([on.run.lifecycle.state, works(on), on.run.change.commit?.sha]).toEqual([
      'ITERATING',
      ['compare_base'],
      sha('a'),
    ]);
  });

  it('F12: a head that a person took is compared with the new base already', () => {
    const taken = at('CI_WAIT').when(headIs('e'), moved, headRead(), takeHead(), headRead(undefined, 'Ana'));
    expect([taken.run.target.base?.ref, taken.run.target.pendingBaseChange]).toEqual(['develop', null]);
  });

  it('F12: a run of before it was followed follows at the next look', () => {
    const after = at('REVIEW_WAIT').when(moved);
    const old = {
      ...after.run,
      target: { ...after.run.target, base: at('REVIEW_WAIT').run.target.base, pendingBaseChange: null },
    };
    const [look, stamp] = [moved(old).input, { at: after.now + 1, nonce: 'n', effectEpoch: null }];
    const step = decideStep(old, look, stamp);
    expect(step.kind === 'moved' && step.run.target.base?.ref).toBe('develop');
  });

  it('F12: what is told late of the old base moves nothing back', () => {
    const after = at('REVIEW_WAIT').when(shows(), moved);
    const before = after.run.upstream.observed.pull?.metadata;
    const late = after.when(pull(before ? { shown: { ...before, at: before.at - 1, base: 'main' } } : {}));
    expect(late.run.target.base?.ref).toBe('develop');
  });

  it('F12: a merged or closed pull request is not followed any more', () => {
    const shown = { ...at('CI_WAIT').when(shows()).run.upstream.observed.pull?.metadata, base: 'develop' };
    const ended = at('CI_WAIT').when(
      shows(),
      pull({ merged: true, shown: { ...shown, at: 9_000 } as never }),
    );
    expect([ended.run.lifecycle.state, ended.run.target.base?.ref]).toEqual(['DONE', 'main']);
  });
});

describe('a base that is renamed before there is a pull request', () => {
  it.each(['PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING', 'PUSHED'] as const)(
    'F12: in %s the run follows and stays where it is',
    (state) => {
      const after = at(state).when(branchRenamed());
      expect([after.run.lifecycle.state, after.run.target.base?.ref, after.run.lifecycle.epoch]).toEqual([
        state,
        'trunk',
        at(state).run.lifecycle.epoch,
      ]);
      expect(after.when(branchRenamed()).step.kind).toBe('ignored');
    },
  );

  it('F12: with a pull request its own base counts', () => {
    expect(at('CI_WAIT').when(branchRenamed()).step.kind).toBe('ignored');
  });
});

describe('a repository that is renamed or given away', () => {
  it.each(rows)('F12: while $name: the run calls it by its name of today', ({ story, state }) => {
    const after = story.when(shows({ repo: home({ name: 'zoe/app' }) }));
    expect([after.run.lifecycle.state, repositoryOf(after.run)]).toEqual([state, 'zoe/app']);
    expect(after.run.order.repo).toBe('ana/app');
  });

  it.each(['PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING', 'PUSHED', 'PAUSED'] as const)(
    'F12: in %s, before there is a pull request, too',
    (state) => {
      const after = at(state).when(repositoryIs({ name: 'zoe/app' }));
      expect([after.run.lifecycle.state, repositoryOf(after.run)]).toEqual([state, 'zoe/app']);
      expect(after.when(repositoryIs({ name: 'zoe/app' })).step.kind).toBe('ignored');
    },
  );

  it('F12: another repository of that name is none of its business', () => {
    const other = at('PUSHED').when(repositoryIs({ repository: '2', name: 'eve/app', archived: true }));
    expect([other.step.kind, other.run.lifecycle.state]).toEqual(['ignored', 'PUSHED']);
  });
});

const BLOCKS = [
  {
    why: 'archived',
    gone: archived,
    back: unarchived,
    says: 'The repository is archived',
    next: 'unarchive it',
  },
  {
    why: 'fork_deleted',
    gone: forkGone,
    back: forkBack,
    says: 'The fork that the pull request comes from is gone',
    next: 'Restore the fork',
  },
] as const;
describe.each(BLOCKS)(
  'a pull request to which nothing can be pushed ($why)',
  ({ why: block, gone, back, says, next }) => {
    const active = rows.filter(({ state }) => state !== 'PAUSED' && state !== 'NEEDS_HUMAN_REVIEW');
    it.each(active)(
      'F12: while $name: the run stands still, says why and what helps, and goes on by itself',
      ({ story }) => {
        const held = story.when(gone);
        expect([held.run.lifecycle.state, held.run.lifecycle.reason]).toEqual([
          'PAUSED',
          { kind: 'push_blocked', why: block },
        ]);
        expect(reasonOf(held.run)).toContain(says);
        expect(reasonOf(held.run)).toContain(next);
        expect([rings(held.effects), notes(held.effects)]).toEqual([1, []]);
        expect([works(held), held.run.gate.approval]).toEqual([[], null]);
        expect(why(held.when(resume()))).toContain('nothing can be pushed');
        const on = held.when(back);
        expect(on.run.lifecycle.state).toBe(
          story.run.lifecycle.state === 'FAILED_RETRYABLE'
            ? story.run.lifecycle.resumeState
            : story.run.lifecycle.state,
        );
      },
    );

    it('F12: what stands still already stays so, and is not tried in vain', () => {
      const asked = at('ITERATING').when(implemented(null), gone);
      expect([asked.run.lifecycle.state, notes(asked.effects)]).toEqual([
        'NEEDS_HUMAN_REVIEW',
        [expect.stringContaining('#7 was changed')],
      ]);
      for (const act of [retry(), updateBase] satisfies Act[])
        expect(why(asked.when(act))).toContain('nothing can be pushed');
      expect(asked.when(back, retry()).run.lifecycle.state).toBe('ITERATING');
    });

    it('F12: what a person paused goes on by a person only', () => {
      const paused = at('CI_WAIT').when(pause, gone);
      expect(paused.run.lifecycle.reason.kind).toBe('paused');
      expect(paused.when(resume()).step.kind).toBe('refused');
      expect(paused.when(back).run.lifecycle.state).toBe('PAUSED');
      expect(paused.when(back, resume()).run.lifecycle.state).toBe('CI_WAIT');
    });

    it('F12: a merge or a closing still ends it', () => {
      const held = at('REVIEW_WAIT').when(gone);
      expect(held.when(pull({ merged: true })).run.lifecycle.state).toBe('DONE');
      expect(held.when(pull({ closed: true })).run.lifecycle.state).toBe('FAILED_TERMINAL');
    });

    it('F12: red checks start no fix meanwhile, and do when it goes on', () => {
      const held = at('CI_WAIT').when(gone, red);
      expect([held.run.lifecycle.state, works(held)]).toEqual(['PAUSED', []]);
      expect(held.when(back).run.lifecycle.state).toBe('ITERATING');
    });
  },
);

describe('a repository that is archived before there is a pull request', () => {
  it('F12: the card is void, nothing is opened, and it is asked about anew when that is over', () => {
    const card = at('PUSHED');
    const held = card.when(repositoryIs({ archived: true }));
    expect([held.run.lifecycle.state, held.run.gate.approval]).toEqual(['PAUSED', null]);
    const again = held.when(repositoryIs());
    expect([again.run.lifecycle.state, cards(again.effects).length]).toEqual(['PUSHED', 1]);
    expect(again.run.gate.approval?.id).not.toBe(card.run.gate.approval?.id);
  });
});
