/** L5: what the house's own log says, and what it comes to: who has which right, and which settings hold. */
import { z } from 'zod';
import { Person } from '../../orchestrator/core/order.ts';
import type { UserRow } from '../../orchestrator/ports.ts';

const Role = z.enum(['viewer', 'operator', 'approver', 'admin']) satisfies z.ZodType<UserRow['role']>;
const User = z.object({ id: z.int(), name: z.string(), role: Role });
/** Who changed it; null is whoever set the host up. */
const by = Person.nullable();

export const HouseEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user.set'), user: User, by }),
  z.object({ type: z.literal('user.removed'), user: User, by }),
  z.object({ type: z.literal('setting.set'), key: z.string(), value: z.string() }),
]);
export type HouseEvent = z.infer<typeof HouseEvent>;

export type House = {
  users: readonly UserRow[];
  settings: readonly { key: string; value: string }[];
};
export const EMPTY: House = { users: [], settings: [] };

export const evolveHouse = (house: House, event: HouseEvent): House => {
  switch (event.type) {
    case 'user.set':
      return { ...house, users: [...without(house, event.user.id), event.user] };
    case 'user.removed':
      return { ...house, users: without(house, event.user.id) };
    case 'setting.set': {
      const { key, value } = event;
      return { ...house, settings: [...house.settings.filter((s) => s.key !== key), { key, value }] };
    }
    default:
      return event satisfies never;
  }
};

const without = ({ users }: House, id: number): UserRow[] => users.filter((user) => user.id !== id);

export const userIn = ({ users }: House, id: number): UserRow | null =>
  users.find((user) => user.id === id) ?? null;

export const settingIn = ({ settings }: House, key: string): string | null =>
  settings.find((setting) => setting.key === key)?.value ?? null;
