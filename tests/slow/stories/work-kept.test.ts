/**
 * E17 through the real process: what an agent edited is still there after a kill, a crash, an
 * outage and a retry.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RepoHandle } from '#playground';
import { approves } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/app';
let product: Product | undefined;
let repo: RepoHandle;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

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

const begin = async (ends: string): Promise<Product> => {
  const made = await createProduct({ script: agent(ends), bounds: { rateWaitMs: 50 } });
  product = made;
  repo = await made.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': 'An app.\n' } });
  made.start();
  await made.running();
  made.ana.sends(`/new ${REPO} Write a half check="test -f README.md"`);
  return made;
};
const published = async (it: Product): Promise<void> => {
  await it.waitForState('PUSHED');
  await approves(it.ana, REPO);
  await it.ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
  const [pull] = repo.pulls;
  expect(pull).toBeDefined();
  const run = it.run();
  expect(run?.change.commit?.diff.files.map(({ path }) => path).sort()).toEqual(['README.md', 'src/new.txt']);
};

const placeOf = (it: Product, ...more: string[]): string =>
  join(it.dataDir, 'runs', it.run()?.id ?? '', ...more);
const inHome = (it: Product, name: string): string => readFileSync(placeOf(it, 'home', name), 'utf8');
const hasEdited = (it: Product): Promise<unknown> =>
  it.waitFor(() => it.run() && readable(placeOf(it, 'ws', 'src/new.txt')), { what: 'the first edits' });
const readable = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // Not there yet.
  }
};

describe('work that was interrupted', () => {
  it('E17, L6: survives the SIGKILL of everything, is told to the agent, and is published', async () => {
    const it = await begin('sleep 600');
    await hasEdited(it);
    await it.kill();
    it.start();
    await it.waitForState('PUSHED');
    expect(inHome(it, 'found')).toBe('An app.\nhalf\n');
    expect(inHome(it, 'prompt')).toMatch(/An earlier attempt was cut off[^]*~ README\.md\n\+ src\/new\.txt/);
    await published(it);
  });

  it('E17: survives a crash of the agent, which is started again', async () => {
    const it = await begin('exit 3');
    await published(it);
    expect(inHome(it, 'prompt')).toContain('~ README.md');
    const outcomes = it
      .look()
      .attempts()
      .filter((a) => a.step === 'agent');
    expect(outcomes.map((a) => a.outcome)).toEqual(['crashed', 'completed']);
  });

  it('E17: that did not survive is told, on the phone and to the agent, and nothing is claimed of what is left', async () => {
    const it = await begin('sleep 600');
    await hasEdited(it);
    await it.kill();
    rmSync(placeOf(it, 'ws'), { recursive: true });
    it.start();
    await it.ana.waitForMessage('workspace was gone', { deadlineMs: PATIENCE });
    await it.waitForState('NEEDS_HUMAN_REVIEW');
    expect(inHome(it, 'prompt')).toContain('The workspace was gone');
    expect(inHome(it, 'found')).toBe('An app.\n');
  });
});
