/** Reads `.agentpr.json` of the base branch, which can only make policies stricter (P1). */
import { z } from 'zod';
import { isPlainFolderPath } from '#model/contract';
import { PullOptions } from '#model/opening';
import {
  listKnownKeys,
  nearestKey,
  issueLocation,
  POLICY_LIMIT_NAMES,
  RepositoryPolicies,
  type CustomPolicy,
  type PolicySettings,
} from '#model/settings';
import { clipText } from '#text-safety';
import { selectRepositorySettings } from './repository-settings.ts';

export const REPOSITORY_FILE = '.agentpr.json';

const Command = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(500)
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line'),
  dir: z.string().max(200).refine(isPlainFolderPath, 'must be a plain relative path').default(''),
});
const CheckHere = Command.extend({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9 -]{0,29}$/, 'must be lower-case words')
    .optional(),
});

export const RepositoryFile = z.strictObject({
  policies: RepositoryPolicies.prefault({}),
  /** E8: requires small steps, each checked. */
  flow: z.literal('plan').optional(),
  /** F13: what the repository wants set on pull requests. */
  pull: PullOptions.omit({ draft: true }).optional(),
  /** F9: the trailer of commits that an agent made. */
  trailer: z.enum(['Assisted-by', 'Generated-by']).optional(),
  pictures: Command.extend({
    from: z.string().min(1).max(200).refine(isPlainFolderPath, 'must be a plain relative path'),
  }).optional(),
  /** E7: replaces the commands that we found. */
  installs: z
    .array(Command)
    .max(10)
    .transform((all) => all.map((one) => ({ ...one, source: REPOSITORY_FILE })))
    .optional(),
  checks: z
    .array(CheckHere)
    .min(1)
    .max(20)
    .transform((all) =>
      all.map(({ name, ...one }, i) => ({ ...one, name: name ?? `check ${i + 1}`, source: REPOSITORY_FILE })),
    )
    .optional(),
});

export type RepositoryFile = z.infer<typeof RepositoryFile> | { problem: string };

const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/** `text` is null when the file exists and is unreadable. */
export const readRepositoryFile = (text: string | null): RepositoryFile => {
  const json = text === null ? undefined : tryParseJson(text);
  if (json === undefined)
    return { problem: `${REPOSITORY_FILE} is ${text === null ? 'too large, or no text' : 'not JSON'}` };
  const read = RepositoryFile.safeParse(json);
  if (read.success) return read.data;
  const isKey = ({ code }: z.core.$ZodIssue): boolean => code === 'unrecognized_keys';
  const issues = read.error.issues
    .toSorted((a, b) => Number(isKey(b)) - Number(isKey(a)))
    .flatMap(faultWords)
    .slice(0, 3);
  return { problem: `${REPOSITORY_FILE} cannot be used: ${issues.join('; ')}` };
};

/** English, because agents and the ledger read it. */
const faultWords = (issue: z.core.$ZodIssue): string[] => {
  const place =
    issueLocation(issue.path.map((key) => (typeof key === 'number' ? key : String(key)))) || 'the file';
  if (issue.code !== 'unrecognized_keys') return [clipText(`${place}: ${issue.message}`, 200)];
  const known = listKnownKeys(RepositoryFile, issue.path);
  return issue.keys.map((key) => {
    const near = nearestKey(key, known);
    const instead = near === null ? `There are: ${known.join(', ')}` : `Did you mean ${near}?`;
    return clipText(`${place}: there is no ${key}. ${instead}`, 400);
  });
};

type Limits = Omit<PolicySettings, 'custom' | 'repositories' | 'groups'>;

const stricterLimit = (ours: number, theirs: number | undefined): number => Math.min(ours, theirs ?? ours);
const mergeLists = (ours: readonly string[], theirs: readonly string[] = []): string[] => [
  ...new Set([...ours, ...theirs]),
];

/** The stricter of both: untrusted settings may not relax anything. */
const mergeLimits = (ours: Limits, theirs: RepositoryPolicies): Limits => ({
  maxFiles: stricterLimit(ours.maxFiles, theirs.maxFiles),
  maxLines: stricterLimit(ours.maxLines, theirs.maxLines),
  maxBytes: stricterLimit(ours.maxBytes, theirs.maxBytes),
  smallFiles: stricterLimit(ours.smallFiles, theirs.smallFiles),
  smallLines: stricterLimit(ours.smallLines, theirs.smallLines),
  forbiddenPaths: mergeLists(ours.forbiddenPaths, theirs.forbiddenPaths),
  protectedPaths: mergeLists(ours.protectedPaths, theirs.protectedPaths),
  protectedBranches: mergeLists(ours.protectedBranches, theirs.protectedBranches),
  maxOpenPrs: stricterLimit(ours.maxOpenPrs, theirs.maxOpenPrs),
  maxFirstLines: stricterLimit(ours.maxFirstLines, theirs.maxFirstLines),
  maxCommentLength: stricterLimit(ours.maxCommentLength, theirs.maxCommentLength),
  separatePush: ours.separatePush || theirs.separatePush === true,
});

export const mergeRepositoryPolicies = (
  settings: PolicySettings,
  repo: string,
  theirs: RepositoryPolicies | undefined,
): { settings: PolicySettings; added: readonly CustomPolicy[] } => {
  const ours = selectRepositorySettings(settings, repo);
  if (!theirs) return { settings: ours, added: [] };
  return { settings: { ...ours, ...mergeLimits(ours, theirs) }, added: theirs.custom };
};

export const describeRepositoryPolicies = (theirs: RepositoryPolicies): string =>
  [
    ...POLICY_LIMIT_NAMES.flatMap((name) =>
      theirs[name] === undefined ? [] : [`${name} ${[theirs[name]].flat().join(', ')}`],
    ),
    ...theirs.custom.map((c) => `${c.id}: ${c.verdict}`),
  ].join('; ');
