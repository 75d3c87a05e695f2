/** Learns a repository's commands and rules from its files, without an agent (E7). */
import {
  formatCheckCommand,
  MAX_CONTRACT_COMMAND_LENGTH,
  NO_CHECKS_FOUND,
  NO_TESTS_FOUND,
  type Contract,
} from '#model/contract';
import { isCode, isTest } from '#model/paths';
import { selectDevcontainers } from './box-wishes.ts';
import { AGENT_SETTINGS_FILES, countAgentSettings } from './agent-settings.ts';
import { selectBotFiles } from './bot-settings.ts';
import { type ContributionContext, collectContributionRequirements } from './contribution-requirements.ts';
import { ecosystemsOf } from './ecosystems.ts';
import { manifestFiles, scriptFiles } from './find-projects.ts';
import { policyWorkflows, ruleFiles } from './rule-files.ts';
import { mayNameTools } from './required-tools.ts';
import { workflowFiles } from './workflows/read-jobs.ts';

export type ReadFile = (path: string) => string | null;

const MAX_READ_FILES = 400;
/** A tree may name a path that no file system can hold; it is nobody's guide or manifest. */
const MAX_PATH_LENGTH = 1_000;
const MAX_REPOSITORY_PATHS = 20_000;

const countPathParts = (path: string): number => path.split('/').length;
const byDepth = (left: string, right: string): number =>
  countPathParts(left) - countPathParts(right) || (left < right ? -1 : left > right ? 1 : 0);

export const selectContractFiles = (all: readonly string[]): string[] => {
  // guard: O10-path-length
  const paths = all.filter((path) => path.length <= MAX_PATH_LENGTH);
  const wanted = new Set([
    ...ruleFiles(paths),
    ...policyWorkflows(paths),
    ...selectBotFiles(paths),
    ...paths.filter((p) => mayNameTools(p) || AGENT_SETTINGS_FILES.includes(p)),
    ...selectDevcontainers(paths).files,
    ...workflowFiles(paths),
    ...manifestFiles(paths),
    ...scriptFiles(paths),
  ]);
  return [...wanted].slice(0, MAX_READ_FILES).sort(byDepth);
};

const findRiskFlags = (paths: readonly string[], read: ReadFile, checks: Contract['checks']): string[] => {
  const out: string[] = [];
  if (/filter=lfs/.test(read('.gitattributes') ?? '')) out.push('Git LFS: large files are not fetched');
  if (paths.includes('.gitmodules')) out.push('submodules: they are not fetched');
  if (paths.length > MAX_REPOSITORY_PATHS) out.push(`very large: ${paths.length} files`);
  // Tests of Rust and Zig stand in their sources, if there are any.
  const mayHoldTests = checks.length > 0 ? /\.(?:rs|zig)$/i : /(?!)/;
  const hasTests = paths.some(
    (p) => mayHoldTests.test(p) || (isTest(p) && (isCode(p) || /\.(?:t|bats|pl|sh)$/i.test(p))),
  );
  if (!hasTests) out.push(NO_TESTS_FOUND);
  if (checks.length === 0) out.push(NO_CHECKS_FOUND);
  else if (!checks.some((c) => /test/.test(c.name))) out.push('no check runs tests');
  return out;
};

const isReadable = (one: Pick<Contract['installs'][number], 'command' | 'before'>): boolean => {
  // guard: O10-contract-command
  return formatCheckCommand(one).length <= MAX_CONTRACT_COMMAND_LENGTH;
};
const flagLongCommands = (left: number): string[] =>
  left === 0
    ? []
    : [
        `${left} ${left === 1 ? 'command' : 'commands'} of more than ${MAX_CONTRACT_COMMAND_LENGTH} characters ${left === 1 ? 'is' : 'are'} not run`,
      ];

export const discoverContract = (
  paths: readonly string[],
  read: ReadFile,
  asked: ContributionContext = {},
): Contract => {
  const { flags: more, ...known } = ecosystemsOf(paths, read);
  const found = {
    ...known,
    installs: known.installs.filter(isReadable),
    checks: known.checks.filter(isReadable),
    ...(known.leftToCi ? { leftToCi: known.leftToCi.filter(isReadable) } : {}),
  };
  const left = known.installs.length - found.installs.length + known.checks.length - found.checks.length;
  const agentSettings = countAgentSettings(paths, read);
  return {
    ...found,
    ...collectContributionRequirements(paths, read, asked),
    riskFlags: [...findRiskFlags(paths, read, found.checks), ...flagLongCommands(left), ...more],
    ...(agentSettings ? { agentSettings } : {}),
  };
};
