/** F6: whose failures red checks are, asked of a real code host over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGitHubForge } from '../../forge/github.ts';
import { startGitHub, type GitHub } from '#playground';

let github: GitHub;
beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
});
afterAll(() => github.stop());

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
  const forge = createGitHubForge({
    apiUrl: github.url,
    userAgent: 'agentpr-test',
    clock: { now: () => 0 },
    token: () => Promise.resolve('tok'),
  });
  expect(await forge.redElsewhere('acme/api', head, 'main')).toEqual({
    onBase: ['broken', 'coverage'],
    flaky: ['sometimes', 'stopped'],
  });
});
