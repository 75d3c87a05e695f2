/** F7: nobody is left waiting: what reviewers said is answered, or a person is called. */
import { describe, expect, it } from 'vitest';
import type { CommentFacts } from '#ports/forge';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { RecordedEvent, toRecordedEvent } from '../../orchestrator/kernel/effects/recorded-step.ts';
import type { Run } from '#run';
import { figuresOf } from '../../orchestrator/reports/run-figures.ts';
import { remarkFingerprint, isAnswerWanted, isAnswerable } from '#model/review';
import { DAY } from '#model/values';
import {
  act,
  approvePush,
  approveReply,
  at,
  baseChecked,
  begin,
  bounds,
  choose,
  confirm,
  discovered,
  given,
  implemented,
  later,
  opened,
  postedReplies,
  pull,
  pushed,
  remark,
  remarksAnswered,
  review,
  sealedReplies,
  startDiscovery,
  startWork,
  timer,
  validated,
  ana,
  why,
  type Act,
  type Story,
} from '../support/core.ts';

const comment = (change: Partial<CommentFacts> = {}): Act =>
  act({
    type: 'forge.comment.created',
    author: 'mia',
    access: 'write',
    body: 'Does this also work for empty lists?',
    url: 'https://forge/ana/app/pull/7#c1',
    createdAt: 60,
    ...change,
  });
const open = (story: Story) => (story.run.review.remarks?.open ?? []).map(({ id }) => id);
const calls = (story: Story) =>
  story.all.flatMap(({ do: one }) =>
    one.kind === 'chat_message' && one.content.view === 'open_remarks' ? [one] : [],
  );
const wakes = (story: Story) =>
  story.all.flatMap(({ do: one, dueAt }) =>
    one.kind === 'offer_input' && one.input.type === 'timer.remarks.due' ? [dueAt] : [],
  );
/** Lets the newest timer ring when it is due. */
const rings = (story: Story): Story => {
  const due = wakes(story).at(-1);
  if (due === undefined) throw new Error('no timer is set');
  return story.when(later(due - story.now, timer('timer.remarks.due')));
};
const asked = at('REVIEW_WAIT').when(comment());

describe('a remark on an open pull request', () => {
  it('F7: waits for an answer from the moment it is heard, and a person is called after three days', () => {
    expect(open(asked)).toEqual(['https://forge/ana/app/pull/7#c1']);
    expect(wakes(asked)).toEqual([asked.now + 3 * DAY]);
    expect(calls(asked)).toEqual([]);
    const [call, ...more] = calls(rings(asked));
    expect(more).toEqual([]);
    expect(call).toMatchObject({ sound: true, urgent: true, content: { closes: false } });
  });

  it('F7: the setting says how many days', () => {
    expect(wakes(at('REVIEW_WAIT', { answerMs: DAY }).when(comment()))[0]).toBe(
      at('REVIEW_WAIT').when(comment()).now + DAY,
    );
  });

  it('F7: a timer that is early calls nobody, and waits for the rest', () => {
    const early = asked.when(later(DAY, timer('timer.remarks.due')));
    expect(calls(early)).toEqual([]);
    expect(wakes(early).at(-1)).toBe(wakes(asked)[0]);
  });

  it('F7: the second call offers to close the pull request, and the calls after it come more and more seldom', () => {
    const second = rings(rings(asked));
    expect(calls(second).map(({ content }) => content.view === 'open_remarks' && content.closes)).toEqual([
      false,
      true,
    ]);
    expect((wakes(second).at(-1) ?? 0) - second.now).toBe(6 * DAY);
  });

  it.each<[string, Act]>([
    ['our account wrote there later', comment({ answered: true })],
    ['a person says so', remarksAnswered],
    ['its author approves', review({ state: 'approved', body: '', submittedAt: 70 })],
  ])('F7: is answered when %s, and its call loses its buttons', (_, how) => {
    const story = rings(asked).when(how);
    expect(open(story)).toEqual([]);
    expect(calls(story).at(-1)).toMatchObject({ slot: calls(story)[0]?.slot, content: { settled: true } });
    expect(rings(story).step).toMatchObject({ kind: 'ignored' });
  });

  it('F7: an approval of before the remark answers nothing', () => {
    const story = at('REVIEW_WAIT').when(comment(), review({ state: 'approved', body: '', submittedAt: 50 }));
    expect(open(story)).toHaveLength(1);
  });

  it('F7: seen again by each look it is one remark, also after it was answered', () => {
    const story = asked.when(comment(), comment(), remarksAnswered, comment());
    expect(open(story)).toEqual([]);
    expect(story.run.review.remarks?.knownIds).toHaveLength(1);
  });

  it.each<[string, Act]>([
    ['a program', comment({ bot: true })],
    ['somebody who may only read', comment({ access: 'read' })],
    ['somebody who only thanks', comment({ body: 'Thanks, looks good!' })],
    ['nobody: it is empty', comment({ body: '  ' })],
  ])('F7, P5: nobody is called for words of %s', (_, words) => {
    expect(open(at('REVIEW_WAIT').when(words))).toEqual([]);
  });

  it('F7: what was answered by somebody else is refused as a tap, and changes nothing', () => {
    expect(asked.when(remarksAnswered, remarksAnswered).step).toMatchObject({
      kind: 'refused',
      reason: { kind: 'no_remark' },
    });
  });

  it('F7: a hundred remarks are kept, and one timer calls for all', () => {
    const many = Array.from({ length: 150 }, (_, i) =>
      comment({ url: `https://forge/ana/app/pull/7#c${i}` }),
    );
    const story = at('REVIEW_WAIT').when(...many);
    expect(open(story)).toHaveLength(100);
    expect(wakes(story)).toHaveLength(1);
  });

  it('S6: the wait goes on from where it was when the run comes back to waiting', () => {
    const fixed = asked.when(
      review({ submittedAt: 80 }),
      implemented('b'),
      validated(),
      approvePush(),
      pushed(),
    );
    expect(fixed.run.lifecycle.state).toBe('CI_WAIT');
    expect(open(fixed)).toEqual(['https://forge/ana/app/pull/7#c1']);
    expect(wakes(fixed).at(-1)).toBe(wakes(asked)[0]);
  });

  it('S1: a call of a run that has ended loses its buttons', () => {
    const story = rings(asked).when(pull({ merged: true }));
    expect(calls(story).at(-1)).toMatchObject({ content: { settled: true } });
  });
});

describe('a review', () => {
  const threads = review({
    body: '',
    hasAllRemarks: true,
    state: 'remarked',
    remarks: [remark('c1', 'Please use salut.'), remark('c2', 'Why salut?')],
  });

  it('F7: its change request is answered by the push that follows it', () => {
    const story = at('REVIEW_WAIT').when(review());
    expect(story.run.lifecycle.state).toBe('ITERATING');
    expect(open(story)).toEqual(['review:50']);
    expect(story.when(review()).step).toMatchObject({ kind: 'ignored' });
    expect(open(story.when(implemented('b'), validated(), approvePush(), pushed()))).toEqual([]);
  });

  it('F7: its remarks on lines wait until their answers are posted', () => {
    const begun = at('REVIEW_WAIT').when(threads, choose('c2', 'reply', 'Because.'), begin);
    const fixed = begun.when(implemented('b'), validated(), approvePush(), pushed(), sealedReplies());
    expect(open(fixed)).toEqual(['c1', 'c2']);
    expect(open(fixed.when(approveReply(), postedReplies()))).toEqual([]);
  });

  it('F7: what a person ignores is waited for no more, and counts as left unanswered', () => {
    const story = at('REVIEW_WAIT').when(threads, choose('c1', 'ignore'), choose('c2', 'ignore'), begin);
    expect([open(story), story.run.review.remarks?.unanswered]).toEqual([[], 2]);
  });

  it.each<[string, Parameters<typeof review>[0]]>([
    ['dismissed', { state: 'withdrawn' }],
    ['deleted', { remarks: [] }],
    ['answered in its thread', { remarks: [{ ...remark('c1'), answered: true }] }],
  ])('F7: nobody waits for an answer to what was %s', (_, change) => {
    const one = { body: '', hasAllRemarks: true, state: 'remarked', remarks: [remark('c1')] } as const;
    expect(open(at('REVIEW_WAIT').when(review({ ...one, remarks: [...one.remarks] })))).toEqual(['c1']);
    expect(
      open(
        at('REVIEW_WAIT').when(
          review({ ...one, remarks: [...one.remarks] }),
          review({ ...one, ...change, remarks: [...(change?.remarks ?? one.remarks)] }),
        ),
      ),
    ).toEqual([]);
  });
});

describe('a repository that wants human words', () => {
  const wordsWanted: Act = (run) => {
    const { input } = discovered()(run);
    if (input.type !== 'worker.discovery.completed' || !input.contract) throw new Error(input.type);
    const quote = 'Reply in your own words.';
    const rules = [{ kind: 'human_words' as const, quote, file: 'CONTRIBUTING.md', line: 3 }];
    return { input: { ...input, contract: { ...input.contract, rules } } };
  };
  const watched = given(
    { bounds: bounds() },
    ...[startDiscovery, wordsWanted, baseChecked(), startWork(), implemented('a'), validated()],
    ...[pushed(), confirm(), opened()],
  );

  it('F7: gets no words of the agent, and none of ours: each fixed remark asks the person', () => {
    const begun = watched.when(
      review({ body: '', hasAllRemarks: true, remarks: [remark('c1'), remark('c2', 'Why salut?')] }),
      begin,
    );
    const fixed = begun.when(
      implemented('b', 1_000, {
        claims: { status: 'done', ran: [], replies: [{ to: 2, text: 'As salut is French.' }] },
      }),
      validated(),
      approvePush(),
      pushed(),
    );
    expect(fixed.all.some(({ do: one }) => one.kind === 'seal_replies')).toBe(false);
    expect(fixed.run.review.triage?.items.map(({ id, choice, answer }) => [id, choice, answer])).toEqual([
      ['c1', 'reply', null],
      ['c2', 'reply', null],
    ]);
    const said = fixed.when(choose('c1', 'reply', 'Done, salut it is.'), choose('c2', 'ignore'), begin);
    expect(said.effects.map(({ do: one }) => one.kind)).toContain('seal_replies');
  });
});

it.each<[string, Parameters<typeof isAnswerable>[0]['answeredBy'], boolean, boolean]>([
  ['a person’s words, where a person’s are wanted', 'person', true, true],
  ['the agent’s words, where a person’s are wanted', 'agent', true, false],
  ['nobody’s words, where a person’s are wanted', null, true, false],
  ['nobody’s words, where any will do: the fix is public', null, false, true],
])('F7: may be posted: %s', (_, answeredBy, own, may) => {
  const item = { path: 'a', answer: answeredBy && 'So.', answeredBy, fixedIn: 'f' };
  expect(isAnswerable(item as Parameters<typeof isAnswerable>[0], own)).toBe(may);
});

describe('a program that repeats itself', () => {
  const bot = (body: string, url: string): Act =>
    comment({ author: 'reviewbot', bot: true, body, url: `https://forge/ana/app/pull/7#${url}` });
  const shown = (story: Story) =>
    story.all.filter(({ do: one }) => one.kind === 'chat_message' && one.content.view === 'comment').length;

  it('F7: is heard once, whatever lines, commits and times it names', () => {
    const story = at('REVIEW_WAIT').when(
      bot('Line 12: unused import. Reviewed 0a1b2c3 at 10:01', 'c1'),
      bot('Line 14: unused import. Reviewed 9f8e7d6c5b at 12:59', 'c2'),
      bot('Line 14: unused variable.', 'c3'),
    );
    expect(shown(story)).toBe(2);
  });

  it('F7: two people who say the same are two remarks', () => {
    const story = at('REVIEW_WAIT').when(
      comment({ url: 'https://forge/ana/app/pull/7#c1' }),
      comment({ url: 'https://forge/ana/app/pull/7#c2', author: 'joe' }),
    );
    expect([open(story).length, shown(story)]).toEqual([2, 2]);
  });

  it('F7: a text of only comments or of a megabyte is compared by its beginning', () => {
    expect(remarkFingerprint('x', `<!-- ${'a'.repeat(100)} -->`)).toBe('x 0 ');
    expect(remarkFingerprint('x', 'y'.repeat(1_000_000)).length).toBeLessThan(200);
  });
});

describe('what is counted', () => {
  const counted = ({ log }: Story): unknown => {
    let run: Run | null = null;
    const steps = log.map(({ input, stamp }) => {
      const step = decideStep(run, input, stamp);
      if (step.kind !== 'moved') throw new Error(`${input.type} was ${step.kind}`);
      ({ run } = step);
      return RecordedEvent.parse(JSON.parse(JSON.stringify(toRecordedEvent(input, stamp, step))));
    });
    return figuresOf(steps)?.remarks;
  };

  it.each<[string, Story, object]>([
    ['still in time', asked, { heard: 1, unanswered: 0 }],
    ['late', rings(asked), { heard: 1, unanswered: 1 }],
    ['answered after the call', rings(asked).when(remarksAnswered), { heard: 1, unanswered: 0 }],
    ['open when it was merged', asked.when(pull({ merged: true })), { heard: 1, unanswered: 1 }],
    ['no remark at all', at('REVIEW_WAIT'), { heard: 0, unanswered: 0 }],
  ])('O4: the report counts a remark that is %s', (_, story, figures) => {
    expect(counted(story)).toEqual(figures);
  });

  it.each<[string, boolean]>([
    ['Thanks!', false],
    ['LGTM', false],
    ['Nice, but why not a set?', true],
    ['Please rename it.', true],
    ['This breaks on Windows.', true],
    ['', false],
  ])('F7: “%s” wants an answer: %s', (body, wants) => {
    expect(isAnswerWanted(body)).toBe(wants);
  });
});

describe('a comment in the conversation', () => {
  const url = 'https://forge/ana/app/pull/7#c1';
  const answer = (words: string, of = url): Act =>
    act({ type: 'command.comment.answer', by: ana, comment: of, words });
  const said = asked.when(answer('Yes, for those too.'));

  it('F7: is answered with a card to sign, and waits until the answer is posted', () => {
    expect(said.run.review.chosenRemarks).toMatchObject([
      { thread: `conversation:${url}`, answer: 'Yes, for those too.', answeredBy: 'person' },
    ]);
    const signed = said.when(sealedReplies(), approveReply());
    expect(open(signed)).toEqual([url]);
    const posted = signed.when(postedReplies());
    expect(open(posted)).toEqual([]);
    expect(posted.run.review.chosenRemarks).toEqual([]);
  });
  it('F7: keeps the last words, and a push does not lose them', () => {
    const again = said.when(answer('No, not yet.'));
    expect(again.run.review.chosenRemarks.map((one) => one.answer)).toEqual(['No, not yet.']);
  });
  it('F7: that nobody made, or that is answered, takes no answer', () => {
    expect(why(asked.when(answer('Hm.', `${url}9`)))).toContain('already been dealt with');
    expect(why(asked.when(remarksAnswered, answer('Hm.')))).toContain('already been dealt with');
  });
  it('F7: is one of few places an answer has: words of a review have none', () => {
    const item = said.run.review.chosenRemarks[0];
    expect(item && isAnswerable(item, true)).toBe(true);
    expect(item && isAnswerable({ ...item, thread: '' }, true)).toBe(false);
  });
});
