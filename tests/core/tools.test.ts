/** The rows of tools: what each of them claims holds for its examples. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cannotFail, isListingOnly } from '../../discovery/listing-options.ts';
import { classifyTestRun } from '../../executors/checks/classify-test-run.ts';
import { findFileLinters } from '../../discovery/file-linters.ts';
import { readComplaints } from '../../discovery/lint-complaints.ts';
import { findFirstFailure } from '../../executors/checks/distill/find-failure.ts';
import { classifyCommandFailure } from '../../executors/checks/classify-command-failure.ts';
import { formatsInPlace, lintsInPlace, findCheckOnlyCommand } from '../../discovery/formatter-tasks.ts';
import { findTaskPurpose, rewritesFiles } from '../../discovery/task-purpose.ts';
import { readVerdict } from '../../executors/checks/read-verdict.ts';
import { findFailureNames } from '../../executors/checks/failing-tests.ts';
import { findCheckConfig } from '../../governor/check-config/check-config-files.ts';
import { isRunnerFile } from '../../governor/check-config/runner-files.ts';
import { classifyCommand } from '../../governor/classify-command.ts';
import { compareDependencies } from '#tools/packages';
import { findNeededPrograms, findPurpose, linterRows } from '#tools';
import { loadRows } from '../../tools/load-data.ts';
import { toPattern } from '../../tools/pattern.ts';
import { readRows } from '../../tools/read-rows.ts';

const rows = loadRows();

describe('each row of a tool', () => {
  it('has a name of its own', () => {
    const names = rows.flatMap((row) => row.names ?? []);
    expect(rows.length).toBeGreaterThan(80);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('E19: gives commands that check nothing, one for each kind of sign', () => {
    const all = rows.flatMap(({ id, lists }) => (lists ? [{ id, ...lists }] : []));
    const kinds = ['always', 'options', 'subcommands', 'everyWord', 'letters', 'pattern'] as const;
    const few = all.filter((one) => one.examples.length < kinds.filter((kind) => kind in one).length);
    expect(few.map(({ id }) => id)).toEqual([]);
    expect(all.flatMap(({ examples }) => examples).filter((one) => !isListingOnly(one))).toEqual([]);
  });

  it('E19: gives commands that are told to pass, and list nothing', () => {
    const all = rows.flatMap(({ neverFails }) => neverFails?.examples ?? []);
    expect(all.length).toBeGreaterThan(3);
    expect(all.filter((one) => !cannotFail(one) || isListingOnly(one))).toEqual([]);
  });

  it('E19: hands options on only where it starts other programs', () => {
    const runners = rows.flatMap(({ names, handsOn }) => (handsOn ? (names?.[0] ?? []) : []));
    expect(runners.filter((one) => !isListingOnly(`${one} test --listTests`))).toEqual([]);
    expect(isListingOnly('sh test --listTests')).toBe(false);
  });

  it('E19: finds options in its variables', () => {
    const all = rows.flatMap(({ names = [], lists, optionsIn = [] }) =>
      optionsIn.map(
        (variable) => `${variable}='${(lists?.examples[0] ?? '').replace(/^\S+ /, '')}' ${names[0]}`,
      ),
    );
    expect(all.filter((one) => !isListingOnly(one))).toEqual([]);
  });
});

const countOf = (line: string): string | null => classifyTestRun({ stdout: `it runs\n${line}`, stderr: '' });
const examplesOf = (key: 'noTests' | 'failures' | 'allSkipped' | 'someTests'): string[] =>
  rows.flatMap(({ testResults }) => Object.values(testResults?.[key] ?? {}));

describe('what a command is for', () => {
  it('is known of each example', () => {
    const all = rows.flatMap(({ id, language, commands = [] }) =>
      commands.map((one) => ({ id, language, ...one })),
    );
    expect(all.length).toBeGreaterThan(300);
    const wrong = all.filter((told) => {
      const found = findPurpose(told.example);
      const language = (told.language ?? '').replace('any', '');
      return found?.purpose !== told.for || (told.for !== 'nothing' && found.language !== language);
    });
    expect(
      wrong.map(({ id, example }) => `${id}: ${example} ${JSON.stringify(findPurpose(example))}`),
    ).toEqual([]);
  });
});

describe('what a tool prints of its tests', () => {
  it('E19: is matched by its own pattern', () => {
    const all = rows.flatMap(({ testResults = {} }) =>
      Object.values(testResults).flatMap((one) => (typeof one === 'object' ? Object.entries(one) : [])),
    );
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(([pattern, like]) => !toPattern(pattern).test(like))).toEqual([]);
  });

  it.each([
    ['E19: says that no test ran', 'noTests', 'none'],
    ['E19: says that all were skipped', 'allSkipped', 'none'],
    ['E19: says that some failed', 'failures', 'failures'],
  ] as const)('%s', (_, key, says) => {
    expect(examplesOf(key).filter((line) => countOf(line) !== says)).toEqual([]);
  });

  it('E19: says that some ran', () => {
    expect(examplesOf('someTests').filter((line) => countOf(line) === 'none')).toEqual([]);
  });
});

describe('what a tool prints of what failed', () => {
  const failing = (stdout: string): string[] => findFailureNames({ stdout, stderr: '' }) ?? [];
  const all = rows.flatMap(({ id, failingTests = [] }) => failingTests.map((one) => ({ id, ...one })));
  const complaining = rows.flatMap(({ complaints, complaintsBelow: below }) => [
    ...Object.values(complaints ?? {}),
    ...(below ? [below.example] : []),
  ]);

  it('E15: is seen by its lines', () => {
    const signs = all.flatMap(({ seenBy }) => Object.entries(seenBy));
    expect(signs.filter(([pattern, like]) => !toPattern(pattern, 'm').test(like))).toEqual([]);
  });

  it('E15: names the tests', () => {
    const examples = all.flatMap(({ id, seenBy, names = {}, below, above }) =>
      [...Object.values(names), ...[below, above].flatMap((one) => one?.example ?? [])].map((example) => ({
        id,
        found: failing(`${Object.values(seenBy)[0]}\n\n${example}\n`).length,
      })),
    );
    expect(examples.length).toBeGreaterThan(25);
    expect(examples.filter(({ found }) => found === 0)).toEqual([]);
  });

  it('E15: names each failure of a test in Perl, so that a new one in the same file shows', () => {
    const of = (more: string, count: number): string[] =>
      failing(
        `#   Failed test 'reads'\n#   at t/a.t line 7.\n${more}Test Summary Report\n---\nt/a.t (Wstat: 256 (exited 1) Tests: 3 Failed: ${count})\n`,
      );
    const before = of('', 1);
    expect(before).toEqual(['reads t/a.t', 't/a.t Failed: 1']);
    const after = of("#   Failed test 'writes'\n#   at t/a.t line 9.\n", 2);
    expect(after.filter((name) => !before.includes(name))).toEqual(['t/a.t Failed: 2', 'writes t/a.t']);
  });

  it('E15: names what a linter complains of', () => {
    expect(complaining.length).toBeGreaterThan(5);
    expect(complaining.filter((example) => failing(example).length === 0)).toEqual([]);
  });
});

describe('a linter that takes files', () => {
  const all = linterRows();
  const told = rows.flatMap(({ linters = [] }) =>
    linters.flatMap((one) => (one.subcommands ?? ['']).map(() => one)),
  );

  it('E9: answers with the path of each complaint', () => {
    expect(all.length).toBe(told.length);
    const wrong = all.filter((row, i) => {
      const answer = told[i]?.example ?? '';
      const [file = ''] = /(?:src\/)?\ba\.\w+/.exec(answer) ?? [];
      const [complaint] = readComplaints({ row, dir: '', program: row.program }, [file], answer);
      return complaint === undefined || !row.files.test(complaint.path);
    });
    expect(wrong.map(({ program }) => program)).toEqual([]);
  });

  it('E9: is found with the options that it keeps', () => {
    const found = all.map(({ program, valued, checkOptions }) => {
      const looks = checkOptions === undefined ? '' : '--check -l -d';
      const command = `${program} ${valued[0] === undefined ? '' : `${valued[0]} x`} ${looks} .`;
      return findFileLinters([{ name: 'lint', command, dir: '' }], () => ({}))[0]?.program;
    });
    expect(found).toEqual(all.map(({ program }) => program));
  });
});

describe('what a tool needs', () => {
  it('has a version in each example', () => {
    const all = rows.flatMap(({ versionIn = [] }) => versionIn);
    expect(all.length).toBeGreaterThan(25);
    expect(all.filter(({ pattern, example }) => toPattern(pattern).exec(example)?.[1] === undefined)).toEqual(
      [],
    );
  });

  it.each([
    ['npm', ['node', 'npm']],
    ['cargo', ['cargo']],
    ['gradle', ['java', 'gradle']],
    ['gradlew', ['java']],
    ['python3.12', ['python']],
    ['pip3', ['python']],
    ['rspec', ['ruby', 'bundle']],
    ['nobody', []],
  ])('%s needs %j', (program, needed) => {
    expect(findNeededPrograms(program)).toEqual(needed);
  });
});

describe('the report of a tool', () => {
  it('E15: is found in its example', () => {
    const all = rows.flatMap(({ id, reports = [] }) => reports.map((one) => ({ id, ...one })));
    expect(all.length).toBeGreaterThan(20);
    const wrong = all.flatMap(({ id, example }) => {
      const found = findFirstFailure(`it runs\n${example}\n`)?.format.name;
      return found === id ? [] : [`${id}: ${found}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('a tool whose exit code says nothing', () => {
  const outcomeOf = (command: string, stdout: string): string => {
    const end = { ended: 'exited', exitCode: 0, signal: null, ms: 1, stdout, stderr: '' } as const;
    return readVerdict({ kind: 'check', command, end, refusal: null }).outcome;
  };
  const all = rows.flatMap(({ exitSaysNothing }) => (exitSaysNothing ? [exitSaysNothing] : []));

  it('E19: has failed where it names what it found, and passed where it names nothing', () => {
    const commands = all.flatMap(({ examples }) => examples);
    expect(commands.length).toBeGreaterThan(6);
    expect(commands.filter((one) => outcomeOf(one, 'src/a.go\n') !== 'failed')).toEqual([]);
    expect(commands.filter((one) => outcomeOf(one, '\n') !== 'passed')).toEqual([]);
  });

  it('E19: says something with other arguments, and beside other commands', () => {
    const others = all.flatMap(({ others: told }) => told);
    expect(others.filter((one) => outcomeOf(one, 'src/a.go\n') !== 'passed')).toEqual([]);
    expect(outcomeOf('test -z "$(gofmt -l .)"', 'src/a.go\n')).toBe('passed');
    expect(outcomeOf('gofmt -l . | cat', 'src/a.go\n')).toBe('passed');
  });
});

describe('what a tool prints when it cannot work', () => {
  const failure = (stderr: string) => classifyCommandFailure({ stdout: '', stderr }, () => true);

  it('E15: says what is the matter, and with which program', () => {
    const all = rows.flatMap(({ id, errors = [] }) => errors.map((one) => ({ id, ...one })));
    expect(all.length).toBeGreaterThan(30);
    const wrong = all.flatMap(({ id, means, program = null, lines }) =>
      Object.values(lines).flatMap((line) => {
        const found = failure(`it runs\n${line}\n`);
        const isSame = found.kind === means && found.program === program;
        return isSame ? [] : [`${id}: ${line}: ${found.kind} ${found.program}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('E15: says how a registry answered', () => {
    const lines = rows.flatMap(({ httpStatus }) => Object.values(httpStatus ?? {}));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => ![403, 503].includes(failure(line).status ?? 0))).toEqual([]);
  });
});

describe('what a tool means in a task', () => {
  const runs = rows.flatMap(({ inTasks = {} }) =>
    Object.entries(inTasks).flatMap(([kind, lines]) =>
      Object.values(lines ?? {}).map((line) => [kind, line] as const),
    ),
  );
  const kindOf = (line: string) => findTaskPurpose('own-task', (name) => (name === 'own-task' ? line : null));

  it('E7: says what the task is for, by what it runs and by its name', () => {
    expect(runs.length).toBeGreaterThan(70);
    expect(runs.filter(([kind, line]) => kindOf(line) !== kind)).toEqual([]);
    const words = rows.flatMap(({ taskWords = {} }) =>
      Object.entries(taskWords).flatMap(([kind, all]) =>
        (all ?? []).map((word) => [kind, `${word}-check`] as const),
      ),
    );
    expect(words.filter(([kind, name]) => findTaskPurpose(name, () => null) !== kind)).toEqual([]);
  });

  it('E7: formats in place, and becomes a look', () => {
    const formatters = rows.flatMap(({ formatsWith }) => Object.values(formatsWith ?? {}));
    expect(formatters.filter((line) => !formatsInPlace('format', line))).toEqual([]);
    const writing = rows.flatMap(({ rewritesWith }) => Object.values(rewritesWith ?? {}));
    expect(writing.filter((line) => !rewritesFiles(line))).toEqual([]);
    const linters = rows.flatMap(({ lintsWith }) => Object.values(lintsWith ?? {}));
    expect(linters.filter((line) => !lintsInPlace('lint', `${line} --fix`))).toEqual([]);
    const forms = rows.flatMap(({ onlyLooks = [] }) => onlyLooks);
    expect(forms.filter(({ example, becomes }) => findCheckOnlyCommand(example) !== becomes)).toEqual([]);
    expect(findCheckOnlyCommand('make')).toBeNull();
  });
});

describe('the files of a tool', () => {
  const files = rows.flatMap(({ settingsFiles }) => Object.entries(settingsFiles ?? {}));
  const folders = rows.flatMap(({ settingsFolders }) => settingsFolders ?? []);

  it('E13: configure checks, and others do not', () => {
    expect(files.length).toBeGreaterThan(200);
    const unlike = files.filter(([pattern, name]) => !new RegExp(`^(?:${pattern})$`, 'i').test(name));
    expect(unlike).toEqual([]);
    expect(files.filter(([, name]) => !isRunnerFile(`a/${name}`))).toEqual([]);
    expect(folders.filter((folder) => !isRunnerFile(`${folder.replace('./', '')}/a`))).toEqual([]);
    expect(files.filter(([, name]) => isRunnerFile(`vendor/${name}`))).toEqual([]);
    expect(isRunnerFile('src/reads.py')).toBe(false);
  });

  it('G8: declare the dependency of their example', () => {
    const all = rows.flatMap(({ id, dependenciesIn = [] }) => dependenciesIn.map((one) => ({ id, ...one })));
    expect(all.length).toBeGreaterThan(12);
    const none = all.filter(({ file, example }) => {
      const name = file.replaceAll('\\', '').replace(/\(\?:.*|\.\*.*/, '');
      const path = [name, 'requirements.txt', 'go.mod', 'build.gradle'].find((one) =>
        new RegExp(`^(?:${file})$`).test(one),
      );
      return compareDependencies(path ?? '', null, example).length === 0;
    });
    expect(none.map(({ id }) => id)).toEqual([]);
  });

  it('E13: a name that every object has is no runner of tasks', () => {
    const commands = [{ command: 'constructor test && toString check', dir: '' }];
    const found = findCheckConfig({ commands, changed: ['a'], paths: ['a'], texts: new Map() });
    expect(found.files).toEqual([]);
  });
});

describe('what is harmless', () => {
  const all = rows.flatMap(({ id, harmless }) => (harmless ? [{ id, ...harmless }] : []));
  const judge = (command: string): string[] => classifyCommand(command).map(({ id }) => id);

  it('P6: asks nobody about an example, and about whatever a row refuses', () => {
    expect(all.length).toBeGreaterThan(35);
    const asked = all.flatMap(({ examples = [] }) => examples).filter((one) => judge(one).join() !== 'known');
    expect(asked).toEqual([]);
    const allowed = all.flatMap(({ refused = [] }) => refused).filter((one) => judge(one).includes('known'));
    expect(allowed).toEqual([]);
  });

  it('P6: has an example and a refusal for each row that names a program', () => {
    const few = all.filter(({ id, examples, refused }) => id !== 'task-options' && !(examples && refused));
    expect(few.map(({ id }) => id)).toEqual([]);
  });
});

const inFolder = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'));
  writeFileSync(join(folder, 'xmake.yaml'), text);
  return folder;
};

describe('a file that no row can be', () => {
  it.each([
    ['a key that nobody knows', 'names: xmake\nlist: {}\n', /xmake\.yaml.*list/s],
    [
      'a pattern that is none',
      "lists: { pattern: '(', examples: [x] }\n",
      /no regular expression.*lists\.pattern/s,
    ],
    ['a claim without an example', 'lists: { options: --plan }\n', /lists\.examples/],
  ])('is refused by its name: %s', (_, text, says) => {
    expect(() => readRows(inFolder(text))).toThrow(says);
  });
});
