/** Plays Ana, who reads each card on her phone and taps what it asks for. */
import { LANGUAGE_TEXTS } from '#language';
import type { ChatMessage } from '#playground';
import { waitForPace, type DemoStage } from './demo-stage.ts';

const ALLOW = LANGUAGE_TEXTS.en.permission.allow;
const CARD = new RegExp(`^\\W*(Review risks|Start|Approve|Open PR|Push|Post|Confirm|${ALLOW})\\b`);

const listCardButtons = (message: ChatMessage): string[] =>
  message.buttons
    .flat()
    .map((b) => b.text)
    .filter((text) => CARD.test(text));

export const createAna = (stage: Pick<DemoStage, 'ana' | 'transcript' | 'paceMs' | 'signal' | 'words'>) => {
  const { ana, transcript, words } = stage;
  const pressed = new Set<string>();
  return async (): Promise<void> => {
    const card = ana.messages().findLast((m) => m.from !== ana.name && listCardButtons(m).length > 0);
    const text = card && listCardButtons(card).find((one) => !pressed.has(`${card.messageId} ${one}`));
    if (!card || !text) return;
    pressed.add(`${card.messageId} ${text}`);
    transcript.showMessage(card);
    await waitForPace(stage);
    transcript.says('Ana', words.taps({ text }));
    const answer = await ana.taps({ message: card.messageId, text }).answered();
    if (answer.text) transcript.says('bot', `(${answer.text})`);
    // A high-risk card must be read first; then it is tapped again.
    if (answer.alert) pressed.delete(`${card.messageId} ${text}`);
  };
};
