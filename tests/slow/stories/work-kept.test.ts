/**
 * E17 through the real process: what an agent edited is still there after a kill, a crash, an
 * outage and a retry.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '#run';
import { approves } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

/**
 * Edits in its first round, and ends that as `ends` says. In any other it only notes what it was
 * told and found, and changes nothing more: an agent that remembers having done its work.
 */
const agent = (ends: string): string => `
  if [ -f "$HOME/began" ]; then
    cat > "$HOME/prompt"; cat README.md > "$HOME/found"; echo again >> "$HOME/began"
    echo '{"summary":"It was done before."}'
  else
    cat > /dev/null
    echo began > "$HOME/began"
    echo half >> README.md; mkdir -p src; echo new > src/new.txt
    ${ends}
  fi`;

/** How the first round ends in each repository. */
const ENDS = { killed: 'sleep 600', gone: 'sleep 600', crashed: 'exit 3' };
type Name = keyof typeof ENDS;

const readable = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // Not there yet.
  }
};

describe('work that was interrupted', () => {
  let product: Product;
  const run = (name: Name): Run | undefined => product.run(`acme/${name}`);
  const placeOf = (name: Name, ...more: string[]): string =>
    join(product.dataDir, 'runs', run(name)?.id ?? '', ...more);
  const inHome = (name: Name, file: string): string => readFileSync(placeOf(name, 'home', file), 'utf8');
  const hasEdited = (name: Name): Promise<unknown> =>
    product.waitFor(() => run(name) && readable(placeOf(name, 'ws', 'src/new.txt')), {
      what: `the first edits in ${name}`,
    });
  const published = async (name: Name): Promise<void> => {
    await product.waitForState('PUSHED', `acme/${name}`);
    await approves(product.ana, `acme/${name}`);
    await product.waitFor(() => product.github.repo(`acme/${name}`).pulls.length === 1, {
      what: 'the pull request',
    });
    expect(
      run(name)
        ?.change.commit?.diff.files.map(({ path }) => path)
        .sort(),
    ).toEqual(['README.md', 'src/new.txt']);
  };

  beforeAll(async () => {
    product = await createProduct({
      script: 'sh .agent.sh',
      bounds: { rateWaitMs: 50 },
      config: { maxParallelRuns: 3 },
    });
    for (const [name, ends] of Object.entries(ENDS))
      await product.github.addRepo({
        owner: 'acme',
        name,
        from: { 'README.md': 'An app.\n', '.agent.sh': agent(ends) },
      });
    product.start();
    await product.running();
    for (const name of ['killed', 'gone'])
      product.ana.sends(`/new acme/${name} Write a half check="test -f README.md"`);
    await hasEdited('killed');
    await hasEdited('gone');
    await product.kill();
    rmSync(placeOf('gone', 'ws'), { recursive: true });
    product.start();
    product.ana.sends('/new acme/crashed Write a half check="test -f README.md"');
  });
  afterAll(() => product.close());

  it('E17, L6: survives the SIGKILL of everything, is told to the agent, and is published', async () => {
    await product.waitForState('PUSHED', 'acme/killed');
    expect(inHome('killed', 'found')).toBe('An app.\nhalf\n');
    expect(inHome('killed', 'prompt')).toMatch(
      /An earlier attempt was cut off[^]*~ README\.md\n\+ src\/new\.txt/,
    );
    await published('killed');
  });

  it('E17: that did not survive is told, on the phone and to the agent, and nothing is claimed of what is left', async () => {
    await product.ana.waitForMessage('workspace was gone', { deadlineMs: PATIENCE });
    await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/gone');
    expect(inHome('gone', 'prompt')).toContain('The workspace was gone');
    expect(inHome('gone', 'found')).toBe('An app.\n');
  });

  it('E17: survives a crash of the agent, which is started again', async () => {
    await published('crashed');
    expect(inHome('crashed', 'prompt')).toContain('~ README.md');
    const outcomes = product
      .look()
      .attempts(run('crashed')?.id ?? '')
      .filter((a) => a.step === 'agent');
    expect(outcomes.map((a) => a.outcome)).toEqual(['crashed', 'completed']);
  });
});
