/** Plays Ana's choices about the maintainer's comments: one fix, one answer, one ignored. */
import { withButton, type DemoStage, type PlayedRemark } from './demo-stage.ts';

const ICON = { fix: '🔧', ignore: '➖' } as const;
const iconOf = ({ does }: PlayedRemark): string => (typeof does === 'string' ? ICON[does] : '');

export const createChoosing = ({ ana, transcript, story }: DemoStage) => {
  const remarks = Array.isArray(story.wish) ? (story.wish as readonly PlayedRemark[]) : [];
  const done = new Set<string>();
  let shown = false;
  return async (): Promise<boolean> => {
    const card = remarks.length === 0 ? null : withButton(ana, (text) => text.startsWith('Start'));
    const buttons = card?.buttons.flat().map(({ text }) => text) ?? [];
    if (!card || !buttons.some((text) => text.startsWith('1 '))) return false;
    if (!shown) transcript.shows(card);
    shown = true;
    for (const [i, remark] of remarks.entries()) {
      const { does } = remark;
      const text = buttons.find((one) => one.startsWith(`${i + 1} `));
      if (!text) return true;
      const words = typeof does === 'string' ? null : `${i + 1} ${does.says}`;
      if (words === null ? text.includes(iconOf(remark)) : card.text.includes(words.slice(2))) continue;
      const deed = words ?? text;
      if (done.has(deed)) return true;
      done.add(deed);
      transcript.says('Ana', words === null ? `taps [ ${text} ]` : `replies: ${words}`);
      if (words !== null) ana.sends(words, { replyTo: card.messageId });
      else await ana.taps({ message: card.messageId, text }).answered();
      return true;
    }
    return false;
  };
};
