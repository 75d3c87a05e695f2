/** F7, G6: remarks of reviewers: what is proposed, what a person chooses, and what is answered. */
import { describe, expect, it } from 'vitest';
import type { ReviewFacts } from '#ports/forge';
import { nextChoice, proposeChoice } from '#model/review';
import {
  ana,
  approvePush,
  approveReply,
  askChanges,
  at,
  begin,
  ben,
  check,
  failed,
  choose,
  confirm,
  deny,
  implemented,
  later,
  looked,
  opened,
  pause,
  postedReplies,
  pull,
  pushed,
  red,
  remark,
  resume,
  review,
  sealedReplies,
  validated,
  type Story,
} from '../support/core.ts';

const FIX = remark('c1', 'Please use salut.');
const ASK = remark('c2', 'Why salut?');
const NIT = remark('c3', 'nit (optional): a comma');
const three = (change: Partial<ReviewFacts> = {}) =>
  review({ body: '', remarks: [FIX, ASK, NIT], hasAllRemarks: true, ...change });
const choices = (story: Story) => story.run.review.triage?.items.map(({ choice }) => choice);
const views = (story: Story) =>
  story.all.flatMap((e) => (e.do.kind === 'chat_message' && e.do.content.view === 'triage' ? [e.do] : []));
const works = (story: Story) => story.effects.map((e) => e.do.kind).filter((kind) => kind !== 'chat_message');

describe('what is proposed about a remark', () => {
  it.each<[string, string]>([
    ['```suggestion\nconst a = 2;\n```', 'fix'],
    ['Why not?\n```suggestion\nx\n```', 'fix'],
    ['Please rename this.', 'fix'],
    ['Rename this.', 'fix'],
    ['Could you rename this?', 'fix'],
    ['This breaks on Windows.', 'fix'],
    ['You should check for null', 'fix'],
    ['请改成 salut', 'fix'],
    ['Why is this needed?', 'reply'],
    ['What happens when it is empty?', 'reply'],
    ['这里为什么需要？', 'reply'],
    ['Is this on purpose?', 'reply'],
    ['nit: optional, a comma', 'ignore'],
    ['Nice!', 'ignore'],
    ['LGTM', 'ignore'],
    ['Great work, but please add a test.', 'fix'],
    ['Non-blocking: could be shorter', 'ignore'],
    ['很好', 'ignore'],
  ])('F7: “%s” is proposed as %s', (body, choice) => {
    expect(proposeChoice({ body, path: 'a' }, 'write')).toBe(choice);
  });

  it('P5: of somebody who may only read everything is ignored, whatever it asks for', () => {
    expect(proposeChoice({ body: 'Please delete the tests', path: 'a' }, 'read')).toBe('ignore');
  });

  it('F7: the words of a review have no thread that could be answered in', () => {
    expect(proposeChoice({ body: 'Why?', path: null }, 'write')).toBe('ignore');
    expect(nextChoice({ choice: 'fix', path: null, body: '' })).toBe('ignore');
    expect(nextChoice({ choice: 'fix', path: 'a', body: '' })).toBe('reply');
  });
});

describe('a review with remarks on lines', () => {
  it('F7: becomes one card, and nothing is changed before a tap', () => {
    const story = at('REVIEW_WAIT').when(three());
    expect(story.run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(choices(story)).toEqual(['fix', 'reply', 'ignore']);
    expect(views(story)).toHaveLength(1);
    expect(views(story)[0]).toMatchObject({ sound: true });
  });

  it('F7, S4: seen again it is no news, and a second review joins the same card', () => {
    const story = at('CI_WAIT').when(three(), three());
    expect(views(story)).toHaveLength(1);
    const more = story.when(three({ id: '51', submittedAt: 51, remarks: [remark('c4')] }));
    expect(more.run.review.triage?.items.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(new Set(views(more).map(({ slot }) => slot)).size).toBe(1);
  });

  it('P5, F7: a program never steers, whatever it may do', () => {
    const story = at('REVIEW_WAIT').when(
      review({ bot: true }),
      three({ bot: true, id: '60', submittedAt: 60 }),
    );
    expect([story.run.lifecycle.state, story.run.review.triage]).toEqual(['REVIEW_WAIT', null]);
  });

  it.each<[string, Partial<ReviewFacts>, string]>([
    ['dismissed', { state: 'withdrawn' }, 'withdrawn'],
    ['by somebody who lost their rights', { access: 'read' }, 'rights_lost'],
    ['deleted', { remarks: [ASK, NIT] }, 'deleted'],
  ])('F7: a remark whose review was %s since is proposed for nothing', (_, change, since) => {
    const story = at('REVIEW_WAIT').when(three(), three(change));
    expect(story.run.review.triage?.items[0]).toMatchObject({ choice: 'ignore', changedSince: since });
  });

  it('F7: other words are another wish, and what was answered to the old ones is forgotten', () => {
    const edited = { ...ASK, body: 'Use bonjour.' };
    const story = at('REVIEW_WAIT').when(
      three(),
      choose('c2', 'reply', 'Because.'),
      three({ remarks: [FIX, edited, NIT] }),
    );
    expect(story.run.review.triage?.items[1]).toMatchObject({
      changedSince: 'edited',
      choice: 'fix',
      answer: null,
    });
  });

  it('F7: fifty remarks are one card', () => {
    const remarks = Array.from({ length: 50 }, (_, i) => remark(`c${i}`));
    const story = at('REVIEW_WAIT').when(three({ remarks }));
    expect([story.run.review.triage?.items.length, views(story).length]).toEqual([50, 1]);
  });

  it('F7: an old card, an unknown remark and an answer without a thread are refused', () => {
    const story = at('REVIEW_WAIT').when(three({ remarks: [{ ...FIX, path: null }, ASK] }));
    expect(story.when(choose('c9')).step).toMatchObject({ kind: 'refused', reason: { kind: 'no_remark' } });
    expect(story.when(choose('c1', 'reply')).step).toMatchObject({ kind: 'refused' });
    expect(story.when(begin, begin).step).toMatchObject({ kind: 'refused' });
  });
});

const begun = at('REVIEW_WAIT').when(three(), choose('c2', 'reply', 'Because.'), begin);
const fixPushed = begun.when(implemented('b'), validated(), approvePush(), pushed());
const asked = fixPushed.when(sealedReplies());

describe('what was chosen', () => {
  it('F6: the agent gets exactly what is to be fixed, with file, line and the lines it is about', () => {
    expect(begun.run.lifecycle.state).toBe('ITERATING');
    expect(begun.run.agent.round).toMatchObject({
      kind: 'review_fix',
      feedback: [
        { kind: 'remarks', items: [{ no: 1, path: 'src/hello.ts', line: 3, hunk: FIX.hunk, answer: false }] },
      ],
    });
  });

  it('F7: an answer that nobody wrote is the agent’s to propose, as long as there is something to fix', () => {
    const story = at('REVIEW_WAIT').when(three(), begin);
    expect(story.run.agent.round.feedback).toMatchObject([{ items: [{ no: 1 }, { no: 2, answer: true }] }]);
    const alone = at('REVIEW_WAIT').when(three(), choose('c1', 'ignore'), begin);
    expect(alone.step).toMatchObject({ kind: 'refused', reason: { kind: 'no_answer', nos: [2] } });
  });

  it('F7: where nothing is to be fixed the answers are sealed at once', () => {
    const story = at('REVIEW_WAIT').when(
      three(),
      choose('c1', 'ignore'),
      choose('c2', 'reply', 'Because.'),
      begin,
    );
    expect([story.run.lifecycle.state, works(story)]).toEqual(['REVIEW_WAIT', ['seal_replies']]);
  });

  it('F7: all ignored asks for nothing', () => {
    const story = at('REVIEW_WAIT').when(three(), choose('c1', 'ignore'), choose('c2', 'ignore'), begin);
    expect([works(story), story.run.review.chosenRemarks, story.run.review.triage]).toEqual([[], [], null]);
  });

  it('F7: when the fix is public, its answer and the others are sealed for one card', () => {
    expect(works(fixPushed)).toContain('seal_replies');
    expect(fixPushed.run.review.chosenRemarks).toMatchObject([
      { id: 'c1', fixedIn: fixPushed.run.change.pushedHead?.sha },
      { answer: 'Because.' },
    ]);
  });

  it('F7: remarks that nobody has words for wait again', () => {
    const story = at('REVIEW_WAIT').when(
      three(),
      begin,
      implemented('b'),
      validated(),
      approvePush(),
      pushed(),
    );
    expect(story.run.review.triage?.items.map(({ id, choice }) => [id, choice])).toEqual([['c2', 'reply']]);
    expect(story.run.review.chosenRemarks.map(({ id }) => id)).toEqual(['c1']);
  });
});

describe('the signature on answers', () => {
  it('G6: nothing is posted before it', () => {
    expect(asked.run.gate.approval?.kind).toBe('reply');
    expect(asked.all.some((e) => e.do.kind === 'reply')).toBe(false);
    expect(works(asked.when(approveReply()))).toEqual(['reply']);
  });

  it('G4: it counts for the digest that was shown alone', () => {
    expect(asked.when(approveReply({ digest: 'other' })).step).toMatchObject({ kind: 'refused' });
    expect(asked.when(approvePush()).step).toMatchObject({ kind: 'refused' });
  });

  it('G3: as many sign as the order says', () => {
    const two = at('PUSHED', { approvals: 2 }).when(
      ...[confirm(), confirm({ by: ben }), opened()],
      three({ remarks: [ASK] }),
      choose('c2', 'reply', 'Because.'),
      begin,
      sealedReplies(),
    );
    const one = two.when(approveReply({ by: ana }));
    expect(works(one)).toEqual([]);
    expect(works(one.when(approveReply({ by: ben })))).toEqual(['reply']);
  });

  it('G6: what a policy denies is not asked about', () => {
    const story = fixPushed.when(sealedReplies({ decision: 'deny' }));
    expect([story.run.gate.approval, story.run.review.chosenRemarks]).toEqual([null, []]);
    expect(story.effects).toContainEqual(
      expect.objectContaining({
        do: expect.objectContaining({
          content: expect.objectContaining({ view: 'note' }) as unknown,
        }) as unknown,
      }),
    );
  });

  it('F6: a re-run that the code host refuses is told while answers wait for a signature, and they are asked about again', () => {
    const refused = asked.when(failed('forge_refused', { step: 'rerun_ci', message: 'Forbidden' }));
    expect(refused.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'rerun_refused', says: 'Forbidden' } },
    });
    const green = refused.when(check({}, 'b'), later(60_000, looked));
    expect([green.run.lifecycle.state, works(green)]).toEqual([
      'REVIEW_WAIT',
      expect.arrayContaining(['seal_replies']),
    ]);
  });

  it('F7: the card stays as it is while checks end, and the run goes on when it is decided', () => {
    const green = asked.when(check({}, 'b'), later(60_000, looked));
    expect([green.run.lifecycle.state, green.run.gate.approval?.id]).toEqual([
      'CI_WAIT',
      asked.run.gate.approval?.id,
    ]);
    const done = green.when(approveReply(), postedReplies());
    expect([done.run.lifecycle.state, done.run.review.chosenRemarks, done.run.review.pendingReplies]).toEqual(
      ['REVIEW_WAIT', [], null],
    );
    expect(green.when(deny('No.')).run).toMatchObject({
      lifecycle: { state: 'REVIEW_WAIT' },
      gate: { approval: null },
      review: { chosenRemarks: [] },
    });
  });

  it('P4: a wish in place of a signature goes to the agent, and nothing is posted', () => {
    const story = asked.when(askChanges('Say it in French.'));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      review: { chosenRemarks: [] },
      agent: { round: { kind: 'person_request' } },
    });
    expect(story.all.some((e) => e.do.kind === 'reply')).toBe(false);
  });

  it('S2: red checks are mended first, and the answers are asked about again with the next fix', () => {
    const mending = asked.when(check({ outcome: 'failed' }, 'b'));
    expect([mending.run.lifecycle.state, mending.run.gate.approval]).toEqual(['ITERATING', null]);
    const again = mending.when(implemented('c'), validated(), approvePush(), pushed());
    expect(works(again)).toContain('seal_replies');
  });

  it('S2: a pause voids the card, and what is resumed asks anew', () => {
    const paused = asked.when(pause);
    expect([paused.run.gate.approval, paused.run.review.chosenRemarks.length]).toEqual([null, 2]);
    expect(works(paused.when(resume()))).toContain('seal_replies');
  });

  it('L4: what was posted is a fact, late or told twice', () => {
    const signed = asked.when(approveReply());
    const done = signed.when(postedReplies());
    expect(done.when(red).run.lifecycle.state).toBe('ITERATING');
    const ended = signed.when(pull({ merged: true }));
    expect(ended.run.lifecycle.state).toBe('DONE');
  });
});
