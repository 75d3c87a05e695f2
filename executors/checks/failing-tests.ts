/** E15: names the failures of a red check, to tell old ones from new ones. */
import { createHash } from 'node:crypto';
import { plainLines } from '../process/plain-text.ts';
import { MB } from '../../orchestrator/model/units.ts';

/** A longer list is stored as its digest, which still shows whether it changed. */
const MAX_FAILING_NAMES = 400;
const MAX_FAILING_NAME_LENGTH = 300;
const MAX_SEARCHED_LENGTH = 2 * MB;

type Row = {
  name: string;
  sees: readonly RegExp[];
  names: readonly RegExp[];
};

/** Durations and memory addresses differ between runs. */
const TIMES =
  / ?[([]?(?:<)?\d+(?:[.,]\d+)? ?(?:ms|s|m|sec|seconds|µs|us|ns)(?: \d+(?:\.\d+)?s)?[)\]]?$|0x[0-9a-f]{6,}/gi;
const tidy = (name: string): string => name.replaceAll(TIMES, '').replaceAll(/\s+/g, ' ').trim();

const FAILING_TEST_RUNNERS: readonly Row[] = [
  {
    name: 'pytest',
    sees: [/^=+ short test summary info =+$/m, /^=+ (?:FAILURES|ERRORS) =+$/m],
    names: [/^(?:FAILED|ERROR) (\S+?\.py(?:::[^\n]{1,300}?)?)(?: - .*)?$/gm],
  },
  {
    name: 'unittest',
    sees: [/^Ran \d+ tests? in /m],
    names: [/^(?:FAIL|ERROR): (\S+ \([^)\n]{1,300}\)[^\n]{0,200})$/gm],
  },
  {
    name: 'vitest',
    sees: [/^[ \t]*(?:Test Files|Tests) {2}\d/m, /^[ \t]*FAIL {2}\S/m],
    names: [/^[ \t]*FAIL {2}(\S[^\n]{0,300})$/gm, /^[ \t]*[×✗] (\S[^\n]{0,300} > [^\n]{1,300})$/gm],
  },
  {
    name: 'jest',
    sees: [/^Test Suites: /m],
    names: [
      /^ {2}● (?!Console$)(?!.*Console$)(\S[^\n]{0,300})$/gm,
      /^FAIL (\S[^\n]{0,300}?)(?: \([\d.]+ ?m?s\))?$/gm,
    ],
  },
  {
    name: 'node:test',
    sees: [/^[ℹ#] (?:tests|suites|pass|fail) \d/m],
    names: [/^[ \t]*✖ (?!failing tests:)(\S[^\n]{0,300}?)(?: \(\d[\d.]*ms\))$/gm],
  },
  {
    name: 'TAP',
    sees: [/^TAP version |^1\.\.\d/m],
    names: [
      /^[ \t]*not ok \d* ?-? ?(?!.{0,999}# (?:todo|skip|TODO|SKIP)\b)(\S[^\n]{0,300}?)(?: # time=.*)?$/gm,
    ],
  },
  { name: 'go test', sees: [/^(?:FAIL|ok)[ \t]+\S/m, /^--- FAIL: /m], names: [] },
  {
    name: 'cargo nextest',
    sees: [/^ *(?:Summary|Nextest run)/m],
    names: [
      /^ +(?:FAIL|TIMEOUT|SIGABRT|SIGSEGV) \[[^\]\n]{1,30}\] (?:\([^)\n]{1,20}\) )?(\S[^\n]{0,300})$/gm,
    ],
  },
  { name: 'cargo test', sees: [/^test result: /m], names: [] },
  {
    name: 'surefire',
    sees: [/Tests run: \d+/],
    names: [
      /^\[ERROR\] (?!Tests run)([\w.$]+[.#]?[\w$[\](), ]*?)(?: -- )?Time elapsed: [^\n]{1,60}<<< (?:FAILURE|ERROR)!/gm,
      /^(\w[\w$]*\([\w.$]+\)) +Time elapsed: [^\n]{1,60}<<< (?:FAILURE|ERROR)!/gm,
    ],
  },
  {
    name: 'gradle',
    sees: [/^> Task :/m, /^BUILD FAILED/m],
    names: [/^(\S[^\n]{0,200} > [^\n]{1,200}) FAILED$/gm],
  },
  {
    name: 'rspec',
    sees: [/^\d+ examples?, \d+ failures?/m],
    names: [/^rspec (\.\/[^\n]{1,300}?)(?::\d+)?(?: #( [^\n]{1,300}))?$/gm],
  },
  {
    name: 'minitest',
    sees: [/^\d+ (?:runs|tests), \d+ assertions/m],
    names: [
      /^ *(?:Failure|Error):?\n([\w:]+#[^\n[:]{1,200})/gm,
      /^[ \t]*\d+\) (?:Failure|Error):\n([^\n[]{1,300}?)(?: \[.*)?:?$/gm,
    ],
  },
  {
    name: 'phpunit',
    sees: [/^PHPUnit \d|^Tests: \d+, Assertions: /m],
    names: [/^\d+\) ([\w\\]+::\S[^\n]{0,200})$/gm],
  },
  {
    name: 'mix test',
    sees: [/^\d+ (?:tests?|doctests?)[^\n]*, \d+ failures?/m],
    names: [/^ +\d+\) ((?:test|doctest|property) [^\n]{1,300})$/gm],
  },
  {
    name: 'mocha',
    sees: [/^ +\d+ passing \(/m, /^ +\d+ failing$/m],
    names: [/^ {2}\d+\) (\S[^\n]{0,200}(?:\n {3,}[^ \n][^\n]{0,199}){0,6}?):$/gm],
  },
  {
    name: 'dotnet test',
    sees: [/^(?:Failed!|Passed!) {2}- /m, /Total tests: \d/],
    names: [/^ {2}Failed (\S[^\n]{0,300}?) \[[^\]\n]{1,20}\]$/gm],
  },
  {
    name: 'googletest, and ctest',
    sees: [/^\[ {2}FAILED {2}\] /m, /^The following tests FAILED:/m],
    names: [
      /^\[ {2}FAILED {2}\] ([\w/]+\.[\w/]+)/gm,
      /^[ \t]+\d+ - (\S[^\n]{0,200}?) \((?:Failed|Timeout|SEGFAULT|Not Run|Subprocess)[^)\n]{0,60}\)/gm,
    ],
  },
  {
    name: 'bun test, and deno test',
    sees: [/^bun test v/m, /^(?:FAILED|ok) \| \d+ passed/m],
    names: [/^(?:\(fail\)|✗) (\S[^\n]{0,300})$/gm, /^(\S[^\n]{0,300}) => \.\/[^\n]{1,200}$/gm],
  },
  {
    name: 'swift test',
    sees: [/Executed \d+ tests?|Test run with \d+ tests?/],
    names: [
      /^Test Case '(-?\[?[^'\n]{1,300})' failed/gm,
      /^✘ Test (?!run with)([^\n]{1,200}) failed after/gm,
    ],
  },
  {
    name: 'JUnit XML',
    sees: [/<testsuite[ s>]/],
    names: [
      /<testcase (?=[^>]{0,600}\bname="([^"]{1,300})")(?=[^>]{0,600}\bclassname="([^"]{0,300})")?[^>]{0,800}[^/]>\s*<(?:failure|error)\b/g,
    ],
  },
];

/** Line and column are left out, because every edit moves them. */
const COMPLAINT_PATTERNS: readonly RegExp[] = [
  /^((?:error|warning)(?:\[\w+\])?: [^\n]{1,300})\n *--> ([^\s:]{1,300}):\d+:\d+$/gm,
  /^\[(?:warn|error)\] (\S{1,300}\.\w{1,10})$/gm,
  /^(would reformat|Would reformat:) (\S{1,300})$/gm,
  /^Diff in (\S{1,300}?)(?: at line|:)\d*/gm,
  /^([^\s:()]{1,300})\(\d+,\d+\): ((?:error|warning) [^\n]{1,300})$/gm,
  /^(?:\[ERROR\] |vet: )?([^\s:()]{1,300}\.\w{1,10}):\[?\d+(?:[:,]\d+)?\]?:? (?:- )?(\S[^\n]{0,300})$/gm,
];

const underHeadings = (text: string): string[] => {
  if (!/^✖ \d+ problems?/m.test(text)) return [];
  let file = '';
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const said = /^ +\d+:\d+ +(error +\S.*)$/.exec(line);
    if (said) found.push(`${file}: ${said[1]}`);
    else if (/^\S.*\.\w+$/.test(line)) file = line;
  }
  return found;
};

const ofGo = (text: string): string[] => {
  const found: string[] = [];
  let waiting: string[] = [];
  for (const line of text.split('\n')) {
    const test = /^[ \t]*--- FAIL: (\S+)/.exec(line)?.[1];
    if (test !== undefined) waiting.push(test);
    const ended = /^(FAIL|ok)[ \t]+(\S+)(?:[ \t]+(\[[^\]]+\]))?/.exec(line);
    if (!ended) continue;
    const [, verdict, pkg, how] = ended;
    if (verdict === 'FAIL')
      found.push(
        ...(waiting.length > 0 ? waiting.map((t) => `${pkg} ${t}`) : [`${pkg} ${how ?? ''}`.trim()]),
      );
    waiting = [];
  }
  return [...found, ...waiting];
};

const ofCargo = (text: string): string[] => {
  const found: string[] = [];
  let target = '';
  for (const line of text.split('\n')) {
    target = /^ +(?:Running|Doc-tests) (.+?)(?: \(.*\))?$/.exec(line)?.[1] ?? target;
    const test = /^test (.+?)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1];
    if (test !== undefined) found.push(target === '' ? test : `${target} ${test}`);
  }
  return found;
};

const BY_LINES: Readonly<Record<string, (text: string) => string[]>> = {
  'go test': ofGo,
  'cargo test': ofCargo,
};

const matches = (text: string, patterns: readonly RegExp[]): string[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, ...groups]) => groups.filter((g) => g !== undefined).join(' ')),
  );

const counted = (names: readonly string[]): string[] => {
  const times = new Map<string, number>();
  return names.map((name) => {
    const n = (times.get(name) ?? 0) + 1;
    times.set(name, n);
    return n === 1 ? name : `${name} (${n})`;
  });
};

/** Failures outside of tests: low coverage, uncaught errors, stopped recipes. */
const ENDINGS =
  /^(?:\w+ )?(?:error|fatal|panic|fail(?:ed|ure)?|Jest|Vitest caught)\b:? (?!-{3})\S.{0,200}$/gim;
const endings = (text: string, named: readonly string[]): string[] =>
  [...text.matchAll(ENDINGS)]
    .map(([line]) => tidy(line))
    .filter((line) => !named.some((name) => line.includes(name)))
    .map((line) => line.replaceAll(/\b[0-9a-f]{7,}\b|\d+(?:\.\d+)?/gi, '#'));

export const failingIn = (output: { stdout: string; stderr: string }): string[] | null => {
  if (output.stdout.length + output.stderr.length > MAX_SEARCHED_LENGTH) return null;
  const text = plainLines(`${output.stdout}\n${output.stderr}`).join('\n');
  const tests = FAILING_TEST_RUNNERS.filter(({ sees }) => sees.some((words) => words.test(text))).flatMap(
    ({ name, names }) => [...matches(text, names), ...(BY_LINES[name]?.(text) ?? [])],
  );
  const named = [...new Set(tests.map(tidy))];
  const said =
    named.length > 0
      ? named
      : counted([...matches(text, COMPLAINT_PATTERNS), ...underHeadings(text)].map(tidy));
  if (said.length === 0) return null;
  const found = [
    ...new Set([...said, ...endings(text, said)].map((name) => name.slice(0, MAX_FAILING_NAME_LENGTH))),
  ].sort();
  // guard: E15-long-list-is-one-name
  return found.length <= MAX_FAILING_NAMES
    ? found
    : [`${found.length} · ${createHash('sha256').update(found.join('\n')).digest('hex')}`];
};
