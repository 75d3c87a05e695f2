/** Only admins grant and revoke roles (G3). */
import { roleNeededFor, type UserChange } from '#commands';
import { USER_ROLES, type UserRole, hasRoleAtLeast } from '#model/settings';
import { fingerprintOf } from '#passkeys';
import { cutText } from '#model/values';
import { createInvite } from './invites.ts';
import { escapeSentence } from '../text/telegram-html.ts';
import { showInvisible } from '../../text-safety/index.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { ANONYMOUS_ADMIN } from './read-telegram-update.ts';
import { renderUsers } from '../views/user-screens.ts';
import {
  personOf,
  htmlReply,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';

const peopleNow = async (context: CommandContext) =>
  Promise.all(
    (await context.people.roles.everybody()).map(async (one) => ({
      ...one,
      sessions: (await context.host.board?.access.openSessions(one.id)) ?? 0,
    })),
  );

/** Idempotent, so handling the update again after a crash is harmless. */
export const changeUsers = async (context: CommandContext, change: UserChange | null): Promise<void> => {
  const replyWith = (text: string): Promise<void> => settleUpdate(context, 'users', plainReply(text));
  const { users: w, roles: names } = context.words;
  if (change === null)
    return settleUpdate(context, 'users', htmlReply(renderUsers(await peopleNow(context), context.words)));
  if (change.op === 'invite') return sendInvite(context, change.role);
  const { id: named } = change;
  if (!context.adapter.isPerson(named))
    return replyWith(sayRecord(context.words.problems, { kind: 'user', text: named.slice(0, 40) }));
  // guard: G3-role-of-a-person
  const id = context.adapter.mainAccountOf?.(named) ?? named;
  // G4: a role for this account would apply to every anonymous group admin.
  if (id === ANONYMOUS_ADMIN) return replyWith(w.anonymous);
  const known = await context.people.roles.of(id);
  if (change.op === 'signout') {
    const ended = (await context.host.board?.access.endSessions(id, personOf(context))) ?? 0;
    return replyWith(context.words.board.signedOut(known?.name ?? id, ended));
  }
  if (known?.fixed) return replyWith(w.unchangeable(id));
  const name = (change.op === 'add' ? change.name : null) ?? known?.name ?? `user ${id}`;
  await context.host.board?.access.endSessions(id, personOf(context));
  if (change.op === 'add') {
    await context.ledger.setUser({ id, name, role: change.role }, personOf(context));
    context.people.onMember?.(id);
    return replyWith(w.added(name, id, names.names[change.role]));
  }
  if (!known) return replyWith(w.unknown(id));
  await context.ledger.removeUser(id, personOf(context));
  await revokeKeys(context, id);
  context.people.onMember?.(id);
  return replyWith(w.removed(name, id));
};

/** G11: a key that was stolen does not count when its person returns. */
const revokeKeys = async (context: CommandContext, id: string): Promise<void> => {
  const passkeys = context.host.board?.passkeys;
  for (const { publicKey } of (await passkeys?.of(id))?.keys ?? [])
    await passkeys?.revoke(id, fingerprintOf(publicKey), personOf(context));
};

const sendInvite = async (context: CommandContext, role: UserRole): Promise<void> => {
  const { users: w, roles: names } = context.words;
  // Everybody in a group could use the code.
  if (!context.private) return settleUpdate(context, 'users', plainReply(w.inviteAlone));
  const code = await createInvite(
    context.ledger,
    { id: context.user, name: context.name },
    role,
    context.clock.now(),
  );
  if (code === null) return settleUpdate(context, 'users', plainReply(w.inviteMany));
  // guard: G3-invitation-of-this-chat
  const how = context.adapter.invitationText?.(code) ?? `/start ${code}`;
  return settleUpdate(context, 'users', plainReply(w.invite(how, names.names[role])));
};

export const chooseUserRoles = async (
  context: CommandContext,
  people: readonly { id: string; name: string }[],
): Promise<void> => {
  if (!hasRoleAtLeast(context.role, roleNeededFor('users', { change: null })))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs('admin')));
  const { users: w, roles: names } = context.words;
  const rows = people.slice(0, 5).map(({ id, name }) => {
    const called = cutText(showInvisible(name).replace(/\s+/g, ' ').trim(), 40) || id;
    return USER_ROLES.map((role) => ({
      verb: 'say' as const,
      text: `${called}: ${names.names[role]}`,
      runId: '',
      says: `/users add ${id} ${role} ${called}`,
    }));
  });
  return settleUpdate(
    context,
    'chosen',
    htmlReply(
      escapeSentence(w.chosen),
      rows.flatMap((row) => [row.slice(0, 2), row.slice(2)]),
    ),
  );
};
