/**
 * A product whose run waits at its gate: played once, kept beside the bundle that played it, and
 * copied for each story that begins with a first card.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { RepoHandle } from '#playground';
import { cardFor } from './approves.ts';
import { createProduct, type Product, type ProductOptions } from './product.ts';
import { askForChange, QUICK_AGENT } from './quick-change.ts';
import { roomy } from './shared-box.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The main module of the product as it is tested; null where its sources run. */
    bundle: string | null;
  }
}

/** Cards expire, so what is kept is played again after this time (ms). */
const MAX_AGE_MS = 3_600_000;
const NAME = 'patient';
export const REPO_AT_GATE = `acme/${NAME}`;

const hashOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 20);

const isFresh = (folder: string): boolean =>
  existsSync(folder) && Date.now() - statSync(folder).mtimeMs < MAX_AGE_MS;

const playToGate = async (folder: string): Promise<void> => {
  const product = await createProduct({ script: QUICK_AGENT });
  try {
    product.start();
    await askForChange(product, NAME);
    await cardFor(product.ana);
    await product.atRest();
    await product.stop();
    mkdirSync(folder, { recursive: true });
    await product.keep(folder);
  } finally {
    await product.close();
  }
};

/** The folder of what was kept; other workers may make it at the same time. */
const keepRunAtGate = async (): Promise<string> => {
  const played = inject('bundle') ?? 'sources';
  const how = ['run-at-gate.ts', 'product.ts', 'quick-change.ts'].map((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  );
  const folder = join(roomy(), 'agentpr-test-gates', hashOf(played, ...how));
  if (isFresh(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  await playToGate(draft);
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(draft, folder);
  } catch {
    // Another worker was first, and what it kept is as good.
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
};

/** Not started yet; a run of `REPO_AT_GATE` has its first card before Ana. */
export const createProductAtGate = async (
  options: ProductOptions = {},
): Promise<{ product: Product; repo: RepoHandle }> => {
  const product = await createProduct({ script: QUICK_AGENT, ...options, kept: await keepRunAtGate() });
  return { product, repo: product.github.repo(REPO_AT_GATE) };
};
