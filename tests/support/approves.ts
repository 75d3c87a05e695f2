/**
 * What a person does with a card: read it, tap, confirm; each step only when the phone shows it.
 */
import type { ChatMessage, Person } from '#playground';
import { PATIENCE } from './product.ts';
import { buttonsOf, withButton } from './persistent-person.ts';

const about = (which: string) => (m: ChatMessage) => m.text.includes(which);

/** Waits for the newest live card, of one repository when it is named. */
export const cardFor = (person: Person, repo = '', like = /^Open PR\b/): Promise<ChatMessage> =>
  person.waitForMessage((m) => withButton(like)(m) && about(repo)(m), {
    deadlineMs: PATIENCE,
    what: `a card for ${repo}`,
  });

export const buttonOf = (message: ChatMessage, like: RegExp): string =>
  buttonsOf(message).find((text) => like.test(text)) ?? '';

/** Taps a button of a message and gives what was answered. */
export const tapOn = async (person: Person, message: ChatMessage, like: RegExp): Promise<string> => {
  const tap = person.taps({ message: message.messageId, text: like });
  return (await tap.answered({ deadlineMs: PATIENCE })).text;
};

/** The first tap: the card then shows Confirm. */
export const arms = async (person: Person, repo = ''): Promise<ChatMessage> => {
  await tapOn(person, await cardFor(person, repo), /^Open PR\b/);
  return cardFor(person, repo, /^Confirm\b/);
};

/** Both taps; gives what the second was answered. */
export const approves = async (person: Person, repo = ''): Promise<string> =>
  tapOn(person, await arms(person, repo), /^Confirm\b/);

/** Two taps: no, and for no reason that is told; the run is over then. */
export const denies = async (person: Person, card: ChatMessage): Promise<string> => {
  await tapOn(person, card, /^Deny\b/);
  const asks = (m: ChatMessage): boolean => m.messageId === card.messageId && withButton(/^No reason$/)(m);
  await person.waitForMessage(asks, { deadlineMs: PATIENCE, what: 'reasons to deny' });
  return tapOn(person, card, /^No reason$/);
};
