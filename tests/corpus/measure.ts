/**
 * Holds what discovery says of a labelled repository against what a person wrote down about it,
 * field by field.
 */
import type { Contract } from '#model/contract';
import type { OwnerFiles } from '../../discovery/contribution-requirements.ts';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { textOf, type Labelled } from './labels.ts';

/**
 * Of one field in one repository: what was right, what was said and is wrong, what is there and was
 * not said.
 */
export type Judged = { right: string[]; wrong: string[]; missed: string[] };
export type Field = { name: string; judge: (label: Labelled, contract: Contract) => Judged };

export const matched = <E, S>(
  expected: readonly E[],
  said: readonly S[],
  fits: (e: E, s: S) => boolean,
  show: { expected: (e: E) => string; said: (s: S) => string },
): Judged => {
  const open = [...expected];
  const [right, wrong]: [string[], string[]] = [[], []];
  for (const one of said) {
    const at = open.findIndex((e) => fits(e, one));
    if (at >= 0) open.splice(at, 1);
    const again = at < 0 && expected.some((e) => fits(e, one));
    if (!again) (at >= 0 ? right : wrong).push(show.said(one));
  }
  return { right, wrong, missed: open.map(show.expected) };
};

/**
 * What only changes what is printed or measured beside, or how fast it goes: the same things pass
 * and fail with it and without it.
 */
const ASIDE = new RegExp(
  ` (?:${[
    String.raw`-{1,2}verbose|-v{1,3}|-VV?|--quiet|-q|--verbosity[= ]\w+|-v[: ][nmqd]`,
    String.raw`--colors?(?:[= ](?:always|auto|never|yes|no|true))?|--no-ansi|--ansi|--testdox|-ra|--tb=\w+|--durations[= ]\d+`,
    String.raw`--nologo|--no-progress|--progress|--show-diff-on-failure|--(?:output-)?format[= ]github\S*|--no-interaction`,
    String.raw`--enable-code-coverage|--coverage|--cov(?:=\S+)?|--cov-report[= ]\S+|--cov-append|--no-coverage`,
    String.raw`--output-on-failure|--print-errorlogs|--no-fail-fast|--keep-going|-count=1`,
    String.raw`-B|--batch-mode|-ntp|--no-transfer-progress|--show-version|--errors|--stacktrace|--scan|--info|--console=\w+`,
    String.raw`--no-daemon|--build-cache|--parallel(?: \d+)?|-j ?(?:\d+|\$\(nproc\)|auto)?|--jobs[= ]\w+|-n[= ]?auto|--numprocesses[= ]\w+|--runInBand`,
  ].join('|')})(?= |$)`,
  'g',
);
/**
 * A lockfile that fits installs the same with these and without them; they only say what happens
 * when it does not fit.
 */
const LOCKED =
  / (?:--frozen-lockfile|--frozen|--locked|--immutable|--no-audit|--no-fund|--prefer-offline)(?= |$)/g;

/**
 * Ways to write the same command: aliases that the tool itself documents (`npm t`, `tox r`,
 * `cargo fmt -- --check`), the wrapper script by its path, quotes that the shell takes away, and
 * options that decide neither what is checked nor how.
 */
const plainly = (command: string): string =>
  command
    .replace(/\s+/g, ' ')
    .trim()
    .replace(ASIDE, '')
    .replace(ASIDE, '')
    .replace(LOCKED, '')
    .replace(/\bnpm t\b/g, 'npm test')
    .replace(/\b(npm|pnpm|yarn) run (?=test\b(?![:-]))/g, '$1 ')
    .replace(/\b(pnpm|yarn) run /g, '$1 ')
    .replace(/\b(npm|pnpm|bun|yarn) i(?= |$)/g, '$1 install')
    .replace(/^yarn(?= --|$)/, 'yarn install')
    .replace(/^npm (?:clean-install|ci)\b/, 'npm ci')
    .replace(/\bpython3\b/g, 'python')
    .replace(/\bpython -m (?=(?:pip|tox|nox|mypy|ruff|black|flake8|pre_commit)\b)/g, '')
    .replace(/\bpip3\b/g, 'pip')
    .replace(/\btox (?:run|r)(?= |$)/g, 'tox')
    .replace(/\bcargo fmt( --all)? -- --check\b/g, 'cargo fmt$1 --check')
    .replace(/(?:\bsh |\bbash )?\.\/(gradlew|mvnw)/g, '$1')
    .replace(/^(?:(?:ba)?sh )?\.\//, '')
    // A formatter that is run to see whether it changes anything.
    .replace(/ && git diff --exit-code$/, '')
    .replace(/['"]/g, '');

const EXPRESSION = /\$\{\{.*?\}\}/;
const same = (expected: string, said: string): boolean => {
  if (!EXPRESSION.test(expected)) return expected === said;
  const parts = expected.split(EXPRESSION).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('\\S*(?: -\\S+)*')}$`).test(said);
};

type Command = { dir: string; any: string[] };
/** The root is written as `.` by some. */
const folder = (dir: string): string => dir.replace(/^\.\/?|\/$/g, '');
type Kind = 'install' | 'lint' | 'format' | 'types' | 'test' | 'build';
const shown = ({ command, dir }: { command: string; dir: string }): string =>
  dir === '' ? command : `${command} (in ${dir})`;

/** A tool that is told its folder runs there as if somebody had gone there first. */
const GOES: readonly RegExp[] = [
  /^\(?cd '?([\w./-]+)'? && (.*?)\)?$/,
  /^(?=(?:make|ninja|git|pnpm|just|meson (?:test|compile)|cmake) )(?=.* -C ([\w./-]+))(.*)$/,
  /^(?=ctest )(?=.* --test-dir[= ]([\w./-]+))(.*)$/,
  /^(?=npm )(?=.* --prefix[= ]([\w./-]+))(.*)$/,
  /^(?=(?:pnpm|yarn|uv) )(?=.* --(?:dir|cwd|directory|project)[= ]([\w./-]+))(.*)$/,
];
const TOLD = / (?:-C|--test-dir|--prefix|--dir|--cwd|--directory|--project)[= ][\w./-]+/;
const placed = (dir: string, command: string): string => {
  const at = folder(dir);
  for (const goes of GOES) {
    const [, more, what] = goes.exec(command) ?? [];
    if (more !== undefined && what !== undefined)
      return `${folder([at, folder(more)].filter(Boolean).join('/'))}: ${plainly(what.replace(TOLD, ''))}`;
  }
  return `${at}: ${plainly(command)}`;
};

/** A label that names no variable asks for the command, whatever CI sets for it. */
const VARIABLES = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"]*) )+/;
const fits = (e: Command, s: { command: string; dir: string }): boolean =>
  e.any.some((c) =>
    [s.command, s.command.replace(VARIABLES, '')].some((said) => same(placed(e.dir, c), placed(s.dir, said))),
  );

const isBeside = ({ also }: Labelled, { command, dir }: { command: string; dir: string }): boolean =>
  also.some((pattern) => new RegExp(pattern).test(`${folder(dir)}: ${command}`));

const commands = (name: Kind): Field => ({
  name,
  judge: (label, contract) => {
    const all =
      name === 'install'
        ? contract.installs
        : contract.checks.filter((c) => c.name.split(' ').at(-1) === name);
    const expected = label[name] ?? [];
    const others = KINDS.filter((kind) => kind !== name && kind !== 'install').flatMap(
      (kind) => label[kind] ?? [],
    );
    const said = all.filter(
      (c) =>
        expected.some((e) => fits(e, c)) ||
        (!isBeside(label, c) && (name === 'install' || !others.some((e) => fits(e, c)))),
    );
    const judged = matched<Command, { command: string; dir: string }>(expected, said, (e, c) => fits(e, c), {
      expected: (e) => shown({ dir: folder(e.dir), command: e.any.join(' | ') }),
      said: shown,
    });
    if (name === 'install') return judged;
    // One command may lint and format: it is run, under whichever name.
    const run = (e: Command): boolean => contract.checks.some((c) => fits(e, c));
    const missed = (label[name] ?? []).filter((e) => !run(e));
    return {
      ...judged,
      missed: missed.map((e) => shown({ dir: folder(e.dir), command: e.any.join(' | ') })),
    };
  },
});

const words = { expected: String, said: String };
const KINDS = ['install', 'lint', 'format', 'types', 'test', 'build'] as const satisfies readonly Kind[];

export const FIELDS: readonly Field[] = [
  {
    name: 'ecosystems',
    judge: (label, { ecosystems }) => {
      const asked = label.ecosystems.filter((e) => !e.endsWith('?'));
      const said = ecosystems.filter((s) => !label.ecosystems.includes(`${s}?`));
      return matched(asked, said, (e, s) => e.split('|').includes(s), words);
    },
  },
  {
    // A label lists every package manager that is right.
    name: 'packageManager',
    judge: ({ packageManager: right }, { packageManager: said }) => {
      if (said === null) return { right: [], wrong: [], missed: right.slice(0, 1) };
      return right.includes(said)
        ? { right: [said], wrong: [], missed: [] }
        : { right: [], wrong: [said], missed: right.slice(0, 1) };
    },
  },
  ...KINDS.map(commands),
];

const ownersOf = ({ ownerFiles }: Labelled): OwnerFiles | null =>
  ownerFiles
    ? { name: '', files: Object.entries(ownerFiles).map(([path, file]) => ({ path, text: textOf(file) })) }
    : null;

export const contractOf = (label: Labelled): Contract =>
  discoverContract(
    label.paths,
    (path) => {
      const file = Object.hasOwn(label.files, path) ? label.files[path] : undefined;
      return file === undefined ? null : textOf(file);
    },
    // Where a repository has a template for each kind of change, that for a fix was labelled.
    { owner: ownersOf(label), work: 'fix' },
  );

export type Figures = { right: number; wrong: number; missed: number; precision: number; recall: number };
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

export type Measured = { name: string; figures: Figures; misses: { repo: string; judged: Judged }[] };

export const measure = (labels: readonly Labelled[], fields: readonly Field[] = FIELDS): Measured[] => {
  const contracts = labels.map((label) => ({ label, contract: contractOf(label) }));
  return fields.map(({ name, judge }) => {
    const all = contracts.map(({ label, contract }) => ({
      repo: label.repo,
      judged: judge(label, contract),
    }));
    const count = (kind: keyof Judged): number => all.reduce((n, { judged }) => n + judged[kind].length, 0);
    const [right, wrong, missed] = [count('right'), count('wrong'), count('missed')];
    const figures = {
      right,
      wrong,
      missed,
      precision: share(right, right + wrong),
      recall: share(right, right + missed),
    };
    const misses = all.filter(({ judged }) => judged.wrong.length + judged.missed.length > 0);
    return { name, figures, misses };
  });
};
