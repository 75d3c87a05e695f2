/** A person's own keys in the chat: a link to register one, what there is, and taking one away (G11). */
import type { ArgumentsOf } from '#commands';
import { fingerprintOf, keyOriginOf } from '#passkeys';
import { hasRoleAtLeast } from '#model/settings';
import type { AnswerButton } from '../views/screen-rows.ts';
import {
  codeLine,
  escapeLine,
  escapeSentence,
  escapeHtml,
  fitLines,
  momentText,
} from '../text/telegram-html.ts';
import {
  personOf,
  htmlReply,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
  type CommandReply,
} from './command-context.ts';

type OwnedKey = { user: string; name: string; fingerprint: string; at: number };

/** Everybody's for an admin. */
const keysSeenBy = async (context: CommandContext): Promise<OwnedKey[]> => {
  const everybody = hasRoleAtLeast(context.role, 'admin')
    ? (await context.people.roles.everybody()).map(({ id }) => id)
    : [context.user];
  const found = await Promise.all(
    everybody.map(async (user) => {
      const owned = await context.host.board?.passkeys.of(user);
      return (owned?.keys ?? []).map(({ publicKey, at }) => ({
        user,
        name: owned?.name ?? user,
        fingerprint: fingerprintOf(publicKey),
        at,
      }));
    }),
  );
  return found.flat();
};

const listOf = (keys: readonly OwnedKey[], context: CommandContext): CommandReply => {
  const { ownKeys: words, calendar } = context.words;
  const lines = keys.map(
    ({ name, fingerprint, at }) =>
      `<code>${fingerprint}</code> · ${codeLine(name, 40)} · ${escapeLine(momentText(at, context.clock.now(), calendar))}`,
  );
  const buttons = keys.slice(0, MAX_BUTTONS).map(({ name, fingerprint }): AnswerButton[] => [
    {
      verb: 'say',
      text: words.revoke(name, fingerprint.slice(0, 4)),
      runId: '',
      says: `/passkey revoke ${fingerprint}`,
    },
  ]);
  return htmlReply(fitLines([`<b>${escapeLine(words.title)}</b>`, ...lines]), buttons);
};
const MAX_BUTTONS = 20;

export const managePasskeys = async (
  context: CommandContext,
  change: ArgumentsOf<'passkey'>['key'],
): Promise<void> => {
  const { ownKeys: words, board: told } = context.words;
  const address = context.host.board?.address() ?? null;
  const at = address === null ? null : keyOriginOf(address);
  if (!context.host.board || !at) return settleUpdate(context, 'passkey', plainReply(words.off));
  if (!context.private) return refuseUpdate(context, 'passkey', plainReply(words.alone));
  const seen = await keysSeenBy(context);
  if (change !== null) {
    const key = seen.find(({ fingerprint }) => fingerprint === change);
    const isGone = key
      ? await context.host.board.passkeys.revoke(key.user, key.fingerprint, personOf(context))
      : false;
    const says = isGone && key ? words.revoked(key.fingerprint, key.name) : words.unknown;
    return settleUpdate(context, 'passkey', plainReply(says));
  }
  const link = await context.host.board.access.issueLink(
    { id: context.user, name: context.name },
    { registers: true },
  );
  if (link === null)
    return refuseUpdate(context, 'passkey', plainReply(context.words.roles.stranger(context.user)));
  if ('retryAt' in link) {
    const when = momentText(link.retryAt, context.clock.now(), context.words.calendar);
    return refuseUpdate(context, 'passkey', plainReply(told.retry(when)));
  }
  const url = `${at.origin}/board/enter/${link.token}`;
  // Bot API, InlineKeyboardButton: an address of this machine is none for a button.
  const invitation =
    at.rpId !== 'localhost'
      ? htmlReply(escapeSentence(words.link), [[{ verb: 'say', text: words.open, runId: '', opens: url }]])
      : htmlReply(`${escapeSentence(words.link)}\n${escapeHtml(url)}`);
  return settleUpdate(context, 'passkey', ...(seen.length > 0 ? [listOf(seen, context)] : []), invitation);
};

/** Leads from the card to the page where a key can sign. */
export const keyPageReply = (context: CommandContext, runId: string): CommandReply => {
  const { ownKeys: words } = context.words;
  const address = context.host.board?.address() ?? null;
  const at = address === null ? null : keyOriginOf(address);
  if (!at) return plainReply(words.off, runId);
  const url = `${at.origin}/board/run/${encodeURIComponent(runId)}/diff#decide`;
  return at.rpId !== 'localhost'
    ? htmlReply(
        escapeSentence(words.needed),
        [[{ verb: 'say', text: words.decide, runId, opens: url }]],
        runId,
      )
    : htmlReply(`${escapeSentence(words.needed)}\n${escapeHtml(url)}`, [], runId);
};
