/** G9: the GitHub Action fails a pull request of ours whose receipt does not hold, and no other. */
import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenOn } from '#webhooks';
import { fingerprintOf } from '#passkeys';
import { withReceipt, type Receipt } from '#pull-text';
import { runReceiptGitHubAction } from '../../cli/receipt-github-action.ts';
import { signedPull } from '../support/signed-pull.ts';
import { createSoftKey } from '../support/soft-key.ts';
import { listTampered } from '../support/tampered.ts';

const key = createSoftKey();
const approver = fingerprintOf(key.publicKey);
const world = await signedPull({ key });
const page = {
  title: world.pull.title,
  body: world.pull.body,
  head: { sha: world.pull.head },
  base: { ref: world.pull.base, repo: { full_name: world.pull.repo } },
  user: { login: 'Ana-Lim' },
};

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentpr-action-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const act = (pull: unknown, inputs: Partial<Record<'KEYS' | 'AUTHORS' | 'APPROVERS', string>> = {}) => {
  const file = join(dir, 'event.json');
  writeFileSync(file, JSON.stringify({ action: 'opened', pull_request: pull }));
  const given = { KEYS: JSON.stringify(world.published), APPROVERS: approver, ...inputs };
  const named = Object.entries(given).map(([name, value]) => [`INPUT_${name}`, value] as const);
  return runReceiptGitHubAction({ GITHUB_EVENT_PATH: file, ...Object.fromEntries(named) });
};

describe('the action', () => {
  it('G9, G11: passes the right one, and says whose keys have signed it', async () => {
    const said = await act(page);
    expect(said.holds).toBe(true);
    expect(said.says.join()).toContain(`exactly this: commit ${world.pull.head}`);
    expect(said.says.join()).toContain(approver);
  });

  it.each([
    ['another commit', { head: { sha: 'e'.repeat(40) } }, 'another commit'],
    ['another title', { title: 'docs: add two pages' }, 'title is not'],
    ['another description', { body: `Look here.\n\n${page.body}` }, 'description is not'],
    ['another base', { base: { ...page.base, ref: 'next' } }, 'another base'],
    ['another repository', { base: { ...page.base, repo: { full_name: 'acme/other' } } }, 'another repo'],
    ['a receipt that is cut', { body: page.body.slice(0, -9) }, 'no AgentPR receipt'],
  ])('G9: fails one with %s', async (_, change, says) => {
    const said = await act({ ...page, ...change });
    expect([said.holds, said.says.join()]).toEqual([false, expect.stringContaining(says)]);
  });

  it('G9, G11: fails each of the receipts that were changed in a field, cut or swapped', async () => {
    let judged = 0;
    for (const { how, value } of listTampered(world.receipt)) {
      let body: string;
      try {
        body = withReceipt('What\n\nAdds a page.', value as Receipt);
      } catch {
        // Written all the same, as somebody would who does not use our program.
        body = page.body.replace(/agentpr:receipt \{.*\}/, () => `agentpr:receipt ${JSON.stringify(value)}`);
      }
      judged += 1;
      expect({ how, holds: (await act({ ...page, body })).holds }).toEqual({ how, holds: false });
    }
    expect(judged).toBeGreaterThanOrEqual(50);
  });

  it('G11: fails one that none of the named approvers has signed', async () => {
    expect((await act(page, { APPROVERS: '0'.repeat(32) })).says.join()).toContain('None of the keys');
    expect((await act(page, { APPROVERS: `${'0'.repeat(32)}\n${approver}` })).holds).toBe(true);
  });

  it('G9: passes pull requests of others, but none of a named account without a receipt', async () => {
    const plain = { ...page, body: 'I mended it.' };
    expect(await act(plain, { KEYS: 'nowhere' })).toMatchObject({ holds: true });
    expect((await act({ ...plain, body: null })).holds).toBe(true);
    const said = await act(plain, { AUTHORS: 'bot, ana-lim' });
    expect([said.holds, said.says.join()]).toEqual([false, expect.stringContaining('no AgentPR receipt')]);
  });

  it('G9: fails without keys or without a pull request', async () => {
    for (const keys of ['', 'http://agentpr.example.com', '{}', 'keys.json'])
      expect([keys, (await act(page, { KEYS: keys })).holds]).toEqual([keys, false]);
    expect(await act(undefined)).toMatchObject({ holds: false });
    writeFileSync(join(dir, 'event.json'), 'no json');
    expect((await runReceiptGitHubAction({ GITHUB_EVENT_PATH: join(dir, 'event.json') })).holds).toBe(false);
  });
});

describe('the keys of an operator', () => {
  let server: Server;
  let answer: { status: number; body: string };
  let address = '';
  beforeEach(async () => {
    answer = { status: 200, body: JSON.stringify(world.published) };
    server = createServer((request, response) => {
      const isThere = request.url === '/.well-known/agentpr.json';
      response.writeHead(isThere ? answer.status : 404, { location: '/elsewhere' }).end(answer.body);
    });
    address = await listenOn(server, '127.0.0.1', 0);
  });
  afterEach(() => void server.close());

  it('G9: are read at their address, and nowhere that it leads to', async () => {
    expect((await act(page, { KEYS: address })).holds).toBe(true);
    answer.status = 302;
    expect((await act(page, { KEYS: address })).holds).toBe(false);
    answer = { status: 200, body: JSON.stringify({ ...world.published, keys: [] }) };
    expect((await act(page, { KEYS: address })).holds).toBe(false);
  });
});
