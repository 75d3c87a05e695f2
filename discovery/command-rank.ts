/** Rates how unusual a command is for a contributor: 0 is plain. The same for every source. */
import type { FoundCommand } from './probe-types.ts';
import { commandWords, createRowTable, type CommandPurpose } from '#tools';
import type { RecognisedProgram } from './recognise-program.ts';
import { unwrapCommand } from './unwrap-command.ts';

export const HALF_PROOF_RANK = 10;

const PARTIAL =
  /--(?:target|manifest-path|package|exclude|projects?|testsuite|shard|test-threads|resolution|prefer-lowest|ignore-platform|bench|examples?|doc|filter|ignored|bin|sanitizer|splits?)\b|(?<!--no-)coverage(?! run\b)|--cov|(?<!-no)-cover|junit|lowest|--json|--ci\b|playwright|e2e|integration|browser|storybook|smoke|stress|bench|\+nightly|\+beta|-Z|wasm|--shard|\bcodecov\b|lcov|hack|:cov|fuzz|matrix|--\S*sarif|--reporter|report-?file|--output-file|--format[= ]github|--log-junit|make -C (?!(?:\.\/)?(?:tests?|testing|testsuite)\b)|--logger|--configuration[= ]\S*\/|antithesis/i;

const EXCLUDES = / --(?:extend-)?(?:exclude|ignore)(?:-dir)?[= ]\S+/g;
/** Leaves a few tests out, and picks a few. */
const LEAVES_OUT = / --exclude[-_](?:groups?|tags?|categor(?:y|ies)|patterns?)[= ]\S+/g;
const PICKS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/\b(?:phpunit|paratest|pest)\b/, / --group[= ]/],
  [/^(?:rspec|busted)\b/, / (?:--tags?|-t)[= ](?!["']?~)/],
];
/** `testNpm` is a part of `test`; `testDebugUnitTest` are all tests of one build. */
const GRADLE_PART = /^gradlew?\b.* (?::[\w-]+:\S|test(?!\w*UnitTests?\b|Classes\b)[A-Z])/;
const OF_ALL = / --target[= ](?:run[-_]?)?(?:all[-_]?)?tests?\b| --project(?:=@?\.)?(?= -| *$)/gi;
const FEATURES = /--(?:no-default-features|features|release)\b/;

const PARTIAL_CHECK =
  /\s(?:-k |-m (?!["']?not\b)|(?:\.\/)?[\w.-]+\/[\w*-]+(?:\/[\w.*-]+)*(?:\.\w+)?(?:\/\.\.\.)?(?=\s|$))/;
const runsPart = createRowTable(() => new RegExp(String.raw`^${commandWords().takesParts}\b`));

const OF_FILE = /\s[\w./-]+\.(?:php|py|[cm]?[jt]sx?|rb)(?=\s|$)/;

const SECOND: Readonly<Partial<Record<CommandPurpose, RegExp>>> = {
  test: /\btests?[-:_](?!units?|ci\b|pr\b|run\b|all\b|node\b|bun\b|deno\b)\w/,
  lint: /\blint[-:_](?!check|ci\b|all\b|code\b)\w/,
  build: /\bbuild[-:_](?!all\b|ci\b)\w/,
};
const isOrdinary = createRowTable(
  () =>
    new RegExp(
      String.raw`^(?:(?:run|ci|go|py|js|ts|all|unit)[:_-])?(?:tests?|units?|check|spec|default|ci|${commandWords().ordinaryTasks.join('|')})(?:[:_.-](?:units?|ci|pr|run|all|node|bun|deno|once|default|prod|tests?))*$`,
      'i',
    ),
);
/** `3.14-unit` and `py313-unit` are tox's names for the same tests with one version. */
const OF_VERSION = /^(?:py(?:py|thon)?)?\d[\d.]*[-_]/;
const ELSEWHERE = /\b(?:docker|containers?|vagrant|vms?|qemu|k8s)\b/i;
const TEST_SCRIPT = /(?:^|\/)(?:run[-_])?(?:tests?|doctests?|cucumber|specs?|check|ci|cibuild)(?:\.\w+)?$/;

/** The newest stable Python counts where environments differ in nothing else. */
const pythonAge = (command: string): number => {
  const [, minor, threads = ''] = /(?:^|[\s,-])(?:py)?3\.?(\d{1,2})(t?)(?=[\s,-]|$)/.exec(command) ?? [];
  return minor === undefined ? 0 : Math.max(0, 50 - Number(minor)) / 1_000 + (threads === '' ? 0 : 0.1);
};

type Asked = { kind: FoundCommand['kind']; command: string } & Pick<RecognisedProgram, 'program' | 'script'>;

export const commandRank = ({ kind, command, program, script }: Asked): number => {
  const bare = unwrapCommand(command).replace(OF_ALL, '');
  const all = bare.replace(LEAVES_OUT, '');
  const rest = kind === 'test' || kind === 'build' ? all : bare.replace(EXCLUDES, '');
  const partial =
    PARTIAL.test(rest) ||
    PICKS.some(([runs, option]) => runs.test(rest) && option.test(rest)) ||
    (script === undefined && /(?<!\bdune build) -[pF]\s/.test(command));
  const test = kind === 'test';
  return (
    (partial ? HALF_PROOF_RANK : 0) +
    (FEATURES.test(command) ? 4 : 0) +
    (test && runsPart().test(bare) && PARTIAL_CHECK.test(bare)
      ? OF_FILE.test(bare)
        ? HALF_PROOF_RANK
        : 6
      : 0) +
    (SECOND[kind]?.test(bare) || (test && GRADLE_PART.test(bare.replace(/^\S*\//, ''))) ? 3 : 0) +
    (all === bare ? 0 : 1) +
    (/https?:/.test(command) ? 30 : 0) +
    (test && script !== undefined && !isOrdinary().test(script.replace(OF_VERSION, '')) ? 3 : 0) +
    (test && program.includes('/') && (!TEST_SCRIPT.test(program) || ELSEWHERE.test(program))
      ? HALF_PROOF_RANK
      : 0) +
    (/^(?:tox|nox)$/.test(program) ? pythonAge(bare) : 0) +
    Math.min(9, Math.floor(command.length / 25)) / 10
  );
};
