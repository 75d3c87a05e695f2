/** F6: whose failures red checks are, asked of a real code host over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGitHubForge } from '../../../forge/github.ts';
import { startGitHub, type GitHub } from '#playground';

let github: GitHub;
beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
});
afterAll(() => github.stop());

const forgeOf = () =>
  createGitHubForge({
    apiUrl: github.url,
    userAgent: 'agentpr-test',
    clock: { now: () => 0 },
    token: () => Promise.resolve('tok'),
  });

it('F6: red there counts unless it was only interrupted; red here is flaky where it passed or was interrupted', async () => {
  const acme = await github.addRepo({ owner: 'acme', name: 'api', from: { 'a.ts': 'one\n' } });
  acme.grant('bot', 'write');
  const base = await acme.pushForeign('main', { files: { 'a.ts': 'two\n' } });
  const head = await acme.pushForeign('fix', { files: { 'b.ts': 'three\n' } });
  const runs = (sha: string, name: string, ...conclusions: string[]): void => {
    for (const conclusion of conclusions) acme.setCheck(sha, { name, conclusion });
  };
  runs(base, 'broken', 'failure');
  runs(base, 'mended', 'failure', 'success');
  for (const conclusion of ['cancelled', 'timed_out', 'startup_failure'])
    runs(base, `base ${conclusion}`, conclusion);
  acme.setStatus(base, { context: 'coverage', state: 'failure', description: 'low', by: 'cov[bot]' });

  runs(head, 'broken', 'failure');
  runs(head, 'sometimes', 'success', 'failure');
  runs(head, 'base cancelled', 'failure');
  runs(head, 'stopped', 'cancelled');
  runs(head, 'ours', 'failure');
  expect(await forgeOf().findRedOnBaseOrFlaky('acme/api', head, 'main')).toEqual({
    onBase: ['broken', 'coverage'],
    flaky: ['sometimes', 'stopped'],
  });
});

it('F6: of two checks with one name, neither excuses the other', async () => {
  const acme = await github.addRepo({ owner: 'acme', name: 'twins', from: { 'a.ts': 'one\n' } });
  acme.grant('bot', 'write');
  const base = await acme.pushForeign('main', { files: { 'a.ts': 'two\n' } });
  const head = await acme.pushForeign('fix', { files: { 'b.ts': 'three\n' } });
  const runs = (sha: string, name: string, ...conclusions: string[]): void => {
    for (const [i, conclusion] of conclusions.entries())
      acme.setCheck(sha, { name, conclusion, ...(i === 0 ? {} : { app: 'jenkins' }) });
  };
  runs(base, 'one red there', 'failure', 'success');
  runs(base, 'one interrupted there', 'failure', 'cancelled');
  runs(base, 'both red there', 'failure', 'failure');
  for (const name of ['one red there', 'one interrupted there', 'both red there'])
    runs(head, name, 'failure', 'failure');
  runs(head, 'the other passed', 'success', 'failure');
  runs(head, 'one was stopped', 'cancelled', 'failure');
  runs(head, 'both were stopped', 'cancelled', 'cancelled');
  expect(await forgeOf().findRedOnBaseOrFlaky('acme/twins', head, 'main')).toEqual({
    onBase: ['both red there'],
    flaky: ['both were stopped'],
  });
});

it('F6: a job that its machine ended is no failure of the change', async () => {
  const acme = await github.addRepo({ owner: 'acme', name: 'killed', from: { 'a.ts': 'one\n' } });
  acme.grant('bot', 'write');
  const head = await acme.pushForeign('fix', { files: { 'b.ts': 'two\n' } });
  const red = (name: string, message: string): void =>
    void acme.setCheck(head, {
      name,
      conclusion: 'failure',
      annotations: [{ path: '.github', line: 1, level: 'failure', message }],
    });
  red('killed', 'Process completed with exit code 137.');
  red(
    'lost',
    'The self-hosted runner: ci-3 lost communication with the server. Verify the machine is running.',
  );
  red(
    'stopped',
    'The runner has received a shutdown signal. This can happen when the runner service is stopped.',
  );
  red('ours', 'Process completed with exit code 1.');
  expect(await forgeOf().findRedOnBaseOrFlaky('acme/killed', head, 'main')).toEqual({
    onBase: [],
    flaky: ['killed', 'lost', 'stopped'],
  });
});
