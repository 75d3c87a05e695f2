/** F5: the link of a pull request where the order came from: after a tap, once, and what became of it. */
import { describe, expect, it } from 'vitest';
import type { Effect } from '#effects';
import { mayCommentOnItem } from '#kernel';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { ana, cancel, commented, commentOnItem, given, ways, type Story } from '../support/core.ts';

const QUOTED = { url: 'https://tracker.example/7', text: 'It subtracts.' };
const ITEM = { hook: 'tracker', id: 'i-1' };
const opening = (quoted: typeof QUOTED & { item?: typeof ITEM }): Story => given({ quoted }, ...ways.CI_WAIT);
const posts = ({ effects }: Pick<Story, 'effects'>): Effect['do'][] =>
  effects.map(({ do: work }) => work).filter(({ kind }) => kind === 'comment_on_item');
const notes = ({ effects }: Pick<Story, 'effects'>): unknown[] =>
  effects.flatMap(({ do: work }) =>
    work.kind === 'chat_message' && work.content.view === 'note' ? [work.content.note] : [],
  );
const refusalOf = ({ run }: Story): unknown => {
  const step = decideStep(run, commentOnItem(run).input, {
    at: 9_000_000_000_000,
    nonce: 'n',
    effectEpoch: null,
  });
  return step.kind === 'refused' ? step.reason.kind : step.kind;
};

describe('the link where an order came from', () => {
  it('F5: is posted after a tap, once, on the item that the order names', () => {
    const open = opening({ ...QUOTED, item: ITEM });
    expect(posts(open)).toEqual([]);
    const asked = open.when(commentOnItem);
    expect(posts(asked)).toEqual([{ kind: 'comment_on_item', pull: open.run.upstream.pullRequest?.id }]);
    expect(asked.run.upstream.pullRequest?.comment).toEqual({ by: ana.name, outcome: 'asked' });
    expect(refusalOf(asked)).toBe('nothing_to_comment_on');
    const posted = asked.when(commented('posted'));
    expect(posted.run.upstream.pullRequest?.comment?.outcome).toBe('posted');
    expect(notes(posted)).toEqual([]);
    expect(refusalOf(posted)).toBe('nothing_to_comment_on');
  });

  it('F5: what was refused is told and may be tried again, what may be there is not posted twice', () => {
    const asked = opening({ ...QUOTED, item: ITEM }).when(commentOnItem);
    const refused = asked.when(commented('refused'));
    expect(notes(refused)).toEqual([
      { kind: 'item_comment', url: QUOTED.url, outcome: 'refused', message: 'HTTP 403' },
    ]);
    expect(mayCommentOnItem(refused.run)).toBe(true);
    expect(posts(refused.when(commentOnItem))).toHaveLength(1);
    const unclear = asked.when(commented('unclear'));
    expect(notes(unclear)).toMatchObject([{ outcome: 'unclear' }]);
    expect(refusalOf(unclear)).toBe('nothing_to_comment_on');
  });

  it('F5: is for orders that came from such a program, and once a pull request is open', () => {
    expect(refusalOf(opening(QUOTED))).toBe('nothing_to_comment_on');
    expect(mayCommentOnItem(opening(QUOTED).run)).toBe(false);
    expect(refusalOf(given({ quoted: { ...QUOTED, item: ITEM } }, ...ways.PUSHED))).not.toBe('moved');
  });

  it('F5: may be posted when the run is over, and its result counts then, too', () => {
    const over = opening({ ...QUOTED, item: ITEM }).when(cancel);
    expect(over.run.lifecycle.state).toBe('FAILED_TERMINAL');
    const asked = over.when(commentOnItem);
    expect(posts(asked)).toHaveLength(1);
    expect(asked.when(commented('posted')).run.upstream.pullRequest?.comment?.outcome).toBe('posted');
  });
});
