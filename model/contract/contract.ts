/** Facts that discovery learned of a repository (commands and rules), each with its source (E7). */
import { z } from 'zod';
import { AgentSettingsCount, RepositoryPolicies } from '#model/settings';
import { PullOptions } from '#model/opening';
import { BoxWish, CheckNeed, CiVersions } from '#model/environment';
import { foundBy, ContributionRule } from './contribution-rule.ts';
import { TitleFormat } from './title-format.ts';

/** A plain relative path; '' is the root. The repository's author chose the name: untrusted. */
export const isPlainFolderPath = (path: string): boolean =>
  path === '' ||
  (!/[\u0000-\u001f\u007f\\]/.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'));
const Folder = z.string().refine(isPlainFolderPath, 'must be a plain relative path');

const before = z.array(z.string()).optional();
/** `source` is a file, or `file:line`. The command runs in `dir`. */
const InstallCommand = z.object({
  command: z.string(),
  dir: Folder,
  source: z.string(),
  before,
  by: foundBy,
});
export type InstallCommand = z.infer<typeof InstallCommand>;
/** Patterns of workflows in their order: `!` takes back, and the last that fits decides. */
const PathFilter = z.object({ only: z.array(z.string()).optional(), ignore: z.array(z.string()).optional() });
export type PathFilter = z.infer<typeof PathFilter>;
/** `name` is lint, format, types, test or build; later ones get a folder or ecosystem prefix. */
const ContractCheck = z.object({
  name: z.string(),
  command: z.string(),
  dir: Folder,
  source: z.string(),
  before,
  by: foundBy,
  /** What CI gives the job that runs it (E19). */
  needs: z.array(CheckNeed).optional(),
  ciVersions: z.array(CiVersions).optional(),
  /** CI runs it only for changes that fit one of these; absent: for all. */
  filters: z.array(PathFilter).optional(),
});
export type ContractCheck = z.infer<typeof ContractCheck>;

/** Joins the prerequisites and the command as the repository writes it. */
export const formatCheckCommand = ({
  command,
  before = [],
}: Pick<ContractCheck, 'command' | 'before'>): string => [...before, command].join(' && ');

/** The other runs this one first: `make` within `make && make test`. */
export const isFirstPartOf = (one: ContractCheck, other: ContractCheck): boolean =>
  one.dir === other.dir && formatCheckCommand(other).startsWith(`${formatCheckCommand(one)} && `);

const isInside = (path: string, dir: string): boolean => dir === '' || path.startsWith(`${dir}/`);
type UnrunReason = 'folder' | 'filter' | 'prose';
const reasonOf = ({ dir, filters }: ContractCheck, changed: readonly string[]): UnrunReason => {
  if (!changed.some((path) => isInside(path, dir))) return 'folder';
  return filters === undefined ? 'prose' : 'filter';
};

export const unrunChecks = (
  { checks, leftToCi = [] }: Pick<Contract, 'checks' | 'leftToCi'>,
  results: readonly { name: string }[],
  changed: readonly string[],
): { leftOut: readonly (ContractCheck & { why: UnrunReason })[]; leftToCi: readonly LeftCommand[] } => {
  const own = checks.some((c) => results.some((r) => r.name === c.name));
  const ran = checks.filter((c) => results.some((r) => r.name === c.name));
  const left = checks.filter((c) => !ran.includes(c) && !ran.some((other) => isFirstPartOf(c, other)));
  return {
    leftOut: own ? left.map((c) => ({ ...c, why: reasonOf(c, changed) })) : [],
    leftToCi: own ? leftToCi : [],
  };
};

const ENTERS_VENV = /^(?:python3 -m venv \S+ && )?\. '?[./\w-]*\.venv\/bin\/activate'? && /;
/** The main thread reads commands of a contract: longer ones stay out of it, and are told. */
export const MAX_CONTRACT_COMMAND_LENGTH = 4_000;

export const shortCommand = (command: string): string => command.replace(ENTERS_VENV, '');

/** A required program, with the version as the repository writes it. */
const ContractTool = z.object({ name: z.string(), asked: z.string().nullable(), source: z.string() });
export type ContractTool = z.infer<typeof ContractTool>;

/** A command of CI beyond the number of checks that a run takes. */
const LeftCommand = z.object({ command: z.string(), dir: Folder, source: z.string() });
type LeftCommand = z.infer<typeof LeftCommand>;

export const Contract = z.object({
  ecosystems: z.array(z.string()),
  packageManager: z.string().nullable(),
  installs: z.array(InstallCommand),
  checks: z.array(ContractCheck),
  /** Absent where nothing was left out. */
  leftToCi: z.array(LeftCommand).exactOptional(),
  tools: z.array(ContractTool),
  /** Dependencies between folders, so that a change runs only the checks it concerns. */
  folders: z.array(z.object({ dir: Folder, needs: z.array(Folder) })).optional(),
  branchRule: z.string().nullable(),
  titleRule: z.enum(['conventional', 'component']).nullable(),
  /** How titles look, in more words than `titleRule`; absent where nothing more is known. */
  titleFormat: TitleFormat.exactOptional(),
  rules: z.array(ContributionRule),
  template: z.string().nullable(),
  riskFlags: z.array(z.string()),
  /** E11: set aside while an agent works; absent where there is nothing. */
  agentSettings: AgentSettingsCount.exactOptional(),
  /** The agent's own outline; absent unless requested. */
  outline: z.string().optional(),
  /** Stated by `.agentpr.json` of the base commit; absent without one. */
  flow: z.literal('plan').optional(),
  /** Makes pictures of a user interface, written to the folder `from`. */
  pictures: z.object({ command: z.string(), dir: Folder, from: Folder }).optional(),
  policies: RepositoryPolicies.optional(),
  /** F13: labels and people that the repository asks for. */
  pull: PullOptions.optional(),
  /** E20: absent where boxes have no images, or nothing is asked for. */
  box: BoxWish.exactOptional(),
});
export type Contract = z.infer<typeof Contract>;

export const NO_CHECKS_FOUND = 'no checks were found';
export const NO_TESTS_FOUND = 'no tests were found';
/** Files of tests are there, and nothing that is read says how they run. */
export const hasUndescribedTests = (contract: Pick<Contract, 'riskFlags'> | null): boolean =>
  contract !== null &&
  contract.riskFlags.includes(NO_CHECKS_FOUND) &&
  !contract.riskFlags.includes(NO_TESTS_FOUND);
