/** A browser for tests of the forge pages. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { startGitHub, type GitHub, type RepoHandle } from '../../index.ts';

type Answered = { status: number; headers: IncomingHttpHeaders; body: string };
export type ForgeBrowser = {
  github: GitHub;
  repo: RepoHandle;
  ask(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<Answered>;
  browse(path: string): Promise<Answered>;
  /** Opens a pull request over REST. Returns its number. */
  open(wish?: Record<string, string>): Promise<number>;
  submit(
    action: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answered>;
  says(action: string, fields?: Record<string, string>): Promise<string>;
};

const token = 'ghp_playground';

export async function openForge(): Promise<ForgeBrowser> {
  const github = await startGitHub({ login: 'agentpr-bot', token });
  const from = { 'README.md': '# Api\n\nHello\n', 'src/wait.js': 'const wait = 200;\n' };
  const repo = await github.addRepo({ owner: 'acme', name: 'api', from });
  await repo.pushForeign('fix/it', { files: { 'src/wait.js': 'const wait = 100;\n' }, message: 'fix: it' });

  const ask: ForgeBrowser['ask'] = (method, path, headers = {}, body = '') => {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const url = `${github.url}${path}`;
    const sending = request(url, { method, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: given } = response;
      if (given['content-type']?.startsWith('text/event-stream')) {
        response.destroy();
        resolve({ status, headers: given, body: '' });
      } else text(response).then((words) => resolve({ status, headers: given, body: words }), reject);
    });
    sending.on('error', reject);
    sending.end(body);
    return promise;
  };
  const browse = (path: string): Promise<Answered> => ask('GET', path, { accept: 'text/html,*/*;q=0.8' });

  const submit: ForgeBrowser['submit'] = async (action, fields = {}, headers = {}) => {
    const page = await browse('/acme/api');
    const own = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const given = new URLSearchParams({ token: own, back: '/acme/api', ...fields });
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: github.url, ...headers };
    return ask('POST', `/forge${action}`, form, given.toString());
  };

  return {
    github,
    repo,
    ask,
    browse,
    submit,
    async open(wish = {}) {
      const body = JSON.stringify({
        title: 'fix: it',
        body: 'Because',
        head: 'fix/it',
        base: 'main',
        ...wish,
      });
      const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
      const answered = await ask('POST', '/repos/acme/api/pulls', headers, body);
      return (JSON.parse(answered.body) as { number: number }).number;
    },
    async says(action, fields = {}) {
      const { status, headers } = await submit(action, fields);
      expect(status).toBe(303);
      const page = await browse(headers.location ?? '');
      return /<p class="note[^"]*">([^<]*)<\/p>/.exec(page.body)?.[1] ?? '';
    },
  };
}
