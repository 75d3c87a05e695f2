/** Manages invitation codes, valid once and for an hour (C1). Only their digests are stored. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { USER_ROLES, type UserRole } from '#model/settings';
import { HOUR } from '#model/values';
import { sha256Hex } from '#runtime';
import type { Ledger } from '#ports/ledger';

const INVITES_SETTING = 'invites';
const INVITE_EXPIRY_MS = HOUR;
const MOST_OPEN = 3;
/** 32 letters and digits that are hard to confuse. */
const READABLE = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const MemberInvite = z.object({
  digest: z.string(),
  role: z.enum(USER_ROLES),
  by: z.object({ id: z.string(), name: z.string() }),
  until: z.number(),
  usedBy: z.number().optional(),
});
export type MemberInvite = z.infer<typeof MemberInvite>;
type Settings = Pick<Ledger, 'changeSetting'>;

const openOnes = (stored: string | null, now: number): MemberInvite[] =>
  z
    .array(MemberInvite)
    .catch([])
    .parse(JSON.parse(stored ?? '[]'))
    .filter(({ until }) => until > now);
const digestOf = (code: string): string => sha256Hex(`invite|${code.toUpperCase()}`).slice(0, 32);

export const createInvite = async (
  ledger: Settings,
  by: MemberInvite['by'],
  role: UserRole,
  now: number,
): Promise<string | null> => {
  const code = Array.from({ length: 8 }, () => READABLE[randomInt(READABLE.length)]).join('');
  return ledger.changeSetting(INVITES_SETTING, (stored) => {
    const open = openOnes(stored, now);
    if (open.filter((one) => one.by.id === by.id && one.usedBy === undefined).length >= MOST_OPEN)
      return { to: null, answer: null };
    const invite = { digest: digestOf(code), role, by, until: now + INVITE_EXPIRY_MS };
    return { to: JSON.stringify([...open, invite]), answer: code };
  });
};

/** Returns the invitation and uses it up; the same message, handled again after a crash, gets it again. */
export const redeemInvite = async (
  ledger: Settings,
  { code, row }: { code: string; row: number },
  now: number,
): Promise<MemberInvite | null> =>
  ledger.changeSetting(INVITES_SETTING, (stored) => {
    const open = openOnes(stored, now);
    const found = open.find(
      ({ digest, usedBy }) => digest === digestOf(code) && (usedBy === undefined || usedBy === row),
    );
    if (!found) return { to: null, answer: null };
    const used = open.map((one) => (one === found ? { ...one, usedBy: row } : one));
    return { to: JSON.stringify(used), answer: found };
  });
