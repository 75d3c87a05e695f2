/** Guards of Slack, and of a host with several chats. */
import { always, never, swap } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const SLACK: readonly Guard[] = [
  ...noticedBy(test('contracts/slack'), [
    ['G4-slack-team', 'events of another workspace are not read', never],
    ['G4-slack-bots', 'what a bot or an app writes is not read', never],
    ['G4-slack-author-team', 'guests of another workspace are not heard', never],
    ['G4-slack-edited', 'an edited message gives no order', never],
    ['G4-slack-tap-team', 'taps of another workspace are not read', never],
    ['G4-slack-command-team', 'commands of another workspace are not read', never],
    ['L8-slack-strange-channel', 'nothing of what strangers say in a channel is stored', never],
    [
      'G3-same-person',
      'one person with two accounts is one person',
      swap('asPerson(adapter.read(body), personOf)', 'adapter.read(body)'),
    ],
    ['G5-slack-root', 'a token of Slack goes over https', never],
  ]),
  ...noticedBy(test('contracts/people', 'rights'), [
    [
      'G3-role-of-a-person',
      'a role is that of the person, whatever the account',
      swap('context.adapter.mainAccountOf?.(named) ?? named', 'named'),
    ],
    [
      'G3-invitation-of-this-chat',
      'an invitation says how to join this chat',
      swap('context.adapter.invitationText?.(code) ?? ', ''),
    ],
  ]),
  ...noticedBy(test('adapters/slack'), [
    ['L3-slack-stored-first', 'an envelope is stored before it is acknowledged', swap('await', 'void')],
    [
      'G4-slack-command-time',
      'a slash command is older than a card that came after it',
      swap('messageIdAfter(newest)', "messageIdAfter('9999999999.000000')"),
    ],
    ['L6-slack-silence', 'a silent connection is replaced', swap('> SILENCE_MS', '> Infinity')],
    [
      'G8-slack-cut-is-said',
      'what Slack does not take is said to be cut',
      swap('isTooLong(blocks)', 'false'),
    ],
    ['G5-slack-upload', 'a change is not sent without encryption', never],
    ['G5-slack-ticket', 'no ticket is used without encryption', always],
    ['G5-slack-token-host', 'the token goes to hosts of Slack alone', never],
  ]),
];
