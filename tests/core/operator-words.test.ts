/** E21: words of an operator to a working agent are stored, heard once, and never lost. */
import { describe, expect, it } from 'vitest';
import { EMPTY_REPORT } from '#model/agent';
import { selectDeliveredWords, selectQueuedWords } from '#run';
import {
  canHearWords as hearsRound,
  MAX_QUEUED_WORDS,
} from '../../orchestrator/kernel/run/operator-words.ts';
import {
  askChanges,
  atAgent as at,
  bounds,
  budgeted,
  dropsWork,
  given,
  hearsWords,
  implemented,
  interrupted,
  keepsWork,
  ofEpoch,
  pause,
  planOfTwo,
  reschedules,
  resume,
  retry,
  takeBack,
  tells,
  validated,
  ways,
  works,
  type Story,
} from '../support/core.ts';

const busy = (): Story => at('IMPLEMENTING').when(tells());
const waiting = ({ run }: Story): string[] =>
  selectQueuedWords(run).map(({ words, when }) => `${when}: ${words}`);
const roundsOf = ({ effects }: Story): string[] =>
  effects.flatMap(({ do: work }) => (work.kind === 'implement' ? [work.round.kind] : []));
const refusal = ({ step }: Story): unknown => (step.kind === 'refused' ? step.reason : step.kind);

describe('words to a working agent', () => {
  it('E21: are stored with who said them and when, and change neither state nor work', () => {
    const story = busy();
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', epoch: at('IMPLEMENTING').run.lifecycle.epoch },
      agent: { operatorWords: [{ no: 1, by: 'Ana', words: 'Use the helper.', when: 'after' }] },
    });
    expect(works(story)).toEqual([]);
  });

  it('E21: begin a turn of their own in the same session, once the turn is over', () => {
    const story = busy().when(implemented('a'));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', reason: { kind: 'operator_words', by: 'Ana' } },
      agent: { round: { kind: 'person_advice' } },
    });
    expect(works(story)).toEqual(['implement']);
    expect(waiting(story)).toEqual(['after: Use the helper.']);
    const heard = story.when(hearsWords(), implemented('b'));
    expect(heard.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(waiting(heard)).toEqual([]);
  });

  it('E21: are heard before a card, though the agent changed nothing or its commit was checked meanwhile', () => {
    expect(busy().when(implemented(null)).run.lifecycle.state).toBe('IMPLEMENTING');
    const checked = at('LOCAL_VALIDATING').when(tells(), validated());
    expect(checked.run.lifecycle).toMatchObject({
      state: 'IMPLEMENTING',
      reason: { kind: 'operator_words' },
    });
    expect(works(checked)).toEqual(['implement']);
    const fixed = at('ITERATING').when(implemented('b'), tells(), validated());
    expect(fixed.run.lifecycle).toMatchObject({ state: 'ITERATING', reason: { kind: 'operator_words' } });
    expect(works(fixed)).toContain('implement');
  });

  it('E21: for now take the place of checks, and leave a turn under way as it is', () => {
    const checking = at('LOCAL_VALIDATING').when(tells('Stop, other file.', 'now'));
    expect(checking.run.lifecycle.state).toBe('IMPLEMENTING');
    expect(works(checking)).toEqual(['implement']);
    const working = at('IMPLEMENTING').when(tells('Stop, other file.', 'now'));
    expect(works(working)).toEqual([]);
    expect(waiting(working)).toEqual(['now: Stop, other file.']);
  });

  it('E21: are said now or later by a tap, and never after they were heard', () => {
    const now = busy().when(reschedules('now'));
    expect(waiting(now)).toEqual(['now: Use the helper.']);
    expect(waiting(now.when(reschedules('after', 1)))).toEqual(['after: Use the helper.']);
    expect(refusal(now.when(hearsWords(), reschedules('now')))).toEqual({ kind: 'words_heard' });
  });

  it('E21: are delivered once, and the log says when and how', () => {
    const heard = busy().when(hearsWords([1], 'stream'));
    const [one] = selectDeliveredWords(heard.run);
    expect(one).toMatchObject({ no: 1, delivered: { how: 'stream', at: heard.now } });
    const again = heard.when(hearsWords([1], 'prompt'));
    expect(again.step).toEqual({ kind: 'ignored', reason: 'told already' });
    expect(heard.when(implemented('a')).run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  it('E21: survive a pause, and what was heard before it stays heard', () => {
    const { epoch } = busy().run.lifecycle;
    const paused = busy().when(tells('And the docs.'), pause, ofEpoch(epoch, hearsWords([1], 'stream')));
    expect(paused.run.lifecycle.state).toBe('PAUSED');
    expect(waiting(paused)).toEqual(['after: And the docs.']);
    const more = paused.when(tells('And a test.'), resume());
    expect(more.run.lifecycle.state).toBe('IMPLEMENTING');
    expect(works(more)).toEqual(['implement']);
    expect(waiting(more)).toEqual(['after: And the docs.', 'after: And a test.']);
    const kept = busy().when(pause, ofEpoch(epoch, implemented('a')), resume());
    expect(kept.run.lifecycle).toMatchObject({ state: 'IMPLEMENTING', reason: { kind: 'operator_words' } });
  });

  it('E21: end a turn that cannot hear them; the same round goes on in its session', () => {
    const story = at('IMPLEMENTING').when(tells('Other file.', 'now'), interrupted());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { session: { id: 's1' } },
    });
    expect(works(story)).toEqual(['implement']);
    const { epoch } = at('IMPLEMENTING').run.lifecycle;
    const paused = at('IMPLEMENTING').when(
      tells('Other file.', 'now'),
      pause,
      ofEpoch(epoch, interrupted()),
      resume(),
    );
    expect(works(paused)).toContain('implement');
  });

  it('E21: begin no turn beyond the budget, and wait for a higher one', () => {
    const poor = given({ engine: 'codex', bounds: budgeted({ maxCostUsd: 1 }) }, ...ways.IMPLEMENTING).when(
      tells('Other file.', 'now'),
      interrupted(2),
    );
    expect(poor.run.lifecycle).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'budget_exhausted', budget: 'cost' },
    });
    expect(waiting(poor)).toEqual(['now: Other file.']);
    const costly = implemented('a', 1_000, { usage: { inputTokens: 1, outputTokens: 1, costUsd: 2 } });
    const spent = at('IMPLEMENTING', { maxCostUsd: 1 }).when(costly, tells('Other file.', 'now'));
    expect(spent.run.lifecycle).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'budget_exhausted' },
    });
  });

  it('E21: are refused where a card waits, where no agent is at work, and beyond a number', () => {
    const card = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), tells());
    expect(refusal(card)).toMatchObject({ kind: 'not_possible_now', hints: ['decide_push'] });
    const pushing = at('LOCAL_VALIDATING').when(validated(), tells());
    expect(refusal(pushing)).toMatchObject({ kind: 'not_possible_now', hints: ['card_follows'] });
    expect(refusal(at('CI_WAIT').when(pause, tells()))).toMatchObject({ hints: ['resume'] });
    expect(refusal(at('DONE').when(tells()))).toMatchObject({ kind: 'not_possible_now' });
    const full = Array.from({ length: MAX_QUEUED_WORDS }, (_, i) => tells(`No ${i}`));
    expect(refusal(at('IMPLEMENTING').when(...full, tells()))).toEqual({
      kind: 'words_waiting',
      most: MAX_QUEUED_WORDS,
    });
  });

  it('E21: are refused where a script works, which reads none', () => {
    const story = given({ engine: 'script', bounds: bounds() }, ...ways.IMPLEMENTING).when(tells());
    expect(refusal(story)).toEqual({ kind: 'script_reads_nothing' });
  });

  it('E21: for now take the place of the checks of what was taken back', () => {
    const fixed = at('ITERATING').when(implemented('b'), validated({ decision: 'escalate' }));
    const back = fixed.when(askChanges(), implemented('c'), validated({ decision: 'escalate' }), takeBack());
    expect(back.run.lifecycle.reason.kind).toBe('taken_back');
    const story = back.when(tells('Other file.', 'now'));
    expect(story.run.lifecycle.reason.kind).toBe('operator_words');
    expect(works(story)).toContain('implement');
  });

  it('E21: do a step of a plan again with them', () => {
    const step = given({ engine: 'codex', flow: 'plan', bounds: bounds() }, ...ways.IMPLEMENTING).when(
      planOfTwo,
      tells(),
    );
    const again = step.when(implemented('a'));
    expect(again.run.agent.round.kind).toBe('plan_step');
    expect(works(again)).toEqual(['implement']);
  });
});

describe('a stop', () => {
  it('E21: keeps what is there: no agent runs, our checks judge it, and a card follows', () => {
    const stopped = at('IMPLEMENTING').when(tells(), keepsWork);
    expect(stopped.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', reason: { kind: 'work_kept', by: 'Ana' } },
      agent: { round: { kind: 'kept_edits' } },
    });
    expect(works(stopped)).toEqual(['implement']);
    const checked = stopped.when(implemented('a'));
    expect(works(checked)).toEqual(['check']);
    expect(checked.when(validated({ decision: 'escalate' })).run.gate.approval).not.toBeNull();
    // Words that nobody heard begin no turn of an agent that was stopped.
    expect(waiting(checked)).toEqual(['after: Use the helper.']);
  });

  it('E21: waits for a person where our checks are red, or nothing is there; a retry goes on', () => {
    const kept = at('IMPLEMENTING').when(pause, keepsWork);
    const red = kept.when(implemented('a'), validated({ passed: false }));
    expect(red.run.lifecycle).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'kept_work_red' },
    });
    expect(roundsOf(red.when(retry('IMPLEMENTING')))).toEqual(['implement']);
    const none = kept.when(implemented(null));
    expect(roundsOf(none.when(retry('IMPLEMENTING')))).toEqual(['implement']);
    expect(none.run.lifecycle).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'no_changes' } });
    const fix = at('ITERATING').when(keepsWork, implemented('b'));
    expect(works(fix)).toContain('check');
  });

  it('E21: drops what is there: the run ends, or pauses at its last push where it has a pull request', () => {
    expect(at('IMPLEMENTING').when(dropsWork).run.lifecycle).toMatchObject({
      state: 'FAILED_TERMINAL',
      reason: { kind: 'ended_by_person', how: 'cancelled', by: 'Ana' },
    });
    for (const fix of [at('ITERATING').when(dropsWork), at('ITERATING').when(pause, dropsWork)]) {
      expect(fix.run).toMatchObject({
        lifecycle: { state: 'PAUSED', reason: { kind: 'work_dropped', by: 'Ana' }, resumeState: 'ITERATING' },
        change: { resetTo: fix.run.change.pushedHead?.sha },
      });
      expect(works(fix.when(resume()))).toContain('implement');
    }
  });

  it('E21: holds words told before it for the next turn of the agent, and takes none meanwhile', () => {
    const kept = at('IMPLEMENTING').when(tells(), keepsWork);
    expect(refusal(kept.when(tells('And a test.')))).toMatchObject({ hints: ['card_follows'] });
    expect(refusal(kept.when(reschedules('now')))).toMatchObject({ hints: ['card_follows'] });
    const again = kept.when(implemented('a'), validated({ passed: false }), retry('IMPLEMENTING'));
    expect(waiting(again)).toEqual(['after: Use the helper.']);
    expect(hearsRound(again.run.agent.round.kind)).toBe(true);
    expect(waiting(again.when(hearsWords(), implemented('b')))).toEqual([]);
  });

  it('E21: drops a commit that was not pushed: nothing checks, signs or publishes it', () => {
    const { commit, pushedHead } = at('ITERATING').run.change;
    const reported = { ...EMPTY_REPORT, what: 'Rename it.' };
    const fix = at('ITERATING').when(
      implemented('b', 1_000, { claims: { status: 'done', ran: [], reported } }),
    );
    expect(fix.run.agent.fixSummaries).toHaveLength(1);
    for (const dropped of [
      fix.when(dropsWork),
      fix.when(pause, dropsWork),
      fix.when(validated({ passed: false }), dropsWork),
    ]) {
      expect(dropped.run).toMatchObject({
        change: { commit, evaluation: null, resetTo: pushedHead?.sha, resetAskedAt: dropped.now },
        gate: { proposal: null, deniedAction: null },
        agent: { fixSummaries: [] },
      });
      expect(works(dropped.when(resume()))).not.toContain('check');
      expect(roundsOf(dropped.when(resume()))).toEqual(['implement']);
    }
  });

  it('E21: drops the result of the turn that it stopped, and counts what that used', () => {
    const { epoch, usage } = at('ITERATING').run.lifecycle;
    const late = ofEpoch(epoch, implemented('b'));
    for (const story of [
      at('ITERATING').when(dropsWork, late),
      at('ITERATING').when(pause, late, dropsWork),
      at('ITERATING').when(pause, dropsWork, late),
    ]) {
      const { run } = story.when(resume());
      expect(run.change.commit).toEqual(at('ITERATING').run.change.commit);
      expect(run.lifecycle.usage.inputTokens - usage.inputTokens).toBe(1);
      expect(run.lifecycle.state).toBe('ITERATING');
    }
    const kept = at('ITERATING').when(pause, late, keepsWork);
    expect(kept.run.lifecycle.usage.inputTokens - usage.inputTokens).toBe(1);
  });

  it('E21: forgets that a reset was asked for once the agent made a commit', () => {
    const done = at('ITERATING').when(dropsWork, resume(), implemented('b'));
    expect(done.run.change).toMatchObject({ resetTo: null });
    expect(done.run.change.resetAskedAt).toBeUndefined();
  });

  it('E21: stops no checks, card or pull request that waits', () => {
    for (const state of ['LOCAL_VALIDATING', 'PUSHED', 'CI_WAIT'] as const)
      expect(refusal(at(state).when(keepsWork))).toMatchObject({ kind: 'not_possible_now' });
    expect(refusal(at('CI_WAIT').when(pause, dropsWork))).toMatchObject({ hints: ['resume'] });
  });
});
