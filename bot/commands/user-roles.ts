/** Resolves the roles of chat users (G3). Roles belong to ids, never to names. */
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import type { Ledger, UserRow } from '#ports/ledger';

/** `fixed` roles come from the configuration and cannot be changed in chat. */
type ChatMember = { role: UserRole; name: string | null; fixed: boolean };
export type ChatRoles = {
  of(userId: string): Promise<ChatMember | null>;
  everybody(): Promise<(ChatMember & { id: string })[]>;
};

type Parts = { users: Pick<Ledger['query'], 'user' | 'users'>; adminIds: readonly string[] };

export const createChatRoles = ({ users, adminIds }: Parts): ChatRoles => {
  const toMember = (id: string, row: UserRow | null): ChatMember | null => {
    // guard: G3-config-admin
    if (adminIds.includes(id)) return { role: 'admin', name: row?.name ?? null, fixed: true };
    return row && { role: row.role, name: row.name, fixed: false };
  };
  return {
    of: async (id) => toMember(id, await users.user(id)),
    everybody: async () => {
      const rows = await users.users();
      const ids = new Set([...adminIds, ...rows.map((r) => r.id)]);
      return [...ids].flatMap((id) => {
        const known = toMember(id, rows.find((r) => r.id === id) ?? null);
        return known ? [{ id, ...known }] : [];
      });
    },
  };
};

export const createMayApprove =
  (roles: Pick<ChatRoles, 'of'>) =>
  async (id: string): Promise<boolean> => {
    const known = await roles.of(id);
    return known !== null && hasRoleAtLeast(known.role, 'approver');
  };
