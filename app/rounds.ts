/** What a control looks after again and again, and what makes it do so sooner. */
import { startAttention } from '../bot/attention.ts';
import type { Roles } from '../bot/commands/roles.ts';
import { startFollowing, type Adopter } from '../orchestrator/engine/adopting.ts';
import { startCampaigns } from '../orchestrator/engine/campaigns.ts';
import type { FigureRecords } from '../orchestrator/engine/figures.ts';
import { startHousekeeping } from '../orchestrator/engine/housekeeping.ts';
import { startLabelled, type Watched } from '../orchestrator/engine/labelled.ts';
import type { Submit } from '../orchestrator/engine/submit.ts';
import type { Clock, Forge, Incoming, Ledger, Log } from '../orchestrator/ports.ts';
import { systemTimers } from './clock.ts';
import type { createOrderOf } from './order-of.ts';
import type { createPatchOf } from './patches.ts';

type Parts = {
  ledger: Ledger;
  clock: Clock;
  log: Log;
  forge: Forge;
  submit: Submit;
  receive: (items: Incoming[]) => Promise<unknown>;
  figures: FigureRecords;
  adopter: Adopter;
  /** Repositories whose issues may ask for a change. */
  watched: readonly Watched[];
  orderOf: ReturnType<typeof createOrderOf>;
  roles: Roles;
  mayApprove: (id: string) => Promise<boolean>;
  patch: ReturnType<typeof createPatchOf>;
  /** Since when the chat cannot be reached (epoch ms); null when it can, as far as we know. */
  awaySince: () => number | null;
};

const startAll = (given: Parts) => {
  const { figures, adopter, watched, orderOf, roles, mayApprove, patch, awaySince, ...rest } = given;
  const parts = { ...rest, timers: systemTimers };
  const { ledger, clock, log, forge, receive } = given;
  const housekeeping = startHousekeeping({ ...parts, figures });
  const campaigns = startCampaigns({ ...parts, mayApprove });
  const following = startFollowing({ ...parts, adopter, moved: () => campaigns.soon() });
  const labelled = startLabelled({
    watched,
    forge,
    query: ledger.query,
    clock,
    timers: systemTimers,
    log,
    orderOf: (order, requester, chat) => orderOf(order, { requester, chat }),
    receive,
  });
  const attention = startAttention({ ...parts, roles, patch, awaySince });
  return { attention, following, campaigns, labelled, housekeeping };
};

export const createRounds = () => {
  let all: ReturnType<typeof startAll> | null = null;
  return {
    start(parts: Parts): void {
      all = startAll(parts);
    },
    /** Something moved in a campaign. */
    campaignMoved: (): void => all?.campaigns.soon(),
    /** A card came, or changed, that others may join. */
    cardMoved: (): void => all?.attention.soon(),
    /** There is something to see of what others opened. */
    followedMoved: (): void => all?.following.soon(),
    /** Somebody may have labelled an issue there. */
    labelled: (repo: string): void => all?.labelled.hint(repo),
    async stop(): Promise<void> {
      for (const one of Object.values(all ?? {})) await one.stop();
    },
  };
};
