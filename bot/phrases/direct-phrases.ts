/** Reads settings, another engine and a wish to stop in words, in any language (C4). Pure; it only proposes. */
import { wordPatterns } from '#tools/words';
import { findClockSpan, findClockStart, parseNumberWord } from './clock-words.ts';
import { readOpeningWish, type OpeningWish } from './opening-words.ts';
import type { LanguagePhrases } from './phrase-rules.ts';
import { findMeantRuns, type MeantRuns, type PhraseScene } from './find-meant-runs.ts';

export type DirectReading =
  /** `line` is what would be typed after `/settings`. */
  | { kind: 'setting'; line: string }
  | { kind: 'engine'; engine: string; about: MeantRuns }
  | { kind: 'openings'; wish: OpeningWish }
  | { kind: 'allowance' }
  | { kind: 'costs' }
  | { kind: 'stop' };

const SETTING_WORDS = wordPatterns('bot/phrases/words', 'settings', [
  ...['quiet', 'quietOff', 'night', 'fromNow', 'uses', 'refers', 'allowance', 'costs', 'noDoubt'],
  ...['parallel', 'daily', 'card', 'approvals', 'budget', 'opened'],
] as const);

const ENGINES = 'codex|claude|opencode|aider|gemini|builtin|script';
const ENGINE = new RegExp(`(?<![a-z-])(${ENGINES})(?![a-z-])`);
const withoutUnwanted = (said: string, { unwanted }: LanguagePhrases): string =>
  said.replace(new RegExp(`(?:${unwanted.source}) ?(?:${ENGINES})(?![a-z-])`, 'gu'), ' ');

/** A night whose hours nobody names is proposed as this; the button shows it. */
const USUAL_NIGHT = '22:00-07:00';

const isAsked = (said: string, { question }: LanguagePhrases): boolean =>
  question.test(said) || /\?|要不要|该不该|是不是|是否|\bshould\b/.test(said);

const USUAL_MORNING = '07:00';
const startLine = (said: string): string | null => {
  const from = findClockStart(said);
  return from === null || from === USUAL_MORNING ? null : `quiet ${from}-${USUAL_MORNING}`;
};

const quietLine = (said: string, phrases: LanguagePhrases): string | null => {
  if (SETTING_WORDS.quietOff.test(said)) return 'quiet off';
  if (!SETTING_WORDS.quiet.test(said)) return null;
  const span = findClockSpan(said);
  const start = span || isAsked(said, phrases) ? null : startLine(said);
  if (start !== null) return start;
  if (span) return `quiet ${span.from}-${span.to}`;
  return SETTING_WORDS.night.test(said) && !isAsked(said, phrases) ? `quiet ${USUAL_NIGHT}` : null;
};

const HAN_BUDGETS: Readonly<Record<string, string>> = {
  天: 'day',
  日: 'day',
  月: 'month',
  活动: 'campaign',
  批量任务: 'campaign',
};
const OPENED_CAPS: Readonly<Record<string, string>> = {
  hour: 'hourcap',
  day: 'daycap',
  owner: 'ownercap',
  repo: 'repocap',
  repository: 'repocap',
  小时: 'hourcap',
  天: 'daycap',
  日: 'daycap',
  所有者: 'ownercap',
  仓库: 'repocap',
};

const findLimitLine = (said: string): string | null => {
  const [, amount, period, hanPeriod = '', hanAmount] = SETTING_WORDS.budget.exec(said) ?? [];
  const han =
    hanPeriod.startsWith('人') || hanPeriod.startsWith('个人')
      ? 'person'
      : HAN_BUDGETS[hanPeriod.replace('个', '')];
  const budget = period?.split(' ')[0] ?? han;
  if (budget !== undefined) return `${budget}budget ${amount ?? hanAmount}`;
  const [, most, span, hanSpan = '', hanMost] = SETTING_WORDS.opened.exec(said) ?? [];
  const cap = OPENED_CAPS[span ?? hanSpan];
  return cap === undefined ? null : `${cap} ${parseNumberWord(most ?? hanMost ?? '')}`;
};

const COUNTED = ['parallel', 'daily', 'card', 'approvals'] as const;
const findCountLine = (said: string): string | null => {
  for (const name of COUNTED) {
    const word = SETTING_WORDS[name].exec(said)?.slice(1).find(Boolean);
    // Approvals of one run are asked for in other words.
    if (word !== undefined && (name !== 'approvals' || SETTING_WORDS.fromNow.test(said)))
      return `${name} ${parseNumberWord(word)}`;
  }
  return null;
};

const REPOSITORY = /(?<![\w./-])[a-z0-9][\w-]*\/[a-z0-9][\w.-]*/;
const ZONE =
  /(?<![\w./-])(?:africa|america|antarctica|arctic|asia|atlantic|australia|etc|europe|indian|pacific)\/[\w/+-]+|\band\/or\b/g;
/** A setting is for every repository: what names one is no setting. */
const namesRepository = (said: string): boolean => REPOSITORY.test(said.replace(ZONE, ' '));

const readEngine = (said: string, phrases: LanguagePhrases, scene: PhraseScene): DirectReading | null => {
  const kept = withoutUnwanted(said, phrases);
  const engine = ENGINE.exec(kept)?.[1];
  if (engine === undefined || !SETTING_WORDS.uses.test(kept)) return null;
  if (SETTING_WORDS.fromNow.test(kept))
    return namesRepository(said) ? null : { kind: 'setting', line: `engine ${engine}` };
  const about = findMeantRuns(kept.replace(ENGINE, ' '), phrases, scene);
  return about.kind === 'named' || SETTING_WORDS.refers.test(kept) ? { kind: 'engine', engine, about } : null;
};

const BESIDE_ENGINE = new RegExp(
  String.raw`(?<![a-z-])(?:${ENGINES})(?![a-z-])|\b(?:use|try|switch|move|change|go|with|to|on|from|instead|of|please|again|redo|rerun|retry|run|do|it|this|one|the|that|for|not|and|engine|agent)\b|请|改用|换成?|改成|用|从|不是|不要|重[做跑试]|再|跑|做|来|试|一下|[吧啊呀]|引擎|代理|[\s\p{P}]`,
  'giu',
);
export const isEngineAlone = (said: string): boolean => said !== '' && said.replace(BESIDE_ENGINE, '') === '';

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const END_OF_PAUSE = new RegExp(
  String.raw`^((?:please |let'?s )?(?:pause|hold|halt|freeze|suspend|stop|park) [^,;.]{1,60}?) (?:until|till|til) (?:tomorrow|tonight|later|noon|next week|${WEEKDAY}|after (?:the|my) [a-z ]{1,20})(?: (?:morning|evening|night))?(?:,? please)?[.!]?$|^([^,;.]{0,16}暂停[^,;.]{0,16}?)到(?:明天|明早|后天|今晚|下午|下周[一二三四五六日]?|周[一二三四五六日])(?:早上|晚上)?[吧.!]?$`,
  'iu',
);
/** A pause may name its end, which is a person's to keep. */
export const withoutEndOfPause = (text: string): string =>
  text.trim().replace(END_OF_PAUSE, (_, english?: string, chinese?: string) => english ?? chinese ?? '');

/** Negation and doubt of everything but the engine that is not wanted. */
const isDoubted = (said: string, phrases: LanguagePhrases): boolean =>
  phrases.doubt.test(withoutUnwanted(said, phrases).split(SETTING_WORDS.noDoubt).join(' '));

export const readDirectPhrase = (
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): DirectReading | null => {
  const plain = said.replace(/(?<![\s.!?,~，。！？])[\s.!?,~，。！？]+$/u, '');
  if (phrases.stop.test(plain)) return { kind: 'stop' };
  if (SETTING_WORDS.allowance.test(plain)) return { kind: 'allowance' };
  if (SETTING_WORDS.costs.test(plain)) return { kind: 'costs' };
  const isOfOne = namesRepository(plain);
  const quiet = isOfOne ? null : quietLine(plain, phrases);
  if (quiet !== null) return { kind: 'setting', line: quiet };
  const openings = readOpeningWish(plain);
  if (openings) return { kind: 'openings', wish: openings };
  if (isDoubted(plain, phrases)) return null;
  const counted = isOfOne ? null : (findLimitLine(plain) ?? findCountLine(plain));
  return counted === null ? readEngine(plain, phrases, scene) : { kind: 'setting', line: counted };
};
