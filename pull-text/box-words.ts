/** F11: says whether a box holds a word whose meaning our facts do not cover. */

const KNOWN_WORDS = new Set(
  `a an the s i i've we you my our your this these that those it it's its they them there is are was were be been being has have had do does
  did and or also both all any every new newly existing current latest relevant necessary necessarily needed required corresponding appropriate
  related associated affected added add adds adding addition include includes included including provide provides provided contain contains
  write writes wrote written update updates updated updating extend extends extended change changes changed changing make makes made making
  cover covers covered covering exist exists reflect reflects reflecting demonstrate demonstrates verify verifies describing describe
  describes test tests testing tested unit suite suites case cases spec specs automated pass passes passed passing green succeed succeeds
  successful successfully clean ok run runs ran running work works working correct locally local with without before fail fails failed should
  prove proves effective ideally please sure ensure cannot merged unless for if when where whether applicable possible needed to in of on by at
  as from against but not code codebase repo repository project base pr prs pull request requests commit commits branch bug bugs bugfix bugfixes
  fix fixes fixed fixing feature features functionality behavior behaviour method methods function functions class classes module
  doc docs documentation docstring docstrings document documents documented readme guide reference comment comments changelog change
  log entry entries note notes release releases news fragment history file files folder directory lint linter linters linting linted
  format formats formatted formatting formatter style type types typecheck typing check checks checker checking build builds built compile
  compiles compiled errors error issues issue up e.g e.g. i.e i.e. etc which so can could one item
  least validate validates link links linked linking linking references referenced mention mentions mentioned relates close closes auto-closes open
  opened number target targets targeted targeting developer certificate origin signed sign sign-off signed-off off dco cla contributor license
  agreement signature single squash squashed squashing together into conventional follow follows title titles only necessary either`.split(
    /\s+/,
  ),
);
const TOOL_WORDS =
  /^(?:pytest|unittest|jest|vitest|mocha|rspec|tox|nox|ctest|phpunit|eslint|ruff|flake8|clippy|golangci(?:-lint)?|rubocop|pylint|biome|checkstyle|fmt|prettier|black|gofmt|rustfmt|spotless|tsc|mypy|pyright|pre-commit)$/;

const NO_BLANKS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;

const toPlainLabel = (label: string): string =>
  label
    .replace(/`[^`]*`/g, ' ')
    .replace(/\]\([^)]*\)|\]\[[^\]]*\]/g, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .toLowerCase();

export const hasUnknownWord = (label: string, baseRef = ''): boolean =>
  toPlainLabel(label)
    .split(/[^\p{L}\p{N}.'’+-]+/u)
    .map((word) => word.replace(/^[-.'’+]+|(?<![-.'’+])[-.'’+]+$/gu, '').replaceAll('’', "'"))
    .some(
      (word) =>
        word !== '' &&
        word !== baseRef.toLowerCase() &&
        !NO_BLANKS.test(word) &&
        !KNOWN_WORDS.has(word) &&
        !TOOL_WORDS.test(word),
    );

const OTHER_SCRIPT =
  /[^\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]/u;
const ELSEWHERE_PERSONAL =
  /手动|手動|手工|人工|全部|所有|全て|すべて|每[个個]|各种|各種|浏览器|瀏覽器|ブラウザ|平台|プラットフォーム|环境|環境|覆[盖蓋]率|カバレッジ|集成|結合|性能|パフォーマンス|[阅閱][读讀]|[读讀][过過]|読[みんむ]|確認|确认|[审審][查阅閱]|レビュー|同意|理解|了解|自己|本人|亲自|人間|本番|生[产產]|不|[没沒無]|ない|ません|なし|互換|兼容|安全|セキュリティ|実機|真机/u;
const LATIN_PERSONAL =
  /(?<!\p{L})(?:manual(?!s?(?!\p{L}))\p{L}+|todos?|todas?|toutes?|tous|alle[nrs]?|tutt[ieo]|naveg\p{L}*|navigateurs?|ger[äa]te\p{L}*|pla(?:t|tt)a?form\p{L}*|cobertura|abdeckung|couverture|copertura|le[íi]do?|gelesen|letto|revis\p{L}*|geprüft|getestet|probado|testado|testé\p{L}*|relu\p{L}*|entend\p{L}*|versteh\p{L}*|compris|não|nicht|kein\p{L}*|pas|sans|sin|sem|ohne|ich|eu|yo|je|j'ai|ho)(?!\p{L})/iu;

export const isPersonalElsewhere = (label: string): boolean =>
  OTHER_SCRIPT.test(label) || ELSEWHERE_PERSONAL.test(label) || LATIN_PERSONAL.test(label);
