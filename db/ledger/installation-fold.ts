/** Events of the installation (rights, settings, campaigns, checkpoints) and their fold (L5). */
import { z } from 'zod';
import { Campaign, CampaignDecision, evolveCampaign } from '#model/campaign';
import { CampaignId, OpaqueId, Person } from '#model/order';
import type { SettingChange, UserRow } from '#ports/ledger';

const Role = z.enum(['viewer', 'operator', 'approver', 'admin']) satisfies z.ZodType<UserRow['role']>;
const User = z.object({ id: OpaqueId, name: z.string(), role: Role });
/** Null: set up on the host. */
const by = Person.nullable();

export const InstallationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user.set'), user: User, by }),
  z.object({ type: z.literal('user.removed'), user: User, by }),
  z.object({ type: z.literal('setting.set'), key: z.string(), value: z.string(), by }),
  z.object({ type: z.literal('campaign.planned'), campaign: Campaign }),
  z.object({
    type: z.literal('campaign.decided'),
    id: CampaignId,
    decision: CampaignDecision,
    by,
    at: z.number(),
  }),
  /** Heads of runs changed since the last checkpoint, up to event `upto`. */
  z.object({
    type: z.literal('checkpoint'),
    upto: z.int(),
    heads: z.array(z.tuple([z.string(), z.int(), z.string()])),
  }),
  z.object({ type: z.literal('checkpoint.accepted'), rollback: z.enum(['older', 'missing']), by }),
]);
export type InstallationEvent = z.infer<typeof InstallationEvent>;

export type Installation = {
  users: readonly UserRow[];
  settings: readonly { key: string; value: string }[];
  campaigns?: readonly Campaign[];
  /** `seq` in this log; `upto`: last event of runs. */
  checkpoint: { seq: number; upto: number } | null;
};
export const EMPTY_INSTALLATION: Installation = { users: [], settings: [], checkpoint: null };

export const evolveInstallation = (
  installation: Installation,
  event: InstallationEvent,
  seq: number,
): Installation => {
  switch (event.type) {
    case 'user.set':
      return { ...installation, users: [...usersWithout(installation, event.user.id), event.user] };
    case 'user.removed':
      return { ...installation, users: usersWithout(installation, event.user.id) };
    case 'setting.set': {
      const { key, value } = event;
      return {
        ...installation,
        settings: [...installation.settings.filter((s) => s.key !== key), { key, value }],
      };
    }
    case 'campaign.planned':
      return { ...installation, campaigns: [...(installation.campaigns ?? []), event.campaign] };
    case 'campaign.decided': {
      const { id, decision, by: who, at } = event;
      const applyDecision = (one: Campaign): Campaign =>
        one.id === id ? evolveCampaign(one, decision, who, at) : one;
      return { ...installation, campaigns: (installation.campaigns ?? []).map(applyDecision) };
    }
    case 'checkpoint':
      return { ...installation, checkpoint: { seq, upto: event.upto } };
    case 'checkpoint.accepted':
      return { ...installation, checkpoint: { seq, upto: installation.checkpoint?.upto ?? 0 } };
    default:
      return event satisfies never;
  }
};

const usersWithout = ({ users }: Installation, id: string): UserRow[] =>
  users.filter((user) => user.id !== id);

export const findUser = ({ users }: Installation, id: string): UserRow | null =>
  users.find((user) => user.id === id) ?? null;

export const findCampaign = ({ campaigns }: Installation, id: string): Campaign | null =>
  campaigns?.find((campaign) => campaign.id === id) ?? null;

export const findStoredSetting = ({ settings }: Installation, key: string): string | null =>
  settings.find((setting) => setting.key === key)?.value ?? null;

export const readSettingChanges = (row: {
  type: string;
  body_json: string;
  created_at: number;
}): SettingChange[] => {
  const event = InstallationEvent.safeParse({
    ...(JSON.parse(row.body_json) as object),
    type: row.type,
  }).data;
  const at = row.created_at;
  switch (event?.type) {
    case 'setting.set':
      return [{ at, by: event.by, what: 'setting', key: event.key, value: event.value }];
    case 'user.set':
      return [{ at, by: event.by, what: 'role', ...event.user }];
    case 'user.removed':
      return [{ at, by: event.by, what: 'role', ...event.user, role: null }];
    default:
      return [];
  }
};
