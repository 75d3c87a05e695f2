/** Plays Telegram Web over TLS: a page that frames a Mini App, and a proxy before the product's own address. */
import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readFileSync } from 'node:fs';
import type { FrameLocator, Page } from 'playwright-core';
import { SECOND } from '#model/values';
import { createAuthority } from './company-network.ts';

/** Data as Telegram signs it for a Mini App. */
export const signInitData = (
  user: string,
  at: number,
  token: string,
  more: Record<string, string> = {},
): string => {
  const fields = new URLSearchParams({
    auth_date: String(Math.floor(at / SECOND)),
    query_id: 'AAH',
    user: JSON.stringify({ id: Number(user), first_name: 'Ana & Söhne' }),
    ...more,
  });
  const key = createHmac('sha256', 'WebAppData').update(token).digest();
  const text = [...fields].map(([name, value]) => `${name}=${value}`);
  fields.set('hash', createHmac('sha256', key).update(text.sort().join('\n')).digest('hex'));
  return fields.toString();
};

const NIGHT = {
  bg_color: '#17212b',
  secondary_bg_color: '#0e1621',
  text_color: '#f5f5f5',
  link_color: '#6ab3f3',
  button_color: '#3d7fb8',
  button_text_color: '#ffffff',
};
const FRAME = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Telegram</title><link rel="icon" href="data:,">
<style>body{margin:0}header{height:44px}iframe{border:0;width:100vw;height:calc(100vh - 44px);display:block}</style></head>
<body><header><button id="back" hidden>Back</button></header><iframe id="app" title="AgentPR"></iframe><script>
const frame = document.getElementById('app');
const back = document.getElementById('back');
globalThis.told = [];
globalThis.says = (eventType, eventData) =>
  frame.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), '*');
const answers = {
  web_app_request_safe_area: () => says('safe_area_changed', { top: 0, bottom: 34, left: 0, right: 0 }),
  web_app_request_content_safe_area: () => says('content_safe_area_changed', { top: 0, bottom: 0, left: 0, right: 0 }),
  web_app_setup_back_button: ({ is_visible }) => { back.hidden = !is_visible; },
};
addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  const { eventType, eventData } = JSON.parse(data);
  told.push({ eventType, eventData });
  answers[eventType]?.(eventData);
});
back.addEventListener('click', () => says('back_button_pressed', {}));
</script></body></html>`;

export type TelegramFront = Awaited<ReturnType<typeof startTelegramFront>>;

/** This process trusts its certificate until it is closed. */
export const startTelegramFront = async () => {
  const authority = createAuthority();
  const before = getCACertificates();
  setDefaultCACertificates([...before, readFileSync(authority.file, 'utf8')]);
  let to = 0;
  const server = https.createServer(
    authority.certify(['web.telegram.org', '127.0.0.1']),
    (request, response) => {
      if (request.headers.host === 'web.telegram.org') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(FRAME);
        return;
      }
      const { method, headers, url: path } = request;
      const asked = http.request({ host: '127.0.0.1', port: to, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      asked.on('error', () => response.destroy());
      response.on('close', () => asked.destroy());
      request.pipe(asked);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    publicUrl: `https://127.0.0.1:${port}`,
    browserArgs: [`--host-resolver-rules=MAP web.telegram.org 127.0.0.1:${port}`],
    leadsTo: (its: number): void => void (to = its),
    async close(): Promise<void> {
      setDefaultCACertificates(before);
      server.closeAllConnections();
      server.close();
      authority.close();
    },
  };
};

/** A person opens a Mini App inside Telegram Web. */
export const holdFrame = (page: Page) => {
  const app: FrameLocator = page.frameLocator('#app');
  const show = (address: string): Promise<unknown> =>
    page.evaluate(`document.getElementById('app').src = ${JSON.stringify(address)}`);
  const evaluate = async (expression: string): Promise<string> => {
    const frame = await (await page.locator('#app').elementHandle())?.contentFrame();
    return String(await frame?.evaluate(expression));
  };
  let shown = '';
  return {
    app,
    opens(url: string, initData: string): Promise<unknown> {
      const launch = new URLSearchParams({
        tgWebAppData: initData,
        tgWebAppVersion: '9.0',
        tgWebAppPlatform: 'web',
        tgWebAppThemeParams: JSON.stringify(NIGHT),
      });
      shown = `${url}#${launch.toString()}`;
      return show(shown);
    },
    /** As "Reload page" in Telegram's menu: the same address, with the same signed data. */
    reloads: (): Promise<unknown> => show(shown),
    goesBack: (): Promise<void> => page.getByRole('button', { name: 'Back' }).click(),
    says: (type: string, data: object): Promise<unknown> =>
      page.evaluate(`says(${JSON.stringify(type)}, ${JSON.stringify(data)})`),
    told: async (): Promise<{ eventType: string; eventData: object }[]> => page.evaluate('told'),
    address: async (): Promise<string> => evaluate('location.pathname'),
    style: (selector: string, property: string): Promise<string> =>
      evaluate(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue(${JSON.stringify(property)})`,
      ),
  };
};
