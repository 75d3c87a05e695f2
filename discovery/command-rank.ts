/**
 * How far a command is from what everybody runs who changes the code: the lower, the plainer. It is
 * the same for a line of a workflow, a task of a manifest and a command of a guide.
 */
import type { FoundCommand } from './probe-types.ts';
import type { ProgramPurpose } from './program-rows.ts';
import type { RecognisedProgram } from './recognise-program.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** From here on it proves only half of what it is for. */
export const HALF_PROOF_RANK = 10;

/** Options that make of a check something else than what everybody runs. */
const PARTIAL =
  /--(?:target|manifest-path|package|exclude|projects?|testsuite|shard|test-threads|resolution|prefer-lowest|ignore-platform|bench|examples?|doc|filter|ignored|bin|sanitizer|splits?)\b|(?<!--no-)coverage|--cov|(?<!-no)-cover|junit|lowest|--json|--ci\b|playwright|e2e|integration|browser|storybook|smoke|stress|bench|\+nightly|\+beta|-Z|wasm|--shard|\bcodecov\b|lcov|hack|:cov|fuzz|matrix|--\S*sarif|--reporter|report-?file|--output-file|--format[= ]github|--log-junit|make -C|--logger|antithesis/i;

/** Part of what can be built, and yet what its authors run. */
const FEATURES = /--(?:no-default-features|features|release)\b/;

/** Tests of one folder, or those of one mark. */
const OF_PART =
  /^(?:pytest|phpunit|\S*bin\/phpunit|vitest|jest|mocha|rspec|trial|node --test|go test)\b.*\s(?:-k |-m (?!["']?not\b)|(?:\.\/)?[\w.-]+\/[\w*-]+(?:\/[\w.*-]+)*(?:\.\w+)?(?:\/\.\.\.)?(?=\s|$))/;

/** One file of them. */
const OF_FILE = /\s[\w./-]+\.(?:php|py|[cm]?[jt]sx?|rb)(?=\s|$)/;

/** Not the first thing that is meant by it. */
const SECOND: Readonly<Partial<Record<ProgramPurpose, RegExp>>> = {
  test: /\btests?[-:_](?!units?|ci\b|run\b|all\b|node\b)\w/,
  lint: /\blint[-:_](?!check|ci\b|all\b|code\b)\w/,
  build: /\bbuild[-:_](?!all\b|ci\b)\w/,
};
/** Tasks that run the tests of everybody's machine. */
const ORDINARY =
  /^(?:(?:run|ci|go|py|all|unit)[:_-])?(?:tests?|units?|check|jest|vitest|pytest|spec|mocha|default|ci)(?:[:_.-](?:units?|ci|run|all|node|once|run|default|prod|tests?))*$/i;
/** What it tests is run in a machine of its own. */
const ELSEWHERE = /\b(?:docker|containers?|vagrant|vms?|qemu|k8s)\b/i;
const TEST_SCRIPT = /(?:^|\/)(?:run[-_])?(?:tests?|check|ci|cibuild)(?:\.\w+)?$/;

type Asked = { kind: FoundCommand['kind']; command: string } & Pick<RecognisedProgram, 'program' | 'script'>;

export const commandRank = ({ kind, command, program, script }: Asked): number => {
  const bare = unwrapCommand(command);
  const partial = PARTIAL.test(bare) || (script === undefined && /\s-[pF]\s/.test(command));
  const test = kind === 'test';
  return (
    (partial ? HALF_PROOF_RANK : 0) +
    (FEATURES.test(command) ? 4 : 0) +
    (test && OF_PART.test(bare) ? (OF_FILE.test(bare) ? HALF_PROOF_RANK : 6) : 0) +
    (SECOND[kind]?.test(command) ? 3 : 0) +
    (/https?:/.test(command) ? 30 : 0) +
    (test && script !== undefined && !ORDINARY.test(script) ? 3 : 0) +
    // A script of the repository beside the tests of its language.
    (test && program.includes('/') && (!TEST_SCRIPT.test(program) || ELSEWHERE.test(program))
      ? HALF_PROOF_RANK
      : 0) +
    Math.min(9, Math.floor(command.length / 25)) / 10
  );
};
