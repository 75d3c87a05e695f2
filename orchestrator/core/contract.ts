/**
 * E7: what discovery learned of a repository: what installs and checks it, and its rules. All of it
 * names where it stands.
 */
import { z } from 'zod';
import { RepositoryPolicies } from './policy-settings.ts';
import { foundBy, ContributionRule } from './contribution-rule.ts';

/**
 * A folder of the repository as a plain relative path; '' is its root. Whoever wrote the repository
 * chose the name.
 */
export const isFolder = (path: string): boolean =>
  path === '' ||
  (!/[\u0000-\u001f\u007f\\]/.test(path) &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'));
const Folder = z.string().refine(isFolder, 'must be a plain relative path');

/**
 * What has to run first in the same shell and folder: an environment that is entered, a build that
 * tests need.
 */
const before = z.array(z.string()).optional();
/** `source` is a file, or `file:line`. The command runs in that folder. */
const InstallCommand = z.object({
  command: z.string(),
  dir: Folder,
  source: z.string(),
  before,
  by: foundBy,
});
export type InstallCommand = z.infer<typeof InstallCommand>;
/**
 * `name` is lint, format, types, test or build; a second one of a kind is preceded by its folder or
 * ecosystem.
 */
const ContractCheck = z.object({
  name: z.string(),
  command: z.string(),
  dir: Folder,
  source: z.string(),
  before,
  by: foundBy,
});
export type ContractCheck = z.infer<typeof ContractCheck>;

/** What is executed: the command as the repository writes it, after what has to run first. */
export const executedCommand = ({
  command,
  before = [],
}: Pick<ContractCheck, 'command' | 'before'>): string => [...before, command].join(' && ');

/**
 * A program that the repository needs on the host, and the version that it asks for, as it is
 * written there.
 */
const ContractTool = z.object({ name: z.string(), asked: z.string().nullable(), source: z.string() });
export type ContractTool = z.infer<typeof ContractTool>;

export const Contract = z.object({
  ecosystems: z.array(z.string()),
  packageManager: z.string().nullable(),
  installs: z.array(InstallCommand),
  checks: z.array(ContractCheck),
  tools: z.array(ContractTool),
  /**
   * Of several projects: which folders need which others, so that a change is checked by what it
   * concerns.
   */
  folders: z.array(z.object({ dir: Folder, needs: z.array(Folder) })).optional(),
  branchRule: z.string().nullable(),
  titleRule: z.enum(['conventional', 'component']).nullable(),
  rules: z.array(ContributionRule),
  template: z.string().nullable(),
  riskFlags: z.array(z.string()),
  /** How the agent would go about it, in its own words; absent where it was not asked. */
  outline: z.string().optional(),
  /** What `.agentpr.json` of the base commit says; absent where there is none. */
  flow: z.literal('plan').optional(),
  /** Makes pictures of a user interface, which lie in the folder `from` then. */
  pictures: z.object({ command: z.string(), dir: Folder, from: Folder }).optional(),
  policies: RepositoryPolicies.optional(),
});
export type Contract = z.infer<typeof Contract>;
