/**
 * E7, E15: the commands that install and judge a run: on its base those of the whole, after its
 * change those that it concerns.
 */
import { executedCommand, type Contract } from './contract.ts';
import { concernedBy } from '#discovery';
import { pathsOf } from './path-kinds.ts';
import { installPlan } from './reusable-installs.ts';
import type { Commit } from './change-facts.ts';
import type { Order } from './order.ts';

export type PlannedCommand = { name: string; command: string; dir: string };
/** Of a run, or of what would be one. */
export type JudgedBy = {
  order: Pick<Order, 'checks' | 'install'>;
  target: { contract: Contract | null };
  change: { commit: Commit | null };
};

/** Of several projects, those that the commit touches, and what needs them. */
const concerned = ({
  target: { contract },
  change: { commit },
}: JudgedBy): Pick<Contract, 'installs' | 'checks'> =>
  contract === null
    ? { installs: [], checks: [] }
    : concernedBy(contract, commit?.diff.files.flatMap(pathsOf) ?? []);

const installName = (dir: string): string => (dir === '' ? 'install' : `${dir} install`);
export const installsOf = (run: JudgedBy): PlannedCommand[] =>
  run.order.install === 'none'
    ? []
    : installPlan(concerned(run).installs).map((one) => ({
        name: installName(one.dir),
        command: executedCommand(one),
        dir: one.dir,
      }));

/**
 * A person has named what judges the change: it may well be red before, and is never excused for
 * that.
 */
export const isOrdered = ({ order }: Pick<JudgedBy, 'order'>): boolean => order.checks.length > 0;

/** What judges a run; `acceptance` of a plan comes with the plan. */
export const checksOf = (run: JudgedBy): PlannedCommand[] =>
  isOrdered(run)
    ? run.order.checks.map((command, i) => ({ name: `check ${i + 1}`, command, dir: '' }))
    : concerned(run).checks.map((one) => ({ name: one.name, command: executedCommand(one), dir: one.dir }));
