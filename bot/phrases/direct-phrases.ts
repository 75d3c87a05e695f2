/** C4: reads settings, another engine and a wish to stop in words, in any language. Pure; it only proposes. */
import type { LanguagePhrases } from './phrase-rules.ts';
import { findMeantRuns, type MeantRuns, type PhraseScene } from './find-meant-runs.ts';

export type DirectReading =
  /** `line` is what would be typed after `/settings`. */
  | { kind: 'setting'; line: string }
  | { kind: 'engine'; engine: string; about: MeantRuns }
  | { kind: 'allowance' }
  | { kind: 'stop' };

const ENGINES = 'codex|claude|opencode|aider|gemini|builtin|script';
const ENGINE = new RegExp(`(?<![a-z-])(${ENGINES})(?![a-z-])`);
const UNWANTED_ENGINE = new RegExp(
  `(?:instead of|rather than|not|from|off|别用|不用|不要用|不再用) ?(?:${ENGINES})`,
  'g',
);

const NUMBER_WORDS = 'one two three four five six seven eight nine ten'.split(' ');
const HAN_NUMBERS = '一二三四五六七八九十';
const NUMBER = String.raw`(\d{1,4}|${NUMBER_WORDS.join('|')}|[一二两三四五六七八九十])`;
const toNumber = (word: string): number => {
  if (/^\d+$/.test(word)) return Number(word);
  if (word === '两') return 2;
  return (word.length === 1 ? HAN_NUMBERS.indexOf(word) : NUMBER_WORDS.indexOf(word)) + 1;
};

const CLOCK = String.raw`(凌晨|早上|早晨|上午|中午|下午|晚上|夜里)? ?(\d{1,2})(?: ?点|[:h])?(半|\d{2}(?!\d))?分? ?(am|pm|a\.m\.|p\.m\.)?`;
const SPAN = new RegExp(String.raw`${CLOCK} ?(?:-|–|—|~|to|till|until|and|through|到|至) ?${CLOCK}`);
const AFTERNOON = ['下午', '晚上', '夜里', 'pm', 'p.m.'];

const clockOf = (part: string, hour: string, minutes: string, half: string): string | null => {
  const later = AFTERNOON.includes(part) || AFTERNOON.includes(half);
  const isMidnight = half.startsWith('a') && hour === '12';
  const hours = isMidnight ? 0 : Number(hour) + (later && Number(hour) < 12 ? 12 : 0);
  const rest = minutes === '半' ? 30 : Number(minutes || 0);
  if (hours > 23 || rest > 59) return null;
  return `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};

const QUIET =
  /\bquiet\b|\bdnd\b|\bdo not disturb\b|\bdon'?t (?:disturb|bother|ping|wake|notify|ring)\b|\b(?:no|without) (?:sound|noise|notifications|pings)\b|\bmute\b|\bsilen(?:t|ce)\b|免打扰|勿扰|静音|安静|别(?:吵|打扰|响|烦)|不要(?:吵|打扰|响|通知)/;
const QUIET_OFF =
  /\b(?:turn|switch|set) (?:my |the )?quiet hours off\b|\b(?:turn|switch) off (?:my |the )?(?:quiet hours|dnd|do not disturb)\b|\b(?:disable|remove|drop|end|stop|cancel) (?:my |the )?quiet hours\b|\bno (?:more )?quiet hours\b|(?:关|关掉|关闭|取消|停用|去掉)(?:免打扰|勿扰|静音|静音时段|安静时段)|(?:免打扰|勿扰|静音时段|安静时段)(?:关掉|关闭|关了|取消)/;

const quietLine = (said: string): string | null => {
  if (QUIET_OFF.test(said)) return 'quiet off';
  if (!QUIET.test(said)) return null;
  const found = SPAN.exec(said);
  if (!found) return null;
  const [, part = '', hour = '', minutes = '', half = ''] = found;
  const [partTo = '', hourTo = '', minutesTo = '', halfTo = ''] = found.slice(5);
  const from = clockOf(part, hour, minutes, half);
  const to = clockOf(partTo, hourTo, minutesTo, halfTo);
  return from === null || to === null || from === to ? null : `quiet ${from}-${to}`;
};

const FROM_NOW =
  /\b(?:new runs?|new ones|default|from now on|by default|always|everything)\b|以后|默认|新任务|新的任务|今后/;
const COUNTED: readonly (readonly [string, RegExp])[] = [
  [
    'parallel',
    new RegExp(
      String.raw`\b(?:let|allow|run|at most|up to|max(?:imum)?) ${NUMBER} (?:runs? |of them |jobs? )?(?:run |work )?(?:at the same time|at once|in parallel|simultaneously|concurrently|side by side)|同时(?:最多|只能|可以)?(?:跑|运行|做|执行) ?${NUMBER} ?个`,
    ),
  ],
  [
    'daily',
    new RegExp(
      String.raw`\b(?:allow|limit|at most|up to|max(?:imum)?|set|no more than)(?: it| us| to)? ?${NUMBER} (?:runs?|jobs?|starts?) (?:a|per|each|every) day|(?:每天|一天)(?:最多|只能|可以)(?:跑|运行|做|开|启动)? ?${NUMBER} ?(?:个|次)`,
    ),
  ],
  [
    'card',
    new RegExp(
      String.raw`\bcards? (?:should |must |may |can |to )?(?:last|stay|live|expire after|be valid for|be valid)(?: for)? ${NUMBER} ?(?:hours|hour|h)\b|卡片(?:有效期?|保留|过期)(?:为|是|设成|改成)? ?${NUMBER} ?(?:个)?小时`,
    ),
  ],
  [
    'approvals',
    new RegExp(
      String.raw`\b(?:require|need|ask for|want|demand) ${NUMBER} (?:approvals|approvers|signatures|people to (?:approve|sign))|(?:要|需要|得) ?${NUMBER} ?(?:个)?人(?:来)?(?:批准|批|签|同意|审)`,
    ),
  ],
];

const countedLine = (said: string): string | null => {
  for (const [name, pattern] of COUNTED) {
    const word = pattern.exec(said)?.slice(1).find(Boolean);
    // Approvals of one run are asked for in other words.
    if (word !== undefined && (name !== 'approvals' || FROM_NOW.test(said)))
      return `${name} ${toNumber(word)}`;
  }
  return null;
};

const USES =
  /\b(?:use|try|run|redo|do|does|done|give|hand|move|switch|change|put|make|set|let|start)\b|用|换|改成|交给|让|重做/;

const REFERS = /\b(?:it|this|that) (?:with|on|one|run|time)\b|(?:那|这)个/;

const readEngine = (said: string, phrases: LanguagePhrases, scene: PhraseScene): DirectReading | null => {
  const kept = said.replace(UNWANTED_ENGINE, ' ');
  const engine = ENGINE.exec(kept)?.[1];
  if (engine === undefined || !USES.test(kept)) return null;
  if (FROM_NOW.test(kept)) return { kind: 'setting', line: `engine ${engine}` };
  const about = findMeantRuns(kept.replace(ENGINE, ' '), phrases, scene);
  return about.kind === 'named' || REFERS.test(kept) ? { kind: 'engine', engine, about } : null;
};

const ALLOWANCE =
  /\bhow many(?: more)?(?: runs?| ones| jobs)? (?:can|could|may|do|are|have)(?: i| we| still)?(?: still)? ?(?:run|start|have|left|begin|got)\b.*\btoday\b|\bused up my (?:runs|starts)\b|\b(?:runs|starts) (?:are |do i have )?left (?:for )?today\b|今天(?:还|还能|还可以)(?:能|可以)?(?:跑|开|启动|做|剩)(?:几|多少)|今天(?:的)?(?:名额|额度|次数)/;
const STOP =
  /^(?:hold on|hold up|wait|stop for now|everybody stop|hold everything)(?: (?:a|one) (?:sec|second|minute|moment|bit))?(?: with everything)?$|^(?:等一下|等等|等一等|先等等|先等一下|停一下|先停一下|慢着)(?:吧|啊)?$/;

const NO_DOUBT = /\b(?:instead|cards? should)\b|以后|今后/g;
/** Negation and doubt of everything but the engine that is not wanted. */
const isDoubted = (said: string, phrases: LanguagePhrases): boolean =>
  phrases.doubt.test(said.replace(UNWANTED_ENGINE, ' ').replace(NO_DOUBT, ' '));

export const readDirectly = (
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): DirectReading | null => {
  const plain = said.replace(/(?<![\s.!?,~，。！？])[\s.!?,~，。！？]+$/u, '');
  if (STOP.test(plain)) return { kind: 'stop' };
  if (ALLOWANCE.test(plain)) return { kind: 'allowance' };
  const quiet = quietLine(plain);
  if (quiet !== null) return { kind: 'setting', line: quiet };
  if (isDoubted(plain, phrases)) return null;
  const counted = countedLine(plain);
  return counted === null ? readEngine(plain, phrases, scene) : { kind: 'setting', line: counted };
};
