/** The local GitHub with the real Octokit and git. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { execa } from 'execa';
import { afterEach, beforeEach, expect } from 'vitest';
import { startGitHub, type GitHub } from '../../github.ts';

export const token = 'ghp_playground';
export const at = { owner: 'acme', repo: 'api' };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
export let github: GitHub;
export let octokit: Octokit;
export let dir: string;

export const useForge = (): void => {
  beforeEach(async () => {
    github = await startGitHub({ login: 'agentpr-bot', token });
    octokit = as(token);
    dir = await mkdtemp(join(tmpdir(), 'playground-client-'));
  });
  afterEach(async () => {
    await github.stop();
    await rm(dir, { recursive: true, force: true });
  });
};

export const as = (auth: string | undefined, baseUrl = github.url): Octokit =>
  new Octokit({ baseUrl, log: quiet, ...(auth !== undefined && { auth }) });
export const addApi = () => github.addRepo({ owner: 'acme', name: 'api', from: { 'README.md': 'Hello\n' } });
export const refusalOf = async (work: Promise<unknown>): Promise<{ status: number; message: string }> => {
  const error: unknown = await work.then(
    () => ({ status: 0, message: 'no error' }),
    (reason: unknown) => reason,
  );
  return error as { status: number; message: string };
};
export const git = async (args: string[], cwd = dir) => {
  const env = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  const { exitCode, stdout, stderr } = await execa('git', args, { cwd, env, reject: false });
  return { exitCode, stdout, stderr };
};
export const urlOf = (repo = 'acme/api', password: string | null = token): string =>
  password === null
    ? `${github.url}/${repo}.git`
    : `${github.url.replace('//', `//x:${password}@`)}/${repo}.git`;
export async function cloneWithCommit(repo = 'acme/api'): Promise<string> {
  const work = join(dir, 'work');
  expect(await git(['clone', '--quiet', urlOf(repo), work])).toMatchObject({ exitCode: 0 });
  await writeFile(join(work, 'fix.txt'), 'fixed\n');
  await git(['add', '.'], work);
  await git(['commit', '--quiet', '-m', 'fix: it'], work);
  return work;
}
export const push = async (branch = 'fix/it', work = join(dir, 'work')) =>
  git(['push', urlOf(), `HEAD:refs/heads/${branch}`], work);
export const open = (wish: object = {}) =>
  octokit.pulls.create({ ...at, title: 'fix: it', body: 'Because', head: 'fix/it', base: 'main', ...wish });
