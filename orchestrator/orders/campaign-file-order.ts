/** Makes a campaign of a file that fits its schema, or lists everything that does not fit together (F5). */
import { z } from 'zod';
import type { TargetVariables } from '#model/campaign';
import {
  findLinkProblem,
  type TargetLink,
  hasUnclosedQuote,
  parseRepoQuery,
  type RepoQuery,
} from '#model/targets';
import { OrderedFix } from '#model/order';
import { isWrongArgument, type CommandProblem } from '#model/chat';
import { validateVariables, EVERY_REPOSITORY, type NewCampaign } from './campaign-argument.ts';
import type { CampaignFile, Link } from './campaign-file-schema.ts';
import { parseRepoName, visibleText } from './repository-list.ts';
import { readOrder, type ParsedOption } from './order-argument.ts';

/** Gives the line of a value in the file. */
type LineOf = (path: readonly (string | number)[]) => number;

const WithNames = z.looseObject({
  repositories: z.array(z.unknown()).catch([]),
  query: z.union([z.array(z.unknown()), z.string().transform((one) => [one])]).catch([]),
});
const Named = z.union([
  z.string().transform((repo) => ({ repo, after: [] })),
  z.looseObject({
    repo: z.string(),
    after: z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]).default([]),
  }),
]);

const isReadable = (name: string): boolean => name.trim() === '' || parseRepoName(visibleText(name)) !== null;

/** Takes any value, so that names are judged in a file that has other faults too. */
export const findUnreadableNames = (file: unknown, lineOf: LineOf): CommandProblem[] => {
  const { repositories, query } = WithNames.catch({ repositories: [], query: [] }).parse(file);
  return [
    ...repositories.flatMap((one, i): CommandProblem[] => {
      const { repo, after } = Named.safeParse(one).data ?? { repo: '', after: [] };
      const links = after.flatMap((link) => Named.safeParse(link).data?.repo ?? []);
      return [repo, ...links]
        .filter((name) => !isReadable(name))
        .map((name) => ({
          kind: 'file_repo',
          line: lineOf(['repositories', i]),
          at: i + 1,
          text: name.slice(0, 60),
        }));
    }),
    ...query.flatMap((one): CommandProblem[] => {
      if (typeof one !== 'string' || one.trim() === '' || parseRepoQuery(visibleText(one))) return [];
      const text = one.slice(0, 60);
      return [hasUnclosedQuote(one) ? { kind: 'query_quote', text } : { kind: 'query', text }];
    }),
  ];
};

const targetsNamedIn = (file: CampaignFile, all: TargetVariables): NewCampaign['named'] =>
  file.repositories.flatMap((one) => {
    const { repo, vars, after, ...words } =
      typeof one === 'string' ? { repo: one, vars: {}, after: undefined } : one;
    const found = parseRepoName(visibleText(repo));
    if (!found) return [];
    return [
      {
        ...found,
        vars: { ...all, ...vars },
        ...(after === undefined ? {} : { after: linksIn(after) }),
        ...(words.goal === undefined ? {} : { goal: words.goal.trim() }),
        ...(words.title === undefined ? {} : { title: words.title.trim() }),
        ...(words.script === undefined ? {} : { script: words.script }),
      },
    ];
  });

const linksIn = (after: z.infer<typeof Link> | z.infer<typeof Link>[]): TargetLink[] =>
  [after].flat().flatMap((one) => {
    const { repo, until } = typeof one === 'string' ? { repo: one, until: 'merged' as const } : one;
    const found = parseRepoName(visibleText(repo));
    return found ? [{ repo: found.repo, until }] : [];
  });

const queriesIn = ({ query }: CampaignFile): RepoQuery[] =>
  [query].flat().flatMap((one) => parseRepoQuery(visibleText(one)) ?? []);

/** Null when they do not fit together. */
const fixesIn = ({ fixes = [], script, engine, flow }: CampaignFile): OrderedFix[] | null => {
  const scripts = fixes.filter((one) => one.script !== undefined).length;
  const apart = fixes.some((one) => (one.script === undefined) === (one.goal === undefined));
  const several = engine?.includes(',') === true;
  if (apart || several || script !== undefined || flow === 'plan' || ![0, fixes.length].includes(scripts))
    return null;
  const read = fixes.flatMap(
    (one) =>
      OrderedFix.safeParse({
        title: one.title.trim(),
        goal: (one.goal ?? one.title).trim(),
        ...(one.script === undefined ? {} : { script: one.script }),
      }).data ?? [],
  );
  return read.length === fixes.length ? read : null;
};

const joinScripts = (fixes: readonly OrderedFix[]): string | undefined => {
  const scripts = fixes.flatMap(({ script }) => (script === undefined ? [] : [`(\n${script}\n)`]));
  return scripts.length === 0 ? undefined : ['set -e', ...scripts].join('\n');
};

type Work = { fixes: OrderedFix[] | null; script: string | undefined; goal: string | undefined };
const workIn = (file: CampaignFile): { work: Work; faults: CommandProblem[] } => {
  const fixes = file.fixes ? fixesIn(file) : null;
  const own = file.repositories.flatMap((one) => (typeof one === 'string' ? [] : [one]));
  const ofOne = own.find((one) => one.script !== undefined)?.script;
  const script = fixes ? joinScripts(fixes) : (file.script ?? ofOne);
  const whole = own.length === file.repositories.length && file.query.length === 0;
  const hasOwn = (key: 'goal' | 'script'): boolean => whole && own.every((one) => one[key] !== undefined);
  const goal = file.goal ?? (file.fixes || hasOwn('goal') ? file.name : undefined);
  const isApart = own.some((one) => one.goal !== undefined || one.script !== undefined);
  const faults: (CommandProblem | false)[] = [
    file.fixes !== undefined && (fixes === null || isApart) && { kind: 'file_fixes' },
    ofOne !== undefined && file.script === undefined && !hasOwn('script') && { kind: 'file_scripts' },
    (goal ?? script) === undefined && { kind: 'file_goal' },
    script !== undefined &&
      file.engine !== undefined &&
      file.engine !== 'script' &&
      fixes === null && { kind: 'file_engine' },
    file.repositories.length + [file.query].flat().length === 0 && { kind: 'file_repos' },
  ];
  return { work: { fixes, script, goal }, faults: faults.filter((one) => one !== false) };
};

const optionOf = (key: ParsedOption[0], value: string | undefined): ParsedOption[] =>
  value === undefined ? [] : [[key, value]];

const optionsOf = (file: CampaignFile, { script, fixes }: Work): ParsedOption[] => [
  ...(script === undefined ? [] : [['engine', 'script'] as const]),
  ...(['base', 'branch', 'flow', 'install'] as const).flatMap((key) => optionOf(key, file[key])),
  // The title covers all fixes, so no agent may choose it.
  ...optionOf('title', file.title ?? (fixes ? file.name : undefined)),
  ...(script === undefined ? optionOf('engine', file.engine) : []),
  ...file.checks.map((check) => ['check', check] as const),
];

const linkFault = ({ named }: NewCampaign, lineOf: LineOf): CommandProblem | null => {
  const found = findLinkProblem(named);
  if (!found) return null;
  const line = lineOf(['repositories', found.at, 'after', found.link]);
  return found.kind === 'circle'
    ? { kind: 'file_circle', line, way: found.way.slice(0, 400) }
    : { kind: `file_after_${found.kind}`, line, repo: found.repo.slice(0, 60) };
};

const combineFaults = (...faults: (CommandProblem | null)[]): { faults: CommandProblem[] } => ({
  faults: faults.filter((one) => one !== null),
});

/** `vars` are defaults for every repository. */
export const buildCampaign = (
  file: CampaignFile,
  vars: TargetVariables,
  lineOf: LineOf,
): { value: NewCampaign } | { faults: CommandProblem[] } => {
  const { name, pace, limits } = file;
  const { work, faults } = workIn(file);
  const unreadable = [...findUnreadableNames(file, lineOf), ...faults];
  const named = targetsNamedIn(file, vars);
  const order = readOrder(
    named[0]?.repo ?? EVERY_REPOSITORY,
    (work.goal ?? name).trim(),
    optionsOf(file, work),
  );
  if (isWrongArgument(order)) return combineFaults(...unreadable, order.problem);
  const made = validateVariables({
    name,
    named,
    queries: queriesIn(file),
    order: { ...order.value, ...(file.pull ? { pull: file.pull } : {}) },
    script: work.script ?? null,
    fixes: work.fixes,
    pace,
    limits,
    ...(file.openings ? { openings: file.openings } : {}),
    ...(file.budget ? { budget: file.budget } : {}),
    approvers: file.approvers ? [...new Set(file.approvers)] : null,
    every: file.every ?? null,
  });
  if (isWrongArgument(made)) return combineFaults(...unreadable, made.problem);
  const unlinked = linkFault(made.value, lineOf);
  return unreadable.length > 0 || unlinked ? combineFaults(...unreadable, unlinked) : made;
};
