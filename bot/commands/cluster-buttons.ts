/** The buttons of a cluster card; each member is signed over the digest that the card shows. */
import { isClusterArmed, redrawClusterView, type ClusterMember, type ClusterView } from '#model/chat';
import { MINUTE } from '#model/values';
import { COMMAND_OF_APPROVAL, type Input } from '#inputs';
import { repositoryOf, type Run } from '#run';
import { redactSecrets } from '../../text-safety/index.ts';
import { singleCardReply } from '#clusters';
import { roleNeededFor } from '#commands';
import type { EffectRow } from '#ports/ledger';
import {
  isLiveMember,
  selectClusterPage,
  clusterPageCount,
  type MemberScene,
} from '../views/cluster-card.ts';
import { publicParts } from '../views/public-text.ts';
import { toReadablePatch } from '../text/visible-patch.ts';
import { momentText } from '../text/telegram-html.ts';
import {
  personOf,
  publicNameField,
  cardCopy,
  viewReply,
  type CommandReply,
  type CommandContext,
} from './command-context.ts';
import { findClosingReason, findLapsedSigners, mustReadRiskFirst } from './verify-card.ts';
import { cardOn, cardWithCheck, defineButton, type Opened, type Tap, type ViewOf } from './define-button.ts';
import { describeRefusedStep } from './refused-step-reply.ts';
import { renderSkippedMembers, type Fell } from './skipped-members.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

/** Time that Confirm stays armed for the user who tapped the first button (ms). */
const ARMED_MS = MINUTE;

export const readMemberScenes = async (
  query: CommandContext['ledger']['query'],
  { members }: Pick<ClusterView, 'members'>,
): Promise<MemberScene[]> =>
  Promise.all(
    members.map(async (member) => {
      const [run, approval] = await Promise.all([query.run(member.run), query.approval(member.approval)]);
      return { member, run, approval };
    }),
  );

type Live = MemberScene & { run: Run };
type ClusterTap = Tap<ViewOf<'cluster'>> & {
  live: readonly Live[];
  redraw: (change?: Partial<ClusterView>) => CommandReply;
};

const openCluster = async (tap: Tap<ViewOf<'cluster'>>): Promise<Opened<ClusterTap>> => {
  const { c, row, show: view } = tap;
  const { slot } = row;
  // A newer version of the card shows another list.
  // guard: G4-cluster-newest
  if (slot === null || (await c.ledger.query.told(slot))?.n !== row.n)
    return settleTap(c, c.words.tap.stale, true);
  const now = c.clock.now();
  const live = (await readMemberScenes(c.ledger.query, view)).filter((one) => isLiveMember(one, now));
  const redraw: ClusterTap['redraw'] = (change = {}) =>
    viewReply({ ...redrawClusterView(view, live.length), ...change }, null, slot);
  return { tap: { ...tap, live, redraw } };
};

const CLUSTER_CARD = cardWithCheck(cardOn('cluster'), openCluster);
const LIVE_CLUSTER = cardWithCheck(CLUSTER_CARD, async (tap): Promise<Opened<ClusterTap>> => {
  const { c, live, redraw } = tap;
  return live.length === 0 ? settleTap(c, c.words.cluster.nothing, true, redraw()) : { tap };
});

export const CLUSTER_BUTTONS = [
  defineButton(LIVE_CLUSTER, {
    verb: 'cluster.arm',
    role: roleNeededFor('approve'),
    onTap: ({ c, live, redraw }): PendingTapAnswer =>
      // Arm only members that can be signed now, so that the number to confirm is correct.
      settleTap(
        c,
        c.words.tap.arm,
        false,
        redraw({
          members: live.map(({ member }) => member),
          armedBy: c.user,
          armedUntil: c.clock.now() + ARMED_MS,
        }),
      ),
  }),
  defineButton(CLUSTER_CARD, {
    verb: 'cluster.confirm',
    role: roleNeededFor('approve'),
    onTap: ({ c, row, show, redraw }): PendingTapAnswer => signMembers(c, row, show, redraw),
  }),
  defineButton(LIVE_CLUSTER, {
    verb: 'cluster.back',
    role: roleNeededFor('approve'),
    onTap: ({ c, redraw }): PendingTapAnswer => settleTap(c, '', false, redraw()),
  }),
  defineButton(LIVE_CLUSTER, {
    verb: 'cluster.take_out',
    role: roleNeededFor('approve'),
    onTap: ({ c, redraw }): PendingTapAnswer =>
      settleTap(c, '', false, redraw({ lists: { for: 'out', page: 0 } })),
  }),
  defineButton(LIVE_CLUSTER, {
    verb: 'cluster.show_each',
    role: roleNeededFor('approve'),
    onTap: ({ c, redraw }): PendingTapAnswer =>
      settleTap(c, '', false, redraw({ lists: { for: 'each', page: 0 } })),
  }),
  defineButton(LIVE_CLUSTER, {
    verb: 'cluster.page',
    role: roleNeededFor('approve'),
    async onTap({ c, show, redraw }): PendingTapAnswer {
      const { lists } = show;
      if (!lists) return settleTap(c, c.words.tap.gone, true, redraw());
      const page = (lists.page + 1) % clusterPageCount(show);
      return settleTap(c, '', false, redraw({ lists: { ...lists, page } }));
    },
  }),
  defineButton(LIVE_CLUSTER, {
    verb: 'cluster.pick',
    role: roleNeededFor('approve'),
    picks: true,
    onTap: (tap): PendingTapAnswer => onPick(tap),
  }),
  defineButton(LIVE_CLUSTER, {
    verb: 'cluster.whole',
    role: roleNeededFor('diff'),
    whileBusy: 'refuse_again',
    onTap: ({ c, show, live }): PendingTapAnswer => sendWholeFiles(c, show, live),
  }),
];

const onPick = async ({ c, show: view, live, index, redraw }: ClusterTap): PendingTapAnswer => {
  const { tap: t, cluster } = c.words;
  const { lists, members } = view;
  const picked = lists && selectClusterPage(members, lists.page)[index ?? -1];
  const one = live.find(({ member }) => member === picked);
  if (!lists || !picked || !one) return settleTap(c, t.gone, true, redraw());
  if (lists.for === 'each') return settleTap(c, t.shown, false, cardCopy(c, picked.run, picked.approval));
  const left = members.filter((member) => member !== picked);
  const own = singleCardReply({
    runId: picked.run,
    approvalId: picked.approval,
    chat: c.chat,
    sound: false,
  });
  return settleTap(
    c,
    cluster.takenOut(repositoryOf(one.run)).slice(0, 200),
    false,
    redraw({ members: left, left: live.length - 1, apart: view.apart + 1 }),
    own,
  );
};

/** Maximum size of one file (characters), below the limit of an artifact. */
const MAX_PATCH_ARTIFACT_LENGTH = 900_000;

/** G8: sends everything that would become public, in as few files as possible. */
const sendWholeFiles = async (
  context: CommandContext,
  view: ClusterView,
  live: readonly Live[],
): PendingTapAnswer => {
  const { cluster, tap: t } = context.words;
  const files: { content: string; members: number; run: string }[] = [];
  for (const { run } of live) {
    const patch = await context.readers.patch(run.id, 'base');
    if (!patch || patch.omitted > 0) return settleTap(context, cluster.unread(repositoryOf(run)), true);
    const words = publicParts(
      run,
      patch.messages,
      context.words,
      context.people.publicNames?.[context.user],
    ).map(([heading, text]) => `=== ${heading} ===\n${text}\n`);
    const text = redactSecrets(
      [`##### ${repositoryOf(run)} · ${run.id}`, ...words, toReadablePatch(patch.text)].join('\n'),
    );
    const last = files.at(-1);
    if (last && last.content.length + text.length < MAX_PATCH_ARTIFACT_LENGTH)
      Object.assign(last, { content: `${last.content}\n${text}`, members: last.members + 1 });
    else files.push({ content: text, members: 1, run: run.id });
  }
  const answers: CommandReply[] = [];
  for (const [i, { content, members, run }] of files.entries()) {
    const artifact = await context.ledger.artifact({
      runId: run,
      type: 'cluster',
      content,
      at: context.clock.now(),
    });
    const name = `${view.mixed ? 'changes' : view.campaign}${files.length > 1 ? `-${i + 1}` : ''}.patch`;
    answers.push(viewReply({ view: 'document', name, caption: cluster.file(members), artifact }, run));
  }
  return settleTap(context, t.shown, false, ...answers);
};

/** G2, G3: signs members separately and reports those skipped; repeating it signs nothing twice. */
const signMembers = async (
  context: CommandContext,
  row: EffectRow,
  view: ClusterView,
  redraw: (change?: Partial<ClusterView>) => CommandReply,
): PendingTapAnswer => {
  const { tap: t, cluster, calendar } = context.words;
  const now = context.clock.now();
  // guard: G4-cluster-armed
  if (view.armedBy !== context.user) return settleTap(context, t.notArmed, true);
  if (!isClusterArmed(view, now))
    return settleTap(context, t.armedOver(momentText(view.armedUntil ?? now, now, calendar)), true, redraw());
  const fell: Fell[] = [];
  for (const member of view.members) {
    const why = await signOne(context, row, view, member);
    if (why !== null) fell.push(why);
  }
  const signed = view.members.length - fell.length;
  const after = await readMemberScenes(context.ledger.query, view);
  const left = after.filter((one) => isLiveMember(one, context.clock.now())).length;
  const all = left > 0 ? cluster.signed(signed) : cluster.approved(signed);
  const some = signed === 0 ? cluster.none : cluster.some(signed, fell.length);
  const text = fell.length === 0 ? all : some;
  return settleTap(
    context,
    text,
    fell.length > 0,
    redraw({ left }),
    ...(fell.length > 0 ? [renderSkippedMembers(context, cluster.fell(fell.length), fell)] : []),
  );
};

/** Returns null when the member is signed, by this tap or by an earlier handling of it. */
const signOne = async (
  context: CommandContext,
  row: EffectRow,
  { kind }: ClusterView,
  member: ClusterMember,
): Promise<Fell | null> => {
  const { query } = context.ledger;
  const [run, approval] = await Promise.all([query.run(member.run), query.approval(member.approval)]);
  const name = run ? `${repositoryOf(run)} (${run.id})` : member.run;
  if (!run || !approval) return { name, why: context.words.tap.gone };
  const without = await findLapsedSigners(context.people.roles, run);
  if (without.length > 0) return { name, why: context.words.tap.lapsed(without.join(', '), run.id) };
  // guard: C2-cluster-risk
  if (await mustReadRiskFirst(query, run, context.user))
    return { name, why: context.words.cluster.highAlone };
  const input: Input = {
    type: COMMAND_OF_APPROVAL[kind],
    by: personOf(context),
    approvalId: member.approval,
    digest: member.digest,
    role: context.role,
    ...publicNameField(context),
    cluster: row.n,
  };
  const outcome = await context.submit({
    runId: run.id,
    input,
    key: `chat:${context.row.key}`,
    cause: { kind: 'inbox', id: context.row.id, goesOn: true },
  });
  switch (outcome.kind) {
    case 'written':
    case 'duplicate':
      return null;
    case 'fenced':
      return { name, why: context.words.tap.duplicate };
    case 'refused':
    case 'ignored':
      return {
        name,
        why:
          findClosingReason(run, approval, context.clock.now(), context.words) ??
          describeRefusedStep(context, outcome),
      };
  }
};
