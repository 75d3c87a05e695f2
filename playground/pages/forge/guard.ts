/** Keeps other sites' pages away from the forge's: only a browser at this address, and only a form that we made, may act. */
import { timingSafeEqual } from 'node:crypto';
import type { Asked } from '../../server.ts';

/** Under any other name a stranger's site could be made to point here. */
export const isOwnHost = (host: string | undefined): host is string =>
  /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i.test(host ?? '');

/** Null when it may act; else why not. */
export function whyNot({ headers }: Asked, fields: Record<string, string>, token: string): string | null {
  if (!isOwnHost(headers.host)) return 'This address is not this computer.';
  if (headers.origin?.toLowerCase() !== `http://${headers.host.toLowerCase()}`) {
    return 'That came from another site: nothing was done.';
  }
  const given = Buffer.from(fields['token'] ?? '');
  const wanted = Buffer.from(token);
  const same = given.length === wanted.length && timingSafeEqual(given, wanted);
  return same ? null : 'This page is from before the last start: go back, load it again and repeat it.';
}

/** A path of ours, whatever the form says. */
export function localPath(back: string | undefined): string {
  const base = 'http://127.0.0.1';
  if (back === undefined || !URL.canParse(back, base)) return '/';
  const url = new URL(back, base);
  return url.origin === base ? url.pathname : '/';
}
