/** G9, G12: what strangers verify of the real process: envelope, action, log, and that nothing was taken out of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepoHandle } from '#playground';
import { approves } from '../../support/approves.ts';
import { TOKENS, type Product } from '../../support/product.ts';
import { askForChange } from '../../support/quick-change.ts';
import { createProductAtGate } from '../../support/run-at-gate.ts';

const ACTION = join(import.meta.dirname, '../../../action/verify.js');

describe('a stranger', () => {
  let product: Product;
  let repo: RepoHandle;
  const heads: string[] = [];
  let page: { title: string; body: string; head: { sha: string } };
  const file = (name: string): string => join(product.dir, name);
  const keepHead = async (): Promise<void> => {
    const answer = await fetch(`${product.address()}/checkpoint`);
    const name = file(`checkpoint-${heads.length}`);
    writeFileSync(name, await answer.text());
    heads.push(name);
  };

  beforeAll(async () => {
    ({ product, repo } = await createProductAtGate());
    product.start();
    await product.running();
    await approves(product.ana);
    await product.waitForState('CI_WAIT');
    await keepHead();
    await askForChange(product, 'second');
    await product.waitForState('PUSHED', 'acme/second');
    await approves(product.ana, 'second');
    await product.waitForState('CI_WAIT', 'acme/second');
    await keepHead();
    const keys = await fetch(`${product.address()}/.well-known/agentpr.json`);
    writeFileSync(file('keys.json'), await keys.text());
    const authorization = `Bearer ${TOKENS.github}`;
    const api = `${product.github.url}/repos/${repo.fullName}/pulls/1`;
    page = (await (await fetch(api, { headers: { authorization } })).json()) as typeof page;
    writeFileSync(file('pull.json'), JSON.stringify(page));
  }, 240_000);
  afterAll(() => product.close());

  const cli = async (...args: string[]): Promise<string> => {
    const said = await product.cli(args);
    return `${said.code} ${said.out}${said.err}`;
  };

  it('G9: has the receipt as an envelope, which holds with the repository, and with no other', async () => {
    const keys = ['--keys', file('keys.json')];
    const envelope = file('envelope.json');
    expect(await cli('verify', file('pull.json'), ...keys, '--envelope', envelope)).toMatch(/^0 ✔/);
    const alone = await cli('verify', envelope, ...keys, '--repository', repo.dir);
    expect(alone).toMatch(new RegExp(`^0 ✔ .* commit ${page.head.sha} `));
    const other = (await product.github.addRepo({ owner: 'acme', name: 'other', from: { a: 'a\n' } })).dir;
    expect(await cli('verify', envelope, ...keys, '--repository', other)).toMatch(
      /^5 .*not have the commit/s,
    );
    const read = JSON.parse(readFileSync(envelope, 'utf8')) as { payload: string };
    const payload = Buffer.from(read.payload, 'base64').toString().replace('"main"', '"next"');
    const forged = { ...read, payload: Buffer.from(payload).toString('base64') };
    writeFileSync(file('forged.json'), JSON.stringify(forged));
    expect(await cli('verify', file('forged.json'), ...keys)).toMatch(/^5 .*was changed/s);
  });

  it('G9: has an action that passes the pull request as it is, and fails it with another head', async () => {
    const act = async (pull: object): Promise<string> => {
      writeFileSync(file('event.json'), JSON.stringify({ action: 'synchronize', pull_request: pull }));
      const env = { GITHUB_EVENT_PATH: file('event.json'), INPUT_KEYS: product.address() };
      const child = spawn(process.execPath, [ACTION], { env, cwd: product.dir });
      const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
      return `${child.exitCode} ${said}`;
    };
    expect(await act(page)).toContain(`0 ✔ approver-`);
    expect(await act({ ...page, head: { sha: 'f'.repeat(40) } })).toMatch(/^1 ::error::.*another commit/s);
    expect(await act({ ...page, title: `${page.title}!` })).toMatch(/^1 ::error::.*title is not/s);
  });

  it('G12: has the inclusion proof in the receipt, and verifies it without any network', async () => {
    const [receipt, offline] = [file('receipt.json'), ['--keys', file('keys.json')]];
    const asked = ['--proof', product.address(), '--envelope', receipt];
    expect(await cli('verify', file('pull.json'), ...offline, ...asked)).toMatch(/^0 ✔/);
    expect(await cli('verify', receipt, ...offline)).toMatch(/^0 ✔ .*✔ It is decision 1 of 2/s);
    const read = JSON.parse(readFileSync(receipt, 'utf8')) as { inclusionProof: string };
    const inclusionProof = read.inclusionProof.replace('\nindex 0\n', '\nindex 1\n');
    writeFileSync(file('other.json'), JSON.stringify({ ...read, inclusionProof }));
    expect(await cli('verify', file('other.json'), ...offline)).toMatch(/^5 ✘/);
    // What the pull request says is what was opened: a proof is of later.
    expect(page.body).not.toContain('tlog-proof');
  });

  it('G12: finds the decision in the log, and proves that nothing was taken out since', async () => {
    const keys = ['--keys', product.address()];
    const proven = await cli('verify', file('pull.json'), ...keys, '--proof', product.address());
    expect(proven).toMatch(/^0 ✔ .*✔ It is decision 1 of 2/s);
    const [second = '', third = ''] = heads;
    expect(await cli('audit', 'consistency', second, third, ...keys)).toMatch(
      /^0 ✔ The one decision .* 2 in/,
    );
    expect(await cli('audit', 'consistency', third, second, ...keys)).toMatch(/^5 ✘ .*taken out/);
    const changed = readFileSync(second, 'utf8').replace('\n1\n', '\n2\n');
    writeFileSync(file('changed'), changed);
    expect(await cli('audit', 'consistency', file('changed'), third, ...keys)).toMatch(
      /^5 ✘ .*not a checkpoint/,
    );
    const own = await cli('audit', 'checkpoint');
    expect(own).toBe(`0 ${readFileSync(third, 'utf8')}`);
  });
});
