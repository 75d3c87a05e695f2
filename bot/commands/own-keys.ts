/** G11: a person's own keys in the chat: a link to register one, what there is, and taking one away. */
import type { ArgumentsOf } from '#commands';
import { fingerprintOf, keyOriginOf } from '#passkeys';
import { atLeast } from '#model/settings';
import type { AnswerButton } from '../views/screen-rows.ts';
import {
  codeLine,
  escapedLine,
  escapedSentence,
  escapeHtml,
  fitLines,
  momentText,
} from '../text/telegram-html.ts';
import { personOf } from './steer-run.ts';
import {
  htmlReply,
  plainReply,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
  type CommandReply,
} from './command-context.ts';

type OwnedKey = { user: string; name: string; fingerprint: string; at: number };

/** Everybody's for an admin. */
const keysSeenBy = async (c: CommandContext): Promise<OwnedKey[]> => {
  const everybody = atLeast(c.role, 'admin')
    ? (await c.people.roles.everybody()).map(({ id }) => id)
    : [c.user];
  const found = await Promise.all(
    everybody.map(async (user) => {
      const owned = await c.host.board?.passkeys.of(user);
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

const listOf = (keys: readonly OwnedKey[], c: CommandContext): CommandReply => {
  const { ownKeys: words, calendar } = c.words;
  const lines = keys.map(
    ({ name, fingerprint, at }) =>
      `<code>${fingerprint}</code> · ${codeLine(name, 40)} · ${escapedLine(momentText(at, c.clock.now(), calendar))}`,
  );
  const buttons = keys.slice(0, MAX_BUTTONS).map(({ name, fingerprint }): AnswerButton[] => [
    {
      verb: 'say',
      text: words.revoke(name, fingerprint.slice(0, 4)),
      runId: '',
      says: `/passkey revoke ${fingerprint}`,
    },
  ]);
  return htmlReply(fitLines([`<b>${escapedLine(words.title)}</b>`, ...lines]), buttons);
};
const MAX_BUTTONS = 20;

export const manageOwnKeys = async (
  c: CommandContext,
  change: ArgumentsOf<'passkey'>['key'],
): Promise<void> => {
  const { ownKeys: words, board: told } = c.words;
  const address = c.host.board?.address() ?? null;
  const at = address === null ? null : keyOriginOf(address);
  if (!c.host.board || !at) return settleUpdate(c, 'passkey', plainReply(words.off));
  if (!c.private) return refuseUpdate(c, 'passkey', plainReply(words.alone));
  const seen = await keysSeenBy(c);
  if (change !== null) {
    const key = seen.find(({ fingerprint }) => fingerprint === change);
    const isGone = key ? await c.host.board.passkeys.revoke(key.user, key.fingerprint, personOf(c)) : false;
    const says = isGone && key ? words.revoked(key.fingerprint, key.name) : words.unknown;
    return settleUpdate(c, 'passkey', plainReply(says));
  }
  const link = await c.host.board.access.issueLink({ id: c.user, name: c.name }, { registers: true });
  if (link === null) return refuseUpdate(c, 'passkey', plainReply(c.words.roles.stranger(c.user)));
  if ('retryAt' in link) {
    const when = momentText(link.retryAt, c.clock.now(), c.words.calendar);
    return refuseUpdate(c, 'passkey', plainReply(told.retry(when)));
  }
  const url = `${at.origin}/board/enter/${link.token}`;
  // Bot API, InlineKeyboardButton: an address of this machine is none for a button.
  const invitation =
    at.rpId !== 'localhost'
      ? htmlReply(escapedSentence(words.link), [[{ verb: 'say', text: words.open, runId: '', opens: url }]])
      : htmlReply(`${escapedSentence(words.link)}\n${escapeHtml(url)}`);
  return settleUpdate(c, 'passkey', ...(seen.length > 0 ? [listOf(seen, c)] : []), invitation);
};

/** Leads from the card to the page where a key can sign. */
export const keyPageReply = (c: CommandContext, runId: string): CommandReply => {
  const { ownKeys: words } = c.words;
  const address = c.host.board?.address() ?? null;
  const at = address === null ? null : keyOriginOf(address);
  if (!at) return plainReply(words.off, runId);
  const url = `${at.origin}/board/run/${encodeURIComponent(runId)}/diff#decide`;
  return at.rpId !== 'localhost'
    ? htmlReply(
        escapedSentence(words.needed),
        [[{ verb: 'say', text: words.decide, runId, opens: url }]],
        runId,
      )
    : htmlReply(`${escapedSentence(words.needed)}\n${escapeHtml(url)}`, [], runId);
};
