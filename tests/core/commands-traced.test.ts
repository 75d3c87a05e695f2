/**
 * P6: what is said of a command against what two shells really made of it. The recording is made by
 * `tests/support/trace-commands.ts`, which runs every command under strace.
 */
import { describe, expect, it } from 'vitest';
import { visibleCommand } from '../../text-safety/lookalikes.ts';
import { isSameCommandGroup, commandGroupOf } from '../../governor/command-group.ts';
import { classifyCommand } from '../../governor/classify-command.ts';
import { HOSTILE, ORDINARY } from '../support/command-corpus.ts';
import { readTraces, type Trace } from '../support/trace-commands.ts';

const traces = new Map(readTraces().map((one) => [one.command, one]));
const traceOf = (command: string): Trace => {
  const trace = traces.get(command);
  if (!trace) throw new Error(`not recorded: ${command}; run tests/support/trace-commands.ts`);
  return trace;
};

/** Nobody is asked about it. */
const isHarmless = (command: string): boolean => classifyCommand(command).every(({ id }) => id === 'known');

/** Programs of the system that only read, and those that only start another one. */
const READS =
  'ls cat head tail wc grep egrep fgrep rg ag fd find sort uniq cut tr diff cmp tree which file date jq nl realpath stat basename dirname test [ printf echo true false pwd git env time nice timeout stdbuf xargs bash sh dash expr';
/** Programs that run a check of the repository, with what they need; `id` is asked by a login shell. */
const CHECKS =
  'make npm node python3 pytest cargo rustfmt go gofmt tsc eslint prettier vitest jest mocha mypy flake8 black ruff own-check lib:cargo lib:rustc lib:rustfmt lib:compile lib:link lib:asm lib:vet lib:go lib:rustup go-build:test uname id';
const MAKES = 'mkdir touch';
const MAY_RUN = new Set(`${READS} ${CHECKS} ${MAKES}`.split(' '));

/** What git itself notes of the state of files, which is no part of a repository's content. */
const BOOKKEEPING = /^\.\/\.git\/index(?:\.lock)?$|^\.\/(?:target|Cargo\.lock)(?:\/|$)/;
/** Files that the command names where it says what to write. */
const named = (command: string, file: string): boolean => {
  const writes = /[>]|\b(?:mkdir|touch)\b/.test(command);
  return writes && command.includes(file.replace(/^\.\//, ''));
};

/** What a command did besides reading, checking, and writing where it says so in the workspace. */
const beyond = ({ command, executed, written, network }: Trace): string[] => [
  ...executed.filter((program) => !MAY_RUN.has(program)),
  ...written.filter((file) => !BOOKKEEPING.test(file) && !named(command, file)).map((file) => `> ${file}`),
  ...(network ? ['network'] : []),
];

describe('a command that nobody is asked about', () => {
  it('P6: was run and traced, as every command of the corpus', () => {
    const all = [...ORDINARY, ...HOSTILE];
    expect(all.length).toBeGreaterThan(400);
    expect(all.filter((command) => !traces.has(command))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('P6: executes nothing but programs of the system and checks, writes only what it names, and reaches nobody', () => {
    const wrong = [...ORDINARY, ...HOSTILE]
      .filter(isHarmless)
      .map((command) => [command, beyond(traceOf(command))] as const)
      .filter(([, found]) => found.length > 0);
    expect(wrong).toEqual([]);
  });

  it('P6: a corpus without commands that do more would prove nothing', () => {
    const hostile = HOSTILE.filter((command) => beyond(traceOf(command)).length > 0);
    expect(hostile.length).toBeGreaterThan(300);
  });

  it.each(ORDINARY)('P6: %s is what agents ordinarily run', (command) => {
    expect(isHarmless(command)).toBe(true);
  });
});

describe('a sort of commands that is allowed for a run', () => {
  it('P6: covers nothing that executes more than the command it was given for', () => {
    const shown = HOSTILE.map((command) => ({ command, sort: commandGroupOf(command, []) })).filter(
      ({ sort }) => sort,
    );
    const wider = shown.flatMap(({ command, sort }) =>
      shown
        .filter(
          (other) => other.command !== command && sort && other.sort && isSameCommandGroup(sort, other.sort),
        )
        .filter((other) => {
          const before = new Set(traceOf(command).executed);
          return traceOf(other.command).executed.some((program) => !before.has(program));
        })
        .map((other) => [command, other.command]),
    );
    expect(wider).toEqual([]);
  });

  it.each([
    ['gem install a', 'gem install a --config-file ./evil'],
    ['gem install a', 'gem install -P ./evil a'],
    ['gem install -f a', 'gem install -f b'],
    ['git fetch origin', 'git fetch --upload-pack=./evil origin'],
    ['git fetch origin', 'git fetch ext::./evil'],
    ['git tag a', "git tag '-a'"],
    ['docker build .', "docker build ';id'"],
  ])('P6: one for “%s” covers no “%s”', (given, other) => {
    const [a, b] = [commandGroupOf(given, []), commandGroupOf(other, [])];
    expect(a).not.toBeNull();
    expect(a && b && isSameCommandGroup(a, b)).not.toBe(true);
  });

  it.each([
    'docker run a',
    'npm exec a',
    'git bisect run a',
    'kubectl exec a',
    'git config a b',
    'git commit *',
  ])('P6: “%s” is of no sort', (command) => {
    expect(commandGroupOf(command, [])).toBeNull();
  });
});

describe('what a command is not what it looks like by', () => {
  const ODD: [command: string, shown: string, codes: string[]][] = [
    ['echo ok\u00a0#; touch X', 'echo ok\\u{a0}#; touch X', ['U+00A0']],
    ['echo ok\u3000#; touch X', 'echo ok\\u{3000}#; touch X', ['U+3000']],
    ['echo ok\u2003#; touch X', 'echo ok\\u{2003}#; touch X', ['U+2003']],
    ['ls\r\n', 'ls\\u{d}\n', ['U+000D']],
    ['ls\u000b-l', 'ls\\u{b}-l', ['U+000B']],
    ['ls\u200b', 'ls\\u{200b}', ['U+200B']],
    ['l\u0455', 'l\\u{455}', ['U+0455']],
    ['\u0441at a', '\\u{441}at a', ['U+0441']],
    ['ls\u037e id', 'ls\\u{37e} id', ['U+037E']],
    ['ls \u2013l', 'ls \\u{2013}l', ['U+2013']],
  ];
  it.each(ODD)('P6: %j is asked about, shown as %j', (command, shown, characters) => {
    const reasons = classifyCommand(command).map(({ reason }) => reason);
    expect(reasons).toContainEqual({ kind: 'command_characters', characters, more: 0 });
    expect(visibleCommand(command)).toBe(shown);
  });

  it.each([
    "grep -rn '\u0431\u043b\u043e\u043a' src",
    'echo \u65e5\u672c\u8a9e',
    'cat "\u00fcber.md"',
    'echo \u{1f469}\u200d\u{1f4bb}',
  ])('P6: %s is what it looks like', (command) => {
    expect(isHarmless(command)).toBe(true);
    expect(visibleCommand(command)).toBe(command);
  });

  it.each(['\u00a0', '$(', "'a' ", 'A=1 ', '-x ', '\\\n', '{a,', '&>a ', '*', 'sh -c '])(
    'P6: is read in time that grows with its length: %j',
    (part) => {
      const command = part.repeat(Math.ceil(1_000_000 / part.length));
      expect(classifyCommand(command)).toHaveLength(1);
      expect(commandGroupOf(command, [])).toBeNull();
    },
  );
});
