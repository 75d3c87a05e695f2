/** Says which rules of the operator are in force, and which of them nobody could meet. */
import { existsSync } from 'node:fs';
import { ledgerFile, openReader } from '#db';
import { areDaysOffOver } from '#model/schedule';
import { ADMIN_ROLE, hasRoleAtLeast, type PolicySettings } from '#model/settings';
import { ruleLines } from '#views';
import { listAdminIds } from '../chats.ts';
import { systemClock } from '../clock.ts';
import type { ControlConfig } from '../config.ts';
import { createAdminLookup } from '../known-admins.ts';
import { readRulesInForce } from '../runtime-settings.ts';
import { goodResult, warningResult, type DoctorHost, type HostResult } from './host-result.ts';

type Reader = ReturnType<typeof openReader>;

const openIfWhole = ({ dataDir, database }: ControlConfig): Reader | null => {
  if (database === null && !existsSync(ledgerFile(dataDir))) return null;
  try {
    return openReader(dataDir, { database });
  } catch {
    return null;
  }
};

/** Ids that policies name, but who may approve nothing. */
const findPowerless = async (
  { custom, groups = {} }: PolicySettings,
  roleOf: ReturnType<typeof createAdminLookup>['roleOf'],
): Promise<string[]> => {
  const named = custom.flatMap(({ approvers = [] }) => approvers.filter((one) => one !== ADMIN_ROLE));
  const people = named.flatMap((one) => (one.startsWith('@') ? (groups[one.slice(1)] ?? []) : [one]));
  const found: string[] = [];
  for (const id of new Set(people)) {
    const role = await roleOf(id);
    if (role === null || !hasRoleAtLeast(role, 'approver')) found.push(id);
  }
  return found;
};

const checkPeople = async (config: ControlConfig, ledger: Reader): Promise<HostResult[]> => {
  const { roleOf } = createAdminLookup(ledger, listAdminIds(config.chats));
  const ids = await findPowerless(config.file.policies, roleOf);
  return ids.length === 0 ? [] : [warningResult('rules', { kind: 'rules_powerless', ids })];
};

type LackingApprovals = { asks: string; approvals: number; people: number };
/** Policies that ask for more approvals than people may give now; `admins` are among the `approvers`. */
export const findLackingApprovals = (
  { custom, groups = {} }: Pick<PolicySettings, 'custom' | 'groups'>,
  bound: number,
  { admins, approvers }: { admins: ReadonlySet<string>; approvers: ReadonlySet<string> },
): LackingApprovals[] => {
  const findPeople = (named: readonly string[] | undefined): number => {
    const ids = (named ?? [...approvers]).flatMap((one) =>
      one === ADMIN_ROLE ? [...admins] : one.startsWith('@') ? (groups[one.slice(1)] ?? []) : [one],
    );
    return new Set(ids.filter((id) => approvers.has(id))).size;
  };
  const all = [
    { asks: 'bounds.approvals', approvals: bound, people: findPeople(undefined) },
    ...custom.map(({ id, approvals = 1, approvers: named }) => ({
      asks: `custom:${id}`,
      approvals,
      people: findPeople(named),
    })),
  ];
  return all.filter(({ approvals, people }) => approvals > 1 && people < approvals);
};

/** Before its first start an installation knows the admins alone. */
const checkApprovals = async (
  { chats, file }: ControlConfig,
  bound: number,
  ledger: Reader | null,
): Promise<HostResult[]> => {
  const admins = new Set(listAdminIds(chats));
  const known = (await ledger?.query.users()) ?? [];
  const others = known.filter(({ role }) => hasRoleAtLeast(role, 'approver')).map(({ id }) => id);
  const people = { admins, approvers: new Set([...admins, ...others]) };
  return findLackingApprovals(file.policies, bound, people).map((lacking) =>
    warningResult('rules', { kind: 'rules_lacking', ...lacking }),
  );
};

export const checkApprovalsAtStart = async (config: ControlConfig): Promise<HostResult[]> => {
  const ledger = openIfWhole(config);
  try {
    const { values } = await readRulesInForce(config, ledger);
    return await checkApprovals(config, values.bounds.approvals, ledger);
  } finally {
    await ledger?.close();
  }
};

export const checkRules = async (
  config: ControlConfig,
  texts: DoctorHost['texts'],
): Promise<readonly HostResult[]> => {
  const ledger = openIfWhole(config);
  try {
    const rules = await readRulesInForce(config, ledger);
    const now = systemClock.now();
    const { repositories, ...all } = rules.windows;
    const past = [
      ...(areDaysOffOver(all, now) ? ['openings.except'] : []),
      ...Object.entries(repositories).flatMap(([pattern, window]) =>
        areDaysOffOver({ ...all, ...window }, now) && window.except
          ? [`openings.repositories.${pattern}.except`]
          : [],
      ),
    ];
    return [
      goodResult('rules', { kind: 'rules', lines: ruleLines(rules, now, texts) }),
      ...(past.length === 0 ? [] : [warningResult('rules', { kind: 'rules_past', places: past })]),
      ...(ledger ? await checkPeople(config, ledger) : []),
      ...(await checkApprovals(config, rules.values.bounds.approvals, ledger)),
    ];
  } finally {
    await ledger?.close();
  }
};
