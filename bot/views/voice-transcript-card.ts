/** Renders what was heard in a voice note, with the two buttons that decide about it (C10). */
import type { MessageView } from '#effects';
import type { LanguageTexts } from '../language/languages.ts';
import { escapeSentence, fitLines, escapeBlock } from '../text/telegram-html.ts';
import type { RenderedMessage } from './scene.ts';

export type TranscriptView = Extract<MessageView, { view: 'transcript' }>;

export const renderTranscript = (
  { words: said, outcome }: TranscriptView,
  { voice }: LanguageTexts,
): RenderedMessage => ({
  html: fitLines([
    `<b>🎙 ${escapeSentence(outcome === null ? voice.heard : voice[outcome])}</b>`,
    `<blockquote expandable>${escapeBlock(said, 3_500)}</blockquote>`,
  ]),
  buttons:
    outcome === null
      ? [[{ verb: 'voice.use', text: voice.use }], [{ verb: 'voice.drop', text: voice.drop }]]
      : [],
});
