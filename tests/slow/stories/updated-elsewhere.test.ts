/** S10 through the real process: *Update branch* on the code host is nobody's push. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person, RepoHandle } from '#playground';
import type { Run } from '#run';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';

const AGENT = `if grep -q 'failed - 1' src/waits.js; then echo more >> NOTES.md && echo noted; else ${QUICK_AGENT}; fi`;

let product: Product;
let ana: Person;
let repo: RepoHandle;
beforeAll(async () => {
  product = await createProduct({
    script: AGENT,
    bounds: { pollMs: 400, ciSettleMs: 200, noCiMs: 1_000 },
  });
  ({ ana } = product);
  product.start();
  repo = await askForChange(product, 'button');
}, 120_000);
afterAll(() => product.close());

const run = (): Run => product.run('acme/button') as Run;
const said = (): string[] => ana.messages().flatMap((m) => (m.from === 'bot' ? [m.text] : []));
const updates = async (name: string): Promise<{ head: string; base: string }> => {
  const base = await repo.advance({ [name]: 'Something else.\n' });
  return { head: await repo.updateBranch(1, 'kim'), base };
};
const isGround = (head: string) => () => (run().change.pushedHead?.sha === head ? true : null);

it('S10: a base merged on the code host needs nobody, and its red checks are fixed without a tap', async () => {
  await cardFor(ana, 'acme/button');
  await approves(ana, 'acme/button');
  await product.waitForState(['CI_WAIT', 'REVIEW_WAIT'], 'acme/button');
  const { head, base } = await updates('NEWS.md');
  await product.waitFor(isGround(head), { what: 'the merge to be the ground of the run' });
  expect(run().target.base?.sha).toBe(base);
  expect(said().filter((text) => /NEEDS YOU|AgentPR did not push/.test(text))).toEqual([]);
  repo.setCheck(head, { name: 'unit', conclusion: 'failure', log: 'not ok 1 - waits\n' });
  const card = await cardFor(ana, 'acme/button', /^Push fix/);
  expect(card.text).toContain('NOTES.md');
  // Pressed again while the card waits: it is void, and asked anew for what was merged.
  const again = await updates('MORE.md');
  await product.waitFor(isGround(again.head), { what: 'the second merge to be the ground' });
  const anew = await ana.waitForMessage(
    (m) => m.messageId > card.messageId && m.buttons.flat().some((b) => /^Push fix/.test(b.text)),
    { deadlineMs: PATIENCE, what: 'a new card of the fix' },
  );
  await tapOn(ana, anew, /^Push fix/);
  await tapOn(ana, await cardFor(ana, 'acme/button', /^Confirm/), /^Confirm/);
  await product.waitFor(() => (run().change.pushedHead?.sha === again.head ? null : true), {
    what: 'the push of the fix',
  });
  const [pushed] = await repo.commits(run().change.pushedHead?.branch);
  expect(pushed?.parents[0]).toBe(again.head);
  const spoken = said().filter((text) => /NEEDS YOU|AgentPR did not push/.test(text));
  expect(spoken.filter((text) => /Take their commit/.test(text))).toEqual([]);
});
