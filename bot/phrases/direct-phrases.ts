/**
 * Reads settings, another engine and a wish to stop in words, in any language (C4). Pure; it only
 * proposes.
 */
import { CLOCK, clockOf, findClockSpan, NUMBER, toNumber } from './clock-words.ts';
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

const ENGINES = 'codex|claude|opencode|aider|gemini|builtin|script';
const ENGINE = new RegExp(`(?<![a-z-])(${ENGINES})(?![a-z-])`);
const withoutUnwanted = (said: string, { unwanted }: LanguagePhrases): string =>
  said.replace(new RegExp(`(?:${unwanted.source}) ?(?:${ENGINES})(?![a-z-])`, 'gu'), ' ');

const QUIET =
  /\bquiet\b|\bdnd\b|\bdo not disturb\b|\bdon'?t (?:disturb|bother|ping|wake|notify|ring|message|text|call)\b|\b(?:no|without|stop) (?:the |more |any )?(?:sounds?|noise|notif\w+|pings?|pinging|messages?|messaging|alerts?|calls?|buzzing|bothering|writing|ringing|texts?)\b|\bleave me (?:alone|in peace)\b|\b(?:i'?m asleep|i sleep|let me sleep)\b|\bmute\b|\bsilen(?:t|ce)\b|免打扰|勿扰|静音|安静|别(?:再|来)?(?:吵|打扰|响|烦|发|通知|提醒)|不要(?:再|来)?(?:吵|打扰|响|通知|烦|发|提醒)|(?:不想|不许)(?:被|再)?(?:吵|打扰)|睡觉/;
const QUIET_OFF =
  /\b(?:turn|switch|set) (?:my |the )?quiet hours off\b|\b(?:turn|switch) off (?:my |the )?(?:quiet hours|dnd|do not disturb)\b|\b(?:disable|remove|drop|end|stop|cancel) (?:my |the )?quiet hours\b|\bno (?:more )?quiet hours\b|\b(?:wake|ping|call|message|notify) me (?:up )?(?:at )?any ?(?:time|hour)\b|随时(?:都)?(?:可以|能)?(?:叫|通知|打扰)我|(?:关|关掉|关闭|取消|停用|去掉|不要|不用)(?:掉|了)?(?:免打扰|勿扰|静音|静音时段|安静时段)|(?:免打扰|勿扰|静音时段|安静时段)(?:关掉|关闭|关了|取消)/;

/** A night whose hours nobody names is proposed as this; the button shows it. */
const NIGHT_ALONE =
  /\b(?:at night|overnight|during the night|while i(?: sleep|'m asleep|'m sleeping| am asleep))\b|晚上|夜里|半夜|睡觉/;
const USUAL_NIGHT = '22:00-07:00';

const isAsked = (said: string, { question }: LanguagePhrases): boolean =>
  question.test(said) || /\?|要不要|该不该|是不是|是否|\bshould\b/.test(said);

/** `after 11pm`: a start alone, which ends as a night usually does. */
const AFTER = new RegExp(String.raw`(?:\b(?:after|from|past) ${CLOCK}|${CLOCK} ?(?:以后|之后|过后|后))`);
const USUAL_MORNING = '07:00';
const startLine = (said: string): string | null => {
  const found = AFTER.exec(said);
  const [part = '', hour = '', minutes = '', half = ''] = found?.slice(found[2] === undefined ? 5 : 1) ?? [];
  const isTold = part !== '' || half !== '' || toNumber(hour) > 12;
  const from = found && isTold ? clockOf(part, hour, minutes, half) : null;
  return from === null || from === USUAL_MORNING ? null : `quiet ${from}-${USUAL_MORNING}`;
};

const quietLine = (said: string, phrases: LanguagePhrases): string | null => {
  if (QUIET_OFF.test(said)) return 'quiet off';
  if (!QUIET.test(said)) return null;
  const span = findClockSpan(said);
  const start = span || isAsked(said, phrases) ? null : startLine(said);
  if (start !== null) return start;
  if (span) return `quiet ${span.from}-${span.to}`;
  return NIGHT_ALONE.test(said) && !isAsked(said, phrases) ? `quiet ${USUAL_NIGHT}` : null;
};

const FROM_NOW =
  /\b(?:new runs?|new ones|default|from now on|by default|always|everything|in future|from here on|every time|as a rule|default agent)\b|以后|默认|新任务|新的任务|今后/;
const COUNTED: readonly (readonly [string, RegExp])[] = [
  [
    'parallel',
    new RegExp(
      String.raw`\b(?:let|allow|run|at most|up to|max(?:imum)?|no more than|not more than|only|have|keep|do|limit (?:it|us|yourself) to|cap (?:it|us) at) ${NUMBER} (?:runs? |of them |jobs? |agents? |things? |tasks? )?(?:run |work |to run |going |running )?(?:at the same time|at a time|in one go|at once|in parallel|simultaneously|concurrently|side by side)|(?:同时|并行|一起|一次)(?:最多|只能|只|可以|能)?(?:跑|运行|做|执行|开) ?${NUMBER} ?个|(?:最多|只能)(?:同时|并行)(?:跑|运行|做|执行|开) ?${NUMBER} ?个|并行数?(?:改成|设成|设为|改为|调到) ?${NUMBER}`,
    ),
  ],
  [
    'daily',
    new RegExp(
      String.raw`\b(?:allow|limit|cap|keep|hold|at most|up to|max(?:imum)?|set|no more than|not more than|only|start)(?: it| us| this| yourself| the runs| runs)?(?: to| at)? ?${NUMBER}(?: (?:new )?(?:runs?|jobs?|starts?|ones))? (?:a day|per day|each day|every day|daily)|(?:每天|一天|每日|一日)(?:之内)?(?:里)?(?:最多|只能|只|可以|不要超过|别超过|不超过|不能超过|上限)(?:跑|运行|做|开|启动)?(?:是|为)? ?${NUMBER} ?(?:个|次)`,
    ),
  ],
  [
    'card',
    new RegExp(
      String.raw`\bcards? (?:should |must |may |can |to )?(?:last|stay|live|expire after|be valid for|be valid|stay valid|stay open|remain valid|be good|keep)(?: for)? ${NUMBER} ?(?:hours|hour|h)\b|卡片(?:有效期?|保留|过期)(?:为|是|设成|改成)? ?${NUMBER} ?(?:个)?小时`,
    ),
  ],
  [
    'approvals',
    new RegExp(
      String.raw`\b(?:require|need|ask for|want|demand) ${NUMBER} (?:approvals|approvers|signatures|people to (?:approve|sign))|(?:要|需要|得) ?${NUMBER} ?(?:个|位)?人(?:来|都)?(?:批准|批|签|同意|审|点头)`,
    ),
  ],
];

const AT_MOST = String.raw`^(?:please )?(?:spend |open |allow |let us (?:spend|open) |we (?:may |can )?(?:spend|open) |agents (?:may |can )?spend |keep (?:it|spending) to )?(?:at most|up to|max(?:imum)?|no more than|not more than|never more than|only)`;
/** P7: the whole sentence, as `at most $100 a month`, `每月最多100美元`: another word may mean less than everything. */
const BUDGET = new RegExp(
  String.raw`${AT_MOST} \$ ?(\d{1,6}(?:\.\d{2})?) (?:a|an|per|each|every|for each|for a) (day|month|campaign|person (?:a|per|each) month)(?: in all| in total|,? please)?$|^(?:请)?每(天|日|个?月|个?人每个?月|个?(?:批量任务|活动))(?:最多|不超过|不能超过|上限)(?:花费?|用|是|为)? ?\$? ?(\d{1,6}) ?(?:美元|美金|刀)$`,
);
const HAN_BUDGETS: Readonly<Record<string, string>> = {
  天: 'day',
  日: 'day',
  月: 'month',
  活动: 'campaign',
  批量任务: 'campaign',
};
/** G10: `at most 5 pull requests a day`, `每小时最多打开3个拉取请求`. */
const OPENED = new RegExp(
  String.raw`${AT_MOST} ${NUMBER} (?:open )?(?:pull requests?|prs?)(?: open| opened)? (?:a|an|per|each|every|for each|in each|with each) (hour|day|owner|repo(?:sitory)?)(?:,? please)?$|^(?:请)?每(?:个)?(小时|天|日|所有者|仓库)最多(?:打开|开)? ?${NUMBER} ?个(?:拉取请求|pr)$`,
);
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
  const [, amount, period, hanPeriod = '', hanAmount] = BUDGET.exec(said) ?? [];
  const han =
    hanPeriod.startsWith('人') || hanPeriod.startsWith('个人')
      ? 'person'
      : HAN_BUDGETS[hanPeriod.replace('个', '')];
  const budget = period?.split(' ')[0] ?? han;
  if (budget !== undefined) return `${budget}budget ${amount ?? hanAmount}`;
  const [, most, span, hanSpan = '', hanMost] = OPENED.exec(said) ?? [];
  const cap = OPENED_CAPS[span ?? hanSpan];
  return cap === undefined ? null : `${cap} ${toNumber(most ?? hanMost ?? '')}`;
};

const findCountLine = (said: string): string | null => {
  for (const [name, pattern] of COUNTED) {
    const word = pattern.exec(said)?.slice(1).find(Boolean);
    // Approvals of one run are asked for in other words.
    if (word !== undefined && (name !== 'approvals' || FROM_NOW.test(said)))
      return `${name} ${toNumber(word)}`;
  }
  return null;
};

const USES =
  /\b(?:use|try|run|redo|do|does|done|give|hand|move|switch|change|put|make|set|let|start|take|have|pick|go|work|again|restart|rerun|retry|using|try|ask|get|swap)\b|用|换|改成|交给|让|重做|叫|给/;

const REFERS =
  /\b(?:it|this|that) (?:with|on|one|run|time)\b|\bsame (?:thing|one|order|again|task)\b|\b(?:again|once more) with\b|(?:那|这)个|同样的|再来一[次遍]/;

const REPOSITORY = /(?<![\w./-])[a-z0-9][\w-]*\/[a-z0-9][\w.-]*/;
const ZONE =
  /(?<![\w./-])(?:africa|america|antarctica|arctic|asia|atlantic|australia|etc|europe|indian|pacific)\/[\w/+-]+|\band\/or\b/g;
/** A setting is for every repository: what names one is no setting. */
const namesRepository = (said: string): boolean => REPOSITORY.test(said.replace(ZONE, ' '));

const readEngine = (said: string, phrases: LanguagePhrases, scene: PhraseScene): DirectReading | null => {
  const kept = withoutUnwanted(said, phrases);
  const engine = ENGINE.exec(kept)?.[1];
  if (engine === undefined || !USES.test(kept)) return null;
  if (FROM_NOW.test(kept))
    return namesRepository(said) ? null : { kind: 'setting', line: `engine ${engine}` };
  const about = findMeantRuns(kept.replace(ENGINE, ' '), phrases, scene);
  return about.kind === 'named' || REFERS.test(kept) ? { kind: 'engine', engine, about } : null;
};

const BESIDE_ENGINE = new RegExp(
  String.raw`(?<![a-z-])(?:${ENGINES})(?![a-z-])|\b(?:use|try|switch|move|change|go|with|to|on|from|instead|of|please|again|redo|rerun|retry|run|do|it|this|one|the|that|for|not|and|engine|agent)\b|请|改用|换成?|改成|用|从|不是|不要|重[做跑试]|再|跑|做|来|试|一下|[吧啊呀]|引擎|代理|[\s\p{P}]`,
  'giu',
);
export const isEngineAlone = (said: string): boolean => said !== '' && said.replace(BESIDE_ENGINE, '') === '';

const ALLOWANCE =
  /\bhow many(?: more)?(?: runs?| ones| jobs)? (?:can|could|may|do|are|have)(?: i| we| still)?(?: still)? ?(?:run|start|have|left|begin|got)\b.*\btoday\b|\b(?:can|could|may) (?:i|we)(?: still)? (?:start|run|begin|open) (?:any |some |a few )?(?:more|another|new)\b.*\btoday\b|\bused up my (?:runs|starts)\b|\b(?:runs|starts) (?:are |do i have )?left (?:for )?today\b|今天(?:还|还能|还可以)(?:能|可以)?(?:跑|开|启动|做|剩)(?:几|多少)|今天还(?:能|可以)(?:不能|不可以)?再?(?:跑|开|启动)(?:任务|新的)?吗|今天(?:的)?(?:名额|额度|次数)/;
const COSTS =
  /^(?:so )?(?:how much|what) (?:did|does|do|have|has|had)(?: \S+){1,5}? (?:cost|costed|spend|spent|pay|paid)(?: us| me| for it)? (?:this month|today|this day|so far this month|in all this month)$|^(?:what are |show )?(?:the |our |my )?(?:costs|spending|bill) (?:of |for )?(?:this month|today)$|^(?:本月|这个月|今天)(?:一共|总共)?(?:花了|用了|费用是?|花费)(?:多少)?(?:钱)?$/;
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const END_OF_PAUSE = new RegExp(
  String.raw`^((?:please |let'?s )?(?:pause|hold|halt|freeze|suspend|stop|park) [^,;.]{1,60}?) (?:until|till|til) (?:tomorrow|tonight|later|noon|next week|${WEEKDAY}|after (?:the|my) [a-z ]{1,20})(?: (?:morning|evening|night))?(?:,? please)?[.!]?$|^([^,;.]{0,16}暂停[^,;.]{0,16}?)到(?:明天|明早|后天|今晚|下午|下周[一二三四五六日]?|周[一二三四五六日])(?:早上|晚上)?[吧.!]?$`,
  'iu',
);
/** A pause may name its end, which is a person's to keep. */
export const withoutEndOfPause = (text: string): string =>
  text.trim().replace(END_OF_PAUSE, (_, english?: string, chinese?: string) => english ?? chinese ?? '');

const NO_DOUBT = /\b(?:instead|cards? should|(?:not|no) more than)\b|以后|今后|(?:不要|别|不|不能)超过/g;
/** Negation and doubt of everything but the engine that is not wanted. */
const isDoubted = (said: string, phrases: LanguagePhrases): boolean =>
  phrases.doubt.test(withoutUnwanted(said, phrases).replace(NO_DOUBT, ' '));

export const readDirectly = (
  said: string,
  phrases: LanguagePhrases,
  scene: PhraseScene,
): DirectReading | null => {
  const plain = said.replace(/(?<![\s.!?,~，。！？])[\s.!?,~，。！？]+$/u, '');
  if (phrases.stop.test(plain)) return { kind: 'stop' };
  if (ALLOWANCE.test(plain)) return { kind: 'allowance' };
  if (COSTS.test(plain)) return { kind: 'costs' };
  const isOfOne = namesRepository(plain);
  const quiet = isOfOne ? null : quietLine(plain, phrases);
  if (quiet !== null) return { kind: 'setting', line: quiet };
  const openings = readOpeningWish(plain);
  if (openings) return { kind: 'openings', wish: openings };
  if (isDoubted(plain, phrases)) return null;
  const counted = isOfOne ? null : (findLimitLine(plain) ?? findCountLine(plain));
  return counted === null ? readEngine(plain, phrases, scene) : { kind: 'setting', line: counted };
};
