/**
 * S10: the base moves on, or somebody else pushes to our branch: ordinary, and neither is a dead
 * end.
 */
import { describe, expect, it } from 'vitest';
import type { Effect } from '#effects';
import {
  approvePush,
  askChanges,
  at,
  baseMerged,
  baseMergedThere,
  budgeted,
  confirm,
  deny,
  failed,
  headIs,
  headRead,
  implemented,
  iterate,
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
    expect(asked.run).toMatchObject({ lifecycle: { state: 'IMPLEMENTING' }, gate: { approval: null } });
    expect(works(asked)).toEqual(['update_from_base']);
    const merged = asked.when(baseMerged('merged'));
    expect(merged.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      change: { commit: { sha: sha('m') } },
      target: { base: { sha: sha('n') } },
    });
    expect(works(merged)).toEqual(['check']);
    expect(merged.run.change.pendingMerge).toMatchObject({ ref: 'main', sha: sha('n'), commits: 2 });
    const card = merged.when(validated(), pushed());
    expect(card.run).toMatchObject({ lifecycle: { state: 'PUSHED' }, change: { pendingMerge: null } });
    expect(card.run.gate.approval?.digest).not.toBe(at('PUSHED').run.gate.approval?.digest);
  });

  it('S10: that conflicts is the agent’s, and is told as git words it', () => {
    const story = at('REVIEW_WAIT').when(updateBase, baseMerged('conflicts'));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'update_from_base' } },
    });
    expect(
      of(story, 'implement')
        .map((agent) => toldIn({ agent }))
        .join(),
    ).toContain('src/a.ts');
    expect(story.run.target.base?.sha).toBe(sha('0'));
    const done = story.when(resolved());
    expect(works(done)).toEqual(['check']);
    expect(done.run.target.base?.sha).toBe(sha('n'));
    const card = done.when(validated());
    expect(card.run.gate.approval?.kind).toBe('push');
    const gone = card.when(approvePush(), pushed());
    expect(gone.run).toMatchObject({
      lifecycle: { state: 'CI_WAIT' },
      change: { pendingMerge: null, pushedHead: { sha: sha('m') } },
    });
  });

  it('S10: keeps what it resolves over a crash, a pause and a denial', () => {
    const story = at('CI_WAIT').when(updateBase, baseMerged('conflicts'));
    const crashed = story.when(failed('crashed'), (run) => ({
      input: { type: 'timer.retry', epoch: run.lifecycle.epoch },
    }));
    expect(of(crashed, 'implement')[0]?.round.kind).toBe('update_from_base');
    expect(of(story.when(pause, resume(null, 'Keep ours.')), 'implement')[0]?.round.kind).toBe(
      'update_from_base',
    );
    const denied = story.when(resolved(), validated(), deny('Keep both.'));
    expect(of(denied, 'implement')[0]?.round.kind).toBe('rejection_fix');
    expect(denied.run.change.pendingMerge).not.toBeNull();
  });

  it('S10: tries again what failed before anything was merged', () => {
    const story = at('CI_WAIT').when(updateBase, failed('forge_unavailable', { step: 'update' }));
    expect(story.run.lifecycle.state).toBe('FAILED_RETRYABLE');
    const again = story.when((run) => ({ input: { type: 'timer.retry', epoch: run.lifecycle.epoch } }));
    expect(works(again)).toEqual(['update_from_base']);
  });

  it('S10: of a base with nothing new leaves the run where it was', () => {
    expect(at('REVIEW_WAIT').when(updateBase, baseMerged('level')).run.lifecycle.state).toMatch(/_WAIT$/);
    const early = at('PUSHED').when(updateBase, baseMerged('level'));
    expect(early.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(works(early)).toEqual(['check']);
  });

  it('S10: leaves half-merged files behind when the run goes elsewhere', () => {
    const story = at('PUSHED').when(updateBase, baseMerged('conflicts'), failed('auth_missing'));
    const back = story.when(retry('LOCAL_VALIDATING'));
    expect(back.run).toMatchObject({
      change: { pendingMerge: null, resetTo: sha('a'), commit: { sha: sha('a') } },
    });
    expect(back.run.agent.round.kind).toBe('implement');
  });

  it('S7: is bounded, and says so', () => {
    const none = at('PUSHED', { maxUpdates: 1 }).when(updateBase, baseMerged('level'), validated(), pushed());
    expect(none.run.lifecycle.state).toBe('PUSHED');
    expect(why(none.when(updateBase))).toContain('as often as is allowed');
  });

  it('S10: waits for what is under way, and needs a change', () => {
    expect(why(at('PUSHED').when(confirm(), updateBase))).toContain('under way');
    expect(why(at('LOCAL_VALIDATING').when(updateBase))).toContain('under way');
    expect(why(at('ITERATING').when(updateBase))).toContain('under way');
    expect(why(at('IMPLEMENTING').when(updateBase))).toContain('no change yet');
    expect(
      at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), updateBase).run.lifecycle.state,
    ).toBe('IMPLEMENTING');
  });
});

describe('a conflict with the base', () => {
  const conflicting = (head: string) => proposal('open_pr', head, { conflicts: true, title: 'Conflicts' });
  const stuck = at('LOCAL_VALIDATING').when(validated(), pushedConflicting);

  it('G2: gets no card: a person is called, who can update', () => {
    expect(stuck.run).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' }, gate: { approval: null } });
    expect(reasonOf(stuck.run)).toContain('conflicts with its base');
    expect(works(stuck.when(updateBase))).toEqual(['update_from_base']);
  });

  it('G2: is compared anew by a retry, and never asked about as it is', () => {
    expect(why(stuck.when(retry('PUSHED')))).toContain('cannot go on at PUSHED');
    const again = stuck.when(retry());
    expect(again.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(again.when(validated(), pushed()).run.lifecycle.state).toBe('PUSHED');
  });

  it('E6: a merge without a conflict needs no tokens; one with a conflict asks for more of them', () => {
    const poor = at('PUSHED', budgeted()).when(spent({ tokens: 100 }), updateBase);
    expect(works(poor)).toEqual(['update_from_base']);
    expect(poor.when(baseMerged('merged')).run.lifecycle.state).toBe('LOCAL_VALIDATING');
    const asks = poor.when(baseMerged('conflicts'));
    expect(asks.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'budget_exhausted', budget: 'tokens' } },
    });
    expect(works(asks)).toEqual([]);
  });

  it('G2: found at the opening asks a person, who can update', () => {
    const story = at('PUSHED').when(
      confirm(),
      failed('seal_moved', { step: 'open_pr', proposal: conflicting(sha('a')) }),
    );
    expect(story.run).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' }, gate: { approval: null } });
    expect(works(story.when(updateBase))).toEqual(['update_from_base']);
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

  it('S10: is read, and shown in the one message that rings', () => {
    expect(found.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(works(found)).toEqual(['read_head']);
    const calls = (story: Story) => of(story, 'chat_message').filter((t) => t.content.view === 'attention');
    expect(calls(found)).toEqual([]);
    const [first] = calls(shown);
    expect(first).toMatchObject({ sound: true, content: { head: sha('e') } });
    const [second] = calls(shown.when(headIs('f'), headRead('f')));
    expect(second).toMatchObject({ slot: first?.slot, sound: false, content: { head: sha('f') } });
  });

  it('S6: that is taken back before it was read calls somebody', () => {
    expect(rings(found.when(headIs('a')).effects)).toBe(1);
    expect(rings(found.when(headIs('a'), headIs('e')).effects)).toBe(0);
    expect(rings(found.when(failed('forge_refused', { step: 'read_head' })).effects)).toBe(1);
  });

  it('S10: becomes ours by a tap on exactly it, once the code host still shows it, and not before', () => {
    const tapped = shown.when(takeHead());
    expect(tapped.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      change: { pushedHead: { sha: sha('a') } },
    });
    expect(tapped.run.change.ownCommits).not.toContain(sha('e'));
    expect(of(tapped, 'read_head')).toEqual([{ kind: 'read_head', sha: sha('e'), adoptedBy: 'Ana' }]);
    const taken = tapped.when(headRead(undefined, 'Ana'));
    expect(taken.run).toMatchObject({
      lifecycle: { state: 'CI_WAIT' },
      change: {
        pushedHead: { sha: sha('e') },
        commit: { sha: sha('e') },
        evaluation: null,
        resetTo: sha('e'),
        foreignHead: null,
      },
      gate: { proposal: null },
    });
    expect(taken.run.change.ownCommits).toContain(sha('e'));
  });

  it('G1: is nobody’s to take by a look alone: only who tapped is believed to have', () => {
    for (const story of [
      shown.when(headRead(undefined, 'Ana')),
      shown.when(takeHead(), headRead(undefined, 'Ben')),
    ]) {
      expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
      expect(story.run.change.ownCommits).not.toContain(sha('e'));
    }
  });

  it('S10: settles from what CI says of it', () => {
    const redOne = found.when(
      check({ outcome: 'failed' }, 'e'),
      headRead(),
      takeHead(),
      headRead(undefined, 'Ana'),
    );
    expect(redOne.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'ci_fix' } },
    });
  });

  it('S10: before there is a pull request goes through our checks to a new card', () => {
    const taken = at('PUSHED').when(headIs('e'), headRead(), takeHead(), headRead(undefined, 'Ana'));
    expect(taken.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(works(taken)).toEqual(['check']);
    const card = taken.when(validated(), pushed());
    expect(card.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { proposal: { fields: { headSha: sha('e') } } },
    });
    expect(card.when(confirm(), opened()).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S10: that moved between the message and the tap is not taken, and the new one is shown', () => {
    expect(why(shown.when(headIs('f'), takeHead('e')))).toContain('moved again');
    expect(why(shown.when(takeHead('f')))).toContain('moved again');
    expect(why(found.when(takeHead('e')))).toContain('moved again');
    const late = shown.when(takeHead(), headRead('f'));
    expect(late.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      change: { pushedHead: { sha: sha('a') }, foreignHead: { sha: sha('f') } },
    });
    expect(late.run.change.foreignHead?.adoptedBy).toBeNull();
    expect(rings(late.effects)).toBe(0);
    expect(late.when(takeHead(), headRead('f', 'Ana')).run.change.pushedHead?.sha).toBe(sha('f'));
  });

  it('S10: leaves no way that must fail: neither a retry nor a re-run', () => {
    for (const act of [retry(), retry('CI_WAIT'), rerun, updateBase])
      expect(why(shown.when(act))).toContain('/take r1');
    expect(why(at('CI_WAIT').when(takeHead()))).not.toBe('');
  });

  it('S10: that somebody took back leaves the run as it was before', () => {
    const back = shown.when(headIs('a'));
    expect(back.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      change: { foreignHead: null },
    });
    expect(back.when(retry()).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S10: calls nobody twice when older news of the branch comes between', () => {
    const late = shown.when(headIs('a'), headIs('e'));
    expect(late.run).toMatchObject({
      lifecycle: { epoch: found.run.lifecycle.epoch },
      change: { foreignHead: { sha: sha('e') } },
    });
    expect(rings(late.effects)).toBe(0);
    expect(works(late)).toEqual(['read_head']);
    const again = shown.when(headIs('a'), retry(), headIs('e'));
    expect(rings(again.when(headRead()).effects)).toBe(1);
  });

  it('S6: that cannot be read is told, and can be taken later', () => {
    const lost = shown.when(takeHead(), failed('forge_refused', { step: 'read_head' }));
    expect(lost.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      change: { foreignHead: { adoptedBy: null } },
    });
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
    expect(of(fix, 'push')).toEqual([
      expect.objectContaining({ commitSha: sha('b'), expectedHead: sha('e') }),
    ]);
    expect(fix.run.change.resetTo).toBeNull();
  });
});

describe('the base that somebody else merged into our branch, and nothing else', () => {
  const mergedHead = baseMergedThere();
  const updated = (story: Story): Story => story.when(headIs('e'), mergedHead);

  it('S10: calls nobody, and is the ground of whatever follows', () => {
    const story = at('REVIEW_WAIT').when(headIs('e'));
    expect(rings(story.effects)).toBe(0);
    const gone = story.when(mergedHead);
    expect(rings(gone.effects)).toBe(0);
    expect(gone.run).toMatchObject({
      lifecycle: { state: 'CI_WAIT', reason: { kind: 'base_merged_elsewhere', ref: 'main', commits: 2 } },
      change: {
        pushedHead: { sha: sha('e') },
        commit: { sha: sha('e') },
        foreignHead: null,
        adoptedHead: null,
        resetTo: sha('e'),
      },
      target: { base: { sha: sha('n') } },
    });
    expect(gone.run.change.ownCommits).toContain(sha('e'));
  });

  it('S10: has its red checks fixed without a tap', () => {
    const fix = updated(at('CI_WAIT')).when(check({ outcome: 'failed' }, 'e'));
    expect(fix.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'ci_fix' } },
    });
    const early = at('CI_WAIT').when(headIs('e'), check({ outcome: 'failed' }, 'e'), mergedHead);
    expect(early.run.lifecycle.state).toBe('ITERATING');
  });

  it('G2: voids the card of the opening, which is asked anew for the new head by itself', () => {
    const story = updated(at('PUSHED'));
    expect(story.run).toMatchObject({ lifecycle: { state: 'LOCAL_VALIDATING' }, gate: { approval: null } });
    expect(works(story)).toEqual(['check']);
    const card = story.when(validated(), pushed());
    expect(card.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { proposal: { fields: { headSha: sha('e') } } },
    });
    expect(card.run.gate.approval).not.toBeNull();
  });

  it('G2: voids the card of a fix, which is merged, checked and asked about anew by itself', () => {
    const waiting = at('CI_WAIT').when(red, implemented('b'), validated());
    expect(waiting.run.gate.approval?.kind).toBe('push');
    const story = updated(waiting);
    expect(story.run).toMatchObject({ lifecycle: { state: 'ITERATING' }, gate: { approval: null } });
    expect(works(story)).toEqual(['update_from_base']);
    const card = story.when(baseMerged('merged'), validated());
    expect(card.run.gate.approval?.kind).toBe('push');
    expect(card.run.gate.approval?.digest).not.toBe(waiting.run.gate.approval?.digest);
    const [push] = of(card.when(approvePush()), 'push');
    expect(push).toMatchObject({ commitSha: sha('m'), expectedHead: sha('e') });
  });

  it('S10: that forestalled a push has the fix merged and asked about anew', () => {
    const refused = at('CI_WAIT').when(
      red,
      implemented('b'),
      validated(),
      approvePush(),
      failed('push_rejected', { step: 'push' }),
    );
    expect(refused.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(works(updated(refused))).toEqual(['update_from_base']);
  });

  it('S10: has the agent begin its round again, and asks CI first where that was red', () => {
    const asked = at('CI_WAIT').when(iterate('Rename it.'));
    const again = updated(asked);
    expect(of(again, 'implement')[0]?.round).toEqual(asked.run.agent.round);
    expect(again.run.lifecycle.counts.iterations).toBe(asked.run.lifecycle.counts.iterations);
    expect(updated(at('CI_WAIT').when(red, implemented('b'))).run.lifecycle.state).toBe('ITERATING');
    expect(updated(at('CI_WAIT').when(red)).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S10: leaves a run that waits for a person where it is, and calls nobody twice', () => {
    const waiting = at('CI_WAIT').when(red, failed('auth_missing'));
    const story = updated(waiting);
    expect(story.run.lifecycle).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: waiting.run.lifecycle.reason,
      resumeState: waiting.run.lifecycle.resumeState,
    });
    expect(story.run.change.pushedHead?.sha).toBe(sha('e'));
    expect(rings(story.effects)).toBe(0);
  });

  it('G2: without the proof stays somebody else’s, and a person is called', () => {
    const story = at('CI_WAIT').when(headIs('e'), headRead());
    expect(story.run.change.ownCommits).not.toContain(sha('e'));
    expect(rings(story.effects)).toBe(1);
  });

  it('G2: of another base, beside rejected work or a question, is a person’s to take', () => {
    const other = headRead(undefined, null, { mergedBase: { ref: 'next', sha: sha('n'), commits: 2 } });
    const rejected = at('CI_WAIT').when(red, implemented('b'), validated(), askChanges());
    for (const story of [at('CI_WAIT').when(headIs('e'), other), updated(rejected)]) {
      expect(story.run.lifecycle).toMatchObject({
        state: 'NEEDS_HUMAN_REVIEW',
        reason: { kind: 'foreign_head' },
      });
      expect(story.run.change.ownCommits).not.toContain(sha('e'));
      expect(rings(story.effects)).toBe(1);
    }
  });
});
