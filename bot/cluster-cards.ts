/** Groups alike cards of a campaign into one cluster card per approver. */
import {
  isClusterArmed,
  MAX_CLUSTER_MEMBERS,
  redrawClusterView,
  type ClusterMember,
  type ClusterView,
} from '#model/chat';
import { isCampaignOver } from '#model/campaign';
import { waveByTarget } from '#model/targets';
import { isStopped, isTerminal } from '#model/run';
import { MINUTE } from '#model/values';
import { chatFor } from '#effects';
import { isHoldingSlot, type LiveApproval, type Run } from '#run';
import { sha256Hex } from '#runtime';
import { singleCardInboxItem, clusterInboxItem, hasSingleCard, mayJoinCluster } from '#clusters';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import type { PatchOf } from './commands/command-context.ts';
import { createLikeness, listVaryingValues, type ChangeLikeness } from './change-likeness.ts';

/** A group is held back while new members keep arriving within this time (ms). */
const CLUSTER_WINDOW_MS = 2 * MINUTE;
const MAX_CLUSTER_WAIT_MS = 10 * MINUTE;

type Parts = {
  ledger: {
    query: Pick<Ledger['query'], 'campaigns' | 'campaign' | 'campaignRuns' | 'told' | 'slots' | 'effects'>;
  };
  patch: PatchOf;
  log?: Pick<LogPort, 'error'>;
  /** Returns the chat of the next person who may sign; null when nobody is left. */
  next?: (card: { run: Run; card: LiveApproval; chat: string }) => Promise<string | null>;
};
const NEXT_APPROVER_SHARE = 1 / 4;

type Waiting = {
  run: Run;
  card: LiveApproval & { kind: ClusterView['kind'] };
  chat: string;
  like: ChangeLikeness;
  wave: number;
};

const cardOf = (run: Run): Waiting['card'] | null => {
  const {
    gate: { approval },
  } = run;
  return approval && approval.kind !== 'reply' && mayJoinCluster(run)
    ? { ...approval, kind: approval.kind }
    : null;
};

const memberOf = ({ run, card, like }: Waiting): ClusterMember => ({
  run: run.id,
  approval: card.id,
  digest: card.digest,
  around: like?.around ?? '',
});

const byRepository = (one: Waiting, other: Waiting): number =>
  one.run.order.repo < other.run.order.repo ? -1 : 1;

const PREFIX = 'cluster:';
// guard: F5-a-card-per-wave
const groupOf = (campaign: string, { chat, card, like, wave }: Waiting): string =>
  `${PREFIX}${campaign}:${card.kind}:${chat}:${like?.key ?? ''}${wave > 0 ? `-wave${wave}` : ''}`;

/** Suffix of the next approver's slot; the first approver's card is still updated in its own. */
const NEXT = ':next';
const placeOf = (group: string, nth: number): string => (nth === 0 ? group : `${group}:${nth}`);

export const createClusters = ({ ledger: { query }, patch, next, log }: Parts) => {
  const likeness = createLikeness(patch);
  const over = new Set<string>();
  /** Slots to update by campaign: after a start all of the ledger's, later the unsettled ones. */
  const open = new Map<string, Set<string>>();
  let begun = false;
  const loadOpenSlots = async (): Promise<void> => {
    if (begun) return;
    // guard: C2-cards-of-before
    const slots = await query.slots(PREFIX);
    for (const [id, some] of Map.groupBy(slots, (slot) => slot.split(':')[1] ?? ''))
      open.set(id, new Set(some));
    begun = true;
  };

  /** Only the first of several cards sent to a chat in quick succession makes a sound. */
  const rang = new Map<string, number>();
  const shouldRing = (campaign: string, chat: string, now: number): boolean => {
    const place = `${campaign} ${chat}`;
    const before = rang.get(place) ?? -Infinity;
    rang.set(place, now);
    return now - before >= CLUSTER_WINDOW_MS;
  };

  const waitingIn = async (id: string, runs: readonly Run[]): Promise<Waiting[]> => {
    const order = runs.some((run) => cardOf(run)) ? (await query.campaign(id))?.order : null;
    if (!order) return [];
    const waves = waveByTarget(order.targets);
    const all: Waiting[] = [];
    for (const run of runs) {
      const card = cardOf(run);
      const show = { view: 'gate', approvalId: '', armedBy: null, armedUntil: null } as const;
      const chat = chatFor(run.order, show);
      if (!card || chat === null || (await hasSingleCard(query, run.id, card.id))) continue;
      const like = await likeness(run, listVaryingValues(run, order)).catch((error: unknown) => {
        // A card that cannot be compared is sent by itself instead of being held back.
        log?.error({ err: error, run: run.id }, 'the change of a campaign could not be compared');
        return null;
      });
      all.push({ run, card, chat, like, wave: waves.get(run.order.repo.toLowerCase()) ?? 0 });
    }
    return all;
  };

  const cardsIn = async (group: string): Promise<{ slot: string; n: number; show: ClusterView }[]> => {
    const cards = [];
    for (;;) {
      const slot = placeOf(group, cards.length);
      const row = await query.told(slot);
      if (row?.do.kind !== 'chat_message' || row.do.content.view !== 'cluster') return cards;
      cards.push({ slot, n: row.n, show: row.do.content });
    }
  };

  const campaignNotes = async (id: string, runs: readonly Run[], now: number): Promise<IncomingItem[]> => {
    const waiting = (await waitingIn(id, runs)).sort(byRepository);
    const singleNote = ({ run, card, chat }: Waiting): IncomingItem =>
      singleCardInboxItem({ runId: run.id, approvalId: card.id, chat, sound: shouldRing(id, chat, now) });
    const groups = Map.groupBy(
      waiting.filter(({ like }) => like !== null),
      (one) => groupOf(id, one),
    );
    const coming = runs.some((run) => isHoldingSlot(run) && run.upstream.pullRequest === null);
    /** Returns true when no more members are expected soon, or the oldest has waited for LONGEST. */
    const isGroupComplete = (group: readonly Waiting[]): boolean => {
      const since = group.map(({ run }) => now - run.lifecycle.stateEnteredAt);
      const quiet = group.length >= 2 && Math.min(...since) >= CLUSTER_WINDOW_MS;
      return !coming || quiet || Math.max(...since) >= MAX_CLUSTER_WAIT_MS;
    };
    const notes: IncomingItem[] = [];
    const before = open.get(id) ?? new Set<string>();
    const live = new Set<string>();
    for (const [group, members] of groups) {
      const [first] = members;
      if (!first) continue;
      const cards = await cardsIn(group);
      for (const { slot } of cards) before.add(slot);
      const last = cards.at(-1);
      const { show: old, n } = last ?? { show: null, n: null };
      const slot = last?.slot ?? group;
      // The list must not change under somebody who is about to confirm it.
      if (old && isClusterArmed(old, now)) {
        live.add(slot);
        continue;
      }
      const apart = waiting.length - members.length;
      const toClusterNote = (shows: readonly ClusterMember[], { fresh }: { fresh: boolean }): IncomingItem =>
        clusterInboxItem({
          chat: first.chat,
          slot: fresh ? placeOf(group, cards.length) : slot,
          after: fresh ? null : n,
          fresh,
          show: {
            view: 'cluster',
            campaign: id,
            kind: first.card.kind,
            members: [...shows],
            apart,
            left: countLiveMembers(shows, members),
            armedBy: null,
            armedUntil: null,
            standing: standingOf(shows, runs),
          },
        });
      const fresh = members.filter((one) => !old?.members.some((m) => isMember(m, one)));
      if (old && countLiveMembers(old.members, members) > 0) {
        live.add(slot);
        const room = MAX_CLUSTER_MEMBERS - old.members.length;
        const more = [...old.members, ...fresh.slice(0, room).map(memberOf)];
        if (more.length > old.members.length || standingOf(more, runs) !== old.standing)
          notes.push(toClusterNote(more, { fresh: false }));
        const passed = await nextApproverNotes(slot, old, members, now);
        if (passed.length > 0) before.add(`${slot}${NEXT}`);
        notes.push(...passed);
      } else if (fresh.length >= 2 && isGroupComplete(fresh)) {
        const place = placeOf(group, cards.length);
        before.add(place);
        live.add(place);
        shouldRing(id, first.chat, now);
        notes.push(toClusterNote(fresh.slice(0, MAX_CLUSTER_MEMBERS).map(memberOf), { fresh: true }));
      } else if (fresh.length === 1 && isGroupComplete(fresh)) {
        notes.push(...fresh.map(singleNote));
      }
    }
    notes.push(...waiting.filter(({ like }) => like === null).map(singleNote));
    for (const slot of before) {
      if (live.has(slot.endsWith(NEXT) ? slot.slice(0, -NEXT.length) : slot)) continue;
      const ends = await settleCard(slot, runs, now);
      notes.push(...ends.notes);
      if (ends.settled) before.delete(slot);
    }
    open.set(id, before);
    return notes;
  };

  /** Sends the same card, with sound, to the next approver when it stays undecided. */
  const nextApproverNotes = async (
    slot: string,
    { members, ...view }: ClusterView,
    group: readonly Waiting[],
    now: number,
  ): Promise<IncomingItem[]> => {
    const live = group.filter((one) => members.some((m) => isMember(m, one)));
    const [first] = [...live].sort((a, b) => a.card.expiresAt - b.card.expiresAt);
    if (!first || (first.card.expiresAt - now) / first.run.order.bounds.approvalMs > NEXT_APPROVER_SHARE)
      return [];
    const place = `${slot}${NEXT}`;
    const before = await query.told(place);
    const asked =
      before?.do.kind === 'chat_message' && before.do.content.view === 'cluster'
        ? before.do.content.members
        : [];
    if (live.some((one) => asked.some((m) => isMember(m, one)))) return [];
    const chat = (await next?.(first)) ?? null;
    if (chat === null) return [];
    const show = { ...redrawClusterView({ ...view, members }, live.length), members: live.map(memberOf) };
    return [clusterInboxItem({ chat, slot: place, after: before?.n ?? null, fresh: true, show })];
  };

  /** Updates a card without open members until the outcome of each member is shown. */
  const settleCard = async (
    slot: string,
    runs: readonly Run[],
    now: number,
  ): Promise<{ notes: IncomingItem[]; settled: boolean }> => {
    const row = await query.told(slot);
    const old = row?.do.kind === 'chat_message' && row.do.content.view === 'cluster' ? row.do.content : null;
    const chat = row?.chat ?? null;
    if (!row || !old || chat === null) return { notes: [], settled: true };
    const settled = old.members.every(({ run: id }) =>
      runs.some(
        (run) =>
          run.id === id &&
          (run.upstream.pullRequest !== null ||
            isStopped(run.lifecycle.state) ||
            isTerminal(run.lifecycle.state)),
      ),
    );
    const standing = standingOf(old.members, runs);
    if (isClusterArmed(old, now)) return { notes: [], settled: false };
    if (old.standing === standing) return { notes: [], settled };
    const show = { ...redrawClusterView(old, 0), standing };
    return { notes: [clusterInboxItem({ chat, slot, after: row.n, fresh: false, show })], settled: false };
  };

  return {
    /** Returns equal notes for equal causes, so asking again does no harm. */
    async dueNotes(now: number): Promise<IncomingItem[]> {
      const notes: IncomingItem[] = [];
      await loadOpenSlots();
      for (const campaign of await query.campaigns()) {
        if (campaign.state === 'planned' || over.has(campaign.id)) continue;
        const runs = await query.campaignRuns(campaign.id);
        notes.push(...(await campaignNotes(campaign.id, runs, now)));
        const said = open.get(campaign.id)?.size === 0;
        if (said && isCampaignOver(campaign) && runs.every(({ lifecycle: { state } }) => isTerminal(state)))
          over.add(campaign.id);
      }
      return notes;
    },
  };
};

const standingOf = (members: readonly ClusterMember[], runs: readonly Run[]): string => {
  const all = members.map((member) => {
    const run = runs.find(({ id }) => id === member.run);
    const signed = run?.gate.approval?.signatures.length ?? 0;
    return [
      member.run,
      run?.lifecycle.state,
      run?.gate.approval?.id === member.approval,
      signed,
      run?.upstream.pullRequest?.id,
    ].join(' ');
  });
  return sha256Hex(all.join('\n')).slice(0, 16);
};

const isMember = (member: ClusterMember, { run, card }: Waiting): boolean =>
  member.run === run.id && member.approval === card.id && member.digest === card.digest;

const countLiveMembers = (members: readonly ClusterMember[], group: readonly Waiting[]): number =>
  members.filter((member) => group.some((one) => isMember(member, one))).length;
