/** One-time links and sessions of the board (O5). Only digests of their secrets are stored. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { USER_ROLES, type UserRole } from '#model/settings';
import { HOUR, MINUTE } from '#model/values';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';

const BOARD_LINK_EXPIRY_MS = 10 * MINUTE;
const BOARD_SESSION_MS = 24 * HOUR;
const MAX_RECENT_LINKS = 3;
const MAX_SESSIONS = 5;
/** Exchanged `initData` is remembered as long as it would be taken. */
const MAX_EXCHANGED = 20;

const Grant = z.object({
  digest: z.string(),
  role: z.enum(USER_ROLES),
  at: z.number(),
  until: z.number(),
  name: z.string().optional(),
});
/** G11: a key may be registered until then (epoch ms), once, by the person whom the chat calls so. */
const Registering = z.object({ name: z.string(), until: z.number() });
const BoardGrants = z.object({
  links: z.array(Grant.extend({ used: z.boolean(), registers: z.string().optional() })),
  sessions: z.array(Grant.extend({ registers: Registering.optional() })),
  /** Digests of `initData` that was exchanged already. */
  exchanged: z.array(z.object({ digest: z.string(), until: z.number() })),
});
type BoardGrants = z.infer<typeof BoardGrants>;
const NO_GRANTS: BoardGrants = { links: [], sessions: [], exchanged: [] };

/** `registers`: they came from the chat to register a key; `challenge` is what it has to sign (base64url). */
export type BoardVisitor = {
  id: string;
  role: UserRole;
  /** The chat called them so when it gave the link. */
  name?: string;
  registers?: { name: string; challenge: string };
};
/** `registers`: the link was for a key. */
export type OpenedSession = { cookie: string; until: number; registers?: true };

export type BoardAccess = {
  /** `retryAt`: too many links were made lately (epoch ms). */
  issueLink(
    person: Person & { id: string },
    options?: { validMs?: number; registers?: boolean },
  ): Promise<{ token: string } | { retryAt: number } | null>;
  /** Returns null for a link that is used, expired, forged, or of a role that was taken away. */
  redeemLink(token: string): Promise<OpenedSession | null>;
  /** `proof` identifies verified `initData`, which opens one session until `until`. */
  openAppSession(user: string, proof: string, until: number): Promise<OpenedSession | null>;
  visitor(cookie: string): Promise<BoardVisitor | null>;
  /** Ends what a link allowed; false when that was used already. */
  useRegistration(cookie: string): Promise<boolean>;
  roleOf(user: string): Promise<UserRole | null>;
  openSessions(user: string): Promise<number>;
  /** Returns how many were ended. */
  endSessions(user: string, by: Person): Promise<number>;
};

type BoardAccessParts = {
  ledger: Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting'> };
  roleOf: (user: string) => Promise<UserRole | null>;
  clock: SystemClock;
};

const settingOf = (user: string): string => `board:${user}`;
const digestOf = (secret: string): string => sha256Hex(`board|${secret}`);
/** Nobody but the holder of the session can have known it, and it is of this session alone. */
const challengeFor = (digest: string, until: number): string =>
  Buffer.from(sha256Hex(`agentpr/register/v1|${digest}|${until}`), 'hex').toString('base64url');

/** A token names its user, as the stored digests are kept by user. */
const makeToken = (user: string): { token: string; digest: string } => {
  const secret = randomBytes(32).toString('base64url');
  return { token: `${encodeURIComponent(user)}.${secret}`, digest: digestOf(secret) };
};
const readToken = (token: string): { user: string; digest: string } | null => {
  const [, user, secret] = /^([\w%~!*'()-]{1,300})\.([\w-]{43})$/.exec(token) ?? [];
  if (user === undefined || secret === undefined) return null;
  try {
    return { user: decodeURIComponent(user), digest: digestOf(secret) };
  } catch {
    return null;
  }
};

export const createBoardAccess = ({ ledger, roleOf, clock }: BoardAccessParts): BoardAccess => {
  const readGrants = async (user: string): Promise<BoardGrants> => {
    const stored = await ledger.query.setting(settingOf(user));
    return stored === null ? NO_GRANTS : BoardGrants.catch(NO_GRANTS).parse(JSON.parse(stored));
  };
  const writeGrants = (user: string, grants: BoardGrants, by: Person | null): Promise<void> => {
    const now = clock.now();
    const isOpen = ({ until }: { until: number }): boolean => until > now;
    const kept = {
      links: grants.links.filter(isOpen),
      sessions: grants.sessions.filter(isOpen).slice(-MAX_SESSIONS),
      exchanged: grants.exchanged.filter(isOpen).slice(-MAX_EXCHANGED),
    };
    return ledger.setSetting(settingOf(user), JSON.stringify(kept), by);
  };
  let last: Promise<unknown> = Promise.resolve();
  /** One change at a time, so that two requests cannot both use a link. */
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const done = last.then(change);
    last = done.catch(() => {});
    return done;
  };
  const openSession = async (
    user: string,
    role: UserRole,
    grants: BoardGrants,
    link: { name?: string | undefined; registers?: string | undefined } = {},
  ): Promise<OpenedSession> => {
    const now = clock.now();
    const { token, digest } = makeToken(user);
    const { name, registers: as } = link;
    const registers = as === undefined ? {} : { registers: { name: as, until: now + BOARD_LINK_EXPIRY_MS } };
    const session = { digest, role, at: now, until: now + BOARD_SESSION_MS, name, ...registers };
    await writeGrants(user, { ...grants, sessions: [...grants.sessions, session] }, null);
    return { cookie: token, until: session.until, ...(as === undefined ? {} : { registers: true }) };
  };

  return {
    issueLink: (person, { validMs = BOARD_LINK_EXPIRY_MS, registers = false } = {}) =>
      inTurn(async () => {
        const role = await roleOf(person.id);
        if (role === null) return null;
        const now = clock.now();
        const grants = await readGrants(person.id);
        const recent = grants.links.filter(({ at }) => at > now - BOARD_LINK_EXPIRY_MS);
        const [oldest] = recent;
        if (oldest && recent.length >= MAX_RECENT_LINKS) return { retryAt: oldest.at + BOARD_LINK_EXPIRY_MS };
        const { token, digest } = makeToken(person.id);
        const whose = registers ? { registers: person.name } : {};
        const link = {
          digest,
          role,
          at: now,
          until: now + validMs,
          used: false,
          name: person.name,
          ...whose,
        };
        await writeGrants(person.id, { ...grants, links: [...grants.links, link] }, person);
        return { token };
      }),
    redeemLink: (token) =>
      inTurn(async () => {
        const named = readToken(token);
        if (!named) return null;
        const { user, digest } = named;
        const grants = await readGrants(user);
        const link = grants.links.find((one) => one.digest === digest);
        // guard: O5-link-once
        if (!link || link.used || link.until <= clock.now()) return null;
        if ((await roleOf(user)) !== link.role) return null;
        const links = grants.links.map((one) => (one === link ? { ...one, used: true } : one));
        return openSession(user, link.role, { ...grants, links }, link);
      }),
    openAppSession: (user, proof, until) =>
      inTurn(async () => {
        const role = await roleOf(user);
        if (role === null) return null;
        const grants = await readGrants(user);
        const digest = digestOf(proof);
        if (grants.exchanged.some((one) => one.digest === digest)) return null;
        return openSession(user, role, { ...grants, exchanged: [...grants.exchanged, { digest, until }] });
      }),
    roleOf,
    visitor: async (cookie) => {
      const named = readToken(cookie);
      if (!named) return null;
      const { sessions } = await readGrants(named.user);
      const session = sessions.find(({ digest }) => digest === named.digest);
      if (!session || session.until <= clock.now()) return null;
      // guard: O5-role-taken-away
      if ((await roleOf(named.user)) !== session.role) return null;
      const { registers, name } = session;
      const who = { id: named.user, role: session.role, ...(name === undefined ? {} : { name }) };
      // guard: G11-registers-from-chat
      if (!registers || registers.until <= clock.now()) return who;
      const challenge = challengeFor(session.digest, registers.until);
      return { ...who, registers: { name: registers.name, challenge } };
    },
    useRegistration: (cookie) =>
      inTurn(async () => {
        const named = readToken(cookie);
        if (!named) return false;
        const grants = await readGrants(named.user);
        const session = grants.sessions.find(({ digest }) => digest === named.digest);
        if (!session?.registers || session.registers.until <= clock.now()) return false;
        const { registers: _, ...kept } = session;
        const sessions = grants.sessions.map((one) => (one === session ? kept : one));
        await writeGrants(named.user, { ...grants, sessions }, null);
        return true;
      }),
    openSessions: async (user) => {
      const { sessions } = await readGrants(user);
      return sessions.filter(({ until }) => until > clock.now()).length;
    },
    endSessions: (user, by) =>
      inTurn(async () => {
        const grants = await readGrants(user);
        const n = grants.sessions.filter(({ until }) => until > clock.now()).length;
        if (n > 0 || grants.links.length > 0)
          await writeGrants(user, { ...grants, links: [], sessions: [] }, by);
        return n;
      }),
  };
};
