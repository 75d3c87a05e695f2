/**
 * E10: an agent asks, the process is killed, and the answer from the phone counts once, in the same
 * session, up to the card.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acpAgent } from '../../support/acp-agent.ts';
import { cardFor, tapOn } from '../../support/approves.ts';
import { withButton } from '../../support/persistent-person.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const COMMAND = "sed -i '$a more' README.md";
const REPO = 'acme/asks';
/** Runs it when it may, and else ends its turn. */
const TURN = `fs.appendFileSync(process.env.HOME + '/turns', '\\n== ' + text);
  const chosen = await run(${JSON.stringify(COMMAND)}); if (chosen !== 'once') return 'end_turn';
  report('One more line.'); return 'end_turn';`;

let product: Product;
beforeAll(async () => {
  product = await createProduct({ env: { AGENTPR_ENGINE: 'acp' } });
  const tools = path.join(product.dir, 'tools');
  const command = path.join(tools, 'asking-agent');
  mkdirSync(tools, { recursive: true });
  writeFileSync(command, acpAgent({ turn: TURN }), { mode: 0o755 });
  writeFileSync(
    path.join(product.dir, 'agentpr.config.json'),
    JSON.stringify({
      bounds: { pollMs: 100, retryMs: 50 },
      tools: [tools, path.dirname(process.execPath)],
      network: { installs: 'shared', checks: 'shared' },
      engines: { acp: { command } },
    }),
  );
  await product.github.addRepo({ owner: 'acme', name: 'asks', from: { 'README.md': 'An app.\n' } });
  product.start();
});
afterAll(() => product.close());

it('E10: a permission that is answered from the phone after a kill counts once, and the run goes on', async () => {
  const { ana } = product;
  ana.sends(`/new ${REPO} Write one more line check="grep -q more README.md"`);
  const question = await ana.waitForMessage(withButton(/^Allow once$/), { deadlineMs: PATIENCE });
  expect(question.text).toContain(COMMAND);
  expect(product.run(REPO)).toMatchObject({
    lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'permission_asked' } },
  });
  await product.atRest();
  await product.kill();
  await product.processesGone(product.processes);
  product.start();
  expect(await tapOn(ana, question, /^Allow once$/)).toBe('Recorded: allowed, once.');
  expect(await tapOn(ana, question, /^Allow once$/)).toContain('settled');
  const card = await cardFor(ana, REPO);
  expect(card.text).toContain('+1');
  const run = product.run(REPO);
  expect(run).toMatchObject({
    agent: { session: { id: 'made-1' }, permissions: { askedCount: 1, grants: [] } },
  });
});
