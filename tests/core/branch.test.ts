/**
 * S10: the base moves on, or somebody else pushes to our branch: ordinary, and neither is a dead
 * end.
 */
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../orchestrator/core/machine/effects.ts';
import {
  approvePush,
  at,
  baseMerged,
  budgeted,
  confirm,
  deny,
  failed,
  headIs,
  headRead,
  implemented,
  opened,
  pause,
  proposal,
  pull,
  pushed,
  pushedConflicting,
  red,
  resolved,
  resume,
  retry,
  rerun,
  rings,
  sha,
  spent,
  takeHead,
  updateBase,
  validated,
  why,
  works,
  check,
  type Story,
} from '../support/core.ts';
import { reasonOf, toldIn } from '../support/english.ts';

const of = <K extends Effect['do']['kind']>(story: Story, kind: K) =>
  story.effects.flatMap((e) => (e.do.kind === kind ? [e.do as Extract<Effect['do'], { kind: K }>] : []));

describe('an update from the base', () => {
  it('S10: that merges cleanly asks no agent: our checks, a new assessment and a new card', () => {
    const asked = at('PUSHED').when(updateBase);
    expect(asked.run).toMatchObject({ state: 'IMPLEMENTING', approval: null });
    expect(works(asked)).toEqual(['update']);
    const merged = asked.when(baseMerged('merged'));
    expect(merged.run).toMatchObject({
      state: 'LOCAL_VALIDATING',
      commit: { sha: sha('m') },
      base: { sha: sha('n') },
    });
    expect(works(merged)).toEqual(['check']);
    expect(merged.run.merging).toMatchObject({ ref: 'main', sha: sha('n'), commits: 2 });
    const card = merged.when(validated(), pushed());
    expect(card.run).toMatchObject({ state: 'PUSHED', merging: null });
    expect(card.run.approval?.digest).not.toBe(at('PUSHED').run.approval?.digest);
  });

  it('S10: that conflicts is the agent’s, and is told as git words it', () => {
    const story = at('REVIEW_WAIT').when(updateBase, baseMerged('conflicts'));
    expect(story.run).toMatchObject({ state: 'ITERATING', round: { kind: 'merge_base' } });
    expect(of(story, 'implement').map(toldIn).join()).toContain('src/a.ts');
    expect(story.run.base?.sha).toBe(sha('0'));
    const done = story.when(resolved());
    expect(works(done)).toEqual(['check']);
    expect(done.run.base?.sha).toBe(sha('n'));
    const card = done.when(validated());
    expect(card.run.approval?.kind).toBe('push');
    const gone = card.when(approvePush(), pushed());
    expect(gone.run).toMatchObject({ state: 'CI_WAIT', merging: null, pushed: { sha: sha('m') } });
  });

  it('S10: keeps what it resolves over a crash, a pause and a denial', () => {
    const story = at('CI_WAIT').when(updateBase, baseMerged('conflicts'));
    const crashed = story.when(failed('crashed'), (run) => ({
      input: { type: 'timer.retry', epoch: run.epoch },
    }));
    expect(of(crashed, 'implement')[0]?.round.kind).toBe('merge_base');
    expect(of(story.when(pause, resume(null, 'Keep ours.')), 'implement')[0]?.round.kind).toBe('merge_base');
    const denied = story.when(resolved(), validated(), deny('Keep both.'));
    expect(of(denied, 'implement')[0]?.round.kind).toBe('rejected');
    expect(denied.run.merging).not.toBeNull();
  });

  it('S10: tries again what failed before anything was merged', () => {
    const story = at('CI_WAIT').when(updateBase, failed('forge_unavailable', { step: 'update' }));
    expect(story.run.state).toBe('FAILED_RETRYABLE');
    const again = story.when((run) => ({ input: { type: 'timer.retry', epoch: run.epoch } }));
    expect(works(again)).toEqual(['update']);
  });

  it('S10: of a base with nothing new leaves the run where it was', () => {
    expect(at('REVIEW_WAIT').when(updateBase, baseMerged('level')).run.state).toMatch(/_WAIT$/);
    const early = at('PUSHED').when(updateBase, baseMerged('level'));
    expect(early.run.state).toBe('LOCAL_VALIDATING');
    expect(works(early)).toEqual(['check']);
  });

  it('S10: leaves half-merged files behind when the run goes elsewhere', () => {
    const story = at('PUSHED').when(updateBase, baseMerged('conflicts'), failed('auth_missing'));
    const back = story.when(retry('LOCAL_VALIDATING'));
    expect(back.run).toMatchObject({ merging: null, lay: sha('a'), commit: { sha: sha('a') } });
    expect(back.run.round.kind).toBe('implement');
  });

  it('S7: is bounded, and says so', () => {
    const none = at('PUSHED', { maxUpdates: 1 }).when(updateBase, baseMerged('level'), validated(), pushed());
    expect(none.run.state).toBe('PUSHED');
    expect(why(none.when(updateBase))).toContain('as often as is allowed');
  });

  it('S10: waits for what is under way, and needs a change', () => {
    expect(why(at('PUSHED').when(confirm(), updateBase))).toContain('under way');
    expect(why(at('LOCAL_VALIDATING').when(updateBase))).toContain('under way');
    expect(why(at('ITERATING').when(updateBase))).toContain('under way');
    expect(why(at('IMPLEMENTING').when(updateBase))).toContain('no change yet');
    expect(at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), updateBase).run.state).toBe(
      'IMPLEMENTING',
    );
  });
});

describe('a conflict with the base', () => {
  const conflicting = (head: string) => proposal('open_pr', head, { conflicts: true, title: 'Conflicts' });
  const stuck = at('LOCAL_VALIDATING').when(validated(), pushedConflicting);

  it('G2: gets no card: a person is called, who can update', () => {
    expect(stuck.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', approval: null });
    expect(reasonOf(stuck.run)).toContain('conflicts with its base');
    expect(works(stuck.when(updateBase))).toEqual(['update']);
  });

  it('G2: is compared anew by a retry, and never asked about as it is', () => {
    expect(why(stuck.when(retry('PUSHED')))).toContain('cannot go on at PUSHED');
    const again = stuck.when(retry());
    expect(again.run.state).toBe('LOCAL_VALIDATING');
    expect(again.when(validated(), pushed()).run.state).toBe('PUSHED');
  });

  it('E6: a merge without a conflict needs no tokens; one with a conflict asks for more of them', () => {
    const poor = at('PUSHED', budgeted()).when(spent({ tokens: 100 }), updateBase);
    expect(works(poor)).toEqual(['update']);
    expect(poor.when(baseMerged('merged')).run.state).toBe('LOCAL_VALIDATING');
    const asks = poor.when(baseMerged('conflicts'));
    expect(asks.run).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'budget', budget: 'tokens' },
    });
    expect(works(asks)).toEqual([]);
  });

  it('G2: found at the opening asks a person, who can update', () => {
    const story = at('PUSHED').when(
      confirm(),
      failed('seal_moved', { step: 'open_pr', proposal: conflicting(sha('a')) }),
    );
    expect(story.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', approval: null });
    expect(works(story.when(updateBase))).toEqual(['update']);
  });

  it('S10: rings once when the code host tells of it, and not again', () => {
    const told = at('REVIEW_WAIT').when(pull({ standing: 'conflicts' }));
    expect(rings(told.effects)).toBe(1);
    expect(rings(told.when(pull(), pull({ standing: 'conflicts' })).effects)).toBe(0);
    expect(rings(at('REVIEW_WAIT').when(pull({ standing: 'behind' })).effects)).toBe(0);
  });
});

describe('somebody else’s head', () => {
  const found = at('CI_WAIT').when(headIs('e'));
  const shown = found.when(headRead());

  it('S10: is read, and shown in the one message that rang', () => {
    expect(found.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(works(found)).toEqual(['head']);
    const [first] = of(found, 'tell').filter((t) => t.show.view === 'attention');
    const [second] = of(shown, 'tell').filter((t) => t.show.view === 'attention');
    expect(second).toMatchObject({ slot: first?.slot, sound: false, show: { head: sha('e') } });
    expect(first?.show).toEqual({ view: 'attention' });
  });

  it('S10: becomes ours by a tap on exactly it, once the code host still shows it, and not before', () => {
    const tapped = shown.when(takeHead());
    expect(tapped.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', pushed: { sha: sha('a') } });
    expect(tapped.run.ours).not.toContain(sha('e'));
    expect(of(tapped, 'head')).toEqual([{ kind: 'head', sha: sha('e'), takenBy: 'Ana' }]);
    const taken = tapped.when(headRead(undefined, 'Ana'));
    expect(taken.run).toMatchObject({
      state: 'CI_WAIT',
      pushed: { sha: sha('e') },
      commit: { sha: sha('e') },
      evaluation: null,
      proposal: null,
      lay: sha('e'),
      foreign: null,
    });
    expect(taken.run.ours).toContain(sha('e'));
  });

  it('G1: is nobody’s to take by a look alone: only who tapped is believed to have', () => {
    for (const story of [
      shown.when(headRead(undefined, 'Ana')),
      shown.when(takeHead(), headRead(undefined, 'Ben')),
    ]) {
      expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
      expect(story.run.ours).not.toContain(sha('e'));
    }
  });

  it('S10: settles from what CI says of it', () => {
    const redOne = found.when(
      check({ outcome: 'failed' }, 'e'),
      headRead(),
      takeHead(),
      headRead(undefined, 'Ana'),
    );
    expect(redOne.run).toMatchObject({ state: 'ITERATING', round: { kind: 'ci_fix' } });
  });

  it('S10: before there is a pull request goes through our checks to a new card', () => {
    const taken = at('PUSHED').when(headIs('e'), headRead(), takeHead(), headRead(undefined, 'Ana'));
    expect(taken.run.state).toBe('LOCAL_VALIDATING');
    expect(works(taken)).toEqual(['check']);
    const card = taken.when(validated(), pushed());
    expect(card.run).toMatchObject({ state: 'PUSHED', proposal: { fields: { headSha: sha('e') } } });
    expect(card.when(confirm(), opened()).run.state).toBe('CI_WAIT');
  });

  it('S10: that moved between the message and the tap is not taken, and the new one is shown', () => {
    expect(why(shown.when(headIs('f'), takeHead('e')))).toContain('moved again');
    expect(why(shown.when(takeHead('f')))).toContain('moved again');
    expect(why(found.when(takeHead('e')))).toContain('moved again');
    const late = shown.when(takeHead(), headRead('f'));
    expect(late.run).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      pushed: { sha: sha('a') },
      foreign: { sha: sha('f') },
    });
    expect(late.run.foreign?.takenBy).toBeNull();
    expect(rings(late.effects)).toBe(0);
    expect(late.when(takeHead(), headRead('f', 'Ana')).run.pushed?.sha).toBe(sha('f'));
  });

  it('S10: leaves no way that must fail: neither a retry nor a re-run', () => {
    for (const act of [retry(), retry('CI_WAIT'), rerun, updateBase])
      expect(why(shown.when(act))).toContain('/take r1');
    expect(why(at('CI_WAIT').when(takeHead()))).not.toBe('');
  });

  it('S10: that somebody took back leaves the run as it was before', () => {
    const back = shown.when(headIs('a'));
    expect(back.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', foreign: null });
    expect(back.when(retry()).run.state).toBe('CI_WAIT');
  });

  it('S10: calls nobody twice when older news of the branch comes between', () => {
    const late = shown.when(headIs('a'), headIs('e'));
    expect(late.run).toMatchObject({ epoch: found.run.epoch, foreign: { sha: sha('e') } });
    expect(rings(late.effects)).toBe(0);
    expect(works(late)).toEqual(['head']);
    const again = shown.when(headIs('a'), retry(), headIs('e'));
    expect(rings(again.effects)).toBe(1);
  });

  it('S6: that cannot be read is told, and can be taken later', () => {
    const lost = shown.when(takeHead(), failed('forge_refused', { step: 'head' }));
    expect(lost.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', foreign: { takenBy: null } });
    expect(lost.when(takeHead()).step.kind).toBe('moved');
  });

  it('S10: is the ground of the next fix', () => {
    const fix = shown.when(
      takeHead(),
      headRead(undefined, 'Ana'),
      red,
      implemented('b'),
      validated(),
      approvePush(),
    );
    expect(of(fix, 'push')).toEqual([expect.objectContaining({ commitSha: sha('b'), expect: sha('e') })]);
    expect(fix.run.lay).toBeNull();
  });
});
