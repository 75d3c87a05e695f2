/** Classifies sections of a template by title or hints, in several languages. */
import type { ChangeType } from '#model/agent';
import type { TemplateSection } from './template-sections.ts';

export type SectionKind =
  | 'what'
  | 'why'
  | 'tests'
  | 'type'
  | 'breaking'
  | 'issue'
  | 'note'
  | 'disclosure'
  | 'checks'
  | 'maintainer'
  | 'reviewer'
  | 'screens'
  | 'docs'
  | 'dependencies'
  | 'unknown';

const SECTION_TITLES: readonly (readonly [SectionKind, RegExp])[] = [
  [
    'maintainer',
    /\b(?:maintainers?|reviewers?|core team|merger)\b.{0,20}\b(?:check ?list|only|tasks?|use)\b|^for (?:maintainers?|reviewers?)\b/i,
  ],
  [
    'checks',
    /\bcheck ?lists?\b|\bprerequisites?\b|\bself[- ]?(?:check|review)\b|\bbefore (?:you|submitting|merg|opening|asking)|\bto-?do\b|\brequirements\b|\b(?:pr|pull request) (?:check|guidelines|attributes)|checkliste|lista de (?:verific|comprob|controle)|чек-?лист|قائمة التحقق|체크 ?리스트|检查|自查|チェック/iu,
  ],
  [
    'disclosure',
    /\b(?:ai|a\.i\.|llms?|gen(?:erative)?[- ]?ai|copilot|chatgpt)\b|\bartificial intelligence\b|(?<!\p{L})(?:IA|KI|ИИ)(?!\p{L})|人工智能|人工知能|(?<![a-z])AI(?![a-z])/iu,
  ],
  [
    'type',
    /\b(?:types?|kinds?|category|nature) of (?:this )?(?:change|pr|pull|contribution|update)|\bwhat (?:type|kind)\b|\b(?:pr|change|pull request|issue) (?:type|kind|category)|^type$|\bput an "?x"?|\bthis (?:pr |pull request )?is an?\b|tipo d[ei] (?:pr|cambio|mudan|modific)|type de (?:changement|modification)|art der änderung|тип изменен|نوع التغيير|변경 ?(?:유형|종류|사항의 종류)|类型|種類/iu,
  ],
  [
    'screens',
    /\bscreen ?(?:shots?|casts?|recordings?)\b|\bvideos?\b|\bgifs?\b|\bvisuals?\b|\bdemo\b|截图|スクリーンショット/iu,
  ],
  ['breaking', /\bbreak(?:ing|s)?\b|backwards?[- ]?(?:in)?compatib|\bupgrade notes?\b|破坏/iu],
  [
    'note',
    /\brelease[- ]?notes?\b|\bchange ?log\b|\buser[- ](?:facing|visible)\b|\bchanges? (?:in behaviou?r )?for (?:the |end[- ]?)?users?\b|what'?s new|\bnews ?fragment|更新日志|变更日志/iu,
  ],
  [
    'tests',
    /\btest(?:s|ed|ing)?\b|\bverif(?:y|ied|ication)\b|\bqa\b|\bvalidat(?:e|ed|ion)\b|\bproof\b|\bhow (?:has|was|did|to|can|do).{0,30}\b(?:check|review)|prueba|probad|testad[oa]|testé|getestet|testato|(?<!\p{L})тест|اختبار|테스트|测试|テスト/iu,
  ],
  [
    'issue',
    /\bissues?\b|\btickets?\b|(?<!\bbug[ -]?)\bfix(?:es|ed)?\b(?! or changed)(?=.{0,12}$)|\bcloses?\b|\bresolves?\b|\brelated\b|\breferences?\b|\blinks?\b|\bjira\b|\bbug id\b|incidencia|связанн|이슈|关联|関連/iu,
  ],
  ['docs', /\bdocs?\b|\bdocument(?:ation|ed)\b|文档/iu],
  ['dependencies', /\bdependenc(?:y|ies)\b/i],
  [
    'reviewer',
    /\b(?:reviewers?|special notes?|notes?|additional|other|further|comments?|remarks?|anything else|considerations?|focus|caveats?|questions?)\b|其他|補足/iu,
  ],
  [
    'why',
    /\bwhy\b|\bbenefits?\b|\bmotivations?\b|\bcontext\b|\bbackground\b|\bproblems?\b|\bpurpose\b|\brationale\b|\breasons?\b|\buse[- ]?cases?\b|\bjustification\b|\bcurrent behaviou?r\b|comportamiento actual|begründung|contexte|motiva[cç]|мотивац|зачем|السبب|배경|이유|背景|動機|为什么/iu,
  ],
  [
    'what',
    /\bwhat\b|\bthis (?:commit|pr) will\b|\bchanges?\b|\bdescri(?:be|ption)\b|\bsummary\b|\boverview\b|\babout\b|\bpropos(?:ed|al)\b|\bsolution\b|\bimplement(?:ation|ed)\b|\bdetails?\b|\bapproach\b|\bintroduc|\bnew behaviou?r\b|\bchanged\b|\bpull request\b|\bpr\b|\bintent\b|\bgoals?\b|描述|说明|概要|变更|変更|descripci|comportamiento|cambios|resumen|descri[cç]|beschreibung|zusammenfassung|описани|изменени|الوصف|설명|변경/iu,
  ],
];

const CHANGE_TYPE_WORDS: readonly (readonly [ChangeType, RegExp])[] = [
  ['dependencies', /\bdependenc(?:y|ies)\b|\bdeps\b/i],
  ['docs', /\bdoc(?:s|ument(?:ation)?)?\b|\btypos?\b|documentaci|文档/iu],
  ['test', /^\W*(?:\w+ )?tests?\b|\btest (?:case|coverage|addition|improvement)|测试/iu],
  ['perf', /\bperf(?:ormance)?\b|\boptimi[sz]ation\b/i],
  [
    'fix',
    /\bbug\b|\bbug[- ]?fix(?:es)?\b|\bhot-?fix\b|^\W*fix\b|correc|arreglo|修复|バグ|fehler|исправлен|ошибк|إصلاح|버그/iu,
  ],
  ['refactor', /\brefactor|\bclean-?up\b|\bcode quality\b|\btech(?:nical)? debt\b|重构/iu],
  ['style', /\b(?:code )?style\b|\bformatting\b|\blint\b/i],
  ['ci', /\bci\b|\bcontinuous integration\b|\bworkflow\b/i],
  ['build', /\bbuild\b|\btooling\b|\binfrastructure\b/i],
  [
    'feature',
    /^\W*(?:add|new)\b|\bfeatures?\b|\benhancements?\b|\bimprovements?\b|\bnew functionality\b|funcionalidad|新功能|新機能|新特性|neue funktion|nouvelle fonctionnalit|nova funcional|новая функц|ميزة|기능/iu,
  ],
  ['other', /^\W*others?\b|\bchores?\b|\bmaintenance\b|\bmisc/i],
];

export const typeOfLabel = (label: string): ChangeType | null => {
  const head = label.replace(/[`*_]/g, '').replace(/\([^]*$/, '');
  if (/\bbreaking\b|\bdeprecat/i.test(head)) return null;
  return CHANGE_TYPE_WORDS.find(([, says]) => says.test(head))?.[0] ?? null;
};

export const isBreakingLabel = (label: string): boolean =>
  /^\W*(?:major \W*)*breaking\b/i.test(label.replace(/[`*_]/g, ''));

/** A sentence about a bug or a feature names no type. */
const MAX_TYPE_WORDS = 10;
const isShort = (label: string): boolean =>
  label
    .replace(/\([^]*$/, '')
    .trim()
    .split(/\s+/).length <= MAX_TYPE_WORDS && !/^\W*(?:there|the|this|my|i|please)\b/i.test(label);
const listsTypes = ({ parts }: TemplateSection): boolean => {
  const types = parts.flatMap((p) =>
    p.kind === 'box' ? [isShort(p.label) ? typeOfLabel(p.label) : null] : [],
  );
  const named = new Set(types.filter((one) => one !== null));
  return named.size >= 3 && named.has('fix') && named.has('feature') && named.size * 2 >= types.length;
};

const asksPerson = (name: string): boolean => /^\W*(?:have|did|do|are|were|can) (?:you|i|we)\b/i.test(name);

const ASKS_WHAT = /^\W*what does this\b(?!.*\b(?:issue|ticket)s?\b)|\b(?:fix|solution) (?:for|to|of)\b/i;
const ASKS_WHY =
  /^\W*what (?:is|was|are|were) (?:the|your)\b[^?]*\b(?:problem|motivation|purpose|reason|rationale)s?\b/i;
/** More than that AI was used: a statement of the person who contributes, or of the product. */
export const SAYS_MORE_OF_AI =
  /\b(?:read|agree\w*|tested|check\w*|compl(?:y|ies|iant)\w*|licen[cs]\w*|polic(?:y|ies)|guidelines?|rules?|terms|follow\w*|explain\w*|own\w*|responsib\w*|approved|registered|documented|models?|providers?)\b|[阅閱][读讀]|遵守|同意|政策|规范|規約|ポリシー|정책|동의/iu;
const ASKS_USE_OF_AI =
  /^\W*(?:have|did|do|are|were|was|is|has) (?:you|i|we|any|this|the|an?|AI|LLMs?|gen\w*)\b[^?]{0,40}\b(?:us(?:e|ed|ing)|generat\w+|assist\w*|writ\w+|creat\w+|made|co-author)\b/i;
/** Names, places and links are not known, and yes is no description. */
const NOT_KNOWN =
  /^\W*(?:(?:suggested |requested )?reviewers?\W*(?:\(.*)?$|(?:does|is|will|has|should)\b.*[?？])|\btest(?:ed)? (?:on|with|environment|configuration|setup|devices?|matrix)\b|\b(?:pull request|pr|links?)\b.{0,60}\bdoc|\bchanges? to (?:\w+ )?(?:security|permissions?|access|privacy)\b/i;
const ALWAYS_KNOWN: readonly SectionKind[] = [
  'breaking',
  'issue',
  'note',
  'disclosure',
  'docs',
  'dependencies',
];

const ofWords = (text: string): SectionKind => {
  if (ASKS_WHAT.test(text)) return 'what';
  if (ASKS_WHY.test(text)) return 'why';
  const found = SECTION_TITLES.find(([, says]) => says.test(text))?.[0] ?? 'unknown';
  if (NOT_KNOWN.test(text) && (found === 'docs' || !ALWAYS_KNOWN.includes(found))) return 'unknown';
  if (
    found === 'issue' &&
    /\blinks?\b[^.]{0,30}\b(?:docs?|documentation|home ?page|website|source|specification)\b/i.test(text)
  )
    return 'unknown';
  if (found === 'disclosure' && ASKS_USE_OF_AI.test(text) && !SAYS_MORE_OF_AI.test(text)) return found;
  if (asksPerson(text) && !['tests', 'docs', 'breaking', 'issue', 'note'].includes(found)) return 'unknown';
  return found === 'why' &&
    !/\bcurrent\b/i.test(text) &&
    /\b(?:what|does|descri\w+|summary|changes?)\b/i.test(text)
    ? 'what'
    : found;
};

const ofHints = (hints: string): SectionKind => {
  const found = SECTION_TITLES.filter(([kind]) => kind !== 'maintainer' && kind !== 'checks').flatMap(
    ([kind, says]) => {
      const at = hints.search(says);
      return at < 0 ? [] : [{ kind, at }];
    },
  );
  return found.sort((a, b) => a.at - b.at)[0]?.kind ?? 'unknown';
};

/** `alone`: no title asks for anything, so comments do. */
export const sectionKindOf = (section: TemplateSection, { alone }: { alone: boolean }): SectionKind => {
  const { name, hints, parts } = section;
  const boxes = parts.filter((p) => p.kind === 'box').length;
  if (listsTypes(section)) return 'type';
  const named = ofWords(name);
  if (named !== 'unknown') {
    if (boxes > 0 && named === 'tests' && /\bmanual|\bfollowing\b/i.test(name)) return 'checks';
    return boxes >= 3 && ['reviewer', 'issue'].includes(named) ? 'checks' : named;
  }
  if (boxes > 0) return 'checks';
  if (/\/kind\b/.test(hints)) return 'type';
  return section.title === null && alone && hints !== '' ? ofHints(hints) : 'unknown';
};

export const isOptional = ({ title, hints, parts }: TemplateSection): boolean => {
  const said = [title ?? '', hints, ...parts.map((p) => (p.kind === 'prose' ? p.raw : ''))].join(' ');
  return /\boptional\b|\bif (?:applicable|relevant|any|needed|necessary|appropriate|there (?:is|are)|not applicable)\b|\b(?:when|where|as) (?:applicable|relevant|needed|necessary|appropriate)\b|\b(?:remove|delete|omit|skip)\b.{0,40}\b(?:section|this|if|not)\b|\bleave (?:this )?(?:blank|empty)\b|opcional|可选|任意/iu.test(
    said,
  );
};
