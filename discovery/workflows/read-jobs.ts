/** Lists the steps that workflows and local actions run for a pull request on Linux. */
import type { PathFilter } from '#model/contract';
import type { CiVersions } from '#model/environment';
import {
  ALL_KNOWN,
  evaluateCondition,
  resolveExpressions,
  UNKNOWN_VALUE,
  type KnownValues,
} from './expressions.ts';
import { expandMatrix } from './matrix.ts';
import { parseVersionRange, toolOfKey } from './ci-versions.ts';
import { childTree, listAt, parseYamlTree, textAt, textsIn, type YamlTree } from './yaml-tree.ts';

type Read = (path: string) => string | null;

/** Known values are filled in; `UNKNOWN_VALUE` stands for the rest. */
export type JobStep = {
  file: string;
  line: number;
  name: string;
  does: { run: string } | { uses: string; given: KnownValues };
  dir: string;
  env: KnownValues;
  /** Variables of `env` that no expression of the workflow asks for: they are meant for the commands. */
  given: KnownValues;
  maybe: boolean;
  secrets: readonly string[];
  checkout: string;
  foreign: readonly string[];
};
export type WorkflowJob = {
  file: string;
  id: string;
  name: string;
  workflow: string;
  steps: JobStep[];
  services: string[];
  versions: readonly CiVersions[];
  /** Of the workflow that starts it; null: it runs for every change. */
  filter: PathFilter | null;
};

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
const ACTION = /^(?:\.github\/)?(?:actions?\/)?(?:[\w.-]+\/){0,4}action\.ya?ml$/;
const MOST_WORKFLOWS = 40;
const MOST_ACTIONS = 30;
const MOST_JOBS = 150;
const MOST_STEPS = 3_000;
const MAX_WORKFLOW_DEPTH = 4;
const MOST_CALLS = 200;

export const workflowFiles = (paths: readonly string[]): string[] => [
  ...paths
    .filter((p) => WORKFLOW.test(p))
    .sort(compareLikelihood)
    .slice(0, MOST_WORKFLOWS),
  ...paths.filter((p) => ACTION.test(p)).slice(0, MOST_ACTIONS),
];

/** Workflows that sound like checks come first, because there may be hundreds. */
const compareLikelihood = (left: string, right: string): number =>
  rankOfPath(left) - rankOfPath(right) || (left < right ? -1 : 1);
const rankOfPath = (path: string): number =>
  /\/(?:ci|tests?|checks?|build|main|lint|pr|pull[-_]request|unit)\b/i.test(path)
    ? 0
    : /ci|test|check|lint|build/i.test(path)
      ? 1
      : 2;

const ON_CHANGE = ['pull_request', 'pull_request_target', 'push', 'merge_group'];

const startsForChange = (on: YamlTree | undefined): boolean => {
  if (!on) return true;
  const named = [...on.entries.keys(), ...on.items.map((i) => i.text ?? ''), on.text ?? ''];
  if (named.every((n) => n === '')) return true;
  const asks = named.filter((n) => ON_CHANGE.includes(n));
  const types = listAt(on, 'pull_request', 'types').map((t) => t.text ?? '');
  if (types.length > 0 && !types.some((t) => /opened|synchronize/.test(t))) return false;
  const push = childTree(on, 'push');
  const onlyTags = childTree(push, 'tags') !== undefined && childTree(push, 'branches') === undefined;
  return asks.some((n) => n !== 'push' || !onlyTags);
};

const MOST_PATTERNS = 60;
const MAX_PATTERN_LENGTH = 200;
/** Of pull requests where the workflow starts for them, of pushes otherwise. */
const filterOf = (on: YamlTree | undefined): PathFilter | null => {
  const starts = (event: string): boolean =>
    on?.text === event ||
    on?.entries.has(event) === true ||
    (on?.items ?? []).some(({ text }) => text === event);
  const event = ON_CHANGE.find(starts) ?? '';
  const readPatterns = (key: string): string[] => listAt(on, event, key).map(({ text }) => text ?? '');
  const [only, ignore] = [readPatterns('paths'), readPatterns('paths-ignore')];
  const all = [...only, ...ignore];
  // Sets of characters and repetitions are not read: it counts as one that always runs.
  const isUnread = (one: string): boolean =>
    one === '' || one.length > MAX_PATTERN_LENGTH || /[[\]?+\\]/.test(one);
  if (all.length === 0 || all.length > MOST_PATTERNS || all.some(isUnread)) return null;
  return only.length > 0 ? { only } : { ignore };
};

const MOST_OTHERS = 20;
const systemOf = (label: string): string =>
  /win/i.test(label) ? 'Windows' : /bsd/i.test(label) ? 'FreeBSD' : 'macOS';
const OTHER_SYSTEM = /windows|macos|mac-|\bmac\b|ios|freebsd|self-hosted-gpu/i;

type Scope = {
  file: string;
  names: KnownValues;
  dir: string;
  shell: string;
  env: KnownValues;
  secrets: readonly string[];
};

const SECRET = /\bsecrets\.([A-Za-z_]\w*)/g;
/** Given to every run, or for reports, caches and releases: no test needs them. */
const BESIDE_TESTS =
  /^GITHUB_TOKEN$|codecov|coveralls|codacy|codeclimate|sonar|slack|discord|npm|pypi|sentry|gpg|cach|turbo|nx_cloud|buildkite|currents|loki|grafana|datadog|percy|chromatic|snyk|release|deploy|publish|(?:^|_)(?:pat|gh_token|bot_token)$/i;
const secretsIn = (values: KnownValues): string[] =>
  Object.values(values).flatMap((value) =>
    [...value.matchAll(SECRET)].flatMap(([, name = '']) => (BESIDE_TESTS.test(name) ? [] : [name])),
  );

/** `env: ${{ matrix.env }}` makes each part a variable. */
const rowIn = (tree: YamlTree | undefined, names: KnownValues): KnownValues => {
  const key = /^\$\{\{\s*(matrix\.[\w-]+)\s*\}\}$/.exec(tree?.text ?? '')?.[1];
  if (key === undefined) return {};
  const parts = Object.entries(names).filter(([name]) => name.startsWith(`${key}.`));
  return Object.fromEntries(parts.map(([name, value]) => [name.slice(key.length + 1), value]));
};

/** A variable that an expression or a script asks for is a part of their text, and set for nothing else. */
const withoutAskedFor = (env: KnownValues, text: string): KnownValues =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !['env.', '$', '${'].some((start) => text.includes(start + name))),
  );

const OF_MATRIX = /^\s*\$\{\{\s*matrix\.([\w-]+)\s*\}\}\s*$/;
const VERSION_INPUT = /(?:^|-)version$|^toolchain$/;
const rangeGiven = (input: string, value: string, names: KnownValues): string | null => {
  const key = VERSION_INPUT.test(input) ? OF_MATRIX.exec(value)?.[1] : undefined;
  return key === undefined ? null : (names[`versions.${key}`] ?? null);
};

const matrixVersions = (names: KnownValues): CiVersions[] =>
  Object.entries(names).flatMap(([known, value]) => {
    const name = toolOfKey(/^(?:versions|matrix)\.(.+)$/.exec(known)?.[1] ?? '');
    const range = parseVersionRange(names[known.replace(/^matrix/, 'versions')] ?? value);
    return name === undefined || range === null ? [] : [{ name, ...range }];
  });

const CONTAINER_IMAGE = /^(?:[\w.-]+(?::\d+)?\/)*([\w.-]+):v?(\d+(?:\.\d+)*)(?:-[\w.-]+)?$/;
/** `container: node:20-bookworm` brings that version, as a set-up action does. */
const containerVersions = (image: string, known: readonly CiVersions[]): CiVersions[] => {
  const [, program = '', tag = ''] = CONTAINER_IMAGE.exec(image) ?? [];
  const name = toolOfKey(program);
  const range = parseVersionRange(tag);
  return name === undefined || range === null || known.some((one) => one.name === name)
    ? []
    : [{ name, ...range }];
};

/** The folder into which another repository goes; '' takes the place of this one. */
const foreignFolder = ({ repository = '', path = '' }: KnownValues): string | null =>
  /^[\w.-]+\/[\w.-]+$/.test(repository) ? joinInsideRepository('', path) : null;

const OWN = /^(?:\$\{\{\s*)?github\.repository\b|^\u0001$/;
const checkoutOf = ({ repository, path = '' }: KnownValues): string | null =>
  repository === undefined || OWN.test(repository) ? joinInsideRepository('', path) : null;
export const toPathInCheckout = (dir: string, checkout: string): string =>
  checkout !== '' && `${dir}/`.startsWith(`${checkout}/`) ? dir.slice(checkout.length + 1) : dir;

const rootFrom = (dir: string): string => dir.replace(/[^/]+/g, '..') || '.';

const RUNS =
  /^(?:nick-(?:fields|invision)\/retry|wandalen\/wretry\.action|gabrielbb\/xvfb-action|coactions\/setup-xvfb)@/i;
const scriptGiven = (uses: string, given: KnownValues): string | null =>
  RUNS.test(uses) ? (given['command'] ?? given['run'] ?? null) : null;

const joinInsideRepository = (dir: string, more: string): string | null => {
  const parts: string[] = [];
  for (const part of `${more.startsWith('/') ? '' : dir}/${more}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
};

const resolveAll = (values: KnownValues, names: KnownValues): KnownValues =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, resolveExpressions(value, names)]));

const folderFor = (told: string | null, usual: string, names: KnownValues): string =>
  told === null ? usual : (joinInsideRepository('', resolveExpressions(told, names)) ?? UNKNOWN_VALUE);

const enterScope = (scope: Scope, tree: YamlTree | undefined): Scope => {
  const own = childTree(tree, 'env');
  const given = textsIn(own);
  const env = resolveAll({ ...rowIn(own, scope.names), ...given }, scope.names);
  const names = { ...scope.names };
  for (const [key, value] of Object.entries(env)) names[`env.${key}`] = value;
  const run = childTree(tree, 'defaults', 'run');
  return {
    file: scope.file,
    names,
    env: { ...scope.env, ...env },
    dir: folderFor(textAt(run, 'working-directory'), scope.dir, names),
    shell: textAt(run, 'shell') ?? scope.shell,
    secrets: [...new Set([...scope.secrets, ...secretsIn(given)])].slice(0, 10),
  };
};

const inputsOf = (declared: YamlTree | undefined, given: KnownValues): KnownValues => {
  const inputs: Record<string, string> = { [`inputs.${ALL_KNOWN}`]: '' };
  for (const [name, tree] of declared?.entries ?? [])
    inputs[`inputs.${name}`] = given[name] ?? textAt(tree, 'default') ?? '';
  return inputs;
};

const inputsOfAction = (step: YamlTree, names: KnownValues): KnownValues =>
  Object.fromEntries(
    Object.entries(textsIn(childTree(step, 'with'))).map(([key, value]) => [
      key,
      rangeGiven(key, value, names) ?? resolveExpressions(value, names),
    ]),
  );

const versionsOfJob = (job: YamlTree, names: KnownValues): CiVersions[] => {
  const container = textAt(job, 'container') ?? textAt(childTree(job, 'container'), 'image') ?? '';
  const versions = matrixVersions(names);
  return [...versions, ...containerVersions(resolveExpressions(container, names), versions)];
};

const isOtherShell = (shell: string): boolean => /pwsh|powershell|cmd|python|node|perl/.test(shell);

const isUncalled = (file: string, tree: YamlTree | null, texts: readonly string[]): boolean => {
  const on = childTree(tree ?? undefined, 'on');
  const name = file.replace(/^.*\//, '');
  return (
    on?.entries.size === 1 && on.entries.has('workflow_call') && !texts.some((t) => t.includes(`/${name}`))
  );
};

/** `unread`: files that were not understood. */
export const readWorkflowJobs = (
  paths: readonly string[],
  read: Read,
): {
  jobs: readonly WorkflowJob[];
  others: readonly (WorkflowJob & { system: string })[];
  unread: readonly string[];
} => {
  const jobs: WorkflowJob[] = [];
  const others: (WorkflowJob & { system: string })[] = [];
  let [taken, calls] = [0, 0];
  const trees = new Map<string, YamlTree | null>();
  const treeOf = (file: string): YamlTree | null => {
    const known = trees.get(file);
    if (known !== undefined) return known;
    const text = read(file);
    const tree = text === null ? null : parseYamlTree(text);
    trees.set(file, tree);
    return tree;
  };

  const takeSteps = (
    job: WorkflowJob,
    list: readonly YamlTree[],
    scope: Scope,
    maybe: boolean,
    depth: number,
  ): void => {
    let checkout = '';
    const foreign: string[] = [];
    for (const tree of list) {
      if (taken > MOST_STEPS) return;
      const mine = enterScope(scope, tree);
      const truth = evaluateCondition(textAt(tree, 'if'), mine.names);
      if (truth === false || textAt(tree, 'continue-on-error') === 'true') continue;
      taken += 1;
      const unsure = maybe || truth === null || foreign.length > 0;
      const beside = listAt(tree, 'parallel');
      if (beside.length > 0) {
        takeSteps(job, beside, mine, unsure, depth);
        continue;
      }
      const run = childTree(tree, 'run');
      const place = folderFor(textAt(tree, 'working-directory'), mine.dir, mine.names);
      const dir = toPathInCheckout(place, checkout);
      const common = {
        file: mine.file,
        name: resolveExpressions(textAt(tree, 'name') ?? '', mine.names),
        dir,
        env: { GITHUB_WORKSPACE: rootFrom(dir), ...mine.env },
        given: withoutAskedFor(mine.env, read(mine.file) ?? ''),
        maybe: unsure,
        secrets: mine.secrets,
        checkout,
        foreign: [...foreign],
      };
      if (run?.text) {
        if (isOtherShell(textAt(tree, 'shell') ?? mine.shell)) continue;
        job.steps.push({
          ...common,
          line: run.line,
          does: {
            run: resolveExpressions(run.text, { ...mine.names, 'github.workspace': rootFrom(dir) }),
          },
        });
        continue;
      }
      const uses = childTree(tree, 'uses');
      if (!uses?.text) continue;
      const given = inputsOfAction(tree, mine.names);
      // The folder holds foreign code from here on.
      if (/^actions\/checkout@/.test(uses.text)) {
        const folder = foreignFolder(given);
        if (folder === '') return;
        if (folder !== null) foreign.push(folder);
        checkout = checkoutOf(given) ?? checkout;
      }
      const script = scriptGiven(uses.text, given);
      if (script !== null) job.steps.push({ ...common, line: uses.line, does: { run: script } });
      else if (uses.text.startsWith('./')) takeAction(job, uses.text, given, mine, unsure, depth);
      else job.steps.push({ ...common, line: uses.line, does: { uses: uses.text, given } });
    }
  };

  const takeAction = (
    job: WorkflowJob,
    uses: string,
    given: KnownValues,
    scope: Scope,
    maybe: boolean,
    depth: number,
  ): void => {
    const folder = joinInsideRepository('', uses);
    if (folder === null || depth >= MAX_WORKFLOW_DEPTH) return;
    for (const file of [`${folder}/action.yml`, `${folder}/action.yaml`]) {
      const tree = treeOf(file);
      if (!tree) continue;
      const names = { ...scope.names, ...inputsOf(childTree(tree, 'inputs'), given) };
      const list = childTree(tree, 'runs', 'steps')?.items ?? [];
      takeSteps(job, list, { ...scope, file, names, dir: '' }, maybe, depth + 1);
      return;
    }
  };

  const takeWorkflow = (
    file: string,
    given: KnownValues | null,
    called: string | null,
    depth: number,
    ofCaller: PathFilter | null = null,
  ): void => {
    calls += 1;
    if (depth >= MAX_WORKFLOW_DEPTH || calls > MOST_CALLS) return;
    const tree = treeOf(file);
    if (!tree) return;
    const on = childTree(tree, 'on') ?? childTree(tree, 'true');
    if (given === null && !startsForChange(on)) return;
    const start = {
      file,
      names: inputsOf(childTree(on, 'workflow_call', 'inputs'), given ?? {}),
      dir: '',
      shell: '',
      env: {},
      secrets: [],
    };
    const scope = enterScope(start, tree);
    const filter = given === null ? filterOf(on) : ofCaller;
    for (const [id, job] of childTree(tree, 'jobs')?.entries ?? [])
      takeJob(tree, id, job, scope, { called, depth, filter });
  };

  const takeJob = (
    workflow: YamlTree,
    id: string,
    tree: YamlTree,
    scope: Scope,
    { called, depth, filter }: { called: string | null; depth: number; filter: PathFilter | null },
  ): void => {
    const steps = childTree(tree, 'steps')?.items ?? [];
    const conditions = steps.map((step) => textAt(step, 'if') ?? '').join('\n');
    for (const names of expandMatrix(childTree(tree, 'strategy'), scope.names, conditions)) {
      if (jobs.length >= MOST_JOBS) return;
      const mine = enterScope({ ...scope, names }, tree);
      const truth = evaluateCondition(textAt(tree, 'if'), mine.names);
      const mayFail = textAt(tree, 'continue-on-error');
      const runsOn = listAt(tree, 'runs-on')
        .map((t) => resolveExpressions(t.text ?? '', mine.names))
        .join(' ');
      if (truth === false || mayFail === 'true') continue;
      const other = OTHER_SYSTEM.exec(runsOn)?.[0] ?? null;
      if (other !== null && (others.length >= MOST_OTHERS || textAt(tree, 'uses') !== null)) continue;
      const uses = textAt(tree, 'uses');
      const name = resolveExpressions(textAt(tree, 'name') ?? id, mine.names);
      if (uses?.startsWith('./')) {
        const given = resolveAll(textsIn(childTree(tree, 'with')), mine.names);
        takeWorkflow(joinInsideRepository('', uses) ?? '', given, name, depth + 1, filter);
        continue;
      }
      const services = [...(childTree(tree, 'services')?.entries.keys() ?? [])].slice(0, 10);
      const job: WorkflowJob = {
        file: scope.file,
        id,
        name,
        services,
        versions: versionsOfJob(tree, mine.names),
        steps: [],
        workflow: called ?? textAt(workflow, 'name') ?? '',
        filter,
      };
      // Other rows of the matrix may have to pass.
      const unsure = truth === null || (mayFail !== null && evaluateCondition(mayFail, mine.names) === true);
      takeSteps(job, steps, mine, unsure, depth);
      if (other === null) jobs.push(job);
      else others.push({ ...job, system: systemOf(other) });
    }
  };

  const files = workflowFiles(paths).filter((p) => WORKFLOW.test(p));
  for (const file of files) takeWorkflow(file, null, null, 0);
  const texts = files.map((file) => read(file) ?? '');
  for (const file of files) if (isUncalled(file, treeOf(file), texts)) takeWorkflow(file, {}, null, 0);
  const unread = [...trees].flatMap(([file, tree]) =>
    tree === null && paths.includes(file) && read(file)?.trim() !== '' ? [file] : [],
  );
  return { jobs, others, unread };
};
