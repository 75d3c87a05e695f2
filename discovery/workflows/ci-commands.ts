/** Extracts installations and checks from workflows, with purpose and weight. */
import type { CheckNeed, CiVersions } from '#model/environment';
import type { ContractTool } from '#model/contract';
import type { FoundCommand } from '../probe-types.ts';
import { HALF_PROOF_RANK, commandRank } from '../command-rank.ts';
import { recogniseProgram, type TaskBody, type RecognisedProgram } from '../recognise-program.ts';
import { recogniseByStepName } from './step-purpose.ts';
import { commandsOfAction } from './known-actions.ts';
import { parseVersionRange, uniteVersions, removeUpperBound } from './ci-versions.ts';
import { UNKNOWN_VALUE } from './expressions.ts';
import { readWorkflowJobs, toPathInCheckout, type WorkflowJob, type JobStep } from './read-jobs.ts';
import { splitScript, isBuildUnconfigured, lacksMakefile, type ScriptLine } from './split-script.ts';
import { namesPackages } from '../pip-environments.ts';
import { withoutVariables } from '../unwrap-command.ts';
import { FORMATTER, formatsForCi, isFormatScript, toNoDiffCommand } from '../formatter-tasks.ts';

/** A lower weight is more likely what a contributor runs. */
export type WeighedCommand = FoundCommand & {
  weight: number;
  script?: string;
  program: string;
  job: number;
  any?: boolean;
  at: number;
  ciVersions: readonly CiVersions[];
};
export type FromCi = {
  found: WeighedCommand[];
  tools: ContractTool[];
  system: { what: string; source: string }[];
  services: string[];
  otherTests: { system: string; command: string; source: string }[];
  /** A job of this system tests, even where its command cannot be run as it is written. */
  testsHere: boolean;
  unread: readonly string[];
};

type Line = ScriptLine;

const MOST_COMMANDS = 2_000;
/** Workflows and jobs that check something else, or on special machines. */
const ASIDE =
  /(?:release|publish|deploy|nightly|cron|bench|perf|fuzz|docs?(?![a-z])|website|docker|image|e2e|browser|integration|smoke|coverage|compat|downstream|ecosystem|canary|msrv|minimal|minimum|wasm|mobile|android|ios|windows|macos|\bwin(?:32|64)?\b|mingw|msvc|cross|bsd|arm|upgrade|preview|audit|\bsbom|security|codeql|stress|miri|sanitiz|\b[atmul]b?san\b|valgrind|examples?|demos?|pypi|wheels?|hypothesis|no[-_ ]?std|beta|conda|mutation|scorecard|experimental|backport|template|storybook|visual|size|lowest|oldest|free-?thread|old|\bdev\b|qemu|riscv|loongarch|mips|s390|(?<!c)ppc|32|bleeding|upstream|alternative|canary|coverity|linkcheck|man-?page|packag(?:e|ing)|pypy|third[-_]party|dependabot)/i;
/** Linters often run with one version alone: the oldest that is supported. */
const VERSIONS =
  /\b(?:msrv|minimal|minimum|min|lowest|oldest|old)\b(?:[- _](?:supported|version|versions|rust|python|node))*/gi;
const BUILDS = /\b(?:ci|build|test|check|verify)/i;
const PLAIN_INTEGRATION =
  /\bunits?\b.{0,12}\bintegration\b|\bintegration\b.{0,12}\bunits?\b|\bcontinuous[-_ ]?integration\b/gi;
/** GitHub's starter workflow is called `python-package`. */
const THEN = /release|publish|deploy|packag(?:e|ing)|upload/gi;
const STARTER = /\bpython[- ]package\b/gi;
const TELLS_PLACE = /^(?:-[CSB]|--(?:build|prefix|manifest-path|directory|working-dir|project|cwd|dir))$/;
const READS_SCRIPT = /^(?:(?:ba)?sh|python[\d.]*|node|perl|ruby|php|cd|-m)$/;
/** Works in another repository. A test of this one may take its data from there. */
const isOfOther = ({ command, dir }: Line, { foreign }: JobStep, body: TaskBody): boolean => {
  const isForeign = (word: string): boolean =>
    foreign.some((folder) => `${word.replace(/^\.\//, '')}/`.startsWith(`${folder}/`));
  const words = withoutVariables(command).split(/[\s='":]+/);
  if (!foreign.length || !(isForeign(dir) || words.some(isForeign))) return false;
  const worksThere = words.some(
    (word, at) =>
      isForeign(word) &&
      (at === 0 || [TELLS_PLACE, READS_SCRIPT].some((tells) => tells.test(words[at - 1] ?? ''))),
  );
  return isForeign(dir) || worksThere || recogniseProgram(command, dir, body)?.purpose !== 'test';
};
const linesOfStep = (step: JobStep, body: TaskBody): Line[] =>
  'run' in step.does
    ? splitScript(step.does.run, step.dir, step)
        .filter((line) => !isOfOther(line, step, body))
        .map((l) => ({ ...l, line: step.line + l.line }))
    : commandsOfAction(step.does.uses, step.does.given).flatMap((said) =>
        'command' in said && !said.command.includes(UNKNOWN_VALUE)
          ? [{ command: said.command, line: step.line, dir: workingDir(step), maybe: false }]
          : [],
      );

const SHOWS =
  /(?:^|[\/_-])(?:examples?|samples?|demos?|docs?|website|site|bench(?:marks?)?|fixtures?|templates?|playground|e2e|integration|tests?)(?:$|[\/_-])/i;

const TESTS = /(?:^|\/)tests?$/;

const CONDITIONAL_WEIGHT = 2;

const workingDir = (step: JobStep): string => {
  const given =
    'uses' in step.does ? (step.does.given['working-directory'] ?? step.does.given['workdir'] ?? '') : '';
  const dir = given.replace(/^\.\/?|\/$/g, '');
  return dir === '' ? '' : dir;
};

const BUILDS_ITSELF = /^(?:go|rust|java|swift|elixir|haskell|zig|ruby|php|python)$/;

/** A folder that a build creates: the command changes into it. */
const resolveLineFolder = (line: Line, exists: (dir: string) => boolean): Line | null => {
  if (line.dir.includes(UNKNOWN_VALUE)) return null;
  if (line.dir === '' || exists(line.dir)) return line;
  const parts = line.dir.split('/');
  let kept = parts.length;
  while (kept > 0 && !exists(parts.slice(0, kept).join('/'))) kept -= 1;
  const rest = parts.slice(kept).join('/');
  if (!/^[\w./-]+$/.test(rest) || /\d\.\d/.test(rest)) return null;
  return { ...line, dir: parts.slice(0, kept).join('/'), command: `cd ${rest} && ${line.command}` };
};

const FOLDER_ARGUMENT = String.raw`["']?(?:\.\/)?([\w@-][\w.@-]*(?:\/[\w@-][\w.@-]*)*)\/?["']?(?= |$)`;
const TELLS_FOLDER: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^npm /, new RegExp(` (?:--prefix|-C)[= ]${FOLDER_ARGUMENT}`)],
  [/^pnpm /, new RegExp(` (?:--dir|-C)[= ]${FOLDER_ARGUMENT}`)],
  [/^(?:yarn|bun) /, new RegExp(` --cwd[= ]${FOLDER_ARGUMENT}`)],
  [/^composer /, new RegExp(` (?:--working-dir|-d)[= ]${FOLDER_ARGUMENT}`)],
  [/^go /, new RegExp(` -C[= ]${FOLDER_ARGUMENT}`)],
  [/^(?:uv|poetry) /, new RegExp(` (?:--directory|-C)[= ]${FOLDER_ARGUMENT}`)],
  [/^cargo /, / --manifest-path[= ](?:\.\/)?([\w.-]+(?:\/[\w.-]+)*)\/Cargo\.toml(?= |$)/],
];
/** A command that is told its folder runs as if it stood in it. */
const inToldFolder = (line: Line, exists: (dir: string) => boolean): Line => {
  const bare = withoutVariables(line.command);
  const option = TELLS_FOLDER.find(([program]) => program.test(bare))?.[1];
  const own = line.command.split(' -- ', 1)[0] ?? '';
  const dir = option?.exec(own)?.[1];
  if (option === undefined || dir === undefined) return line;
  const at = line.dir === '' ? dir : `${line.dir}/${dir}`;
  const isFuzzed = /^cargo /.test(bare) && (/(?:^|\/)fuzz/.test(dir) || SHOWS.test(dir));
  return !exists(at) || isFuzzed
    ? line
    : { ...line, dir: at, command: own.replace(option, '') + line.command.slice(own.length) };
};

const SCRIPT_FILE = /^[\w-]+\.(?:py|rb|pl|php|[cm]?[jt]s)$/;
const isThere = (files: ReadonlySet<string>, dir: string, file: string): boolean =>
  files.has(file) || files.has(`${dir}/${file}`);

/** A package that an earlier step downloads. */
const namesFetchedFile = ({ command, dir }: Line, files: ReadonlySet<string>): boolean =>
  command
    .split(' ')
    .some((word) => /^[\w./-]+\.(?:whl|tar\.gz|tgz|gem|jar|deb)$/.test(word) && !isThere(files, dir, word));

const isOwnScript = ({ command, dir }: Line, files: ReadonlySet<string>): boolean => {
  const file = /^(?:(?:ba)?sh )?(?:\.\/)?([\w.-]+(?:\/[\w.-]+)*)(?= |$)/.exec(command)?.[1];
  return file !== undefined && /[/.]/.test(command) && files.has(dir === '' ? file : `${dir}/${file}`);
};

const needsBuild = ({ ecosystem }: RecognisedProgram, command: string): boolean =>
  !BUILDS_ITSELF.test(ecosystem) && (ecosystem !== 'dotnet' || /--no-build/.test(command));

type Built = { command: string; dir: string };
/** `weight` is that of a job which checks something else; `ofVersion`: it does so with one version alone. */
type Aside = { weight: number; ofVersion: boolean };
type JobReading = {
  job: WorkflowJob;
  no: number;
  needs: readonly CheckNeed[];
  aside: Aside;
  versions: Map<string, CiVersions>;
  built: Built[];
  /** Own scripts that lead on to the command at hand, in its line. */
  scripts: string[];
};
type Checkout = { files: ReadonlySet<string>; exists: (dir: string) => boolean; body: TaskBody };
/** `raw` is a line as its step has it, `line` as it is run; `at` counts lines. */
type ReadLine = { raw: Line; line: Line; step: JobStep; reading: JobReading; at: number };

const asideOf = ({ file, workflow, id, name }: WorkflowJob): Aside => {
  const about = `${file.replace(/^.*\//, '')} ${workflow}`;
  // A workflow that builds and then deploys counts up to the deployment.
  const named = about.replace(STARTER, 'python');
  const whole = BUILDS.test(named) ? named.replace(THEN, '') : named;
  const called = `${whole} ${id} ${name}`.replace(PLAIN_INTEGRATION, '');
  if (!ASIDE.test(called)) return { weight: 0, ofVersion: false };
  return { weight: 30, ofVersion: !ASIDE.test(called.replace(VERSIONS, '')) };
};

const addTools = (step: JobStep, versions: JobReading['versions'], tools: FromCi['tools']): void => {
  if (!('uses' in step.does)) return;
  for (const said of commandsOfAction(step.does.uses, step.does.given)) {
    if (!('tool' in said)) continue;
    const { tool: name, asked } = said;
    const range = parseVersionRange(asked);
    versions.delete(name);
    if (range) versions.set(name, { name, ...range });
    if (!(asked ?? '').includes(UNKNOWN_VALUE))
      tools.push({ name, asked: removeUpperBound(asked), source: `${step.file}:${step.line}` });
  }
};

const recogniseLine = (
  { command, dir, thenUnchanged }: Line,
  step: JobStep,
  body: TaskBody,
): RecognisedProgram | null => {
  const formats = formatsForCi(command) || (thenUnchanged === true && isFormatScript(command));
  return recogniseProgram(command, dir, body) ?? (formats ? FORMATTER : recogniseByStepName(command, step));
};

const mayEnterBuildFolder = ({ ecosystem, purpose }: RecognisedProgram, built: readonly Built[]): boolean =>
  /^(?:c|)$/.test(ecosystem) && purpose !== 'install' && built.length > 0;

/** Extensions in C, which the tests of a gem load. */
const COMPILES_EXTENSION = /\brake (?:\S+:)?compile\b/;
const buildsBefore = (
  known: RecognisedProgram,
  { command, dir }: Line,
  built: readonly Built[],
  files: ReadonlySet<string>,
): string[] => {
  const program = /^\.\/([\w.-]+)(?= |$)/.exec(command)?.[1];
  const isMade = program !== undefined && !isThere(files, dir, program);
  return built
    .filter((one) => one.dir === dir || dir === '' || one.dir === '')
    .filter(
      (one) =>
        isMade ||
        needsBuild(known, command) ||
        (known.purpose === 'test' && COMPILES_EXTENSION.test(one.command)),
    )
    .map((one) => toRun(one, dir));
};

const isInstalledAlready = (
  { ecosystem }: RecognisedProgram,
  { line, reading }: ReadLine,
  found: readonly WeighedCommand[],
): boolean =>
  found.some(
    (one) =>
      one.kind === 'install' &&
      one.job === reading.no &&
      one.dir === line.dir &&
      one.ecosystem === ecosystem &&
      namesPackages(one.command) === namesPackages(line.command),
  );

const weightOf = (
  kind: FoundCommand['kind'],
  { program, script }: RecognisedProgram,
  { raw, line, step, reading: { job, aside } }: ReadLine,
  before: readonly string[],
): number => {
  const looks = kind === 'lint' || kind === 'format' || kind === 'types';
  return (
    (looks && aside.ofVersion ? 0 : aside.weight) +
    (SHOWS.test(kind === 'test' ? line.dir.replace(TESTS, '') : line.dir) ? 30 : 0) +
    (raw.maybe ? 8 : step.maybe ? CONDITIONAL_WEIGHT : 0) +
    (job.services.length > 0 || step.secrets.length > 0 ? 5 : 0) +
    (isBuildUnconfigured(line.command, before) ? HALF_PROOF_RANK : 0) +
    Object.keys(line.variables ?? {}).length / 1_000 +
    commandRank({ kind, command: line.command, program, ...(script === undefined ? {} : { script }) })
  );
};

const toWeighedCommand = (
  kind: FoundCommand['kind'],
  known: RecognisedProgram,
  read: ReadLine,
  before: readonly string[],
): WeighedCommand => {
  const { raw, line, step, reading, at } = read;
  const { ecosystem, program, script } = known;
  const secrets = step.secrets.length > 0 ? [{ kind: 'secrets' as const, names: [...step.secrets] }] : [];
  const needs = [...reading.needs, ...secrets].filter((n) => n.kind !== 'services' || kind === 'test');
  const leaves = (kind === 'test' && line.thenUnchanged) || known === FORMATTER;
  return {
    kind,
    ecosystem,
    command: leaves ? toNoDiffCommand(line.command) : line.command,
    dir: line.dir,
    source: `${step.file}:${raw.line}`,
    weight: weightOf(kind, known, read, before),
    program,
    job: reading.no,
    at,
    ciVersions: [...reading.versions.values()],
    ...(needs.length > 0 && kind !== 'install' ? { needs } : {}),
    ...(before.length > 0 && kind !== 'install' ? { before: [...new Set(before)].slice(-4) } : {}),
    ...(script === undefined ? {} : { script }),
    ...(reading.job.filter === null ? {} : { filters: [reading.job.filter] }),
    ...(line.variables && kind !== 'install' ? { variables: line.variables } : {}),
  };
};

const addCommand = (
  raw: Line,
  { step, reading, at }: Omit<ReadLine, 'raw' | 'line'>,
  { files, exists, body }: Checkout,
  out: FromCi,
): void => {
  const told = inToldFolder({ ...raw, dir: toPathInCheckout(raw.dir, step.checkout) }, exists);
  const known = recogniseLine(told, step, body);
  out.testsHere ||= known?.purpose === 'test';
  const line = resolveLineFolder(told, exists);
  const { scripts } = reading;
  reading.scripts =
    raw.leadsOn && known === null && isOwnScript(told, files) ? [...scripts, told.command] : [];
  if (known === null || line === null) return;
  if (line !== told && !mayEnterBuildFolder(known, reading.built)) return;
  const { purpose, program } = known;
  if (purpose === 'system')
    return void out.system.push({ what: raw.command.slice(0, 200), source: `${step.file}:${raw.line}` });
  if (/^sudo\b/.test(raw.command)) return;
  if (SCRIPT_FILE.test(program) && !isThere(files, line.dir, program)) return;
  const before = [...buildsBefore(known, line, reading.built, files), ...scripts];
  if (lacksMakefile(line, before, files)) return;
  if (purpose === 'prepare' || purpose === 'build')
    reading.built.push({ command: line.command, dir: line.dir });
  if (purpose === 'prepare') return;
  const read = { raw, line, step, reading, at };
  if (purpose === 'install' && namesFetchedFile(line, files)) return;
  if (purpose === 'install' && raw.maybe && isInstalledAlready(known, read, out.found)) return;
  if (purpose === 'test')
    for (const name of reading.job.services) if (!out.services.includes(name)) out.services.push(name);
  out.found.push(toWeighedCommand(purpose, known, read, before));
};

export const readCiCommands = (
  paths: readonly string[],
  read: (path: string) => string | null,
  exists: (dir: string) => boolean,
  body: TaskBody,
): FromCi => {
  const { jobs, others, unread } = readWorkflowJobs(paths, read);
  const checkout = { files: new Set(paths), exists, body };
  const out: FromCi = {
    found: [],
    tools: [],
    system: [],
    services: [],
    otherTests: [],
    testsHere: false,
    unread,
  };
  let taken = 0;
  const readJob = (job: WorkflowJob, no: number): void => {
    const versions = new Map(job.versions.map((one) => [one.name, one]));
    const reading: JobReading = {
      job,
      no,
      needs: needsOf(job, paths),
      aside: asideOf(job),
      versions,
      built: [],
      scripts: [],
    };
    for (const step of job.steps) {
      reading.scripts = [];
      addTools(step, versions, out.tools);
      for (const raw of linesOfStep(step, checkout.body)) {
        taken += 1;
        if (taken > MOST_COMMANDS) return;
        addCommand(raw, { step, reading, at: taken }, checkout, out);
      }
    }
  };
  for (const [no, job] of jobs.entries()) readJob(job, no);
  for (const { system, steps } of others)
    for (const step of steps)
      for (const { command, dir, line } of linesOfStep(step, body))
        if (recogniseProgram(command, dir, body)?.purpose === 'test')
          out.otherTests.push({ system, command, source: `${step.file}:${line}` });
  const alike = Map.groupBy(out.found, ({ dir, command }) => `${dir}\n${command}`);
  for (const group of alike.values()) {
    const united = uniteVersions(group.map(({ ciVersions }) => ciVersions));
    for (const one of group) one.ciVersions = united;
  }
  return out;
};

/** E19: lists what the job's checkout and services provide, where the repository has it. */
const needsOf = (job: WorkflowJob, paths: readonly string[]): CheckNeed[] => {
  const given = job.steps.flatMap(({ does }) =>
    'uses' in does && /^actions\/checkout(?:@|$)/.test(does.uses) ? [does.given] : [],
  );
  const hasInput = (key: string, is: RegExp): boolean => given.some((one) => is.test(one[key] ?? ''));
  const plain: [CheckNeed['kind'], boolean][] = [
    ['history', hasInput('fetch-depth', /^0$/) || hasInput('fetch-tags', /^true$/)],
    ['submodules', hasInput('submodules', /^(?:true|recursive)$/) && paths.includes('.gitmodules')],
    ['lfs', hasInput('lfs', /^true$/) && paths.some((path) => /(?:^|\/)\.gitattributes$/.test(path))],
  ];
  return [
    ...plain.flatMap(([kind, is]) => (is ? [{ kind, names: [] }] : [])),
    ...(job.services.length > 0 ? [{ kind: 'services' as const, names: job.services }] : []),
  ];
};

const toRun = ({ command, dir }: { command: string; dir: string }, from: string): string => {
  if (dir === from) return command;
  const up =
    from === ''
      ? ''
      : `${from
          .split('/')
          .map(() => '..')
          .join('/')}/`;
  return `(cd '${up}${dir}' && ${command})`;
};
