/** Admins by the configuration, also for workers, which know no chat (G10). */
import { z } from 'zod';
import type { UserRole } from '#model/settings';
import type { Ledger } from '#ports/ledger';

const ADMINS_SETTING = 'admins';
const Admins = z.array(z.string());

type Parts = Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting' | 'user'> };

/** `admins` is null for a worker: the control process told the ledger. */
export const createAdminLookup = ({ query }: Pick<Parts, 'query'>, admins: readonly string[] | null) => {
  const listAdmins = async (): Promise<readonly string[]> =>
    admins ?? Admins.parse(JSON.parse((await query.setting(ADMINS_SETTING)) ?? '[]'));
  return {
    listAdmins,
    roleOf: async (id: string): Promise<UserRole | null> =>
      (await listAdmins()).includes(id) ? 'admin' : ((await query.user(id))?.role ?? null),
  };
};

export const storeAdmins = async (ledger: Parts, admins: readonly string[]): Promise<void> => {
  const text = JSON.stringify(admins);
  if ((await ledger.query.setting(ADMINS_SETTING)) !== text)
    await ledger.setSetting(ADMINS_SETTING, text, null);
};
