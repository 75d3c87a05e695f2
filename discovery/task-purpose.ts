/** Classifies a task by its name or by what it does. */
import { isListingOnly } from './listing-options.ts';
import type { CommandPurpose } from '#tools';

const NOT_HERE =
  /(?:^|[:_.-])(?:e2e|browsers?|playwright|cypress|selenium|visual|storybook|screenshots?|bench(?:marks?)?|perf|smoke|deploy|publish|release|docs?|site|website|docker|watch|dev|serve|start|ui|debug|upload|mutation|fuzz|canary|staging|production|ios|android|windows|macos|report|snapshot|licen[cs]es?|audit|changelog|version|clean|size|preview|prod|nightly|stress|speed|live|saucelabs|sauce|update|fix|write|autofix|bump|cloud|k8s|helm|release\S*|dist-tag|links?|spell\w*|typos|cspell|knip|attw|publint|commitlint|coverage-report|codecov|coveralls)(?:$|[:_.-])/i;
const WRITES = /(?:^|[:_.-])(?:fix|write)$/i;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const FORMAT = words(
  'format formatting formatter fmt prettier black pretty gofmt dprint spotless rustfmt shfmt oxfmt',
);
const LOOKING = words('check checks ci verify lint diff test validate');
const TYPE_CHECK_NAMES = words(
  'types typecheck typechecks typings typescript tsc mypy pyright basedpyright typing phpstan psalm stan dialyzer sorbet ty pyrefly tsd tscheck stubtest',
);
const LINT = words(
  'lint golint linter linters linting lints eslint standard biome oxlint ruff flake8 pylint clippy rubocop golangci checkstyle style codestyle precommit prek phpcs cs credo swiftlint vet stylelint detekt ktlint quality qa shellcheck yamllint protolint static lintcheck phpmd xo editorconfig forbid forbidden banned checksrc checkpatch perlcheck shcheck codecheck',
);
const LINTED = words(
  'copyright copyrights header headers boilerplate imports exports circular cycles dependencies deps unused dead manifests naming constraints duplicates sources spdx rules',
);
const TEST = words(
  'test tests gotest unit unittest unittests spec specs vitest jest mocha pytest phpunit pest rspec testall runtests runtest cibuild coverage cov ctest citest tap testsuite doctest doctests cucumber',
);
const BUILD = words('build compile bundle tsup rollup dist buildall');
const PURPOSE_BY_WHOLE_NAME: readonly (readonly [CommandPurpose, RegExp])[] = [
  ['types', /^(?:analy[sz]e|type)$/i],
  ['test', /^(?:py(?:3?|\d[\d.]*)|\d+(?:\.\d+)+t?)$/i],
  ['format', /^(?:fmtcheck|formatcheck|checkformat|isformatted|is-formatted)$/i],
  [
    'install',
    /^(?:install(?:[-_:]?(?:dev|deps|dependencies|test|all|ci|python|js))?|deps|dependencies|setup(?:[-_:]?(?:dev|ci|env|venv|test))?|bootstrap|init|dev-setup|dev-install|develop|sync|get-deps|devinstall|install_dev|venv)$/i,
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

const named = (name: string): CommandPurpose | null => {
  const whole = PURPOSE_BY_WHOLE_NAME.find(([, pattern]) => pattern.test(name));
  if (whole) return whole[0];
  const all = wordsOf(name);
  if (all.length > 5 && !TEST.has(all[0] ?? '')) return null;
  const some = (set: ReadonlySet<string>): boolean => all.some((w) => set.has(w));
  if (BUILD.has(all[0] ?? '') && all.length > 2 && !some(TEST)) return 'build';
  if (some(FORMAT)) return some(LOOKING) ? 'format' : null;
  const typeCheck = all.some(
    (w, i) => w === 'type' && [all[i + 1], all[i - 1]].some((by) => by?.startsWith('check') === true),
  );
  if (typeCheck || some(TYPE_CHECK_NAMES) || (all.length < 3 && all.includes('ts') && all.includes('check')))
    return 'types';
  if (some(LINT) || (all.includes('pre') && all.includes('commit'))) return 'lint';
  if (BUILD.has(all[0] ?? '') || (all[0] === 'all' && all[1] === 'with')) return 'build';
  if (some(TEST) || all.some((w) => /^py\d+$/.test(w))) return 'test';
  if (some(LINTED) && (all.includes('check') || all.includes('verify'))) return 'lint';
  return all.length === 2 && BUILD.has(all[1] ?? '') ? 'build' : null;
};

const BODIES: readonly (readonly [CommandPurpose, RegExp])[] = [
  [
    'test',
    /(?<![\w-])(?:jest|vitest|mocha|ava|pytest|phpunit|pest|rspec|cargo (?:test|nextest)|go test|node --test|tape?|uvu|unittest|mix test|dotnet test|ctest|bun test|deno test|tox|nox|gotestsum|jasmine|karma|vp test|react-scripts test|japa|poku)\b/,
  ],
  [
    'lint',
    /(?<![\w-])(?:eslint|oxlint|biome (?:check|lint|ci)|ruff check|flake8|pylint|rubocop|golangci-lint|clippy|stylelint|standard|xo|phpcs|tslint|pre-commit|vp check|vp lint|deno lint)\b/,
  ],
  [
    'types',
    /(?<![\w-])(?:tsc\b.*--noEmit|vue-tsc|svelte-check|mypy|pyright|phpstan|psalm|tsgo|tsc --noEmit|ty check|deno check)\b/,
  ],
  [
    'format',
    /(?<![\w-])(?:prettier\b.*(?:--check|-c\b|-l\b|--list-different)|ruff format --check|black --check|dprint check|biome format|cargo fmt\b.*--check|gofmt -l|oxfmt --check|rustfmt\b.*--check|php-cs-fixer\b.*(?:--dry-run|\bcheck)|(?:fourmolu|ormolu) (?:--mode[= ]check|-m check)|shfmt\b.* -d|clang-format\b.*(?:--dry-run|-Werror)|pint --test|deno fmt --check)\b/,
  ],
  [
    'build',
    /(?<![\w-])(?:tsc|vite build|rollup|webpack|tsup|esbuild|next build|tsdown|unbuild|parcel build|bunchee)\b/,
  ],
];

const FIXES = /(?:^|\s)(?:--fix(?:=[^\s"']+)?|--write|-w|--apply|--in-place)(?=[\s"']|$)/;
const REWRITES =
  /(?:^|[\s/])(?:php-cs-fixer(?:\.phar)? fix|phpcbf|black|ruff format|cargo fmt|rustfmt|go fmt|gofumpt|isort|yapf|mix format|dotnet format|swiftformat|deno fmt|autopep8|golangci-lint fmt|dprint fmt|pint|rector process)(?=[\s"',\]]|$)/;
const READ_ONLY_FLAG =
  /--(?:check|check-only|dry-run|diff|verify-no-changes|lint|test|quiet-check|check-formatted|set-exit-if-changed)\b| -(?:c|l|d)(?=\s|$)/;
export const rewritesFiles = (command: string): boolean =>
  (FIXES.test(command) || REWRITES.test(command)) &&
  !READ_ONLY_FLAG.test(command) &&
  !/--no-fix|--fix-dry-run|--fix=false/.test(command);
const ANY_CHECK_NAME =
  /^(?:check|checks|verify|validate|ci|qa|quality|all|static|style|cs|pretty|format|fmt|prettier|ts|test:ts|check-all|check:all|ci:check|precommit|style:check|stan|code-style)$/i;
const MOST_CALLED = 40;
const CALLS =
  /\b(?:npm run(?:-script)?|pnpm(?: run)?|yarn(?: run)?|bun run|npm|run-s|run-p|npm-run-all|composer(?: run(?:-script)?)?|@)[ ]?((?:-\S+ )*)([\w:.-]+)/;

const kindOfBody = (text: string): CommandPurpose | null =>
  BODIES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

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

export const isOutOfScope = (name: string): boolean =>
  WRITES.test(name) || NOT_HERE.test(name.replace(/(?<=[:_.-])non[-_]\w+/gi, '')) || name.startsWith('_');

export const kindOfName = (
  name: string,
  body: (name: string) => string | null,
  seen: Set<string> = new Set(),
): CommandPurpose | null => {
  const first = seen.size === 0;
  seen.add(name);
  const plain = name.replace(/^[@\w/-]*[#/]/, '').replace(/^\/+/, '');
  const does = body(plain);
  if (isOutOfScope(plain)) return null;
  if (does !== null && (isListingOnly(does) || ignoresFailures(does))) return null;
  if (does !== null && /no test specified|^\s*(?:true|exit 0|echo\b[^&|;\n]*)\s*$/i.test(does)) return null;
  const byName = named(plain);
  const done = does === null ? null : ofBody(does, body, seen);
  // `check` and `verify` may be anything: their commands decide.
  if (ANY_CHECK_NAME.test(plain)) {
    // It compiles to see whether it can.
    if (done === 'build') return 'types';
    if (does !== null || !first) return done;
    return /^(?:check|checks|verify|qa|quality|style|cs|ts|stan|code-style)/i.test(plain) ? 'lint' : null;
  }
  if (byName === 'lint' && does !== null && does.split(/&&|\n|;/).some(rewritesFiles)) return null;
  if (byName === 'types' && done === 'build') return 'types';
  // A linter by its name alone may only look at the format.
  if (byName === 'lint' && done === 'format' && !/&&|;|\n./.test((does ?? '').trim())) return done;
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
  const called = text
    .split(/&&|;/)
    .reverse()
    .flatMap((part) => CALLS.exec(part)?.[2] ?? []);
  for (const name of [...called.filter((n) => body(n) !== null), ...listed]) {
    if (seen.has(name)) continue;
    const purpose = kindOfName(name, body, seen);
    if (purpose !== null && (direct === null || purpose === 'test')) return purpose;
  }
  if (direct === null || (writes && (direct === 'lint' || direct === 'format'))) return null;
  return direct;
};
