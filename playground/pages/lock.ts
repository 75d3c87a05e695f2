/** Restricts pages to a browser on this computer that opened the address with the key. */
import { timingSafeEqual } from 'node:crypto';
import type { Asked } from '../server.ts';

export type Lock = {
  /** The address for people, with the key if there is one. */
  address(url: string): string;
  cookie(url: string): string;
  /** True if the browser has the cookie, or there is no key. */
  isOpenTo(asked: Asked): boolean;
  cookieFor(asked: Asked): Record<string, string>;
};

/** DNS rebinding: a foreign site's name can resolve to this machine. */
export const isOwnHost = (host: string | undefined): host is string =>
  /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i.test(host ?? '');

export function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Boxed agents share the loopback, but do not know the key. */
export function createLock(name: string, key: string | null): Lock {
  // Browsers share cookies between ports, so the name includes the port.
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
