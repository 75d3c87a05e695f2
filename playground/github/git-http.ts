/** Serves git's smart HTTP by `git http-backend`, with GitHub's authentication and refusals. */
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import type { Answer, Asked } from '../server.ts';
import { gitEnvironment, findCommit } from './git.ts';
import { passwordOf } from './rest.ts';
import type { Push, Repo, State, User } from './state.ts';

export type GitRequest = { fullName: string; file: string; service: 'git-upload-pack' | 'git-receive-pack' };
type Command = Pick<Push, 'old' | 'new' | 'ref'>;

export function gitRequest(asked: Asked): GitRequest | null {
  const [, owner, name, file] =
    /^\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(
      asked.url.pathname,
    ) ?? [];
  if (!owner || !name || !file) return null;
  const service = file === 'info/refs' ? asked.url.searchParams.get('service') : file;
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') return null;
  return { fullName: `${owner}/${name}`, file, service };
}

const zero = '0'.repeat(40);

const plain = (status: number, words: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close', ...headers },
  body: `${words}\n`,
  value: words,
});

export async function serveGit(state: State, request: GitRequest, asked: Asked): Promise<Answer> {
  const header = asked.headers.authorization;
  const known = header ? state.identities.get(passwordOf(header) ?? '') : undefined;
  const user = (known?.expiresAt ?? Infinity) > state.now() ? known?.user : undefined;
  const ask = { 'www-authenticate': 'Basic realm="GitHub"' };
  if (header && !user) return plain(401, 'Invalid username or token.', ask);
  const moved = state.formerly(request.fullName);
  // git follows a redirect of the first request for all later ones.
  if (moved && state.accessOf(moved, user?.login) !== 'none' && request.file === 'info/refs') {
    const location = `/${moved.fullName}.git/info/refs${asked.url.search}`;
    return plain(301, 'Moved Permanently', { location });
  }
  const repo = state.repo(request.fullName);
  const access = repo ? state.accessOf(repo, user?.login) : 'none';
  if (!repo || access === 'none')
    return user ? plain(404, 'Repository not found.') : plain(401, 'Repository not found.', ask);
  await state.fill(repo);
  if (request.service === 'git-upload-pack') return backend(state, repo, request, asked, user);
  if (!user) return plain(401, 'Authentication required.', ask);
  if (access === 'read') return plain(403, `Permission to ${repo.fullName}.git denied to ${user.login}.`);
  if (repo.archived) return plain(403, 'This repository was archived so it is read-only.');
  if (request.file === 'info/refs') return backend(state, repo, request, asked, user);
  return state.alone(repo, () => receive(state, repo, request, asked, user));
}

async function receive(
  state: State,
  repo: Repo,
  request: GitRequest,
  asked: Asked,
  user: User,
): Promise<Answer> {
  const { commands, sideBand } = readCommands(bodyOf(asked));
  const words = commands.map(({ ref }) => refusalFor(repo, ref)).find((one) => one !== null) ?? null;
  if (words !== null) {
    const told = { by: user.login, at: state.now(), refused: words };
    repo.pushes.push(...commands.map((command) => ({ ...command, ...told })));
    return refusePush(commands, words, sideBand);
  }
  const answer = await backend(state, repo, request, asked, user);
  const body = answer.body instanceof Readable ? await buffer(answer.body) : answer.body;
  for (const command of commands) {
    const now = (await findCommit(repo.dir, command.ref)) ?? zero;
    repo.pushes.push({
      ...command,
      by: user.login,
      at: state.now(),
      refused: now === command.new ? null : 'git did not take it',
    });
  }
  await state.followHeads(repo, user);
  return { ...answer, body };
}

function refusalFor(repo: Repo, ref: string): string | null {
  const branch = ref.replace(/^refs\/heads\//, '');
  const rule = repo.refusals.find(({ pattern }) => pattern.test(branch));
  if (!rule) return null;
  return [
    `error: GH013: Repository rule violations found for ${ref}.`,
    `Review all repository rules at https://github.com/${repo.fullName}/rules?ref=${encodeURIComponent(ref)}`,
    '',
    `- ${rule.words}`,
    '',
  ].join('\n');
}

const bodyOf = (asked: Asked): Buffer =>
  asked.headers['content-encoding'] === 'gzip' ? gunzipSync(asked.body) : asked.body;

function readCommands(body: Buffer): { commands: Command[]; sideBand: boolean } {
  const commands: Command[] = [];
  let sideBand = false;
  for (let at = 0; at + 4 <= body.length;) {
    const size = Number.parseInt(body.subarray(at, at + 4).toString(), 16);
    if (!(size > 4)) break;
    const [line = '', capabilities = ''] = body
      .subarray(at + 4, at + size)
      .toString()
      .trimEnd()
      .split('\0');
    const [, old, next, ref] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/.exec(line) ?? [];
    if (old && next && ref) commands.push({ old, new: next, ref });
    sideBand ||= capabilities.includes('side-band-64k');
    at += size;
  }
  return { commands, sideBand };
}

function refusePush(commands: Command[], words: string, sideBand: boolean): Answer {
  const packet = (content: string): string =>
    (Buffer.byteLength(content) + 4).toString(16).padStart(4, '0') + content;
  const reason = 'push declined due to repository rule violations';
  const lines = commands.map(({ ref }) => packet(`ng ${ref} ${reason}\n`));
  const report = `${packet('unpack ok\n')}${lines.join('')}0000`;
  return {
    status: 200,
    headers: { 'content-type': 'application/x-git-receive-pack-result', connection: 'close' },
    body: sideBand ? `${packet(`\x02${words}\n`)}${packet(`\x01${report}`)}0000` : report,
    value: words,
  };
}

async function backend(
  state: State,
  repo: Repo,
  request: GitRequest,
  asked: Asked,
  user?: User,
): Promise<Answer> {
  const body = bodyOf(asked);
  const env = {
    ...gitEnvironment,
    GIT_PROJECT_ROOT: state.root,
    GIT_HTTP_EXPORT_ALL: '1',
    REQUEST_METHOD: asked.method,
    PATH_INFO: `/${relative(state.root, repo.dir)}/${request.file}`,
    QUERY_STRING: asked.url.search.slice(1),
    CONTENT_TYPE: asked.headers['content-type'] ?? '',
    // A CONTENT_LENGTH would keep the backend spinning when its input ends early: the end of the input is enough.
    REMOTE_USER: user?.login ?? '',
    REMOTE_ADDR: '127.0.0.1',
    GIT_PROTOCOL: String(asked.headers['git-protocol'] ?? ''),
  };
  // A push that has arrived is completed even if the client left.
  const cancel = request.service === 'git-upload-pack' ? { cancelSignal: asked.gone } : {};
  const child = execa('git', ['http-backend'], {
    env,
    input: body,
    buffer: false,
    reject: false,
    ...cancel,
  });
  const { head, rest } = await splitHead(child.stdout);
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  );
  const { status = '200', ...others } = headers;
  // curl repeats a request on a broken reused connection, so close it.
  return { status: Number.parseInt(status, 10), headers: { ...others, connection: 'close' }, body: rest };
}

async function splitHead(stream: Readable): Promise<{ head: string; rest: Readable }> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  let start = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const next = await chunks.next();
    if (next.done) throw new Error(`git http-backend gave no answer: ${start.toString()}`);
    start = Buffer.concat([start, next.value]);
    end = start.indexOf('\r\n\r\n');
  }
  const first = start.subarray(end + 4);
  async function* rest(): AsyncGenerator<Buffer> {
    if (first.length > 0) yield first;
    yield* chunks;
  }
  return { head: start.subarray(0, end).toString(), rest: Readable.from(rest(), { objectMode: false }) };
}
