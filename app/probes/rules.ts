/** Says which rules of the operator are in force, and which of them nobody could meet. */
import { existsSync } from 'node:fs';
import { ledgerFile, openReader } from '#db';
import { areDaysOffOver } from '#model/schedule';
import { ADMIN_ROLE, atLeast, type PolicySettings } from '#model/settings';
import { ruleLines } from '#views';
import { adminsOf } from '../chats.ts';
import { systemClock } from '../clock.ts';
import type { ControlConfig } from '../config.ts';
import { createAdmins } from '../known-admins.ts';
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
  roleOf: ReturnType<typeof createAdmins>['roleOf'],
): Promise<string[]> => {
  const named = custom.flatMap(({ approvers = [] }) => approvers.filter((one) => one !== ADMIN_ROLE));
  const people = named.flatMap((one) => (one.startsWith('@') ? (groups[one.slice(1)] ?? []) : [one]));
  const found: string[] = [];
  for (const id of new Set(people)) {
    const role = await roleOf(id);
    if (role === null || !atLeast(role, 'approver')) found.push(id);
  }
  return found;
};

const checkPeople = async (config: ControlConfig, ledger: Reader): Promise<HostResult[]> => {
  const { roleOf } = createAdmins(ledger, adminsOf(config.chats));
  const ids = await findPowerless(config.file.policies, roleOf);
  return ids.length === 0 ? [] : [warningResult('rules', { kind: 'rules_powerless', ids })];
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
    ];
  } finally {
    await ledger?.close();
  }
};
