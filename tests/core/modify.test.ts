/**
 * P4: other words for a pull request: judged anew, asked about anew, with where they come from;
 * nobody's signature moves over.
 */
import { expect, it } from 'vitest';
import {
  at,
  ben,
  cards,
  confirm,
  failed,
  modify,
  notes,
  proposal,
  rewordedTo,
  sha,
  why,
  works,
  type Act,
} from '../support/core.ts';

const asked = at('PUSHED');
const card = asked.run.gate.approval?.id ?? '';
const digest = asked.run.gate.proposal?.digest ?? '';

it('P4: asks for the new words to be judged, and leaves the card as it is until then', () => {
  const story = asked.when(modify());
  expect(works(story)).toEqual(['modify_proposal']);
  expect(story.run.gate.approval?.id).toBe(card);
  expect(story.when(confirm()).run.gate.consumedApproval?.digest).toBe(digest);
});

it('P4: shows what was judged on a new card, which says what it was made from, and closes the old one', () => {
  const story = asked.when(modify(), rewordedTo('Other words'));
  expect(story.approvals.map((a) => a.op)).toEqual(['close', 'open']);
  expect(cards(story.effects)).toEqual([story.run.gate.approval?.id]);
  expect(story.run).toMatchObject({
    lifecycle: { state: 'PUSHED' },
    gate: {
      editedPrText: { title: 'Other words', original: digest, by: 'Ana', reason: 'clearer' },
      proposal: { fields: { title: 'Other words' } },
    },
  });
  expect(story.run.gate.approval?.digest).not.toBe(digest);
  expect(why(story.when(confirm({ id: card, digest })))).toContain('replaced by a newer one');
});

it('P4: a signature on the old words does not count for the new ones', () => {
  const two = at('PUSHED', { approvals: 2 }).when(confirm({ by: ben }), rewordedTo('Other words'));
  expect(two.run.gate.approval?.signatures).toEqual([]);
});

it('P4: a modification that is refused changes nothing and says why', () => {
  const story = asked.when(modify(), rewordedTo(null));
  expect(story.run.gate.approval?.id).toBe(card);
  expect(story.run.gate.proposal?.digest).toBe(digest);
  expect(notes(story.effects)).toEqual([
    'The wording was not changed: the new words raise the risk from low to medium.',
  ]);
});

it('P4: what is rejected is not taken, whatever comes with it', () => {
  const act: Act = (run) => {
    const { input, ...rest } = rewordedTo(null)(run);
    return {
      ...rest,
      input: { ...input, proposal: proposal('open_pr', sha('a'), { title: 'Worse' }) } as typeof input,
    };
  };
  expect(asked.when(modify(), act).run.gate.proposal?.digest).toBe(digest);
});

const judgedFor =
  (approvalId: string): Act =>
  (run) => {
    const act = rewordedTo('Other words')(run);
    return { ...act, input: { ...act.input, approvalId } as typeof act.input };
  };

it('P4: words that were judged for a card that is gone mean nothing', () => {
  const newer = asked.when(modify(), rewordedTo('Newer words'));
  expect(why(newer.when(judgedFor(card)))).toBe('card closed');
});

it('P4: whoever asked for other words hears that the card was signed before they were judged', () => {
  const signed = asked.when(modify(), confirm({ by: ben }));
  const late = signed.when(judgedFor(card));
  expect(notes(late.effects)).toEqual([
    'The wording was not changed: Ben approved the card before the new words were judged.',
  ]);
  expect(late.run.gate.consumedApproval).toEqual(signed.run.gate.consumedApproval);
});

it('P4: a judgement that could not be made is told of', () => {
  const story = asked.when(modify(), failed('forge_unavailable', { step: 'modify_proposal' }));
  expect(notes(story.effects)[0]).toContain('The wording was not changed');
  expect(story.run.gate.approval?.id).toBe(card);
});

it('P4: is refused without a card, on another card, and without words', () => {
  expect(why(at('CI_WAIT').when(modify()))).toContain('cannot be reworded');
  expect(why(asked.when(modify('x', 'other')))).toContain('replaced by a newer one');
  expect(why(asked.when(modify(null)))).toContain('Say which words');
});
