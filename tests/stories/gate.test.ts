/**
 * The gate through the real process, in short: who may tap, a kill between two taps, and a branch that
 * moved. What else moves is told by the long form in tests/slow/stories.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChatMessage, RepoHandle } from '#playground';
import type { Run } from '#run';
import { arms, cardFor, tapOn } from '../support/approves.ts';
import { PATIENCE, type Product } from '../support/product.ts';
import { createProductAtGate, REPO_AT_GATE } from '../support/run-at-gate.ts';

const BO = { id: '2002', name: 'Bo', role: 'approver' } as const;
const VIC = { id: '3003', name: 'Vic', role: 'viewer' } as const;
const WITHIN = { deadlineMs: PATIENCE };

let product: Product;
let repo: RepoHandle;
beforeEach(async () => {
  ({ product, repo } = await createProductAtGate({ users: [BO, VIC] }));
  product.start();
});
afterEach(() => product.close());

const dataOf = (message: ChatMessage, like: RegExp): string =>
  message.buttons.flat().find(({ text }) => like.test(text))?.data ?? '';

it('G1, G3, G4, L6: opens one pull request, of what was approved, for the approver who armed the card, over a kill', async () => {
  const { ana, telegram } = product;
  const [bo, vic] = [telegram.person(Number(BO.id), 'Bo'), telegram.person(Number(VIC.id), 'Vic')];
  const card = await cardFor(ana, REPO_AT_GATE);
  const here = { chatId: ana.chatId, messageId: card.messageId };
  const answer = async (who: typeof bo, data: string): Promise<string> =>
    (await who.pressRaw(data, here).answered(WITHIN)).text;
  expect(await answer(vic, dataOf(card, /^Open PR/))).toBe('Only approvers may do that; ask an admin.');
  const armed = await arms(ana, REPO_AT_GATE);
  const confirm = dataOf(armed, /^Confirm/);
  expect(await answer(bo, confirm)).toBe(
    'Confirm is for whoever tapped the button before it. Tap that one first.',
  );
  expect(await answer(ana, `${confirm.slice(0, -1)}${confirm.endsWith('A') ? 'B' : 'A'}`)).toContain(
    'not one of mine',
  );
  // Shown is not yet recorded; a tap in that moment is asked to come again.
  await product.settled();
  await product.restart();
  expect(repo.pulls).toEqual([]);
  const taps = [ana.pressRaw(confirm, here), ana.pressRaw(confirm, here)];
  const texts = await Promise.all(taps.map(async (tap) => (await tap.answered(WITHIN)).text));
  expect(texts).toEqual([
    'Recorded: approved.',
    expect.stringMatching(/^Already approved by Ana\.$|replaced by a newer one/),
  ]);
  await product.waitFor(() => repo.pulls.length > 0, { what: 'the pull request' });
  await product.atRest();
  const { change } = product.run(REPO_AT_GATE) as Run;
  expect(repo.pulls).toMatchObject([{ headSha: change.pushedHead?.sha }]);
});

it('G2: opens nothing when somebody else has pushed to the branch, and says what moved', async () => {
  const { ana } = product;
  await arms(ana, REPO_AT_GATE);
  const { sha = '', branch = '' } = (product.run(REPO_AT_GATE) as Run).change.pushedHead ?? {};
  const now = await repo.pushForeign(branch);
  await tapOn(ana, await cardFor(ana, REPO_AT_GATE, /^Confirm\b/), /^Confirm\b/);
  await product.waitForState('NEEDS_HUMAN_REVIEW', REPO_AT_GATE);
  const moved = `it was at ${sha.slice(0, 6)}, and is at ${now.slice(0, 6)} now`;
  await ana.waitForMessage(
    (message) => message.text.includes('NEEDS YOU') && message.text.includes(moved),
    WITHIN,
  );
  expect(repo.pulls).toEqual([]);
});
