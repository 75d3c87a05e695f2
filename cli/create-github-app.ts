/** Creates a GitHub App through a local page, which receives its keys. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AppManifest,
  type CreatedGitHubApp,
  exchangeManifestCode,
  appCreationUrl,
  createAppManifest,
} from '#forge';
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
const createSecret = (): string => randomBytes(24).toString('base64url');
const isSameText = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

const escapePageText = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.codePointAt(0)};`);

const renderPage = (body: string): string =>
  `<!doctype html><html lang="${cliLanguage()}"><meta charset="utf-8"><title>AgentPR</title>${body}</html>\n`;

const renderManifestForm = (manifest: AppManifest, to: string): string => {
  const rights = Object.entries(manifest.default_permissions).map(
    ([name, level]) => `<li>${escapePageText(name.replaceAll('_', ' '))}: ${escapePageText(level)}</li>`,
  );
  const words = cliWords().commandLine.app;
  return renderPage(
    `<h1>${escapePageText(words.title())}</h1>
<p>${escapePageText(words.rights())}</p><ul>${rights.join('')}</ul>
<p>${escapePageText(words.yours())}</p>
<form action="${escapePageText(to)}" method="post">
<input type="hidden" name="manifest" value="${escapePageText(JSON.stringify(manifest))}">
<button>${escapePageText(words.make())}</button></form>`,
  );
};

/** Rejects with Exit on timeout or abort. */
export const createGitHubApp = async (wish: GitHubAppRequest): Promise<CreatedGitHubApp> => {
  // Security: other local programs can reach the page, so its path and state are secret.
  const [path, state] = [`/${createSecret()}`, createSecret()];
  const { promise, resolve, reject } = Promise.withResolvers<CreatedGitHubApp>();
  const words = cliWords().commandLine.app;
  let used = false;

  const answerPageRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sendPage = (status: number, body: string): void => {
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
    if (request.method !== 'GET' || request.headers.host !== host)
      return sendPage(404, renderPage(words.notFound()));
    if (url.pathname === path)
      return sendPage(
        200,
        renderManifestForm(manifest, appCreationUrl(wish.serverUrl, wish.organisation, state)),
      );
    if (url.pathname !== '/made') return sendPage(404, renderPage(words.notFound()));
    const code = url.searchParams.get('code') ?? '';
    // guard: F1-state-checked
    if (!isSameText(url.searchParams.get('state') ?? '', state) || !/^[\w-]{1,200}$/.test(code) || used)
      return sendPage(400, renderPage(words.otherAnswer()));
    used = true;
    try {
      const made = await exchangeManifestCode(wish.apiUrl, code, { now: () => Date.now() });
      sendPage(200, renderPage(`<p>${escapePageText(words.made({ name: made.slug }))}</p>`));
      resolve(made);
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      sendPage(502, renderPage(`<p>${escapePageText(error.message)}</p>`));
      reject(new CommandExit(EXIT_CODES.failed, { kind: 'app_not_made', says: error.message }));
    }
  };

  const server = createServer((request, response) => {
    answerPageRequest(request, response).catch((error: unknown) => reject(error));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const manifest = createAppManifest({
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
