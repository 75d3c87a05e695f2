/** C2 through the real process: a command that the repository names makes pictures, before and after. */
import { afterAll, expect, it } from 'vitest';
import { cardFor } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

let product: Product | undefined;
afterAll(() => product?.close());

/** A point of one colour. */
const POINTS = {
  red: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  blue: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC',
};

it('C2: what looks different comes as an album of before and after, and judges nothing', async () => {
  product = await createProduct({ script: 'echo blue > colour.txt' });
  const { ana, github, telegram } = product;
  await github.addRepo({
    owner: 'acme',
    name: 'app',
    from: {
      'package.json': '{"scripts":{"test":"sh test.sh"}}\n',
      'test.sh': 'grep -q . colour.txt\n',
      'colour.txt': 'red\n',
      'red.b64': POINTS.red,
      'blue.b64': POINTS.blue,
      'shots.sh':
        'mkdir -p out/shots && base64 -d < $(cat colour.txt).b64 > out/shots/page.png && base64 -d < red.b64 > out/shots/same.png && ln -s /etc/hostname out/shots/link.png\n',
      '.agentpr.json': '{"pictures":{"command":"sh shots.sh","from":"out/shots"}}\n',
    },
  });
  product.start();
  await product.running();
  ana.sends('/new acme/app Make it blue');
  await cardFor(ana, 'acme/app', /^Open PR\b/);
  const pictures = await ana.waitFor(
    () => {
      const sent = ana.messages().filter(({ document }) => document !== null);
      return sent.length > 0 && sent;
    },
    { deadlineMs: PATIENCE, what: 'the album' },
  );
  expect(
    pictures.map(({ text, document, silent }) => [text, document?.content.toString('base64'), silent]),
  ).toEqual([
    ['Before · page.png · 1 × 1', POINTS.red, true],
    ['After · page.png · 1 × 1', POINTS.blue, true],
  ]);
  expect(telegram.calls.filter(({ route }) => route === 'sendMediaGroup')).toHaveLength(1);
  const steps = product
    .look()
    .attempts()
    .map(({ step, outcome }) => `${step} ${outcome}`);
  expect(steps).toEqual(expect.arrayContaining(['pictures passed', 'pictures (base) passed']));
  expect(product.run()?.change.evaluation?.checks.map(({ name }) => name)).toEqual(['test']);
});
