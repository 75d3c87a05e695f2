/**
 * E9: two engines try the same in one run; the process is killed in the turn of the second, and the
 * smaller change becomes the pull request.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acpAgent } from '../../support/acp-agent.ts';
import { approves, cardFor } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/two';
/** Notes what it finds, hangs the first time, and then makes the larger change. */
const TURN = `const home = process.env.HOME;
  fs.appendFileSync(home + '/found', fs.readFileSync('README.md', 'utf8') + '--');
  if (!fs.existsSync(home + '/once')) { fs.writeFileSync(home + '/once', ''); await new Promise(() => {}); }
  fs.appendFileSync('README.md', 'more\\nand more\\nand more\\n'); report('Three more lines.'); return 'end_turn';`;

let product: Product;
/** A file in the run's HOME; null while there is none. */
const inHome = (name: string): string | null => {
  const file = globSync(path.join(product.dataDir, 'runs/**/home', name))[0];
  return file === undefined ? null : readFileSync(file, 'utf8');
};

beforeAll(async () => {
  product = await createProduct({ script: 'echo more >>README.md' });
  const tools = path.join(product.dir, 'tools');
  const command = path.join(tools, 'second-agent');
  mkdirSync(tools, { recursive: true });
  writeFileSync(command, acpAgent({ turn: TURN }), { mode: 0o755 });
  const file = path.join(product.dir, 'agentpr.config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(
    file,
    JSON.stringify({
      ...config,
      tools: [tools, path.dirname(process.execPath)],
      engines: { acp: { command } },
    }),
  );
  await product.github.addRepo({ owner: 'acme', name: 'two', from: { 'README.md': 'An app.\n' } });
  product.start();
});
afterAll(() => product.close());

it('E9: each begins from the base, one is chosen, and nothing of the other is in the pull request', async () => {
  const { ana, github } = product;
  ana.sends(`/new ${REPO} Write more check="grep -q more README.md" engine=script,acp`);
  await product.waitFor(() => product.run(REPO)?.agent.proposerRotation, {
    what: 'the second engine to begin',
  });
  await product.waitFor(() => inHome('once') !== null, { what: 'the second engine to work' });
  await product.kill();
  await product.processesGone(product.processes);
  product.start();
  const card = await cardFor(ana, REPO);
  expect(card.text).toContain('+1');
  expect(card.text).toMatch(/▸ script: checks green \+1 −0 .* · acp: checks green \+3 −0/);
  await approves(ana, REPO);
  await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
  const run = product.run(REPO);
  expect(run?.agent.proposerRotation).toMatchObject({ engine: 'script', isChosen: true });
  const [pull] = github.repo(REPO).pulls;
  expect(pull?.body).toContain('Made by a script;');
  expect(pull?.body).not.toContain('acp');
  expect(run?.change.commit?.diff).toMatchObject({ added: 1, deleted: 0 });
  // The second engine found the base, and after the kill what it had left: its own, nothing of the first.
  expect(inHome('found')).toBe('An app.\n--An app.\n--');
});
