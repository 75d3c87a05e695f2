/** Chooses checks and installations from workflows: the plainest of each kind, not all of CI. */
import type { FoundCommand, ProbeResult } from './probe-types.ts';
import { commandWords, isForAnyLanguage } from '#tools';
import { HALF_PROOF_RANK, commandRank } from './command-rank.ts';
import { recogniseProgram, type RecognisedProgram, type TaskBody } from './recognise-program.ts';
import type { FromCi, WeighedCommand } from './workflows/ci-commands.ts';
import { namesPackages } from './pip-environments.ts';
import { unwrapCommand } from './unwrap-command.ts';

export type LocatedProbe = ProbeResult & { dir: string };

const MAX_COMMAND_COST = 30;

export const ecosystemFamilyOf = (ecosystem: string): string =>
  ({ kotlin: 'java', erlang: 'elixir', cpp: 'c' })[ecosystem] ?? ecosystem;

export const findMainEcosystem = (probed: readonly LocatedProbe[], dir: string): string =>
  probed.find((p) => p.dir === dir)?.ecosystem ?? probed.find((p) => p.dir === '')?.ecosystem ?? '';

const COST_BY_SOURCE = { workflow: 0, task: 2.9, guide: 9.2, usual: 9.8 } as const;
type StandsIn = keyof typeof COST_BY_SOURCE;
const NAMED_TASK =
  /^(?:\.\/scripts?\/|(?:npm|pnpm|yarn|bun|deno task|make|just|task|composer|poe|hatch run|pdm run|mise|bundle exec rake)\b)/;

export type RankedCommand = FoundCommand & {
  cost: number;
  task: string;
  /** The folder of the project that the command names: `make plugin=web test`. */
  about: string;
  where: StandsIn;
  any: boolean;
};

const STEPS_ARE_TASKS = /^(?:zig build) /;
const taskOf = (command: string, known: Pick<RecognisedProgram, 'program' | 'script'> | null): string =>
  known?.script === undefined
    ? unwrapCommand(command)
        .split(' ')
        .slice(0, STEPS_ARE_TASKS.test(command) ? 3 : 2)
        .join(' ')
    : `${known.program} ${known.script}`;

/** Finds the project that a variable of a repository's own task names: `make plugin=web test`. */
const projectNamedBy = (
  { command, script, dir }: WeighedCommand,
  probed: readonly LocatedProbe[],
): string => {
  const words = script === undefined ? [] : command.split(/[ =]/).map((w) => w.replace(/^\.\/|\/$/g, ''));
  return probed.find((p) => p.dir !== dir && p.dir !== '' && words.includes(p.dir))?.dir ?? '';
};

const fromWorkflow = (found: WeighedCommand, probed: readonly LocatedProbe[]): RankedCommand => {
  const main = findMainEcosystem(probed, found.dir);
  const ecosystem =
    found.ecosystem === '' || found.ecosystem === ecosystemFamilyOf(main) ? main : found.ecosystem;
  return {
    ...found,
    ecosystem,
    cost: found.weight,
    task: taskOf(found.command, found),
    about: projectNamedBy(found, probed),
    where: 'workflow',
    any: found.ecosystem === '',
  };
};

const fromFile = (found: FoundCommand, stands: StandsIn, order: number, body: TaskBody): RankedCommand => {
  const known = recogniseProgram(found.command, found.dir, body);
  const named = NAMED_TASK.test(found.command) || NAMED_TASK.test(unwrapCommand(found.command));
  const where = named ? 'task' : stands;
  const own = where === 'task' && known ? commandRank({ ...found, ...known }) : 0;
  const cost = COST_BY_SOURCE[where] + own + (stands === 'guide' ? 0.02 : 0) + order / 10_000;
  return { ...found, cost, where, task: taskOf(found.command, known), about: '', any: false };
};

const MOST_OF: Readonly<Partial<Record<FoundCommand['kind'], number>>> = {
  lint: 8,
  format: 3,
  types: 3,
  build: 1,
};
const MOST_TESTS = 3;
const SECOND_TEST = 3;

const coversAll = (one: RankedCommand): boolean =>
  one.kind !== 'lint' || !isForAnyLanguage(unwrapCommand(one.command));

const wordsOf = (command: string): string[] => (command.split(' -- ', 1)[0] ?? '').split(/[ =]/);
const featuresOf = (command: string): string => {
  const words = wordsOf(command);
  const valueAt = (i: number): string => (/^[^-]/.test(words[i] ?? '') ? (words[i] ?? '') : '');
  const { featureOptions } = commandWords();
  return words
    .flatMap((word, i) => (featureOptions.has(word) ? [`${word} ${valueAt(i + 1)}`] : []))
    .sort()
    .join(' ');
};
/** A feature of the project itself that stands for the others. */
const NAMED_ALL = / (?:all(?:[-_]features)?|full)$/;
const featureVariantOf = (one: RankedCommand, chosen: readonly RankedCommand[]): 'all' | 'part' | null => {
  const same = chosen.filter((o) => o.task === one.task);
  const features = featuresOf(one.command);
  const isVariant = one.kind === 'test' && one.where === 'workflow' && one.cost < HALF_PROOF_RANK;
  if (!isVariant || same.length === 0 || same.some((o) => featuresOf(o.command) === features)) return null;
  const isAll =
    NAMED_ALL.test(features) || wordsOf(one.command).some((w) => commandWords().allFeatures.has(w));
  return isAll ? 'all' : 'part';
};

/** `test:types:5.3` asks one version of the compiler more. */
const isOfVersion = ({ kind, task }: RankedCommand): boolean =>
  kind === 'types' && /[:_-]\d[\w.]*$/.test(task);

/** `beyond` would be run, too, were there no limit to their number. */
type Selected = { out: RankedCommand[]; beyond: RankedCommand[] };
const selectBest = (group: readonly RankedCommand[]): Selected => {
  const out: RankedCommand[] = [];
  const beyond: RankedCommand[] = [];
  const orderOfCommand = (one: RankedCommand): number => one.cost + (coversAll(one) ? 0 : 0.5);
  for (const one of [...group].sort((a, b) => orderOfCommand(a) - orderOfCommand(b))) {
    const variant = featureVariantOf(one, [...out, ...beyond]);
    if (variant !== null) {
      (variant === 'all' && out.length < MOST_TESTS ? out : beyond).push(one);
      continue;
    }
    const first = !out.some(coversAll);
    if (!first && one.where !== 'workflow') continue;
    const heavy =
      one.cost - (STEPS_ARE_TASKS.test(one.command) ? (out[0]?.cost ?? 0) : 0) >=
      (one.kind === 'test' ? SECOND_TEST : HALF_PROOF_RANK);
    const known = isOfVersion(one) || [...out, ...beyond].some((o) => o.task === one.task);
    if (out.length > 0 && ((heavy && one.where === 'workflow') || known)) continue;
    if (out.length < (MOST_OF[one.kind] ?? MOST_TESTS)) out.push(one);
    else if (one.where === 'workflow') beyond.push(one);
  }
  return { out, beyond };
};

const MOST_FILTERS = 4;
/** One command of a task stands for the others: it runs for each change for which one of them does. */
const uniteFilters = (asked: readonly RankedCommand[]): void => {
  const keyOf = (one: RankedCommand): string =>
    [one.dir, ecosystemFamilyOf(one.ecosystem), one.kind, one.task, one.about].join('\n');
  for (const group of Map.groupBy(asked, keyOf).values()) {
    const all = new Map(
      group.flatMap(({ filters = [] }) => filters.map((one) => [JSON.stringify(one), one])),
    );
    const always = all.size > MOST_FILTERS || group.some(({ filters }) => filters === undefined);
    for (const one of group)
      if (always) delete one.filters;
      else one.filters = [...all.values()];
  }
};

const groupsOf = (candidates: readonly RankedCommand[]): RankedCommand[][] => {
  const groups = new Map<string, RankedCommand[]>();
  for (const one of candidates) {
    const key = [one.dir, ecosystemFamilyOf(one.ecosystem), one.kind, one.about].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
};

/** `tox -e lint,mypy` runs mypy in its own way. */
const TOOLS = /\b(?:mypy|pyright|black|ruff|flake8|isort)\b/;
/** Runs all environments, of which one lints. */
const RUNS_ALL = /^tox\b(?!.* (?:-e|--env|--notest)\b)|^nox\b(?!.* (?:-s|--sessions?|-t)\b)/;
const runsTool = (asked: string, guess: string): boolean => {
  const tool = TOOLS.exec(unwrapCommand(guess))?.[0];
  if (tool === undefined) return false;
  return (
    RUNS_ALL.test(unwrapCommand(asked)) ||
    (/\b(?:tox|nox)\b/.test(asked) && new RegExp(`\\b${tool}\\b`).test(asked))
  );
};

/** A guess at the root, where workflows run the same language's tests or build in its own folder. */
const isDoneElsewhere = (one: RankedCommand, asked: readonly RankedCommand[]): boolean =>
  one.where === 'usual' &&
  one.dir === '' &&
  (one.kind === 'test' || one.kind === 'build') &&
  !asked.some((c) => c.kind === one.kind && c.dir === '') &&
  asked.some(
    (c) =>
      c.kind === one.kind &&
      c.dir !== '' &&
      ecosystemFamilyOf(c.ecosystem) === ecosystemFamilyOf(one.ecosystem),
  );

const HOOKS = /^(?:pre-commit|prek|trunk)\b/;
/** Hooks format, too, so that a guess at a formatter beside them adds nothing. */
const runsHooks = ({ kind, command, dir }: RankedCommand, body: TaskBody): boolean => {
  const bare = unwrapCommand(command);
  const [, runner = '', named = ''] = /^(tox|nox) .*?-[es] ?([\w,-]+)/.exec(bare) ?? [];
  const tasks = named.split(',').map((task) => body(runner, task, dir) ?? '');
  return (
    kind === 'lint' && (HOOKS.test(bare) || tasks.some((text) => /^\W*(?:pre-commit|prek)\b/m.test(text)))
  );
};

/** A task of the root is called after the folder that it looks at (`lint:web`). */
const isNamedFor = (one: RankedCommand, asked: readonly RankedCommand[]): boolean =>
  one.where === 'usual' &&
  one.dir !== '' &&
  asked.some((c) => c.kind === one.kind && c.dir === '' && c.command.split(/[:/ ]/).includes(one.dir));

/** Workflows install what this folder needs, and check it by something that is not read. */
const isPrepared = (ci: FromCi, dir: string): boolean =>
  ci.found.some((f) => f.kind === 'install' && f.dir === dir && f.weight < MAX_COMMAND_COST);

const GIVES_VALUE = /\s[A-Za-z_]\w*=\S/;
/** Workflows give the task a value each time: `make plugin=web test`. */
const lacksValue = ({ command, dir }: FoundCommand, ci: FromCi, body: TaskBody): boolean => {
  const known = recogniseProgram(command, dir, body);
  if (known?.script === undefined || GIVES_VALUE.test(command)) return false;
  const same = ci.found.filter(
    (f) => f.dir === dir && f.program === known.program && f.script === known.script,
  );
  return same.length > 0 && same.every((f) => GIVES_VALUE.test(f.command));
};

/** A guess at unittest, where CI runs pytest. */
const isOtherRunner = ({ kind, command, dir }: FoundCommand, ci: FromCi): boolean =>
  kind === 'test' &&
  / -m unittest\b/.test(command) &&
  ci.found.some((f) => f.kind === 'test' && f.program === 'pytest' && f.dir === dir);

const withVariablesOf = (one: RankedCommand, asked: readonly WeighedCommand[]): RankedCommand => {
  if (one.where === 'workflow') return one;
  const programOf = ({ command }: FoundCommand): string => unwrapCommand(command).split(' ', 1)[0] ?? '';
  const [same] = asked
    .filter((f) => f.kind === one.kind && f.dir === one.dir && programOf(f) === programOf(one))
    .sort((a, b) => a.weight - b.weight);
  return same?.variables ? { ...one, variables: same.variables } : one;
};

/** Ranks all commands: the plainest per kind, folder and language, and what workflows require. */
export const chooseChecks = (
  ci: FromCi,
  files: { manifests: readonly FoundCommand[]; guides: readonly FoundCommand[] },
  probed: readonly LocatedProbe[],
  body: TaskBody,
): { checks: RankedCommand[]; beyond: RankedCommand[] } => {
  const all = ci.found.filter((f) => f.kind !== 'install' && f.weight < MAX_COMMAND_COST);
  const tested = all.some((f) => f.kind === 'test');
  const light = all.filter(
    (f) => f.kind !== 'lint' || !commandWords().comesWithCi.test(unwrapCommand(f.command)),
  );
  const usable = tested ? light : [...light, ...ci.found.filter((f) => f.kind === 'test')];
  // A guide can only ask for `nix flake check` where no language is known at the root.
  const isExtra = (bare: string): boolean => isForAnyLanguage(bare) && probed.some(({ dir }) => dir === '');
  const asRanked = new Map(ci.found.map((f) => [f, fromWorkflow(f, probed)]));
  uniteFilters([...asRanked.values()]);
  const candidates = [
    ...usable.flatMap((f) => asRanked.get(f) ?? []),
    ...files.manifests
      .filter((f) => f.kind !== 'install' && !isOtherRunner(f, ci) && !lacksValue(f, ci, body))
      .map((f, i) => fromFile(f, 'usual', i, body)),
    ...files.guides
      .filter((f) => f.kind !== 'install' && !isExtra(unwrapCommand(f.command)))
      .map((f, i) => fromFile(f, 'guide', i, body)),
  ];
  const beyond: RankedCommand[] = [];
  const chosen = groupsOf(candidates).flatMap((group) => {
    const { out: found, beyond: more } = selectBest(group);
    const [first] = found;
    beyond.push(...more);
    const half = first?.where === 'workflow' && first.cost >= HALF_PROOF_RANK;
    if (!half) return found;
    const main = findMainEcosystem(probed, first.dir);
    return first.kind === 'test' && (main === '' || first.ecosystem === main) ? found : [];
  });
  const asked = chosen.filter((c) => c.where === 'workflow');
  const isCountedFolder = (dir: string): boolean =>
    dir === '' || all.length === 0 || asked.some((c) => c.dir === dir) || isPrepared(ci, dir);
  const isWanted = (one: RankedCommand): boolean => {
    if (one.where === 'workflow') return true;
    // Workflows that test another language here would test this one too.
    const elsewhere =
      one.where === 'usual' &&
      one.kind === 'test' &&
      asked.some((c) => c.kind === 'test' && c.dir === one.dir && c.ecosystem !== one.ecosystem);
    const unasked =
      one.where === 'usual' &&
      one.kind === 'types' &&
      ['lint', 'test'].every((kind) => asked.some((c) => c.kind === kind && c.dir === one.dir));
    if (elsewhere || unasked || isDoneElsewhere(one, asked) || isNamedFor(one, asked)) return false;
    const program = (command: string): string => unwrapCommand(command).split(' ')[0] ?? '';
    const same =
      one.where === 'usual' &&
      asked.some(
        (c) => c.kind === one.kind && c.dir === one.dir && program(c.command) === program(one.command),
      );
    const covered =
      same ||
      asked.some((c) => c.kind === one.kind && c.dir === one.dir && c.any && coversAll(c)) ||
      (one.where === 'usual' && asked.some((c) => c.dir === one.dir && runsTool(c.command, one.command)));
    const hooks = HOOKS.test(one.command) && chosen.some((c) => c !== one && c.kind === 'lint');
    const formatted =
      one.kind === 'format' &&
      one.where === 'usual' &&
      chosen.some((c) => c.dir === one.dir && runsHooks(c, body));
    return isCountedFolder(one.dir) && !covered && !hooks && !formatted;
  };
  return { checks: chosen.filter(isWanted).map((one) => withVariablesOf(one, all)), beyond };
};

/** `pip install pytest pytest-xdist` brings the plug-ins whose options the test command has. */
const PLUGINS: readonly (readonly [option: RegExp, name: RegExp])[] = [
  [/ (?:-n(?: ?\d+|[ =]?(?:auto|logical))|--numprocesses|--dist)\b/, /\bpytest-xdist\b/],
  [/ --(?:no-)?cov\b/, /\bpytest-cov\b/],
  [/ --timeout\b/, /\bpytest-timeout\b/],
  [/ --reruns\b/, /\bpytest-rerunfailures\b/],
  [/ --asyncio-mode\b/, /\bpytest-asyncio\b/],
];
const bringsPlugin = (install: string, command: string): boolean =>
  namesPackages(install) && PLUGINS.some(([option, name]) => option.test(command) && name.test(install));

const packageIn = (word: string): string => {
  const [path = ''] = word.replace(/^["']/, '').split(/["'@<>=~![]/, 1);
  return path.slice(path.lastIndexOf('/') + 1);
};
/** `pip install flake8 pytest` and `go install …/staticcheck@latest` bring the programs of checks. */
const bringsProgram = (install: string, command: string): boolean => {
  const [program = ''] = unwrapCommand(command).split(' ');
  const named = (install.split(' install ')[1] ?? '').split(' ');
  return namesPackages(install) && named.some((word) => packageIn(word) === program);
};
type IsNamed = (program: string) => boolean;

const OF_GO = /^go install /;
const installsFromCi = (
  ci: FromCi,
  checks: readonly RankedCommand[],
  isNeeded: (one: FoundCommand, check: FoundCommand) => boolean,
  probed: readonly LocatedProbe[],
): WeighedCommand[] => {
  const out: WeighedCommand[] = [];
  const addCommand = (one: WeighedCommand): void => {
    if (!out.some((o) => o.command === one.command && o.dir === one.dir)) out.push(one);
  };
  const installs = ci.found.filter((f) => f.kind === 'install');
  const isAlike = (left: WeighedCommand, right: WeighedCommand): boolean =>
    left.ecosystem === right.ecosystem &&
    left.dir === right.dir &&
    projectNamedBy(left, probed) === projectNamedBy(right, probed);
  // The testing job counts even when its command is not chosen; a build may be of docs.
  const isNear = ({ dir }: FoundCommand): boolean =>
    checks.length === 0 || checks.some((c) => isInFolder(c.dir, dir) || isInFolder(dir, c.dir));
  const tests = ci.found.filter((f) => f.kind === 'test' && f.weight < MAX_COMMAND_COST && isNear(f));
  const asked = ci.found.filter((f) => checks.some((c) => c.source === f.source && c.command === f.command));
  const others = asked.filter((c) => c.kind !== 'test' && (tests.length === 0 || c.kind !== 'build'));
  const byWeight = (left: WeighedCommand, right: WeighedCommand): number => left.weight - right.weight;
  const order = [...[...tests].sort(byWeight), ...[...others].sort(byWeight)];
  const done = new Set<string>();
  for (const check of order) {
    // Rows of a matrix test the same with other packages: those of the first are installed.
    const same = [check.source, check.dir, check.command].join('\n');
    if (done.has(same)) continue;
    done.add(same);
    const before = installs.filter((i) => i.job === check.job && i.at < check.at);
    const whole = before.filter((i) => !namesPackages(i.command));
    const mine = before.filter(
      (i) =>
        !namesPackages(i.command) ||
        bringsPlugin(i.command, check.command) ||
        isNeeded(i, check) ||
        (!OF_GO.test(i.command) && !whole.some((w) => w.ecosystem === i.ecosystem)),
    );
    for (const one of mine.filter(
      (i) => !namesPackages(i.command) || !isForAnyLanguage(unwrapCommand(check.command)),
    ))
      if (isNeeded(one, check) || !out.some((o) => isAlike(o, one) && o.job !== one.job)) addCommand(one);
  }
  return out.map((one) => (OF_PART.test(one.command) ? (wholeOf(one, installs) ?? one) : one));
};

/** Installs some packages of a workspace, other versions, or leaves out what only tests need. */
const OF_PART =
  / (?:--only|--filter|-F|--workspace|-w|--workspaces-focus|--prod|--production|--omit|--prefer-lowest|--ignore-platform-reqs?)\b/;
const wholeOf = (part: WeighedCommand, installs: readonly WeighedCommand[]): WeighedCommand | undefined =>
  installs
    .filter((i) => i.ecosystem === part.ecosystem && i.dir === part.dir && i.program === part.program)
    .filter((i) => !OF_PART.test(i.command))
    .sort((a, b) => a.weight - b.weight)[0];

export const BY_PIP = /^pip install\b/;
const BY_HATCH = /^hatch /;
const BY_BUNDLER = /^bundle install\b/;
const STARTS_BUNDLER = /\bbundle exec\b|(?:^|\s)(?:\.\/)?(?:bin|scripts?)\/\w/;
const isInFolder = (dir: string, other: string): boolean =>
  other === '' || dir === other || dir.startsWith(`${other}/`);

export const chooseInstalls = (
  ci: FromCi,
  checks: readonly RankedCommand[],
  { manifests, guides }: { manifests: readonly FoundCommand[]; guides: readonly FoundCommand[] },
  isNamed: IsNamed,
  probed: readonly LocatedProbe[],
): FoundCommand[] => {
  const isNeeded = (one: FoundCommand, check: FoundCommand): boolean =>
    bringsProgram(one.command, check.command) &&
    !isNamed(unwrapCommand(check.command).split(' ')[0] ?? '') &&
    checks.some((c) => c.source === check.source && c.command === check.command);
  const isInstall = ({ kind }: FoundCommand): boolean => kind === 'install';
  const isWeighed = (one: FoundCommand): one is WeighedCommand => 'job' in one;
  /** CI tests with these packages alone. */
  const isAllOfTests = (one: FoundCommand): boolean => {
    if (!isWeighed(one)) return false;
    const ofJob = ci.found.filter((f) => f.job === one.job);
    return (
      !ofJob.some((f) => isInstall(f) && f.ecosystem === one.ecosystem && !namesPackages(f.command)) &&
      ofJob.some(
        (f) => f.kind === 'test' && checks.some((c) => c.source === f.source && c.command === f.command),
      )
    );
  };
  // A named package is extra when a manifest lists the project's needs.
  const isExtraPackage = (one: FoundCommand): boolean =>
    !isAllOfTests(one) &&
    !checks.some((check) => bringsPlugin(one.command, check.command) || isNeeded(one, check)) &&
    namesPackages(one.command) &&
    manifests.some(
      (m) => isInstall(m) && ecosystemFamilyOf(m.ecosystem) === ecosystemFamilyOf(one.ecosystem),
    );
  const out: FoundCommand[] = installsFromCi(ci, checks, isNeeded, probed).filter((i) => !isExtraPackage(i));
  const [guessed, locked] = [true, false].map((pip) =>
    manifests.filter((f) => isInstall(f) && BY_PIP.test(f.command) === pip),
  );
  const tested = ci.found.some((f) => f.kind === 'test' && f.weight < MAX_COMMAND_COST);
  const asked = checks.filter((c) => c.where === 'workflow');
  const told = guides.filter((i) => isInstall(i) && !namesPackages(i.command));
  // CI that starts its tests without bundler runs them with the gems of Ruby itself, and hatch installs by itself.
  const isUnused = ({ command, dir, ecosystem }: FoundCommand): boolean =>
    (BY_BUNDLER.test(command) &&
      asked.some((c) => c.kind === 'test' && c.dir === dir) &&
      !checks.some((c) => isInFolder(c.dir, dir) && STARTS_BUNDLER.test(c.command))) ||
    (/\bpip install\b/.test(command) &&
      checks.some((c) => BY_HATCH.test(c.command)) &&
      checks.every((c) => c.ecosystem !== ecosystem || BY_HATCH.test(c.command)));
  for (const one of [...(locked ?? []), ...told, ...(guessed ?? [])]) {
    const counts =
      one.dir === '' || !tested || asked.some((c) => c.dir === one.dir) || isPrepared(ci, one.dir);
    const covered = out.some(
      (o) =>
        isInFolder(one.dir, o.dir) &&
        ecosystemFamilyOf(o.ecosystem) === ecosystemFamilyOf(one.ecosystem) &&
        ((isAllOfTests(o) && !BY_PIP.test(one.command)) || !checks.some((check) => isNeeded(o, check))),
    );
    const needed =
      checks.length === 0 ||
      checks.some(
        ({ dir, ecosystem }) =>
          isInFolder(dir, one.dir) &&
          (ecosystem === '' || ecosystemFamilyOf(ecosystem) === ecosystemFamilyOf(one.ecosystem)),
      ) ||
      (one.dir === '' && !checks.some((c) => c.dir === ''));
    if (counts && needed && !covered && !isUnused(one)) out.push(one);
  }
  return out;
};
