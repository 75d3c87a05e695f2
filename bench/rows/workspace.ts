/** How soon a workspace with its trusted directory is ready from a warm mirror, beside `git clone` from the same server. */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorkspaces } from '../../executors/workspace.ts';
import { startGitHub } from '../../playground/index.ts';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, round, spread, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';

const TOKEN = 'token-of-the-local-github';
const FILES = 400;
const FILE_BYTES = 10_000;
const MB = 1_000_000;

const environment = (home: string): Record<string, string> => ({
  ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LC_ALL: 'C.UTF-8' },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' },
});

/** A history as `git fast-import` reads it: each commit replaces files by new ones that do not compress, as a lively project's do. */
const history = (bytes: number): Buffer => {
  const parts: Buffer[] = [];
  const say = (text: string): void => void parts.push(Buffer.from(text));
  const commits = Math.ceil(bytes / FILE_BYTES / 4);
  let file = 0;
  for (let n = 0; n < commits; n += 1) {
    say(`commit refs/heads/main\ncommitter Sam <sam@example.com> ${1_700_000_000 + n * 60} +0000\n`);
    say('data 5\nwork\n\n');
    // The first brings the whole tree, so that it has its size from then on.
    for (let i = 0; i < (n === 0 ? FILES : 4); i += 1) {
      file = (file + 1) % FILES;
      const text = randomBytes((FILE_BYTES / 4) * 3).toString('base64');
      say(`M 100644 inline src/part${file % 20}/file${file}.txt\ndata ${text.length}\n${text}\n`);
    }
  }
  return Buffer.concat(parts);
};

const packed = (dir: string): number =>
  readdirSync(join(dir, 'objects/pack')).reduce((n, f) => n + statSync(join(dir, 'objects/pack', f)).size, 0);

const makeRepository = (dir: string, bytes: number): void => {
  mkdirSync(dir);
  const git = (args: string[], input?: Buffer): void =>
    void execFileSync('git', args, {
      ...{ cwd: dir, env: environment(dir), stdio: ['pipe', 'ignore', 'ignore'] },
      ...(input ? { input } : {}),
    });
  git(['init', '--quiet', '--bare', '-b', 'main', '.']);
  git(['fast-import', '--quiet'], history(bytes));
};

export const workspace: Measurement = {
  name: 'workspace',
  about: 'a workspace with its trusted directory from a warm mirror, beside git clone',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const { dir, remove } = temporaryDirectory();
    const github = await startGitHub({ login: 'agentpr-bot', token: TOKEN });
    try {
      // Base64 text packs to three quarters.
      makeRepository(join(dir, 'origin'), (quick ? 8 : 50) * MB * (4 / 3));
      const size = packed(join(dir, 'origin')) / MB;
      await github.addRepo({ owner: 'acme', name: 'history', from: join(dir, 'origin') });
      const cloneUrl = `${github.url}/acme/history.git`;
      const dataDir = join(dir, 'data');
      mkdirSync(dataDir);
      const credential = (): Promise<string> => Promise.resolve(TOKEN);
      const workspaces = createWorkspaces({ dataDir, credential, origin: github.url });
      let n = 0;
      const signal = new AbortController().signal;
      const prepare = async (): Promise<number> => {
        const runId = `run${(n += 1)}`;
        const repo = { owner: 'acme', name: 'history', cloneUrl };
        const ms = await timed(() =>
          workspaces.prepare({ runId, repo, base: null, defaultBranch: 'main', signal }),
        );
        await workspaces.clean(runId);
        return ms;
      };
      const clone = async (): Promise<number> => {
        const to = join(dir, 'clone');
        const ms = await timed(() =>
          promisify(execFile)('git', ['clone', '--quiet', cloneUrl, to], { env: environment(dir) }),
        );
        rmSync(to, { recursive: true });
        return ms;
      };
      // The pair before the first fills the mirror.
      const { a, b, ratio, ...rest } = await inPairs(pairs, clone, prepare);
      const note = `ready in ${round(b)} ms (asks the server for news, then a fresh tree of ${FILES} files, no inode shared), git clone over HTTP ${round(a)} ms; ${size.toFixed(0)} MB packed; ${spread({ a, b, ratio, ...rest })}`;
      return [{ name: 'workspace', value: ratio, unit: 'x', bar: { is: '>=', at: 10 }, note }];
    } finally {
      await github.stop();
      remove();
    }
  },
};
