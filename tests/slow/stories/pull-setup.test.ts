/** F13 through the real process: a pull request opens as settings and a sentence said, and turns ready by itself. */
import { afterAll, expect, it } from 'vitest';
import { sampleDirectory } from '#playground';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT } from '../../support/quick-change.ts';

const WITHIN = { deadlineMs: PATIENCE };

let product: Product | undefined;
afterAll(() => product?.close());

it('F13: opens as a draft with labels, tells what the host refused, and turns ready once checks are green', async () => {
  product = await createProduct({
    script: QUICK_AGENT,
    config: {
      pull: { labels: ['no-such-label'], repositories: { 'acme/*': { reviewers: ['acme', 'nobody'] } } },
    },
  });
  const { ana, github } = product;
  const acme = await github.addRepo({
    owner: 'acme',
    name: 'app',
    from: sampleDirectory(),
    ci: [{ name: 'test', command: 'true' }],
  });
  // The repository asks for a label and a trailer of its own.
  await acme.advance({ '.agentpr.json': '{"trailer":"Generated-by","pull":{"labels":["enhancement"]}}' });
  product.start();
  await product.running();
  ana.sends('/new acme/app Mend the first wait check="grep -q failed src/waits.js" label=bug');
  const card = await cardFor(ana);
  expect(card.text).toContain('labels enhancement, no-such-label, bug · review by acme, nobody');
  ana.sends('open it as a draft until checks are green');
  const offered = await ana.waitForMessage(/Change how it opens|Tap to do this/, WITHIN);
  expect(offered.text).toContain('turns ready by itself once checks are green');
  await tapOn(ana, offered, /^Change how it opens/);
  await ana.waitForMessage(
    (m) => /Open PR/.test(JSON.stringify(m.buttons ?? [])) && /turns ready by itself/.test(m.text),
    { ...WITHIN, what: 'the new card' },
  );
  await product.atRest();
  await product.restart();
  await approves(ana);
  const told = await ana.waitForMessage(/not all of what you approved could be set/, WITHIN);
  expect(told.text).toContain('label no-such-label: there is none of that name');
  expect(told.text).toContain('reviewer nobody');
  const sidebar = () => acme.sidebar(1);
  expect(sidebar()).toMatchObject({ labels: ['enhancement', 'bug'], requested: ['acme'] });
  expect(product.run()?.target.commitTrailers).toEqual(['Generated-by: script (AgentPR)']);
  await product.waitFor(() => (sidebar().draft ? null : true), { ...WITHIN, what: 'the end of the draft' });
  await product.waitForState('REVIEW_WAIT');
  // Nothing of ours is told as a change of somebody else.
  expect(ana.messages().some((m) => /it is no draft|labels \+/.test(m.text))).toBe(false);
  expect((await product.cli(['replay', '--all'])).code).toBe(0);
  expect(product.complaints()).toEqual([]);
});
