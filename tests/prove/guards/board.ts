/** O5: guards of the board. */
import { never, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const BOARD: readonly Guard[] = [
  ...noticedBy(test('adapters/board'), [
    ['O5-link-once', 'a link of the board is for one use', without('link.used')],
    ['O5-link-once', 'a link of the board ends', without('link.until <= clock.now()')],
    ['O5-role-taken-away', 'a session ends with its role', never],
    ['O5-foreign-origin', 'other sites read nothing of the board', never],
    ['O5-picture-bytes', 'only what is an image by its bytes is sent as one', never],
  ]),
  ...noticedBy(test('adapters/board-app'), [
    ['O5-init-data', 'a Mini App is believed by what Telegram signed', never],
    ['O5-init-data-age', 'what Telegram signed is believed for a day', never],
    ['O5-reload-same-person', 'a reload goes on with the session of the same person', never],
  ]),
];
