/** What a person does to steer an agent: words to it while it works, and a question about its card. */
import type { ChatMessage } from '#playground';
import { tapOn } from './approves.ts';
import { withButton } from './persistent-person.ts';
import { PATIENCE, type Product } from './product.ts';

const WITHIN = { deadlineMs: PATIENCE };

/** Replies to the newest message that names a run at work, and waits until its words are shown as queued. */
export const tellsAgent = async (product: Product, repo: string, words: string): Promise<void> => {
  const { ana } = product;
  const { id = '' } = product.run(repo) ?? {};
  const progress = await ana.waitForMessage(`${repo} · ${id}`, { ...WITHIN, what: 'a progress message' });
  ana.sends(words, { replyTo: progress.messageId });
  await ana.waitForMessage((m) => withButton(/^After this turn$/)(m) && m.text.includes(words), {
    ...WITHIN,
    what: 'queued words on the progress message',
  });
};

export const saysNow = async ({ ana }: Product): Promise<string> =>
  tapOn(ana, await ana.waitForMessage(withButton(/^Now$/), WITHIN), /^Now$/);

export const asksOnCard = async ({ ana }: Product, card: ChatMessage, words: string): Promise<void> => {
  await tapOn(ana, card, /^Ask$/);
  const form = await ana.waitForMessage('What do you want to know?', WITHIN);
  ana.sends(words, { replyTo: form.messageId });
  await ana.waitForMessage('Asked. The answer comes here', WITHIN);
};

/** What a question may not change. */
export const sealedIn = ({ run }: Product, repo: string): unknown[] => {
  const { gate, change } = run(repo) ?? {};
  return [gate?.approval, gate?.proposal, change?.commit];
};
