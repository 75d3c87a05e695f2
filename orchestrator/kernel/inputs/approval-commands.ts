/** Names the command that signs each kind of card (G3). Pure. */
import type { CommandType } from '../run/input-types.ts';
import type { ApprovalKind } from '../run/run.ts';

export const COMMAND_OF_APPROVAL = {
  push: 'command.push.approve',
  open_pr: 'command.pr.approve',
  reply: 'command.reply.approve',
} as const satisfies Record<ApprovalKind, CommandType>;
