/** A person's steps on a card, each only when the phone shows it. */
import type { ChatMessage, Person } from '#playground';
import { PATIENCE } from './product.ts';
import { buttonsOf, withButton } from './persistent-person.ts';

const about = (which: string) => (m: ChatMessage) => m.text.includes(which);

/** Waits for the newest live card, optionally of one repository. */
export const cardFor = (person: Person, repo = '', like = /^Open PR\b/): Promise<ChatMessage> =>
  person.waitForMessage((m) => withButton(like)(m) && about(repo)(m), {
    deadlineMs: PATIENCE,
    what: `a card for ${repo}`,
  });

export const buttonOf = (message: ChatMessage, like: RegExp): string =>
  buttonsOf(message).find((text) => like.test(text)) ?? '';

export const tapOn = async (person: Person, message: ChatMessage, like: RegExp): Promise<string> => {
  const tap = person.taps({ message: message.messageId, text: like });
  return (await tap.answered({ deadlineMs: PATIENCE })).text;
};

/** Taps once, so that the card shows Confirm. */
export const arms = async (person: Person, repo = ''): Promise<ChatMessage> => {
  await tapOn(person, await cardFor(person, repo), /^Open PR\b/);
  return cardFor(person, repo, /^Confirm\b/);
};

/** Taps twice and returns the answer to the second tap. */
export const approves = async (person: Person, repo = ''): Promise<string> =>
  tapOn(person, await arms(person, repo), /^Confirm\b/);

/** Denies without a reason, which ends the run. */
export const denies = async (person: Person, card: ChatMessage): Promise<string> => {
  await tapOn(person, card, /^Deny\b/);
  const asks = (m: ChatMessage): boolean => m.messageId === card.messageId && withButton(/^No reason$/)(m);
  await person.waitForMessage(asks, { deadlineMs: PATIENCE, what: 'reasons to deny' });
  return tapOn(person, card, /^No reason$/);
};
