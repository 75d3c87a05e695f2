/** Creates a GitHub App through a local page, which receives its keys. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppManifest, type CreatedGitHubApp, keysFor, makeAppAt, manifestFor } from '#forge';
import { OutsideFailure } from '#ports/forge';
import { MINUTE } from '#model/values';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliLanguage, cliWords } from './language.ts';

export type GitHubAppRequest = {
  apiUrl: string;
  serverUrl: string;
  /** Public https URL for webhooks, or null. */
  publicUrl: string | null;
  organisation: string | null;
  say: (address: string) => void;
  patienceMs?: number;
};

/** GitHub's code is valid for an hour (ms). */
const APP_CREATION_TIMEOUT_MS = 30 * MINUTE;
const secret = (): string => randomBytes(24).toString('base64url');
const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.codePointAt(0)};`);

const page = (body: string): string =>
  `<!doctype html><html lang="${cliLanguage()}"><meta charset="utf-8"><title>AgentPR</title>${body}</html>\n`;

const asking = (manifest: AppManifest, to: string): string => {
  const rights = Object.entries(manifest.default_permissions).map(
    ([name, level]) => `<li>${escaped(name.replaceAll('_', ' '))}: ${escaped(level)}</li>`,
  );
  const words = cliWords().commandLine.app;
  return page(
    `<h1>${escaped(words.title())}</h1>
<p>${escaped(words.rights())}</p><ul>${rights.join('')}</ul>
<p>${escaped(words.yours())}</p>
<form action="${escaped(to)}" method="post">
<input type="hidden" name="manifest" value="${escaped(JSON.stringify(manifest))}">
<button>${escaped(words.make())}</button></form>`,
  );
};

/** Rejects with Exit on timeout or abort. */
export const makeApp = async (wish: GitHubAppRequest): Promise<CreatedGitHubApp> => {
  // Security: other local programs can reach the page, so its path and state are secret.
  const [path, state] = [`/${secret()}`, secret()];
  const { promise, resolve, reject } = Promise.withResolvers<CreatedGitHubApp>();
  const words = cliWords().commandLine.app;
  let used = false;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: string): void => {
      response
        .writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'content-security-policy': `default-src 'none'; frame-ancestors 'none'; form-action ${new URL(wish.serverUrl).origin}`,
          connection: 'close',
        })
        .end(body);
    };
    const host = new URL(own).host;
    const url = new URL(request.url ?? '/', own);
    if (request.method !== 'GET' || request.headers.host !== host) return send(404, page(words.notFound()));
    if (url.pathname === path)
      return send(200, asking(manifest, makeAppAt(wish.serverUrl, wish.organisation, state)));
    if (url.pathname !== '/made') return send(404, page(words.notFound()));
    const code = url.searchParams.get('code') ?? '';
    // guard: F1-state-checked
    if (!same(url.searchParams.get('state') ?? '', state) || !/^[\w-]{1,200}$/.test(code) || used)
      return send(400, page(words.otherAnswer()));
    used = true;
    try {
      const made = await keysFor(wish.apiUrl, code, { now: () => Date.now() });
      send(200, page(`<p>${escaped(words.made({ name: made.slug }))}</p>`));
      resolve(made);
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      send(502, page(`<p>${escaped(error.message)}</p>`));
      reject(new CommandExit(EXIT_CODES.failed, { kind: 'app_not_made', says: error.message }));
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => reject(error));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const manifest = manifestFor({
    name: `agentpr-${randomBytes(4).toString('hex')}`,
    home: wish.publicUrl ?? wish.serverUrl,
    redirect: `${own}/made`,
    hook: wish.publicUrl === null ? null : `${wish.publicUrl.replace(/(?<!\/)\/+$/, '')}/webhooks/github`,
  });
  const late = setTimeout(
    () => reject(new CommandExit(EXIT_CODES.failed, { kind: 'app_too_late' })),
    wish.patienceMs ?? APP_CREATION_TIMEOUT_MS,
  );
  wish.say(`${own}${path}`);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    server.close();
    server.closeIdleConnections();
  }
};

export const githubAppSettings = ({ id, pem, webhook_secret }: CreatedGitHubApp): Record<string, string> => ({
  GITHUB_APP_ID: String(id),
  GITHUB_APP_PRIVATE_KEY: pem.trim().replaceAll(/\r?\n/g, '\\n'),
  ...(webhook_secret === null ? {} : { GITHUB_WEBHOOK_SECRET: webhook_secret }),
});
