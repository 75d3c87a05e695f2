/** G4: which updates of Telegram are somebody's word, and which never act. */
import { expect, it } from 'vitest';
import {
  ANONYMOUS_ADMIN,
  reduceToStoredUpdate,
  readTelegramUpdate,
} from '../../bot/commands/read-telegram-update.ts';

const ana = { id: 1, is_bot: false, first_name: 'Ana' };
const chat = (type: string) => ({ id: type === 'private' ? 1 : -5, type });
const message = (more: object = {}, type = 'private') => ({
  update_id: 9,
  message: { message_id: 3, from: ana, chat: chat(type), text: '/approve_open_pr r1 --confirm', ...more },
});
const tap = (more: object = {}, type = 'private') => ({
  update_id: 9,
  callback_query: {
    id: 'c',
    from: ana,
    data: 'a1.ok.z.x',
    message: { message_id: 3, chat: chat(type) },
    ...more,
  },
});

it('G4: words and taps of a person in a private chat or a group are theirs', () => {
  for (const type of ['private', 'group', 'supergroup']) {
    expect(readTelegramUpdate(message({}, type))).toMatchObject({ kind: 'message', user: '1' });
    expect(readTelegramUpdate(tap({}, type))).toMatchObject({ kind: 'tap', user: '1' });
  }
});

it.each([
  ['somebody else wrote first', { forward_origin: { type: 'user' } }, 'forwarded'],
  ['another bot put there', { via_bot: { id: 2 } }, 'inline'],
  ['a channel says', { sender_chat: { id: -7 } }, 'anonymous'],
  ['an admin says who hides', { from: { ...ana, id: Number(ANONYMOUS_ADMIN) } }, 'anonymous'],
] as const)('G4: what %s is nobody’s word, and its sender hears why', (_, more, hint) => {
  expect(readTelegramUpdate(message(more, 'group'))).toMatchObject({ kind: 'inert', hint });
});

it('G4: bots, channels and nobody say nothing', () => {
  for (const update of [
    message({ from: { ...ana, is_bot: true } }),
    message({ from: undefined }),
    message({}, 'channel'),
  ])
    expect(readTelegramUpdate(update)).toMatchObject({ kind: 'inert', hint: null });
});

it('G4: a tap counts in a chat of ours only, and by somebody who can be told apart', () => {
  expect(readTelegramUpdate(tap({ inline_message_id: 'i' }))).toMatchObject({
    kind: 'inert',
    hint: 'inline',
  });
  expect(readTelegramUpdate(tap({ message: undefined }))).toMatchObject({ kind: 'inert', hint: 'inline' });
  expect(readTelegramUpdate(tap({}, 'channel'))).toMatchObject({ kind: 'inert', hint: 'inline' });
  expect(readTelegramUpdate(tap({ from: { ...ana, id: Number(ANONYMOUS_ADMIN) } }))).toMatchObject({
    kind: 'inert',
    hint: 'anonymous',
  });
});

it('L8: of strangers only ids are kept, and of a group nothing', () => {
  expect(reduceToStoredUpdate(message())).toEqual({
    update_id: 9,
    stranger: { user: '1', chat: '1', callback: null },
  });
  expect(reduceToStoredUpdate(tap())).toEqual({
    update_id: 9,
    stranger: { user: '1', chat: null, callback: 'c' },
  });
  expect(reduceToStoredUpdate(message({}, 'group'))).toBeNull();
});
