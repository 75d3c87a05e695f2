/**
 * E5, E6 through the real process: an agent that spends too much is stopped in the middle, warned
 * of once, and goes on when more is granted.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProduct, type Product } from '../../support/product.ts';
import { reasonOf } from '../../support/english.ts';

const TURN = 300;
const LIMIT = 1_500;
/**
 * Stands in for claude: a turn of 300 tokens again and again, until it is resumed; then it does its
 * work and is done.
 */
const AGENT = `#!/usr/bin/env node
const fs = require('node:fs');
const argv = process.argv.slice(2);
if (argv.includes('--version')) { console.log('2.0.0'); process.exit(); }
fs.readSync(0, Buffer.alloc(1_000_000));
const say = (event) => fs.writeSync(1, JSON.stringify(event) + '\\n');
const resumed = argv.includes('--resume');
const id = argv[argv.indexOf(resumed ? '--resume' : '--session-id') + 1];
say({ type: 'system', subtype: 'init', session_id: id, model: 'fake' });
const usage = { input_tokens: ${TURN - 100}, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 100 };
let n = 0;
const turn = () => say({ type: 'assistant', message: { id: id + process.pid + (n += 1), content: [{ type: 'text', text: 'turn ' + n }], usage } });
if (resumed) {
  fs.appendFileSync('README.md', 'more\\n');
  turn();
  say({ type: 'result', subtype: 'success', is_error: false, session_id: id, result: '', structured_output: { status: 'done', summary: 'One more line' }, total_cost_usd: 0, usage });
} else {
  setInterval(turn, 300);
}
`;

describe('a budget of tokens', () => {
  let product: Product;
  beforeAll(async () => {
    product = await createProduct({
      bounds: { maxTokens: LIMIT },
      config: {
        engines: { claude: { command: './claude-stand-in' } },
        tools: [path.dirname(process.execPath)],
      },
      // Without a key it is signed in, and what it uses is known by its own word alone.
      env: { AGENTPR_ENGINE: 'claude', ANTHROPIC_API_KEY: undefined },
    });
    const command = path.join(product.dir, 'claude-stand-in');
    writeFileSync(command, AGENT, { mode: 0o755 });
    const file = path.join(product.dir, 'agentpr.config.json');
    const config = JSON.parse(readFileSync(file, 'utf8')) as { engines: { claude: { command: string } } };
    config.engines.claude.command = command;
    writeFileSync(file, JSON.stringify(config));
    await product.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': '# app\n' } });
    product.start();
    await product.running();
  });
  afterAll(() => product.close());

  /**
   * A message that was sent just before the crash may come again, and then says that it is a
   * repeat.
   */
  const warnings = (): number =>
    product.ana
      .messages()
      .filter((m) => m.from === 'bot' && /^(?!\(repeat\)).*% of the budget is used/s.test(m.text)).length;

  it('E6: is warned of while the agent works, and a crash takes nothing back', async () => {
    product.ana.sends('/new acme/app Write one more line');
    await product.ana.waitForMessage(/% of the budget is used: tokens/, { deadlineMs: 60_000 });
    const before = product.run()?.lifecycle.usage.inputTokens ?? 0;
    expect(before).toBeGreaterThanOrEqual((LIMIT * 0.8 * (TURN - 100)) / TURN - TURN);
    await product.restart();
    const run = await product.waitForState('NEEDS_HUMAN_REVIEW');
    expect(reasonOf(run)).toContain('tokens, 1,500 of 1,500');
    expect(run.lifecycle.reason).toMatchObject({ kind: 'budget_exhausted', budget: 'tokens' });
  });

  it('E6: stops the agent within one turn of its end', async () => {
    await product.processesGone();
    const {
      lifecycle: { usage },
    } = product.run() ?? { lifecycle: { usage: { inputTokens: 0, outputTokens: 0 } } };
    const used = usage.inputTokens + usage.outputTokens;
    expect(used).toBeGreaterThanOrEqual(LIMIT);
    expect(used).toBeLessThanOrEqual(LIMIT + 2 * TURN);
    expect(warnings()).toBe(1);
  });

  it('E6: a tap grants more, and the same conversation goes on to its end', async () => {
    const asked = await product.ana.waitForMessage(/NEEDS YOU/, { deadlineMs: 60_000 });
    expect(asked.text).toContain('The budget is used up');
    const session = product.run()?.agent.session?.id;
    product.ana.taps(/Raise to /);
    const run = await product.waitFor(() => (product.run()?.gate.approval ? product.run() : null), {
      what: 'the change to be shown on a card',
    });
    expect(run.agent.session?.id).toBe(session);
    expect(run.lifecycle.raisedLimits.maxTokens).toBeGreaterThan(LIMIT);
    product.ana.sends(`/budget ${run.id}`);
    const shown = await product.ana.waitForMessage(/Raise one with/, {
      deadlineMs: 60_000,
    });
    expect(shown.text).toMatch(/tokens: [\d,]+ of [\d,]+, [\d,]+ left/);
    expect((await product.cli(['replay', '--all'])).code).toBe(0);
    expect(product.complaints()).toEqual([]);
  });
});
