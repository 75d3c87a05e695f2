/** C4: an agent that gives one command again and again is told once, and stopped by a tap. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const WITHIN = { deadlineMs: PATIENCE };
/** It repeats itself, and then works on without an end. */
const REPEATS = `#!/bin/sh
cat > /dev/null
echo '{"type":"thread.started","thread_id":"t1"}'
n=0; while [ $n -lt 157 ]; do n=$((n+1))
echo '{"type":"item.started","item":{"id":"i'$n'","type":"command_execution","command":"npm test"}}'
echo '{"type":"item.completed","item":{"id":"i'$n'","type":"command_execution","command":"npm test"}}'
done
exec sleep 600
`;

describe('an agent that repeats a command', () => {
  let product: Product;
  beforeAll(async () => {
    product = await createProduct({ env: { AGENTPR_ENGINE: 'codex', CODEX_API_KEY: 'sk-of-the-operator' } });
    const tools = join(product.dir, 'tools');
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'codex'), REPEATS);
    chmodSync(join(tools, 'codex'), 0o755);
    writeFileSync(
      join(product.dir, 'agentpr.config.json'),
      JSON.stringify({
        bounds: { pollMs: 100, retryMs: 50 },
        tools: [tools],
        engines: { codex: { command: join(tools, 'codex') } },
      }),
    );
    await product.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': 'An app.\n' } });
    product.start();
    product.ana.sends('/new acme/app Write one more line check="test -f README.md"');
  });
  afterAll(() => product.close());

  it('C4: is told once, works on, and is stopped by a tap', async () => {
    const { ana } = product;
    const told = () => ana.messages().filter((m) => m.text.includes('SAME COMMAND AGAIN'));
    const first = await ana.waitForMessage((m) => m.text.includes('SAME COMMAND AGAIN'), WITHIN);
    expect(first.text).toContain('8 of the agent’s last 12 calls were the same');
    expect(first.text).toContain('$ npm test');
    expect(product.run('acme/app')?.lifecycle.state).toBe('IMPLEMENTING');
    ana.taps({ message: first.messageId, text: 'Stop' });
    await product.waitForState('PAUSED', 'acme/app');
    const after = await ana.waitForMessage((m) => m.text.includes('You stopped the run'), WITHIN);
    expect(told()).toHaveLength(1);
    expect(after.messageId).toBe(first.messageId);
    expect(after.buttons.flat()).toEqual([]);
  });
});
