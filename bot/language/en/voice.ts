import type { SentenceCatalogue } from '../../text/catalogue.ts';
import type { VoiceProblem } from '../../voice/voice-notes.ts';

const seconds = (n: number): string =>
  n < 120 ? `${Math.round(n)} seconds` : `${Math.round(n / 60)} minutes`;
const again = 'Send it again, or write the words.';

const problems: SentenceCatalogue<VoiceProblem> = {
  off: () =>
    'I cannot hear voice notes: no transcriber is set up here. Write the words, or let the operator set chat.voice in agentpr.config.json (docs/voice.md).',
  long: ({ seconds: is, most }) =>
    `That voice note is too long: ${seconds(is)}, and at most ${seconds(most)} are taken. Say it in shorter ones.`,
  big: ({ most }) =>
    `That voice note is too large: at most ${most / 1_000_000} MB are taken. Say it in shorter ones.`,
  spent: ({ minutes }) =>
    `Voice notes have used up today’s ${minutes} minutes (UTC). Write the words, or raise chat.voice.minutesPerDay.`,
  gone: () => `Telegram no longer has that voice note, or it is larger than it said. ${again}`,
  broken: () =>
    `That recording cannot be read: it is no Opus sound in an Ogg file, or it is cut off. ${again}`,
  silent: () => 'I heard no words in that. Say it again, closer to the phone, or write it.',
  wordy: ({ most }) => `The transcript has more than ${most} characters. Say it in shorter voice notes.`,
  down: ({ name }) => `The transcriber ${name} gave no transcript. Nothing was done. ${again}`,
  slow: ({ name, seconds: most }) =>
    `The transcriber ${name} had no transcript within ${most} seconds. Nothing was done. ${again}`,
};

export const enVoice = {
  voice: {
    problems,
    heard: 'I heard this. Nothing happens until you tap.',
    use: 'Use these words',
    drop: 'No',
    used: 'Used:',
    dropped: 'Not used:',
    notYours: 'Only whoever said this may use it.',
    already: 'That is decided already.',
    noCommand:
      'A command that an agent runs has to be written: a transcript may differ from it in one letter. Reply to the question in writing.',
  },
};
