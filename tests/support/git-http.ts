/** A code host for tests: git's smart HTTP server with failures that clients must survive. */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type GitHost = {
  origin: string;
  /** Method, path and query per request. */
  requests: string[];
  /** Behaviour towards the next requests; may be changed at any time. */
  fate: {
    /** Basic password; null allows everybody. */
    token: string | null;
    /** `says` is text that git shows. */
    status: { code: number; path: RegExp; says?: string } | null;
    /** The push succeeds, but its answer is lost. */
    dropAfterPush: boolean;
    redirect: string | null;
  };
  close(): Promise<void>;
};

const backend = (root: string, url: URL, request: IncomingMessage) =>
  spawn('git', ['http-backend'], {
    env: {
      PATH: '/usr/bin:/bin',
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: '/nonexistent',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'tester',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });

const answer = (response: ServerResponse, cgi: Buffer): void => {
  const end = cgi.indexOf('\r\n\r\n');
  const headers = cgi.toString('latin1', 0, end).split('\r\n');
  for (const header of headers) {
    const colon = header.indexOf(':');
    const [name, value] = [header.slice(0, colon), header.slice(colon + 1).trim()];
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.end(cgi.subarray(end + 4));
};

/** `root` contains bare repositories as `<owner>/<name>.git`. */
export const startGitHost = async (root: string): Promise<GitHost> => {
  const requests: string[] = [];
  const fate: GitHost['fate'] = { token: null, status: null, dropAfterPush: false, redirect: null };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://host');
    requests.push(`${request.method} ${request.url}`);
    const refuse = (code: number, says?: string): void => {
      const type = says === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' };
      response.writeHead(code, code === 401 ? { 'www-authenticate': 'Basic realm="git"', ...type } : type);
      response.end(says ?? 'no');
    };
    if (fate.redirect !== null) {
      response.writeHead(302, { location: `${fate.redirect}${request.url}` });
      response.end();
      return;
    }
    if (fate.status?.path.test(request.url ?? '')) return refuse(fate.status.code, fate.status.says);
    const given = Buffer.from(
      (request.headers.authorization ?? '').replace(/^Basic /, ''),
      'base64',
    ).toString();
    if (fate.token !== null && given !== `x-access-token:${fate.token}`) return refuse(401);
    const child = backend(root, url, request);
    const chunks: Buffer[] = [];
    request.pipe(child.stdin);
    child.stdin.on('error', () => request.resume());
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      if (fate.dropAfterPush && url.pathname.endsWith('/git-receive-pack')) request.socket.destroy();
      else answer(response, Buffer.concat(chunks));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    fate,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
