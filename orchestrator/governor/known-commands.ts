/** Lists harmless commands and whole options, because GNU, git and npm accept abbreviations. */
import { ANY_OPTION, NO_OPTION, optionsOf, type HarmlessUse } from './harmless-use.ts';
import { KNOWN_CHECKS, PYTHON_CHECKS } from './known-checks.ts';

const FIND = optionsOf(
  '-(?:name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|type|xtype|not|and|or|a|o|maxdepth|mindepth|size|empty|newer\\w*|anewer|cnewer|[acm]time|[acm]min|perm|user|group|uid|gid|nouser|nogroup|links|inum|samefile|lname|ilname|readable|writable|executable|print0?|printf|ls|prune|quit|depth|mount|xdev|daystart|follow|true|false|noleaf|used|[HLPE]|\\d+\\w*)',
);
const RG = optionsOf(
  '-[aFHiIlLnNopPqsSUuvwxc0.]*(?:[ABCegmMtTrjE].*)?',
  'files files-with-matches files-without-match count(?:-matches)? line-number no-line-number ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp i?glob(?:=.*)? type(?:-not)?(?:=.*)? type-list hidden no-ignore(?:-\\w+)? max-(?:count|depth|columns)(?:=\\d+)? (?:after-|before-)?context(?:=\\d+)? heading no-heading colors?(?:=.*)? no-messages json multiline multiline-dotall only-matching replace(?:=.*)? pcre2 sortr?(?:=\\w+)? stats trim vimgrep with-filename no-filename null unrestricted follow invert-match quiet pretty column passthru regexp=.* text no-config',
);
const FD = optionsOf(
  '-[HIsigFapLu01]*(?:[tedEcjS].*)?',
  'hidden no-ignore(?:-vcs)? glob regex fixed-strings (?:type|extension|exclude|max-depth|min-depth|max-results|size|changed-within|changed-before|color)(?:=.*)? full-path absolute-path ignore-case case-sensitive follow print0 strip-cwd-prefix unrestricted',
);
const DIFF = optionsOf(
  '-(?:[abBcdeEiInNpqrstTuwyZ0-9]+|[CUW]\\d+|[xIF].*)',
  'brief recursive unified(?:=\\d+)? context(?:=\\d+)? color(?:=\\w+)? side-by-side ignore-[\\w-]+ strip-trailing-cr exclude=.* new-file text minimal suppress-common-lines width=\\d+',
);
/** `-O` is excluded: `git grep` opens its results with it, also as `-nO…`. */
const HARMLESS_GIT_OPTIONS = optionsOf(
  '-(?:S.*|e.*|[a-zA-NP-Z0-9]+|L\\d+(?:,\\+?\\d*(?::.*)?)?)',
  'stat(?:=[\\d,]+)? shortstat numstat dirstat summary name-only name-status cached staged oneline graph decorate(?:=\\w+)? all branches tags remotes patch no-patch porcelain(?:=\\w+)? short branch long untracked-files(?:=\\w+)? ignored(?:=\\w+)? show-stash no-renames find-renames(?:=\\d+%?)? abbrev(?:=\\d+)? abbrev-ref abbrev-commit no-abbrev-commit show-toplevel show-prefix show-cdup git-dir git-common-dir is-inside-work-tree verify quiet symbolic-full-name (?:format|pretty)=(?!.*%G).* date=[\\w:-]+ (?:since|until|after|before|author|committer|grep)=.* max-count=\\d+ skip=\\d+ reverse first-parent merges no-merges follow no-color color(?:=\\w+)? no-ext-diff no-textconv word-diff(?:=\\w+)? color-words unified=\\d+ diff-filter=\\w+ ignore-(?:all-space|blank-lines|space-change|space-at-eol|cr-at-eol|case) exit-code check full-index raw minimal patience histogram diff-algorithm=\\w+ relative no-prefix others modified deleted exclude-standard stage full-name error-unmatch eol line-number count files-with-matches files-without-match word-regexp fixed-strings extended-regexp perl-regexp heading break show-function function-context (?:after-|before-)?context=\\d+ always dirty match=.* exact-match line-porcelain show-name show-number show-email root numbered email left-right topo-order date-order no-walk',
);
const READERS: readonly [names: string, use: HarmlessUse][] = [
  [
    'ls cat head tail wc grep egrep fgrep pwd echo true false stat basename dirname cut tr cmp nl realpath jq which type',
    { options: ANY_OPTION },
  ],
  ['mkdir touch', { options: ANY_OPTION }],
  ['command', { options: /^-[vV]$/, sub: ANY_OPTION }],
  // Bash's `-v` assigns a variable and evaluates its index.
  ['printf', { options: NO_OPTION }],
  [
    'test [',
    {
      options: /^-(?:[abcdefghknoprstuwxzGLNOS]|eq|ne|lt|le|gt|ge|nt|ot|ef)$/,
      operands: /^(?:[^[\]$`()]*|\])$/,
      noGlobs: true,
    },
  ],
  ['cd', { sub: /^[^-]/, options: /^-[PL]$/, maxOperands: 1 }],
  [
    'sort',
    {
      options: optionsOf(
        '-[bdfghiMnRrVcCmsuz]*(?:[kt].*|S\\d+[bKMG%]?)?',
        'reverse unique numeric-sort human-numeric-sort version-sort ignore-case stable check zero-terminated (?:field-separator|key)=.*',
      ),
      valued: /^-[bdfghiMnRrVcCmsuz]*[kt]$/,
    },
  ],
  // The second operand is an output file.
  [
    'uniq',
    { options: optionsOf('-(?:[cdDuiz]+|[fsw]\\d+)', 'count repeated unique ignore-case'), maxOperands: 1 },
  ],
  ['diff', { options: DIFF }],
  [
    'tree',
    { options: optionsOf('-[adfilpsughDFqNQrtxACSnvcJX]*[LPI]?', 'dirsfirst noreport prune gitignore du') },
  ],
  ['file', { options: optionsOf('-[bikLhNprs0]+', 'brief mime mime-type mime-encoding dereference') }],
  // An operand sets the clock.
  [
    'date',
    {
      options: optionsOf(
        '-u|-R|-I\\w*|-u?[dr].*',
        'utc iso-8601(?:=\\w+)? rfc-3339=\\w+ (?:date|reference)=.*',
      ),
      valued: /^-u?[dr]$/,
      operands: /^\+/,
    },
  ],
  ['find', { options: FIND }],
  ['rg', { options: RG }],
  ['fd', { options: FD }],
  [
    'ag',
    {
      options: optionsOf(
        '-[ilLcQwsvaUuHhSn0]+|-[ABCGgm]\\d*',
        'nocolor nogroup noheading literal count hidden',
      ),
    },
  ],
  [
    'git',
    {
      sub: /^(?:status|diff|log|show|blame|ls-files|grep|rev-parse|describe|shortlog)$/,
      subFirst: true,
      options: HARMLESS_GIT_OPTIONS,
    },
  ],
];

const byName = (rows: readonly [string, HarmlessUse][]): ReadonlyMap<string, HarmlessUse> =>
  new Map(rows.flatMap(([names, use]) => names.split(' ').map((name) => [name, use] as const)));
const HARMLESS_PROGRAMS = byName([...READERS, ...KNOWN_CHECKS]);
const PYTHON_MODULES = byName(PYTHON_CHECKS);

export const harmlessUse = (
  program: string,
  args: readonly string[],
): { use: HarmlessUse; from: number } | null => {
  const module = /^python3?$/.test(program) && args[0] === '-m';
  const use = module ? PYTHON_MODULES.get(args[1] ?? '') : HARMLESS_PROGRAMS.get(program);
  return use === undefined ? null : { use, from: module ? 2 : 0 };
};

/** Readers that are safe with any arguments, as from `xargs`. */
export const READS_WHAT_IT_IS_GIVEN =
  /^(?:ls|cat|head|tail|wc|grep|egrep|fgrep|echo|stat|basename|dirname|nl|cut|realpath)$/;

/** Environment variables that only affect output. */
export const HARMLESS_SETTING =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONHASHSEED|CGO_ENABLED|GOOS|GOARCH)=[\w.,@+-]*$/;
