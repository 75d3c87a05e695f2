/** Time to a ready workspace from a warm mirror, compared with `git clone`. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorkspaces } from '../../executors/git/workspace/workspace.ts';
import { startGitHub } from '#playground';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, round, spread, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';

const TOKEN = 'token-of-the-local-github';
const FILES = 1_000;
const LINES = 150;
const FILES_A_COMMIT = 5;
const MB = 1_000_000;

const environment = (home: string): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
});

const WORDS = Array.from({ length: 2_000 }, (_, i) => `w${((i * 2_654_435_761) % 1_048_573).toString(36)}`);
const line = (): string =>
  Array.from({ length: 8 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ');

/** Input of `git fast-import`: 1,000 files, and commits that change five of them. */
const history = (commits: number): Buffer => {
  const parts: string[] = [];
  const files = Array.from({ length: FILES }, () => Array.from({ length: LINES }, line));
  const show = (i: number): void => {
    const text = files[i]?.join('\n') ?? '';
    parts.push(`M 100644 inline src/part${i % 40}/file${i}.txt\ndata ${text.length}\n${text}\n`);
  };
  for (let n = 0; n < commits; n += 1) {
    parts.push(`commit refs/heads/main\ncommitter Sam <sam@example.com> ${1_700_000_000 + n * 60} +0000\n`);
    parts.push('data 5\nwork\n\n');
    for (let i = 0; i < FILES && n === 0; i += 1) show(i);
    for (let k = 0; k < FILES_A_COMMIT && n > 0; k += 1) {
      const i = Math.floor(Math.random() * FILES);
      for (let l = k; l < LINES; l += 10) files[i]?.splice(l, 1, line());
      show(i);
    }
  }
  return Buffer.from(parts.join(''));
};

const packed = (dir: string): number =>
  readdirSync(join(dir, 'objects/pack')).reduce((n, f) => n + statSync(join(dir, 'objects/pack', f)).size, 0);

const makeRepository = (dir: string, commits: number): void => {
  mkdirSync(dir);
  const git = (args: string[], input?: Buffer): void =>
    void execFileSync('git', args, {
      cwd: dir,
      env: environment(dir),
      stdio: ['pipe', 'ignore', 'ignore'],
      ...(input ? { input } : {}),
    });
  git(['init', '--quiet', '--bare', '-b', 'main', '.']);
  git(['fast-import', '--quiet'], history(commits));
};

export const workspace: Measurement = {
  name: 'workspace',
  about: 'a workspace with its trusted directory from a warm mirror, beside git clone',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const { dir, remove } = temporaryDirectory();
    const github = await startGitHub({ login: 'agentpr-bot', token: TOKEN });
    try {
      makeRepository(join(dir, 'origin'), quick ? 500 : 3_400);
      const size = packed(join(dir, 'origin')) / MB;
      await github.addRepo({ owner: 'acme', name: 'history', from: join(dir, 'origin') });
      const cloneUrl = `${github.url}/acme/history.git`;
      const dataDir = join(dir, 'data');
      mkdirSync(dataDir);
      const credential = (): Promise<string> => Promise.resolve(TOKEN);
      const workspaces = createWorkspaces({ dataDir, credential, serverUrl: github.url });
      // Nothing is removed before the end, because that slows some file systems down.
      const clones = join(dir, 'clones');
      mkdirSync(clones);
      spawnSync('chattr', ['+T', clones]);
      let n = 0;
      const signal = new AbortController().signal;
      /** Pending writes of one side must not slow down the other. */
      const settle = (): void => void execFileSync('sync');
      const prepare = async (): Promise<number> => {
        settle();
        const runId = `run${(n += 1)}`;
        const repo = { owner: 'acme', name: 'history', cloneUrl };
        return timed(() => workspaces.prepare({ runId, repo, base: null, defaultBranch: 'main', signal }));
      };
      const clone = async (): Promise<number> => {
        settle();
        const to = join(clones, `clone${(n += 1)}`);
        return timed(() =>
          promisify(execFile)('git', ['clone', '--quiet', cloneUrl, to], { env: environment(dir) }),
        );
      };
      // The first, discarded pair fills the mirror.
      const { a, b, ratio, ...rest } = await inPairs(pairs, clone, prepare);
      const note = `ready in ${round(b)} ms (asks the server for news, then a fresh tree of ${FILES} files, no inode shared), git clone over HTTP ${round(a)} ms; ${size.toFixed(0)} MB packed; ${spread({ a, b, ratio, ...rest })}`;
      return [{ name: 'workspace', value: ratio, unit: 'x', bar: { is: '>=', at: 10 }, note }];
    } finally {
      await github.stop();
      remove();
    }
  },
};
