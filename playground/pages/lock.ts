/**
 * Who may use a page: a browser at this computer's own name and, where there is a key, one that has
 * opened the whole address.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Asked } from '../server.ts';

export type Lock = {
  /** What a person opens first: with the key, if there is one. */
  address(url: string): string;
  /** What gives a browser the cookie of the page at that address. */
  cookie(url: string): string;
  /** Whether this browser may go on: it holds the cookie, or there is no key. */
  isOpenTo(asked: Asked): boolean;
  /** The header that gives the cookie to one who opens the whole address; nothing for others. */
  cookieFor(asked: Asked): Record<string, string>;
};

/** Under any other name a stranger's site could be made to point here. */
export const isOwnHost = (host: string | undefined): host is string =>
  /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i.test(host ?? '');

export function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Programs that share the loopback (an agent in a box does) reach the page too, but were not told
 * the key.
 */
export function createLock(name: string, key: string | null): Lock {
  // Cookies do not mind the port; several playgrounds on one machine must.
  const nameAt = (host: string | undefined): string => `${name}-${host?.split(':')[1] ?? '80'}`;
  const cookieAt = ({ headers }: Asked): string => nameAt(headers.host);
  const value = encodeURIComponent(key ?? '');
  const given = (host: string | undefined): string =>
    `${nameAt(host)}=${value}; Path=/; HttpOnly; SameSite=Strict`;

  return {
    address: (url) => (key === null ? `${url}/` : `${url}/?key=${value}`),
    cookie: (url) => given(new URL(url).host),
    isOpenTo(asked) {
      if (key === null) return true;
      const cookies = (asked.headers.cookie ?? '').split(/;\s*/);
      return cookies.some((one) => isSame(one, `${cookieAt(asked)}=${value}`));
    },
    cookieFor(asked): Record<string, string> {
      if (key === null || !isSame(asked.url.searchParams.get('key') ?? '', key)) return {};
      return { 'set-cookie': given(asked.headers.host) };
    },
  };
}
