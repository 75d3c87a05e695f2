/** G3: who may do what in chat. Rights go with a numeric Telegram id, never with a name. */
import type { Ledger, UserRow } from '../orchestrator/ports.ts';

export type Role = UserRow['role'];
const ORDER: readonly Role[] = ['viewer', 'operator', 'approver', 'admin'];

export type Member = { role: Role; name: string | null };
/** Null for somebody we do not know. */
export type Roles = (userId: number) => Promise<Member | null>;

export const atLeast = (role: Role, needed: Role): boolean => ORDER.indexOf(role) >= ORDER.indexOf(needed);

/** The users table, and admins by configuration. */
export const createRoles =
  ({ users, adminIds }: { users: Pick<Ledger['query'], 'user'>; adminIds: readonly number[] }): Roles =>
  async (id) => {
    const row = await users.user(id);
    if (adminIds.includes(id)) return { role: 'admin', name: row?.name ?? null };
    return row && { role: row.role, name: row.name };
  };
