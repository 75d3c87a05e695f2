/**
 * O10: a repository all of whose files are hostile, in the real process: whoever asks for something
 * else is answered while it is read, and what the run learned is what nobody could use.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ENGLISH_WORDING } from '#language';
import { PARSED_FILES } from '../../support/fuzz/parsers.ts';
import { SHAPES } from '../../support/fuzz/shapes.ts';
import { createProduct, type Product } from '../../support/product.ts';

let product: Product;
beforeEach(async () => {
  product = await createProduct({ script: 'echo more >>a.txt', bounds: { pollMs: 600_000 } });
});
afterEach(() => product.close());

/** Characters of each; beyond ASCII, that is a little less than is read of one file at most. */
const SIZE = 240_000;

/** Each known name with some shape, and each shape as a workflow. */
const hostileFiles = (): Record<string, string> => {
  const shapes = Object.values(SHAPES).map((make) => make(SIZE));
  // Its own settings would stop the run before anything else is read.
  const known = PARSED_FILES.filter((name) => name !== '.agentpr.json');
  const names = [...known, ...shapes.map((_, i) => `.github/workflows/test-${i}.yml`)];
  const files = Object.fromEntries(names.map((name, i) => [name, shapes[i % shapes.length] ?? '']));
  // Git takes no longer lines of it.
  return { ...files, '.gitattributes': '*a?*b* filter=x\n'.repeat(10_000) };
};

it('O10: others are answered while it is read, and the run goes on', async () => {
  const { ana } = product;
  await product.github.addRepo({
    owner: 'acme',
    name: 'hostile',
    from: { 'a.txt': 'a\n', ...hostileFiles() },
  });
  product.start();
  ana.sends('/new acme/hostile Add a line check="true"');
  const answers = (): number => ana.messages().filter(({ text }) => text.includes('Newest runs')).length;
  const reads = (): boolean => product.run('acme/hostile')?.lifecycle.reason.kind === 'reading_repository';
  await product.waitFor(reads, { what: 'the reading to begin' });
  ana.sends('/runs');
  await product.waitFor(() => answers() > 0, { what: 'an answer' });
  expect(reads()).toBe(true);
  const run = await product.waitFor(() => (reads() ? undefined : product.run('acme/hostile')), {
    what: 'the reading to end',
  });
  expect(run.target.contract, ENGLISH_WORDING.reason(run.lifecycle.reason)).not.toBeNull();
  expect(run.target.readFailure).toBeUndefined();
  expect(product.complaints()).toEqual([]);
}, 240_000);
