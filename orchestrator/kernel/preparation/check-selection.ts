/** Selects the commands that judge a run: all on the base, the concerned ones later (E7, E15). */
import {
  formatCheckCommand,
  distinctInstalls,
  isFirstPartOf,
  type Contract,
  type ContractCheck,
} from '#model/contract';
import { unmeetableNeeds, type BoxWish, type CheckNeed } from '#model/environment';
import { isProse, pathsOf } from '#model/paths';
import type { Commit } from '#model/change';
import { hasOrderedChecks, type Order } from '#model/order';
import type { AgentPlan } from '#model/feedback';
import { mayFetchProgram, selectConcernedChecks } from '#discovery';

export type PlannedCommand = {
  name: string;
  command: string;
  dir: string;
  needs?: readonly CheckNeed[];
  box?: BoxWish;
  offline?: true;
};
export type CheckSource = {
  order: Pick<Order, 'checks' | 'install'>;
  target: { contract: Contract | null; waivedChecks?: readonly string[] };
  change: { commit: Commit | null };
};

const contractPartsFor = ({
  target: { contract },
  change: { commit },
}: CheckSource): Pick<Contract, 'installs' | 'checks'> =>
  contract === null
    ? { installs: [], checks: [] }
    : selectConcernedChecks(contract, commit?.diff.files.flatMap(pathsOf) ?? []);

const installName = (dir: string): string => (dir === '' ? 'install' : `${dir} install`);
export const installsOf = (run: CheckSource): PlannedCommand[] =>
  run.order.install === 'none'
    ? []
    : distinctInstalls(contractPartsFor(run).installs).map((one) => ({
        name: installName(one.dir),
        command: formatCheckCommand(one),
        dir: one.dir,
        ...boxWithout(run),
      }));

/** E20: what stands beside tests is of no use to what installs or asks for versions. */
export const boxWithout = ({ target }: Pick<CheckSource, 'target'>): Pick<PlannedCommand, 'box'> =>
  target.contract?.box ? { box: { ...target.contract.box, services: [] } } : {};

const BUILDS_DOCUMENTS = /\b(?:docs?|docus\w*|sphinx\S*|mkdocs|mdbook|site|website|vitepress|hugo|jekyll)\b/i;

/** E15: documents alone need no build, unless it builds them, or CI names the files that it builds. */
const withoutBuild = <C extends Pick<ContractCheck, 'name' | 'command' | 'filters'>>(
  checks: readonly C[],
  changed: readonly string[],
): readonly C[] => {
  const documents = changed.length > 0 && changed.every(isProse);
  const needed = checks.filter(
    ({ name, command, filters }) =>
      !/(?:^| )build$/.test(name) || filters !== undefined || BUILDS_DOCUMENTS.test(command),
  );
  return documents && needed.length > 0 ? needed : checks;
};

export const isUnder = (dir: string, folder: string): boolean =>
  folder === '' || dir === folder || dir.startsWith(`${folder}/`);
/** A command of an agent names no folder: null. */
export const offlineWithout = (run: CheckSource, dir: string | null): Pick<PlannedCommand, 'offline'> => {
  const waived = installsOf(run).filter(({ name }) => run.target.waivedChecks?.includes(name));
  // guard: E19-offline-as-on-base
  return waived.some((install) => dir === null || isUnder(dir, install.dir)) ? { offline: true } : {};
};

/** E15: what a check runs first is not run by itself, too, unless the check itself may not run here. */
const withoutFirstParts = (checks: readonly ContractCheck[]): readonly ContractCheck[] =>
  // guard: E15-first-part-once
  checks.filter((one) => !checks.some((other) => !other.needs && isFirstPartOf(one, other)));

export const checksOf = (run: CheckSource): PlannedCommand[] => {
  if (hasOrderedChecks(run))
    return run.order.checks.map((command, i) => ({
      name: `check ${i + 1}`,
      command,
      dir: '',
      ...(run.target.contract?.box ? { box: run.target.contract.box } : {}),
    }));
  const { checks } = contractPartsFor(run);
  const changed = run.change.commit?.diff.files.flatMap(pathsOf) ?? [];
  return withoutFirstParts(withoutBuild(checks, changed)).map((one) => ({
    name: one.name,
    command: formatCheckCommand(one),
    dir: one.dir,
    ...boxFor(run, one),
    ...needsFieldOf(run, one),
    ...offlineWithout(run, one.dir),
  }));
};

const MAX_ADDED_CHECKS = 5;
type Planning = CheckSource & { agent: { plan: { plan: Pick<AgentPlan, 'backlog' | 'acceptance'> } | null } };

/** With those that an agent's plan adds once its steps are done. */
export const plannedChecksOf = (run: Planning): PlannedCommand[] => {
  const ours = checksOf(run);
  const { plan } = run.agent.plan ?? {};
  const more = plan && plan.backlog.length === 0 ? plan.acceptance : [];
  const added = more
    .filter((command) => !ours.some((one) => one.command === command))
    .slice(0, MAX_ADDED_CHECKS)
    .map((command, i) => ({
      name: `acceptance ${i + 1}`,
      command,
      dir: '',
      ...offlineWithout(run, null),
    }));
  return [...ours, ...added];
};

/** E15, E19: what is not run for this change, whatever the machine can hold off the network. */
export const isLeftOut = (
  { name, needs, offline, command }: PlannedCommand,
  { target }: Pick<CheckSource, 'target'>,
): boolean =>
  needs !== undefined ||
  target.waivedChecks?.includes(name) === true ||
  (offline === true && mayFetchProgram(command));

type Needing = Pick<Contract['checks'][number], 'needs'>;
const isService = ({ kind }: CheckNeed): boolean => kind === 'services';

const boxFor = (run: CheckSource, { needs = [] }: Needing): Pick<PlannedCommand, 'box'> => {
  const { box } = run.target.contract ?? {};
  return box && needs.some(isService) ? { box } : boxWithout(run);
};

/** E20: a box with images has services beside it. */
const needsFieldOf = (
  { target: { contract } }: CheckSource,
  { needs }: Needing,
): Pick<PlannedCommand, 'needs'> => {
  const known = contract?.box?.services.map(({ name }) => name) ?? [];
  // guard: E20-unknown-service-unmet
  const isMet = (need: CheckNeed): boolean =>
    isService(need) && need.names.every((name) => known.includes(name));
  const unmet = unmeetableNeeds(needs).filter((need) => !isMet(need));
  return unmet.length > 0 ? { needs: unmet } : {};
};
