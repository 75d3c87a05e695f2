/** The grammar of a language, as `words/<language>.yaml` says it (C4). */
import { wordGroup, wordList, wordPatterns } from '#tools/words';
import { PHRASE_INTENTS, type LanguagePhrases, type PhraseRule } from './phrase-rules.ts';
import { createSlipRepair } from './repair-slips.ts';
import { createConsistsOfWordsTest, type TextTest } from './consists-of-words.ts';

const WORDS_FOLDER = 'bot/phrases/words';

/** Signs that people type in place of words or of other signs. */
const VARIANTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    '⏸': ' pause ',
    '▶': ' resume ',
    '🔁': ' retry ',
    '🔄': ' retry ',
    '⏯': ' resume ',
    '🛑': ' stop ',
    '🚫': ' no ',
    '❌': ' no ',
    '❓': '?',
    '\ufe0f': '',
    '’': "'",
    '‘': "'",
    '“': '"',
    '”': '"',
    '…': '...',
  },
  zh: { '，': ',', '。': '.', '？': '?', '！': '!', '：': ':', '、': '和', '；': ';', '“': '"', '”': '"' },
};

const signsOf = (language: string) =>
  wordPatterns(
    WORDS_FOLDER,
    'signs',
    [
      ...([
        'politeness',
        'never',
        'later',
        'not',
        'doubt',
        'between',
        'actions',
        'filler',
        'content',
      ] as const),
      ...(['alone', 'spares', 'but', 'object', 'goal', 'topic', 'stop', 'unwanted'] as const),
      ...(['lead', 'tail', 'greeting', 'should', 'shows', 'question', 'agent', 'newRun'] as const),
    ],
    language,
  );
const whichOf = (language: string) =>
  wordPatterns(
    WORDS_FOLDER,
    'which',
    ['all', 'others', 'failed', 'paused', 'queued', 'checked', 'decided', 'number', 'last'],
    language,
  );

/** The first word of a class is its intent. */
const rulesOf = (group: string, language: string): PhraseRule[] =>
  wordGroup(WORDS_FOLDER, group, language).map(([name, pattern]) => {
    const intent = PHRASE_INTENTS.find((one) => one === name.split(' ')[0]);
    if (intent === undefined) throw new Error(`${WORDS_FOLDER}, ${group}: ${name} is no intent`);
    return [intent, pattern];
  });

const answerOf = (name: 'yes' | 'no', language: string): TextTest =>
  new Map(wordGroup(WORDS_FOLDER, 'answers', language)).get(name) ??
  createConsistsOfWordsTest(...wordList(WORDS_FOLDER, name, language));

const lettersOf = (name: string, language: string): string =>
  [...wordList(WORDS_FOLDER, name, language)].join('');

const everywhere = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags}g`);

const loadPhrases = (language: string): LanguagePhrases => {
  const signs = signsOf(language);
  const which = whichOf(language);
  const simplified = lettersOf('simplified', language);
  const letters = [...lettersOf('traditional', language)].map(
    (one, i) => [one, simplified[i] ?? one] as const,
  );
  return {
    ...signs,
    politeness: everywhere(signs.politeness),
    agent: everywhere(signs.agent),
    orders: rulesOf('orders', language),
    asks: rulesOf('asks', language),
    mentions: rulesOf('mentions', language),
    tells: wordGroup(WORDS_FOLDER, 'tells', language).map(([, pattern]) => pattern),
    yes: answerOf('yes', language),
    no: answerOf('no', language),
    which: {
      ...which,
      number: everywhere(which.number),
      ordinals: wordGroup(WORDS_FOLDER, 'ordinals', language).map(([, pattern]) => pattern),
    },
    languages: wordPatterns(WORDS_FOLDER, 'languages', ['en', 'zh'], language),
    variants: { ...Object.fromEntries<string>(letters), ...VARIANTS[language] },
    vocabulary: [...wordList(WORDS_FOLDER, 'vocabulary', language)],
    repairSlips: createSlipRepair({
      typedFor: [...wordList(WORDS_FOLDER, 'typedFor', language)],
      words: wordList(WORDS_FOLDER, 'slipWords', language),
      real: wordList(WORDS_FOLDER, 'realWords', language),
      before: lettersOf('slipBefore', language),
      after: lettersOf('slipAfter', language),
    }),
  };
};

const loaded = new Map<string, LanguagePhrases>();
/** Read when somebody first writes in their own words. */
export const phrasesOf = (language: string): LanguagePhrases => {
  const phrases = loaded.get(language) ?? loadPhrases(language);
  loaded.set(language, phrases);
  return phrases;
};
