/** A group becomes a supergroup, a topic is deleted, a person gets another name: nothing is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT } from '../../support/quick-change.ts';
import { sampleCi, sampleDirectory, type Person } from '#playground';

const WITHIN = { deadlineMs: PATIENCE };
let product: Product;
beforeAll(async () => {
  product = await createProduct({ script: QUICK_AGENT });
  product.start();
});
afterAll(() => product.close());

const orders = async (who: Person, name: string): Promise<string> => {
  const { fullName } = await product.github.addRepo({
    owner: 'acme',
    name,
    from: sampleDirectory(),
    ci: sampleCi,
  });
  who.sends(`/new ${fullName} Say hello in another way`);
  return fullName;
};
const card = (who: Person, repo: string) =>
  who.waitForMessage((m) => m.text.startsWith(`Open this pull request in ${repo}`), WITHIN);

describe('places change while a run is under way', () => {
  it('C3: the card of a group that became a supergroup comes there, and can be decided there', async () => {
    const old = product.telegram.group(-500, 'The team');
    const repo = await orders(product.ana.in(old), 'moved');
    old.moves(-100_500);
    const there = product.ana.in({ chatId: -100_500 });
    await card(there, repo);
    await there.taps(/^Open PR/).answered(WITHIN);
    await there.waitForMessage((m) => m.buttons.flat().some(({ text }) => /^Confirm/.test(text)), WITHIN);
    await there.taps(/^Confirm/).answered(WITHIN);
    await product.waitForState('CI_WAIT', repo);
    expect(product.github.repo(repo).pulls).toHaveLength(1);
  });

  it('C3: what belonged to a topic that was deleted comes to its group, and can be decided there', async () => {
    const forum = product.telegram.group(-100_600, 'Forum');
    const topic = forum.opensTopic('work');
    const repo = await orders(product.ana.in(topic), 'topicless');
    forum.deletesTopic(topic.topic);
    const general = product.ana.in({ chatId: -100_600 });
    const shown = await general.waitForMessage(
      (m) => m.text.startsWith(`Open this pull request in ${repo}`) && m.topic === null,
      WITHIN,
    );
    await general.taps({ message: shown.messageId, text: /^Open PR/ }).answered(WITHIN);
    await general.waitForMessage((m) => m.buttons.flat().some(({ text }) => /^Confirm/.test(text)), WITHIN);
    await general.taps(/^Confirm/).answered(WITHIN);
    await product.waitForState('CI_WAIT', repo);
  });

  it('G3: rights and cards go with an id: another name, @name and language change only how one is spoken to', async () => {
    const repo = await orders(product.ana, 'renamed');
    const { id } = await product.waitForState('PUSHED', repo);
    await card(product.ana, repo);
    // The same account, with all that it can change.
    const anna = product.telegram.person(product.ana.id, '安娜 \u202e', {
      language: 'zh',
      username: 'other',
    });
    anna.sends('/status');
    await anna.waitForMessage((m) => /\p{Script=Han}/u.test(m.text) && m.text.includes(id), WITHIN);
    await anna.taps(/^Open PR/).answered(WITHIN);
    const armed = await anna.waitForMessage(
      (m) => m.buttons.flat().some(({ text }) => text.startsWith('确认')),
      WITHIN,
    );
    expect(armed.text).toContain(repo);
    await anna.taps(/^确认/).answered(WITHIN);
    await product.waitForState('CI_WAIT', id);
    // An impostor of the old name has no rights.
    const impostor = product.telegram.person(6_006, 'Ana', { username: 'ana' });
    impostor.sends(`/cancel ${id}`);
    await impostor.waitForMessage((m) => m.text.includes('6006'), WITHIN);
    expect(product.run(id)?.lifecycle.state).not.toBe('FAILED_TERMINAL');
  });
});
