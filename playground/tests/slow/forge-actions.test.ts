/** Tests the forms of the forge pages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GitHub, RepoHandle } from '../../index.ts';
import { openForge, type ForgeBrowser } from '../support/forge-browser.ts';

let github: GitHub;
let repo: RepoHandle;
let forge: ForgeBrowser;

beforeEach(async () => {
  forge = await openForge();
  ({ github, repo } = forge);
});
afterEach(() => github.stop());

async function receiver(): Promise<{ url: string; guids: string[]; stop(): void }> {
  const guids: string[] = [];
  const server = createServer((asked, response) => {
    guids.push(String(asked.headers['x-github-delivery']));
    asked.resume().on('end', () => response.writeHead(202, { 'x-by': '<b>me</b>' }).end('thank <you>'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, guids, stop: () => server.close() };
}

describe('an action', () => {
  it('is refused without the token, from another site, and under another name', async () => {
    const number = await forge.open();
    const act = `/acme/api/pull/${number}/end`;
    const foreign = 'http://evil.example';
    const port = new URL(github.url).port;
    const refused = await Promise.all([
      forge.submit(act, { verb: 'merge', token: '' }),
      forge.submit(act, { verb: 'merge', token: 'x'.repeat(32) }),
      forge.submit(act, { verb: 'merge' }, { origin: foreign }),
      forge.submit(act, { verb: 'merge' }, { origin: 'null' }),
      forge.submit(
        act,
        { verb: 'merge' },
        { origin: `http://evil.example:${port}`, host: `evil.example:${port}` },
      ),
      forge.submit(act, { verb: 'merge' }, { origin: `http://localhost:${port}` }),
      forge.ask('GET', '/', { host: `evil.example:${port}`, accept: 'text/html' }),
      forge.ask('GET', '/forge/events', { host: `evil.example:${port}` }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect(refused.some(({ body }) => body.includes('name="token"'))).toBe(false);
    expect(github.pull('acme/api', number)).toMatchObject({ state: 'open', merged: false });
    const { status } = await forge.submit(act, { verb: 'merge' });
    expect([status, github.pull('acme/api', number).merged]).toEqual([303, true]);
  });

  it('leads back to a page of ours, wherever the form points', async () => {
    const number = await forge.open();
    const action = `/acme/api/pull/${number}/end`;
    for (const back of ['//evil.example/x', 'http://evil.example', '/\\evil.example', '']) {
      const { headers } = await forge.submit(action, { verb: 'nothing', back });
      expect(headers.location).toMatch(/^\/\?note=/);
    }
  });

  it('opens an issue, and gives and takes its label, as one of those who are offered', async () => {
    const asked = { title: ' Say <b>why</b> ', body: 'It is *odd*.', user: 'acme' };
    expect(await forge.says('/acme/api/issue', { ...asked, user: 'somebody-else' })).toBe(
      'Choose who opens it.',
    );
    expect(await forge.says('/acme/api/issue', { ...asked, title: ' ' })).toMatch(/^A title has/);
    expect(await forge.says('/acme/api/issue', asked)).toBe('acme opened issue #1.');
    const label = (fields: Record<string, string>) => forge.says('/acme/api/issues/1/label', fields);
    expect(await label({ label: 'agentpr', user: 'kim-stranger', verb: 'add' })).toBe(
      'kim-stranger labelled #1.',
    );
    expect(await label({ label: '<i>', user: 'acme', verb: 'add' })).toMatch(/^A label has/);
    const page = async () => (await forge.browse('/acme/api/issues/1')).body;
    expect(await page()).toContain('Say &lt;b&gt;why&lt;/b&gt;');
    expect(await page()).toMatch(/gave it the label\s+<bdi>agentpr<\/bdi>/);
    expect((await forge.browse('/acme/api')).body).toContain('/acme/api/issues/1');
    expect(await label({ label: 'agentpr', user: 'acme', verb: 'remove' })).toBe('acme took a label off #1.');
    expect(await page()).toMatch(/took off the label\s+<bdi>agentpr<\/bdi>/);
    expect((await forge.browse('/acme/api/issues/2')).status).toBe(404);
    expect((await forge.submit('/acme/api/issues/2/label', { label: 'x', user: 'acme' })).status).toBe(404);
  });

  it('closes, reopens, and merges or squashes, and says why it cannot', async () => {
    const number = await forge.open();
    const end = (verb: string) => forge.says(`/acme/api/pull/${number}/end`, { verb });
    expect(await end('close')).toBe('#1 is closed.');
    expect(await end('reopen')).toBe('#1 is open.');
    expect(await forge.says(`/acme/api/pull/${number}/conflict`, {})).toContain('src/wait.js');
    expect((await forge.browse(`/acme/api/pull/${number}`)).body).toContain('Conflicts with the base branch');
    expect(await end('merge')).toBe('Pull Request is not mergeable');
    expect(github.mergeCalls()).toEqual([]);
    await repo.pushForeign('more', { files: { 'new.txt': 'new\n' } });
    const second = await forge.open({ head: 'more' });
    expect(await forge.says(`/acme/api/pull/${second}/end`, { verb: 'squash' })).toBe(
      '#2 is merged into main.',
    );
    expect((await repo.commits())[0]?.parents).toHaveLength(1);
    expect((await forge.browse(`/acme/api/pull/${second}`)).body).not.toContain('value="merge"');
  });

  it('comments, approves and requests changes in the chosen name, and never in another', async () => {
    const number = await forge.open();
    const say = (fields: Record<string, string>) => forge.says(`/acme/api/pull/${number}/say`, fields);
    await say({ verb: 'comment', user: 'kim-stranger', body: 'Me too' });
    await say({ verb: 'request', user: 'acme', body: 'A test, please' });
    await say({ verb: 'approve', user: 'acme', body: '' });
    expect(await say({ verb: 'comment', user: 'acme', body: ' ' })).toBe('Write a few words first.');
    expect(await say({ verb: 'approve', user: 'root', body: '' })).toBe('Choose who says it.');
    const { comments, reviews } = github.pull('acme/api', number);
    expect(comments).toEqual([{ user: 'kim-stranger', body: 'Me too' }]);
    expect(reviews.map(({ user, state }) => [user, state])).toEqual([
      ['acme', 'CHANGES_REQUESTED'],
      ['acme', 'APPROVED'],
    ]);
    const { body } = await forge.browse(`/acme/api/pull/${number}`);
    expect(body).toMatch(/Me too[^]*requested changes[^]*A test, please[^]*approved these changes/);
    expect(body).toContain('<span class="tag stranger">stranger</span>');
  });

  it('comments on a line of the newest files, and on no other', async () => {
    const number = await forge.open();
    const files = `/acme/api/pull/${number}/files`;
    expect((await forge.browse(`${files}?at=0:1`)).body).toContain('id="say-line"');
    expect((await forge.browse(`${files}?at=0:77`)).body).not.toContain('id="say-line"');
    const head = github.pull('acme/api', number).headSha;
    const line = { file: '0', line: '1', head, user: 'acme', body: 'Why **100**?' };
    const act = `/acme/api/pull/${number}/line`;
    expect(await forge.says(act, { ...line, line: '9' })).toBe('There is no such line in this change.');
    expect(await forge.says(act, line)).toBe('acme commented on src/wait.js:1.');
    expect((await forge.browse(files)).body).toContain('Why <strong>100</strong>?');
    await repo.pushForeign('fix/it');
    expect(await forge.says(act, line)).toContain('changed meanwhile');
  });

  it('plays the others: a commit by somebody else on the branch, and a base that moves on', async () => {
    const number = await forge.open();
    const before = github.pull('acme/api', number).headSha;
    const main = await repo.head();
    expect(await forge.says(`/acme/api/pull/${number}/foreign`, {})).toContain('fix/it');
    expect(await forge.says(`/acme/api/pull/${number}/advance`, {})).toContain('main');
    expect(github.pull('acme/api', number).headSha).not.toBe(before);
    expect(await repo.head()).not.toBe(main);
    expect(await forge.says('/acme/api/foreign', { branch: 'no/such' })).toContain('no branch no/such');
    expect(await repo.branches()).not.toContain('no/such');
    expect((await forge.submit('/acme/none/foreign')).status).toBe(404);
    expect((await forge.submit('/acme/api/constructor')).status).toBe(404);
  });
});

describe('deliveries', () => {
  it('are listed with request and response, and are sent again with the same GUID', async () => {
    const hook = await receiver();
    github.addWebhook({ url: hook.url, secret: 'secret' });
    await github.idleDeliveries();
    const [ping] = github.deliveries();
    expect((await forge.browse('/deliveries')).body).toContain('202');
    const { body } = await forge.browse(`/deliveries/${ping?.id}`);
    expect(body).toContain('X-Hub-Signature-256');
    expect(body).toContain('thank &lt;you&gt;');
    expect(body).toContain('&lt;b&gt;me&lt;/b&gt;');
    expect(await forge.says(`/deliveries/${ping?.id}/redeliver`, {})).toContain('same bytes');
    await github.idleDeliveries();
    expect(hook.guids).toEqual([ping?.guid, ping?.guid]);
    expect((await forge.submit('/deliveries/999999/redeliver')).status).toBe(404);
    hook.stop();
  });

  it('travel as the weather form says', async () => {
    const hook = await receiver();
    github.addWebhook({ url: hook.url, secret: 'secret' });
    await github.idleDeliveries();
    const number = await forge.open();
    await github.idleDeliveries();
    const rough = { drop: '0', copies: '3', least: '0', most: '1', shuffle: 'yes' };
    expect(await forge.says('/weather', { ...rough, drop: '101' })).toContain('percentage');
    expect(await forge.says('/weather', rough)).toBe('From now on: 0 % lost, 3 copies each.');
    expect((await forge.browse('/deliveries')).body).toContain('rough');
    const before = hook.guids.length;
    repo.comment(number, { body: 'Three times' });
    await github.idleDeliveries();
    expect(hook.guids.length - before).toBe(3);
    await forge.says('/weather', { ...rough, drop: '100', copies: '1' });
    repo.comment(number, { body: 'Never' });
    await github.idleDeliveries();
    expect(hook.guids.length - before).toBe(3);
    expect((await forge.browse('/deliveries')).body).toContain('lost');
    expect(await forge.says('/weather', { calm: 'yes' })).toContain('Calm');
    hook.stop();
  });
});
