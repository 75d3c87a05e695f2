/** P7 through the real process: a month's budget stops an agent, nothing new begins, and a raise lets it go on. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cardFor } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const WITHIN = { deadlineMs: PATIENCE };
const LIMIT = 1_200;
/** Stands in for claude with a sign-in: 300 tokens a turn until it is resumed, then it does its work. */
const AGENT = `#!/usr/bin/env node
const fs = require('node:fs');
const argv = process.argv.slice(2);
if (argv.includes('--version')) { console.log('2.0.0'); process.exit(); }
fs.readSync(0, Buffer.alloc(1_000_000));
const say = (event) => fs.writeSync(1, JSON.stringify(event) + '\\n');
const resumed = argv.includes('--resume');
const id = argv[argv.indexOf(resumed ? '--resume' : '--session-id') + 1];
say({ type: 'system', subtype: 'init', session_id: id, model: 'fake' });
const usage = { input_tokens: 200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 100 };
let n = 0;
const turn = () => say({ type: 'assistant', message: { id: id + process.pid + (n += 1), content: [{ type: 'text', text: 'turn ' + n }], usage } });
if (resumed) {
  fs.appendFileSync('README.md', 'more\\n');
  say({ type: 'result', subtype: 'success', is_error: false, session_id: id, result: '', structured_output: { status: 'done', summary: 'One more line' }, total_cost_usd: 0, usage });
} else setInterval(turn, 300);
`;

let product: Product | undefined;
afterAll(() => product?.close());

it('P7: stops at the month’s budget, keeps its work, says who used it, and goes on after a raise', async () => {
  product = await createProduct({
    config: {
      engines: { claude: { command: './claude-stand-in' } },
      tools: [path.dirname(process.execPath)],
      budgets: { month: { tokens: LIMIT } },
    },
    env: { AGENTPR_ENGINE: 'claude', ANTHROPIC_API_KEY: undefined },
  });
  const { ana, dir } = product;
  const command = path.join(dir, 'claude-stand-in');
  writeFileSync(command, AGENT, { mode: 0o755 });
  const file = path.join(dir, 'agentpr.config.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as { engines: { claude: { command: string } } };
  config.engines.claude.command = command;
  writeFileSync(file, JSON.stringify(config));
  await product.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': '# app\n' } });
  product.start();
  await product.running();
  ana.sends('/new acme/app Write one more line');
  const warning = await ana.waitForMessage(/Most of a budget is used: everything, this month/, WITHIN);
  const call = await ana.waitForMessage(/A budget is used up: everything, this month/, WITHIN);
  expect(call.text).toContain('goes on by itself on 1 ');
  await product.waitFor(() => (product?.run()?.lifecycle.reason.kind === 'write_slot_wait' ? true : null), {
    ...WITHIN,
    what: 'the run to wait for its budget',
  });
  await product.restart();
  ana.sends('How much did this cost this month?');
  const said = await ana.waitForMessage(/What agents cost/, WITHIN);
  expect(said.text).toMatch(/everything, this month: 1,[2-9]00 tokens of 1,200 tokens/);
  const cli = await product.cli(['report', '--cost']);
  expect(cli.out).toContain('everything, this month');
  ana.taps(/Raise by half/);
  await cardFor(ana);
  await ana.waitForMessage(/A budget was raised: everything, this month.*Ana/s, WITHIN);
  const calls = ana
    .messages()
    .filter((m) => /^(?!\(repeat\)).*A budget (?:is used up|was raised)/s.test(m.text));
  expect(calls.map(({ messageId }) => messageId)).toEqual([warning.messageId, call.messageId]);
  expect((await product.cli(['replay', '--all'])).code).toBe(0);
  expect(product.complaints()).toEqual([]);
});
