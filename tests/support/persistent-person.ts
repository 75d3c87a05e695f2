/** A person who wants one pull request and goes on through restarts, by what the phone shows. */
import type { ChatMessage, Person, Tap } from '#playground';

export const buttonsOf = (message: ChatMessage): string[] => message.buttons.flat().map((b) => b.text);
export const withButton =
  (like: RegExp) =>
  (message: ChatMessage): boolean =>
    message.from === 'bot' && buttonsOf(message).some((text) => like.test(text));

/** Buttons to press, in order of preference. */
const WAY = [/^Confirm\b/, /^Open PR\b/, /^Push\b/, /^Review risks\b/, /^Allow once$/] as const;
/** Time before pressing again after a restart (ms). */
const AGAIN = 4_000;

type Pressed = { tap: Tap; key: string; at: number };

export const createPersistentPerson = (ana: Person) => {
  const pressed: Pressed[] = [];
  let restartedAt = -Infinity;

  /** Ignores older copies of a card. */
  const next = (): { message: number; text: string; key: string } | null => {
    const card = ana.messages().findLast((m) => WAY.some((like) => withButton(like)(m)));
    const text =
      card && WAY.map((like) => buttonsOf(card).find((b) => like.test(b))).find((b) => b !== undefined);
    return card && text
      ? { message: card.messageId, text, key: `${card.messageId} ${card.edits} ${text}` }
      : null;
  };

  return {
    taps: (): readonly Pressed[] => pressed,
    sawRestart: (): void => {
      restartedAt = Date.now();
    },
    /** Presses the next button, if any. Cheap; called on every change. */
    look(): void {
      const wish = next();
      if (!wish) return;
      const last = pressed.findLast((p) => p.key === wish.key);
      const refused = last?.tap.answer()?.alert === true;
      const unheard =
        last !== undefined &&
        last.at < restartedAt &&
        last.tap.answer() === null &&
        Date.now() - restartedAt > AGAIN;
      if (last && !refused && !unheard) return;
      pressed.push({
        tap: ana.taps({ message: wish.message, text: wish.text }),
        key: wish.key,
        at: Date.now(),
      });
    },
  };
};
