/** A local GitHub with one repository, our pull requests, and hosts for redirects. */
import { pullNumber } from '../../forge/github-facts.ts';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createGitHubForge } from '../../forge/github.ts';
import type { ForgePort } from '#ports/roles';
import { answer, type FaultAction, startGitHub } from '#playground';

export const NOW = 1_767_614_400_000;
export const repo = 'acme/api';
export const ROUTE = {
  runs: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
  status: 'GET /repos/{owner}/{repo}/commits/{ref}/status',
  logs: 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
  notes: 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
  lines: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  reviews: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  comments: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  permission: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
  pull: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  user: 'GET /user',
} as const;

export const forgeAt = (apiUrl: string, timeoutMs?: number, token = 'tok'): ForgePort =>
  createGitHubForge({
    apiUrl,
    token: () => Promise.resolve(token),
    userAgent: 'agentpr-test',
    clock: { now: () => NOW },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

/** `path` is the pull request's only file, with three lines. */
export type OurPull = { id: string; number: number; head: string; branch: string; path: string };

export const startForgeWorld = async () => {
  const github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
  const acme = await github.addRepo({ owner: 'acme', name: 'api', from: { 'a.ts': 'one\ntwo\nthree\n' } });
  acme.grant('bot', 'write');
  let branches = 0;
  return {
    github,
    acme,
    callsOf: (route: string) => github.calls.filter((call) => call.route === route),
    async openPull(): Promise<OurPull> {
      const branch = `fix-${(branches += 1)}`;
      const path = `${branch}.ts`;
      const head = await acme.pushForeign(branch, { files: { [path]: 'x\ny\nz\n' } });
      const wish = { title: 'Fix', body: '', head: branch, base: 'main', draft: false };
      const made = await forgeAt(github.url).createPull(repo, { ...wish, maintainerCanModify: true });
      if (!made) throw new Error('there was one already');
      return { id: made.id, number: pullNumber(made.id), head, branch, path };
    },
  };
};
export type ForgeWorld = Awaited<ReturnType<typeof startForgeWorld>>;

export type OtherHost = { url: string; seen: IncomingHttpHeaders[]; sent(): number; stop(): Promise<void> };

/** A host such as the log store; records headers and counts sent bytes. */
export const startHost = async (listener: RequestListener): Promise<OtherHost> => {
  const seen: IncomingHttpHeaders[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    seen.push(request.headers);
    sockets.add(request.socket);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
export const text =
  (body: string, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
  };
/** Writes `chunk` forever, as fast as it is read. */
export const endless =
  (chunk: string, type: string): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': type });
    const more = (): void => {
      while (response.write(chunk) && !response.destroyed);
    };
    response.on('drain', more);
    more();
  };
export const moved = (location: string): FaultAction => answer(302, '', { location });
