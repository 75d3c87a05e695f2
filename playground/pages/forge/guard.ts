/** Protects the forge from other sites: only forms of ours, sent from this address, may act. */
import type { Answer, Asked } from '../../server.ts';
import { html, render } from '../html.ts';
import { isOwnHost, isSame } from '../lock.ts';
import { empty, safety } from './view.ts';

/** Returns the reason, or null if the request may act. */
export function whyNot({ headers }: Asked, fields: Record<string, string>, token: string): string | null {
  if (!isOwnHost(headers.host)) return 'This address is not this computer.';
  if (headers.origin?.toLowerCase() !== `http://${headers.host.toLowerCase()}`) {
    return 'That came from another site: nothing was done.';
  }
  return isSame(fields['token'] ?? '', token)
    ? null
    : 'This page is from before the last start: go back, load it again and repeat it.';
}

export function locked(): Answer {
  const words = 'This forge is locked. Open the whole address that was printed, with its key.';
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Locked · Forge</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/pages/forge.css" />
      </head>
      <body>
        <main class="wrap">${empty('forge', words)}</main>
      </body>
    </html> `;
  const headers = { ...safety, 'content-type': 'text/html; charset=utf-8' };
  return { status: 403, headers, body: render(document) };
}

/** Never redirects to another site. */
export function localPath(back: string | undefined): string {
  const base = 'http://127.0.0.1';
  if (back === undefined || !URL.canParse(back, base)) return '/';
  const url = new URL(back, base);
  return url.origin === base ? url.pathname : '/';
}
