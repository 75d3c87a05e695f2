/**
 * E5: an agent's program that is missing, too old or signed out: the run stands still for a person,
 * who reads what to do, and goes on once it is mended. C4: one that repeats a command is told once.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardFor } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { quoted } from '../../support/quoted.ts';

const SIGNED_OUT = join(import.meta.dirname, '../../fixtures/agents/codex-auth.jsonl');
const OLD = `if [ "$1" = --version ]; then echo 'codex-cli 0.1.0'; exit 0; fi
echo "error: unexpected argument '--json' found" >&2; echo 'Usage: codex [OPTIONS] [PROMPT]' >&2; exit 2`;
const OUT = `cat > /dev/null; cat ${quoted(SIGNED_OUT)}; exit 1`;
const WELL = `cat > /dev/null; echo more >> README.md
echo '{"type":"thread.started","thread_id":"t1"}'; echo '{"type":"turn.started"}'
echo '{"type":"item.completed","item":{"id":"i0","type":"agent_message","text":"{\\"status\\":\\"done\\",\\"summary\\":\\"One more line.\\",\\"ran\\":[]}"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":5,"cached_input_tokens":0,"output_tokens":2}}'`;

/** It repeats itself, and then works on without an end. */
const REPEATS = `cat > /dev/null
echo '{"type":"thread.started","thread_id":"t1"}'
n=0; while [ $n -lt 157 ]; do n=$((n+1))
echo '{"type":"item.started","item":{"id":"i'$n'","type":"command_execution","command":"npm test"}}'
echo '{"type":"item.completed","item":{"id":"i'$n'","type":"command_execution","command":"npm test"}}'
done
exec sleep 600`;

describe('an agent that cannot work', () => {
  let product: Product;
  const tools = (): string => join(product.dir, 'tools');
  const install = (script: string): void => {
    mkdirSync(tools(), { recursive: true });
    writeFileSync(join(tools(), 'codex'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(tools(), 'codex'), 0o755);
  };
  beforeAll(async () => {
    product = await createProduct({ env: { AGENTPR_ENGINE: 'codex', CODEX_API_KEY: 'sk-of-the-operator' } });
    writeFileSync(
      join(product.dir, 'agentpr.config.json'),
      JSON.stringify({
        bounds: { pollMs: 100, retryMs: 50 },
        tools: [tools()],
        readable: [join(SIGNED_OUT, '..')],
        engines: { codex: { command: join(tools(), 'codex') } },
      }),
    );
    mkdirSync(tools(), { recursive: true });
    await product.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': 'An app.\n' } });
    product.start();
    product.ana.sends('/new acme/app Write one more line check="test -f README.md"');
  });
  afterAll(() => product.close());

  const stands = async (says: RegExp): Promise<void> => {
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/app');
    const told = await product.ana.waitForMessage(
      (m) => m.from === 'bot' && /NEEDS YOU/.test(m.text) && says.test(m.text),
      { deadlineMs: PATIENCE },
    );
    expect(told.buttons.flat().map((b) => b.text)).toContain('Retry');
    // Nothing of the key reaches a person or a log.
    expect(told.text).not.toContain('sk-of-the-operator');
  };
  const retry = (): void => void product.ana.sends(`/retry ${product.run('acme/app')?.id ?? ''}`);

  it('E5: says that it is missing, refuses its arguments, or is signed out; and goes on when it is well', async () => {
    await stands(/agent program was not found[\s\S]*agentpr doctor/);
    install(OLD);
    retry();
    await stands(/refused how it was started[\s\S]*unexpected argument '--json'/);
    install(OUT);
    retry();
    await stands(/sign-in is missing or was refused/);
    install(WELL);
    retry();
    await cardFor(product.ana, 'acme/app');
    expect(product.run('acme/app')?.agent.summary).toBe('One more line.');
    expect(product.complaints()).toEqual([]);
  });

  it('C4: that gives one command again and again is told once, works on, and is stopped by a tap', async () => {
    const { ana } = product;
    install(REPEATS);
    await product.github.addRepo({ owner: 'acme', name: 'again', from: { 'README.md': 'An app.\n' } });
    ana.sends('/new acme/again Write one more line check="test -f README.md"');
    const told = () => ana.messages().filter((m) => m.text.includes('SAME COMMAND AGAIN'));
    const first = await ana.waitForMessage((m) => m.text.includes('SAME COMMAND AGAIN'), {
      deadlineMs: PATIENCE,
    });
    expect(first.text).toContain('8 of the agent’s last 12 calls were the same');
    expect(first.text).toContain('$ npm test');
    expect(product.run('acme/again')?.lifecycle.state).toBe('IMPLEMENTING');
    ana.taps({ message: first.messageId, text: 'Stop' });
    await product.waitForState('PAUSED', 'acme/again');
    const after = await ana.waitForMessage((m) => m.text.includes('You stopped the run'), {
      deadlineMs: PATIENCE,
    });
    expect(told()).toHaveLength(1);
    expect(after.messageId).toBe(first.messageId);
    expect(after.buttons.flat()).toEqual([]);
  });
});
