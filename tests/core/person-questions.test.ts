/** E21: questions to the agent leave everything as it is; changes that were asked for can be taken back. */
import { describe, expect, it } from 'vitest';
import { EMPTY_REPORT, isMereQuestion } from '#model/agent';
import type { Effect } from '#effects';
import type { PersonQuestion } from '#run';
import { findEarlierCard } from '../../orchestrator/kernel/gate/on-take-back.ts';
import { publicSummaryOf } from '../../orchestrator/kernel/gate/summarise-change.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import {
  act,
  answered,
  approvePush,
  askChanges,
  askQuestion,
  at,
  atAgent,
  baseMerged,
  ben,
  budgeted,
  cards,
  confirm,
  deny,
  given,
  hearsWords,
  implemented,
  markDone,
  opened,
  pause,
  pushed,
  revokes,
  sha,
  takeBack,
  tells,
  updateBase,
  validated,
  ways,
  why,
  works,
  type Act,
  type Story,
} from '../support/core.ts';

const told = (effects: readonly Effect[]): PersonQuestion[] =>
  effects.flatMap(({ do: what }) =>
    what.kind === 'chat_message' && what.content.view === 'answer' ? [what.content.question] : [],
  );
const gateOf = ({ run }: Story) => [run.gate, run.lifecycle.state, run.lifecycle.epoch, run.change] as const;
const both = { decision: 'escalate', both: {} } as const;
/** What it says of a turn that changed nothing. */
const OTHER = { ...EMPTY_REPORT, what: 'Something else.' };
const pushCard = at('LOCAL_VALIDATING').when(validated(both));
const fixCard = at('ITERATING').when(implemented('b'), validated({ decision: 'escalate' }));

describe('a question to the agent', () => {
  const waits = {
    'a card of the opening': at('PUSHED'),
    'a card of push and opening': pushCard,
    'a card of a fix': fixCard,
    'an open pull request': at('CI_WAIT'),
    'a green pull request': at('REVIEW_WAIT'),
    'a run that needs a person': at('NEEDS_HUMAN_REVIEW'),
  };
  for (const [name, story] of Object.entries(waits)) {
    it(`E21: to ${name} leaves card, seal, change and state as they were, and is answered`, () => {
      const asked = story.when(askQuestion());
      expect(asked.step.kind).toBe('moved');
      expect(works(asked)).toEqual(['answer_question']);
      expect(gateOf(asked)).toEqual(gateOf(story));
      const done = asked.when(answered());
      expect(gateOf(done)).toEqual(gateOf(story));
      expect(told(done.effects)).toMatchObject([
        {
          text: 'Why did you change the default?',
          by: 'Ana',
          chat: null,
          outcome: { kind: 'answered', text: 'The old one was wrong.' },
        },
      ]);
      expect(cards(done.effects)).toEqual([]);
    });
  }

  it('E21: counts in the budgets of the run, and its conversation goes on', () => {
    const before = at('PUSHED');
    const { run } = before.when(askQuestion(), answered());
    expect(run.lifecycle.usage.inputTokens - before.run.lifecycle.usage.inputTokens).toBe(2);
    expect(run.lifecycle.workedMs - before.run.lifecycle.workedMs).toBe(500);
    expect(run.agent.session?.usage.inputTokens).toBe(3);
  });

  it('E21: is refused where a budget is used up', () => {
    const spent = given({ bounds: budgeted({ maxTokens: 2 }) }, ...ways.PUSHED).when(askQuestion());
    expect(why(spent)).toContain('budget');
    expect(works(spent)).toEqual([]);
  });

  it('E21: the card can be approved before, during and after it', () => {
    const card = at('PUSHED');
    const during = card.when(askQuestion(), confirm());
    expect(works(during)).toEqual(['open_pr']);
    const open = during.when(opened());
    expect(open.run.lifecycle.state).toBe('CI_WAIT');
    expect(told(open.all)).toEqual([]);
    expect(told(open.when(answered()).effects)).toHaveLength(1);
    expect(works(card.when(askQuestion(), answered(), confirm()))).toEqual(['open_pr']);
    const approved = pushCard.when(confirm(), askQuestion());
    expect(works(approved)).toEqual(['answer_question']);
    expect(approved.when(pushed(undefined, true), answered()).run.gate.consumedApproval).not.toBeNull();
    expect(works(fixCard.when(askQuestion(), approvePush()))).toEqual(['push']);
  });

  it('E21: is told as not answered when the run goes on to other work, and a late answer is only counted', () => {
    for (const [story, next] of [
      [at('PUSHED'), askChanges()],
      [at('PUSHED'), pause],
      [at('CI_WAIT'), markDone],
    ] as const) {
      const asked = story.when(askQuestion());
      const question = asked.run.agent.personQuestions?.[0]?.id ?? '';
      const moved = asked.when(next);
      expect(told(moved.effects)).toMatchObject([{ id: question, outcome: { kind: 'moved_on' } }]);
      const late = moved.when(answered(undefined, { question }));
      expect(told(late.effects)).toEqual([]);
      expect(late.run.lifecycle.state).toBe(moved.run.lifecycle.state);
      const counted = late.run.lifecycle.usage.inputTokens - moved.run.lifecycle.usage.inputTokens;
      expect(counted).toBe(late.run.lifecycle.state === 'DONE' ? 0 : 2);
    }
  });

  it('E21: is refused while the agent works, twice at once, without words, and of an ended run', () => {
    for (const state of ['IMPLEMENTING', 'LOCAL_VALIDATING', 'ITERATING'] as const)
      expect(at(state).when(askQuestion()).step.kind).toBe('refused');
    expect(why(at('LOCAL_VALIDATING').when(askQuestion()))).toContain('is at work now');
    expect(why(at('PUSHED').when(askQuestion(), askQuestion()))).toContain('is open');
    expect(why(at('PUSHED').when(askQuestion(' ')))).not.toBe('');
    expect(at('DONE').when(askQuestion()).step.kind).toBe('refused');
  });

  it('E21: the answer comes where it was asked for, and only the newest five are kept', () => {
    const asked = at('PUSHED').when(askQuestion('Why?', { chat: '77', by: ben }));
    expect(told(asked.when(answered()).effects)).toMatchObject([{ chat: '77', by: 'Ben' }]);
    const many = Array.from({ length: 7 }, (_, i) => [askQuestion(`Why ${i}?`), answered()]).flat();
    const { run } = at('PUSHED').when(...many);
    expect(run.agent.personQuestions?.map(({ text }) => text)).toEqual(
      [2, 3, 4, 5, 6].map((i) => `Why ${i}?`),
    );
  });

  it('E21: a lost conversation is told and not asked again', () => {
    const lost = at('PUSHED').when(
      askQuestion(),
      answered({ kind: 'failed', class: 'session_lost', message: 'It is gone.' }),
    );
    expect(told(lost.effects)).toMatchObject([{ outcome: { kind: 'failed' } }]);
    expect(why(lost.when(askQuestion()))).toContain('no conversation');
    expect(lost.when(revokes, confirm()).step.kind).toBe('moved');
  });
});

describe('words that only ask', () => {
  it.each([
    'Why did you change the default?',
    'Why did you change config.ts? What does `a ? b : c` do there?',
    'What happens if it is empty?',
    '为什么要改默认值？',
    '这个函数还有人用吗？',
  ])('E21: are a mere question: %s', (words) => expect(isMereQuestion(words)).toBe(true));
  it.each([
    'Rename it.',
    'Why did you change the default? Put it back.',
    'Could you rename it?',
    'Can this be smaller?',
    'Why not use a map?',
    'Please add a test?',
    'Why did you change the default',
    '能不能小一点？',
    '请加个测试？',
    '?',
    '',
  ])('E21: are none: %s', (words) => expect(isMereQuestion(words)).toBe(false));
});

describe('changes that were asked for', () => {
  const first = atAgent('PUSHED');
  const second = first.when(askChanges('Smaller.'), implemented('b'), validated(both), pushed('b'));
  const card = first.when(askChanges('Smaller.'), implemented('b'), validated(both));

  it('E21: taken back, the change before is checked anew and gets a card and an approval of its own', () => {
    const back = card.when(takeBack());
    expect(back.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING', reason: { kind: 'taken_back', by: 'Ana' } },
      change: { commit: { sha: sha('a') }, evaluation: null, resetTo: sha('a') },
      gate: { approval: null, proposal: null },
      agent: {
        discardedEdits: {
          why: 'taken_back',
          files: card.run.change.commit?.diff.files.map(({ path }) => path),
        },
      },
    });
    expect(works(back)).toEqual(['check']);
    const again = back.when(validated(), pushed());
    expect(again.run.lifecycle.state).toBe('PUSHED');
    const ids = [first, card, again].map(({ run }) => run.gate.approval?.id);
    expect(new Set(ids).size).toBe(3);
    expect(again.run.gate.approval?.digest).toBe(first.run.gate.approval?.digest);
    expect(again.when(confirm({ id: ids[0] ?? '' })).step.kind).toBe('refused');
  });

  it('E21: an older card or none is no card to take back from', () => {
    expect(card.when(takeBack('other')).step.kind).toBe('refused');
    expect(why(first.when(takeBack()))).toContain('no earlier card');
    expect(at('CI_WAIT').when(takeBack()).step.kind).toBe('refused');
    const merged = second.when(updateBase, baseMerged('merged'), validated(), pushed('m'));
    expect(merged.run.gate.approval).not.toBeNull();
    expect(why(merged.when(takeBack()))).toContain('no earlier card');
    const base = card.run.target.base && { ...card.run.target.base, sha: sha('n') };
    expect(findEarlierCard(card.run)?.commit.sha).toBe(sha('a'));
    expect(findEarlierCard(patchRun(card.run, { target: { base } }))).toBeNull();
    // Our branch goes back as long as no pull request shows it.
    expect(second.run.change.pushedHead?.sha).toBe(sha('b'));
    expect(second.when(takeBack()).run.change.commit?.sha).toBe(sha('a'));
    expect(second.run.change.earlierCards?.map(({ commit }) => commit.sha)).toEqual([sha('a')]);
  });

  it('E21: of a fix go back to the fix before, and never beyond a push', () => {
    const other = fixCard.when(deny('Other words.'), implemented('c'), validated({ decision: 'escalate' }));
    const back = other.when(takeBack());
    expect(back.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      change: { commit: { sha: sha('b') } },
    });
    expect(works(back)).toEqual(['check']);
    const withPull = card.when(confirm(), pushed('b', true), opened());
    expect(withPull.run.change.earlierCards).toHaveLength(1);
  });

  it.each([
    ['a card of the opening', first],
    ['a card of push and opening', pushCard],
    ['a card of a fix', fixCard],
  ])('E21: that change nothing make %s live again, for the same bytes', (_, story) => {
    const digest = story.run.gate.approval?.digest;
    const denied = story.run.lifecycle.state === 'ITERATING' ? deny('Why?') : askChanges('Why?');
    const letter = story.run.change.commit?.sha[0] ?? 'a';
    const again = story.when(denied, implemented(letter));
    expect(again.run.lifecycle.state).toBe(story.run.lifecycle.state);
    expect(again.run.gate.approval?.digest).toBe(digest);
    expect(again.run.gate.approval?.id).not.toBe(story.run.gate.approval?.id);
    expect(works(again)).toEqual([]);
    expect(cards(again.effects)).toEqual([again.run.gate.approval?.id]);
    expect(again.run.agent.summary).toBe('Done.');
  });

  it('E21: words that wait for the agent go before the card that would return', () => {
    const told = atAgent('PUSHED').when(askChanges('Why?'), tells('Use the helper.'), implemented('a'));
    expect(told.run.gate.approval).toBeNull();
    expect(works(told)).toEqual(['implement']);
  });

  it.each([
    ['a card of the opening', atAgent('PUSHED'), askChanges('Why?')],
    ['a card of push and opening', atAgent('LOCAL_VALIDATING').when(validated(both)), askChanges('Why?')],
    [
      'a card of a fix',
      atAgent('ITERATING').when(implemented('b'), validated({ decision: 'escalate' })),
      deny('Why?'),
    ],
  ] as const)(
    'E21: %s returns after words that waited, with the words that it was sealed with',
    (_, story, denied) => {
      const letter = story.run.change.commit?.sha[0] ?? 'a';
      const again = story.when(
        denied,
        tells('Use the helper.'),
        implemented(letter, 1, { claims: { status: 'done', ran: [], reported: OTHER } }),
        hearsWords(),
        implemented(letter),
      );
      expect(again.run.lifecycle.state).toBe(story.run.lifecycle.state);
      expect(again.run.gate.approval?.digest).toBe(story.run.gate.approval?.digest);
      expect(publicSummaryOf(again.run.agent)).toBe(publicSummaryOf(story.run.agent));
      expect(again.run.agent.claims).toEqual(story.run.agent.claims);
      expect(works(again)).toEqual([]);
    },
  );

  it('E21: what returns keeps the box that it was judged with, names lent credentials, and repairs begin anew', () => {
    const made = (change: object): Act => act((run) => ({ ...implemented('a')(run).input, ...change }));
    const weak = first.when(
      askChanges('Why?'),
      made({ containment: 'group', exposedCredentials: 'sign_in' }),
    );
    expect(weak.run.agent).toMatchObject({ containment: 'bwrap', exposedCredentials: 'sign_in' });
    expect(weak.run.lifecycle.counts.reportRepairs).toBe(0);
    const strong = first.when(askChanges('Why?'), made({ containment: 'container' }));
    expect(strong.run.agent.containment).toBe('container');
    for (const story of [first, at('CI_WAIT')]) {
      const { run } = story.when(
        askQuestion(),
        answered(undefined, { containment: 'container', exposedCredentials: 'sign_in' }),
      );
      expect(run.agent).toMatchObject({ containment: 'container', exposedCredentials: 'sign_in' });
      const unsealed = story.when(askQuestion(), answered(undefined, { containment: 'group' }));
      expect(unsealed.run.agent.containment).toBe(story.run.gate.proposal ? 'bwrap' : 'group');
    }
  });

  it('E21: that change nothing of a pushed commit need no commit to show it', () => {
    const again = first.when(askChanges('Why?'), implemented(null));
    expect(again.run.lifecycle.state).toBe('PUSHED');
    expect(again.run.gate.approval?.digest).toBe(first.run.gate.approval?.digest);
  });
});
