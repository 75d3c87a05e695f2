/** L8: which lane an update waits in, and what goes before what. */
import { expect, it } from 'vitest';
import { toUpdateLane, isIgnorableUpdate } from '../../bot/commands/update-lanes.ts';

const ana = { id: 7, is_bot: false, first_name: 'Ana' };
const said = (text: string, chat = 7) => ({
  update_id: 1,
  message: { message_id: 1, from: ana, chat: { id: chat, type: chat < 0 ? 'supergroup' : 'private' }, text },
});
const tapped = {
  update_id: 1,
  callback_query: {
    id: 'q',
    from: ana,
    data: 'x',
    message: { message_id: 1, chat: { id: 7, type: 'private' } },
  },
};

it.each([
  ['/status', false],
  ['/Status@agentpr_bot', false],
  ['/detail abc', false],
  ['/diff abc', false],
  ['/log abc check', false],
  ['/budget abc', false],
  ['/settings', false],
  ['/users', false],
  ['/nonsense', false],
  ['/pause', false],
  ['good morning', false],
  ['/pause abc', true],
  ['/cancel abc too late', true],
  ['/new acme/api mend it', true],
  ['/approve abc --confirm', true],
  ['/budget abc cost +2', true],
  ['/settings language zh', true],
  ['/users remove 7', true],
])('L8: %s goes before what only asks: %s', (text, urgent) => {
  expect(toUpdateLane(said(text))).toEqual({ lane: 'chat:7', urgent });
  expect(toUpdateLane(said(text, -5))).toEqual({ lane: 'chat:-5', urgent });
});

it('L8: a tap goes before what only asks, in the lane of its chat', () => {
  expect(toUpdateLane(tapped)).toEqual({ lane: 'chat:7', urgent: true });
});

it('L8: an edited command waits in the lane of its chat, and strangers share one', () => {
  const { message } = said('/pause abc');
  expect(toUpdateLane({ update_id: 1, edited_message: message })).toEqual({ lane: 'chat:7', urgent: false });
  const stranger = (user: string) => ({ update_id: 1, stranger: { user, chat: user, callback: null } });
  expect([toUpdateLane(stranger('8')), toUpdateLane(stranger('9'))]).toEqual([
    { lane: 'strangers', urgent: false },
    { lane: 'strangers', urgent: false },
  ]);
});

it('L8: what nobody is answered for is not kept', () => {
  const { message } = said('hello');
  expect(isIgnorableUpdate({ update_id: 1, edited_message: message })).toBe(true);
  expect(isIgnorableUpdate({ update_id: 1, edited_message: said('/status').message })).toBe(false);
  expect(isIgnorableUpdate(said('hello'))).toBe(false);
  expect(isIgnorableUpdate(tapped)).toBe(false);
});
