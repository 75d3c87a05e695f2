/** Classifies a task by its name or by what it does. */
import { isListingOnly } from './listing-options.ts';
import { valueNeededBy } from './variable-targets.ts';
import { knownTasks, type CommandPurpose } from '#tools';

const NOT_HERE =
  /(?:^|[:_.-])(?:e2e|browsers?|playwright|cypress|selenium|visual|storybook|screenshots?|bench(?:marks?)?|perf|smoke|deploy|publish|release|docs?|site|website|docker|watch|dev|serve|start|ui|debug|upload|mutation|fuzz|canary|staging|production|ios|android|windows|macos|report|snapshot|licen[cs]es?|audit|changelog|version|clean|size|preview|prod|nightly|stress|speed|live|saucelabs|sauce|update|fix|write|autofix|bump|cloud|k8s|helm|release\S*|dist-tag|links?|spell\w*|typos|cspell|knip|sherif|attw|publint|commitlint|commit[-_:.](?:messages?|msgs?|format\w*)|coverage-report|codecov|coveralls)(?:$|[:_.-])/i;
const WRITES = /(?:^|[:_.-])(?:fix|write)$/i;

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Words that name a purpose, whatever the tool. */
const PLAIN_WORDS = {
  format: wordSet('format formatting formatter fmt pretty'),
  types: wordSet('types typecheck typechecks typings typescript typing stan tscheck'),
  lint: wordSet(
    'lint golint linter linters linting lints style codestyle precommit cs vet quality qa static lintcheck editorconfig forbid forbidden banned checksrc checkpatch perlcheck shcheck codecheck',
  ),
  test: wordSet(
    'test tests gotest unit unittest unittests spec specs testall runtests runtest cibuild coverage cov citest testsuite doctest doctests',
  ),
  build: wordSet('build compile bundle dist buildall'),
} as const;
type Named = keyof typeof PLAIN_WORDS;
const isWordFor = (purpose: Named, word = ''): boolean =>
  PLAIN_WORDS[purpose].has(word) || knownTasks().words.get(purpose)?.has(word) === true;
const LOOKING = wordSet('check checks ci verify lint diff test validate');
const LINTED = wordSet(
  'copyright copyrights header headers boilerplate imports exports circular cycles dependencies deps unused dead manifests naming constraints duplicates sources spdx rules',
);
const PURPOSE_BY_WHOLE_NAME: readonly (readonly [CommandPurpose, RegExp])[] = [
  ['types', /^(?:analy[sz]e|type)$/i],
  ['test', /^(?:py(?:3?|\d[\d.]*)|\d+(?:\.\d+)+t?)$/i],
  ['format', /^(?:fmtcheck|formatcheck|checkformat|isformatted|is-formatted)$/i],
  [
    'install',
    /^(?:install(?:[-_:]?(?:dev|deps|dependencies|test|all|ci|python|js))?|deps|dependencies|setup(?:[-_:]?(?:dev|ci|env|venv|test))?|bootstrap|init|dev-setup|dev-install|develop|sync|get-deps|devinstall|install_dev|venv|install[-_:](?:[\w-]+[-_])?(?:requirements|reqs|deps|dependencies))$/i,
  ],
  [
    'prepare',
    /^(?:generate|codegen|gen|prebuild|prepare|prisma:?generate|proto|protoc|stub|dev:prepare|(?:gen|codegen|generate)[:_-]\S+|sync:\S+)$/i,
  ],
];

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[:_.\-/]+/)
    .filter((w) => w !== '');

/** `static-test` tests a library that is linked statically, and is no static analysis. */
const OF_STATIC_LIBRARY = /^static[-_](?!check|anal|lint|code|types?)/i;
const findPurposeByName = (name: string): CommandPurpose | null => {
  const whole = PURPOSE_BY_WHOLE_NAME.find(([, pattern]) => pattern.test(name));
  if (whole) return whole[0];
  const all = wordsOf(name.replace(OF_STATIC_LIBRARY, ''));
  if (all[0] === 'install' || all[0] === 'uninstall') return null;
  if (all.length > 1 && /^(?:generate|codegen)$/.test(all[0] ?? '')) return 'prepare';
  if (all.length > 5 && !isWordFor('test', all[0])) return null;
  const hasWordFor = (purpose: Named): boolean => all.some((word) => isWordFor(purpose, word));
  const someOf = (set: ReadonlySet<string>): boolean => all.some((word) => set.has(word));
  if (isWordFor('build', all[0]) && all.length > 2 && !hasWordFor('test')) return 'build';
  if (hasWordFor('format')) return someOf(LOOKING) ? 'format' : null;
  const typeCheck = all.some(
    (w, i) => w === 'type' && [all[i + 1], all[i - 1]].some((by) => by?.startsWith('check') === true),
  );
  if (typeCheck || hasWordFor('types') || (all.length < 3 && all.includes('ts') && all.includes('check')))
    return 'types';
  if (hasWordFor('lint') || (all.includes('pre') && all.includes('commit'))) return 'lint';
  if (isWordFor('build', all[0]) || (all[0] === 'all' && all[1] === 'with')) return 'build';
  if (hasWordFor('test') || all.some((w) => /^py\d+$/.test(w))) return 'test';
  if (someOf(LINTED) && (all.includes('check') || all.includes('verify'))) return 'lint';
  return all.length === 2 && isWordFor('build', all[1]) ? 'build' : null;
};

const FIXES = /(?:^|\s)(?:--fix(?:=[^\s"']+)?|--write|-w|--apply|--in-place)(?=[\s"']|$)/;
const READ_ONLY_FLAG =
  /--(?:check|check-only|dry-run|diff|verify-no-changes|lint|test|quiet-check|check-formatted|set-exit-if-changed)\b| -(?:c|l|d)(?=\s|$)/;
/** These tools list and write in one: what is listed has been rewritten, and nothing fails. */
const WRITES_AND_LISTS = /^(?:gofmt|goimports|gofumpt|shfmt|gci)\b(?!.*--(?:check|diff)\b).* -w(?= |$)/;
export const rewritesFiles = (command: string): boolean =>
  WRITES_AND_LISTS.test(command) || isRewriting(command);
const isRewriting = (command: string): boolean =>
  (FIXES.test(command) || knownTasks().rewrites.test(command)) &&
  !READ_ONLY_FLAG.test(command) &&
  !/--no-fix|--fix-dry-run|--fix=false/.test(command);
const ANY_CHECK_NAME =
  /^(?:check|checks|verify|validate|ci|qa|quality|all|static|style|cs|pretty|format|fmt|prettier|ts|test:ts|check-all|check:all|ci:check|precommit|style:check|stan|code-style)$/i;
const MOST_CALLED = 40;
const CALLS =
  /\b(?:npm run(?:-script)?|pnpm(?: run)?|yarn(?: run)?|bun run|npm|run-s|run-p|npm-run-all|composer(?: run(?:-script)?)?|@)[ ]?((?:-\S+ )*)([\w:.-]+)/;

const kindOfBody = (text: string): CommandPurpose | null =>
  knownTasks().runs.find(({ pattern }) => pattern.test(text))?.purpose ?? null;

const SWALLOWED = /\|\|\s*(?:true|:|exit 0|echo\b[^|]*)[\s)}]*$/;
const ENDS_WELL = /;\s*(?:true|:|exit 0)\s*$/;
/** E19: a task that passes whatever its checks say proves nothing. */
const ignoresFailures = (text: string): boolean => {
  const line = text.trim();
  if (!line.includes('\n') && ENDS_WELL.test(line)) return true;
  const parts = line.split(/&&|;|\n/).map((part) => ({ part, kind: kindOfBody(part) }));
  const tests = parts.filter(({ kind }) => kind === 'test');
  const checks = tests.length > 0 ? tests : parts.filter(({ kind }) => kind !== null);
  // guard: E19-swallowed-failure
  return checks.length > 0 && checks.every(({ part }) => SWALLOWED.test(part));
};

export const isTaskOutOfScope = (name: string): boolean =>
  WRITES.test(name) || NOT_HERE.test(name.replace(/(?<=[:_.-])non[-_]\w+/gi, '')) || name.startsWith('_');

export const findTaskPurpose = (
  name: string,
  body: (name: string) => string | null,
  seen: Set<string> = new Set(),
): CommandPurpose | null => {
  const first = seen.size === 0;
  seen.add(name);
  const plain = name.replace(/^[@\w/-]*[#/]/, '').replace(/^\/+/, '');
  const does = body(plain);
  if (isTaskOutOfScope(plain) || valueNeededBy(does) !== null) return null;
  if (does !== null && (isListingOnly(does) || ignoresFailures(does))) return null;
  if (does !== null && /no test specified|^\s*(?:true|exit 0|echo\b[^&|;\n]*)\s*$/i.test(does)) return null;
  const byName = findPurposeByName(plain);
  const done = does === null ? null : ofBody(does, body, seen);
  // `check` and `verify` may be anything: their commands decide.
  if (ANY_CHECK_NAME.test(plain)) {
    // It compiles to see whether it can; `all` builds.
    if (done === 'build') return plain.toLowerCase() === 'all' ? 'build' : 'types';
    if (does !== null || !first) return done;
    return /^(?:check|checks|verify|qa|quality|style|cs|ts|stan|code-style)/i.test(plain) ? 'lint' : null;
  }
  if (byName === 'lint' && does !== null && does.split(/&&|\n|;/).some(rewritesFiles)) return null;
  if (byName === 'types' && done === 'build') return 'types';
  // A linter by its name alone may only look at the format.
  if (byName === 'lint' && done === 'format' && !/&&|;|\n./.test((does ?? '').trim())) return done;
  // `test-build` may only compile the tests.
  if (byName === 'test' && isWordFor('build', wordsOf(plain).at(-1)) && done !== 'test') return done;
  // `test:code` may only run a linter.
  if (byName === 'test' && (done === 'lint' || done === 'types' || done === 'format')) return done;
  return byName ?? done;
};

const ofBody = (
  text: string,
  body: (name: string) => string | null,
  seen: Set<string>,
): CommandPurpose | null => {
  if (seen.size > MOST_CALLED || text.length > 4_000) return null;
  const writes = FIXES.test(text);
  const direct = kindOfBody(text);
  if (direct === 'test') return 'test';
  const listed = [...text.matchAll(/["']([a-z][\w-]*:[\w:-]+)["']/g)].slice(0, 20).map((m) => m[1] ?? '');
  const targets = [...text.matchAll(/ --targets?[= ]([\w:,-]+)/g)].flatMap((m) => m[1]?.split(',') ?? []);
  const called = text
    .split(/&&|;/)
    .reverse()
    .flatMap((part) => CALLS.exec(part)?.[2] ?? []);
  for (const name of [...called.filter((n) => body(n) !== null), ...listed, ...targets.slice(0, 20)]) {
    if (seen.has(name)) continue;
    const purpose = findTaskPurpose(name, body, seen);
    if (purpose !== null && (direct === null || purpose === 'test')) return purpose;
  }
  if (direct === null || (writes && (direct === 'lint' || direct === 'format'))) return null;
  return direct;
};
