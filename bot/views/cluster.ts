/**
 * C2: the card of many alike changes: what they share once, what differs for each repository, and
 * what became of those that were decided meanwhile.
 */
import {
  CLUSTER_PAGE,
  isClusterArmed,
  type ClusterMember,
  type ClusterView,
} from '../../orchestrator/core/cluster.ts';
import { repositoryOf, type Run } from '../../orchestrator/core/machine/run.ts';
import type { ApprovalRow } from '../../orchestrator/ports.ts';
import type { Texts } from '../language/language.ts';
import { escape, fitNeeded, MESSAGE_LIMIT, prose, relative, short, show, showPath } from '../text/text.ts';
import { cautions, naturesIn } from './cautions.ts';
import { isLive } from './live.ts';
import { againstLines } from './evidence.ts';
import { quoteOf } from './quote.ts';
import { checksLine, doing, sizeOf, type Rendered, type Shown } from './scene.ts';

export type MemberScene = { member: ClusterMember; run: Run | null; approval: ApprovalRow | null };
type Live = MemberScene & { run: Run; approval: ApprovalRow };
export type ClusterScene = {
  members: readonly MemberScene[];
  /** What all of them share, with marks for what is each repository's own. */
  common: { title: string; text: string } | null;
  /** How people call the campaign. */
  name: string;
  /** Epoch ms. */
  now: number;
};

/** Rows of the table; the rest is behind a button. */
const ROWS = 10;

/** Whether a tap would still sign exactly what the card shows of it. */
export const isLiveMember = (scene: MemberScene, now: number): scene is Live => {
  const { member, run, approval } = scene;
  return run !== null && approval !== null && approval.digest === member.digest && isLive(run, approval, now);
};

export const renderCluster = (view: ClusterView, scene: ClusterScene, words: Texts): Rendered => {
  const live = scene.members.filter((one) => isLiveMember(one, scene.now));
  const [first] = live;
  if (view.lists && first) return renderList(view, view.lists, usualIn(live), scene, words);
  const lines = first ? liveLines(view, scene, live, first, words) : overLines(view, scene, words);
  const head = fitNeeded(lines, 2_200);
  const { common } = scene;
  const room = MESSAGE_LIMIT - head.length;
  const files = first?.run.change.commit?.diff.files ?? [];
  const quoted = first && common ? quoteOf({ text: common.text, omitted: 0 }, files, words, room) : '';
  return { html: head + quoted, buttons: first ? buttonsOf(view, live.length, scene.now, words) : [] };
};

type Line = { html: string; needed: boolean };
const needed = (html: string): Line => ({ html, needed: true });
const more = (html: string): Line => ({ html, needed: false });

const headlineOf = (verdict: string, view: ClusterView, scene: ClusterScene, rest: string): Line =>
  needed(`<b>${verdict}</b> · ${show(scene.name, 40)} ${show(view.campaign, 12)}${rest}`);

const liveLines = (
  view: ClusterView,
  scene: ClusterScene,
  live: readonly Live[],
  first: Live,
  words: Texts,
): Line[] => {
  const { card, cluster } = words;
  const { now, common } = scene;
  const {
    change: { commit },
    gate: { proposal },
    order,
  } = first.run;
  const expires = Math.min(...live.map(({ approval }) => approval.expiresAt));
  const does =
    view.kind === 'push' ? 'pushAll' : first.run.lifecycle.state === 'PUSHED' ? 'openAll' : 'bothAll';
  const what = cluster[does](live.length);
  const decide = isClusterArmed(view, now)
    ? `${card.armed(what)} ${relative(view.armedUntil ?? now, now, words.calendar)}`
    : `${card.decide} ${relative(expires, now, words.calendar)}`;
  const usual = usualIn(live);
  const other = live.filter(({ member }) => member.around !== usual).length;
  const asks = cluster.asks[view.kind === 'push' ? 'push' : 'open'](live.length);
  const risk = proposal?.fields.assessment.risk ?? 'high';
  const size = commit ? cluster.each(sizeOf(commit.diff), commit.diff.files.length) : '';
  return [
    headlineOf(asks, view, scene, ''),
    more(prose(common?.title ?? '', 120)),
    needed([size, `${risk === 'low' ? '' : '⚠ '}${card.risk(risk)}`].filter(Boolean).join(' · ')),
    ...(proposal ? againstLines(first.run, proposal.fields, words).map(more) : []),
    needed(`${decide} · ${card.requested(show(order.requester.name, 24))}`),
    needed(cautions(first.run, words)),
    more(naturesIn(first.run, words)),
    needed(other > 0 ? `≠ ${other > live.length / 2 ? cluster.aroundAll : cluster.around(other)}` : ''),
    ...rowsOf(live, usual, words),
    ...fallen(scene, words),
    needed(view.apart > 0 ? cluster.apart(view.apart) : ''),
    more(common?.text.includes('⟪') ? cluster.marks : ''),
  ];
};

/** What stands around the change in most of them; null where there is no such thing. */
const usualIn = (live: readonly Live[]): string | null => {
  const counts = Map.groupBy(live, ({ member }) => member.around);
  const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return most && most[1].length >= live.length / 2 ? most[0] : null;
};

/** What differs: repository, run, commit, checks; and lines around that are not the usual ones. */
const rowsOf = (live: readonly Live[], usual: string | null, words: Texts): Line[] => [
  ...live.slice(0, ROWS).map((one, i) => more(rowOf(one, i + 1, usual, words))),
  needed(live.length > ROWS ? words.cluster.more(live.length - ROWS) : ''),
];

const rowOf = ({ run, member }: Live, no: number, usual: string | null, words: Texts): string => {
  const fields = run.gate.proposal?.fields;
  const sealed = `${show(fields?.baseRef ?? '', 16)} ${short(fields?.mergeBase)} → ${short(fields?.headSha)}`;
  const other = usual !== null && member.around !== usual ? ' ≠' : '';
  const { signatures, needed: of } = run.gate.approval ?? { signatures: [], needed: 1 };
  const signed = signatures.length > 0 ? ` · ✍ ${signatures.length}/${of}` : '';
  return `${no} <b>${showPath(repositoryOf(run), 40)}</b> ${show(run.id, 12)} · <code>${sealed}</code> · ${checksLine(run, words)}${signed}${other}`;
};

/** Those that cannot be decided here any more, and why. */
const fallen = ({ members, now }: ClusterScene, words: Texts): Line[] => {
  const gone = members.filter((one) => !isLiveMember(one, now));
  const rows = gone.slice(0, 4).map((one) => more(goneRow(one, words)));
  return [...rows, more(gone.length > rows.length ? words.cluster.moreGone(gone.length - rows.length) : '')];
};

const goneRow = ({ run, member }: MemberScene, words: Texts): string =>
  run
    ? `✗ ${showPath(repositoryOf(run), 40)} ${show(run.id, 12)}: ${show(doing(run, words), 80)}`
    : `✗ ${show(member.run, 12)}: ${escape(words.tap.gone)}`;

/** What stays true while the message is not drawn again. */
const becameOf = (run: Run, { approval }: ClusterMember, words: Texts): string => {
  if (run.upstream.pullRequest) return words.card.openedAs(run.upstream.pullRequest.id);
  return run.gate.consumedApproval?.id === approval
    ? words.card.by(run.gate.consumedApproval.by)
    : doing(run, words);
};

const overLines = (view: ClusterView, scene: ClusterScene, words: Texts): Line[] => [
  headlineOf(words.cluster.over, view, scene, ` · ${words.cluster.decided(scene.members.length)}`),
  ...scene.members.slice(0, 2 * ROWS).map(({ run, member }) => {
    if (!run) return more(`${show(member.run, 12)}: ${escape(words.tap.gone)}`);
    return more(
      `${showPath(repositoryOf(run), 40)} ${show(run.id, 12)}: ${show(becameOf(run, member, words), 80)}`,
    );
  }),
  needed(scene.members.length > 2 * ROWS ? words.cluster.more(scene.members.length - 2 * ROWS) : ''),
];

const buttonsOf = (view: ClusterView, live: number, now: number, { cluster, buttons }: Texts): Shown[][] =>
  isClusterArmed(view, now)
    ? [
        [
          { verb: 'allsure', text: cluster.confirm(live), style: 'success' },
          { verb: 'allrest', text: buttons.back },
        ],
      ]
    : [
        [
          { verb: 'all', text: cluster.approve(live), style: 'success' },
          { verb: 'takeout', text: cluster.takeOut },
        ],
        [
          { verb: 'each', text: cluster.showEach },
          { verb: 'whole', text: buttons.diff },
        ],
      ];

/** Of the members that the card was drawn with, in their order. */
export const onPage = <T>(members: readonly T[], page: number): T[] =>
  members.slice(page * CLUSTER_PAGE, (page + 1) * CLUSTER_PAGE);
export const pagesOf = ({ members }: Pick<ClusterView, 'members'>): number =>
  Math.max(1, Math.ceil(members.length / CLUSTER_PAGE));

/** A button for each member: to take it out, or to have its own card. */
const renderList = (
  view: ClusterView,
  lists: NonNullable<ClusterView['lists']>,
  usual: string | null,
  scene: ClusterScene,
  words: Texts,
): Rendered => {
  const { cluster, buttons } = words;
  const pages = pagesOf(view);
  const page = Math.min(lists.page, pages - 1);
  const shown = onPage(scene.members, page);
  const title = lists.for === 'out' ? cluster.whichOut : cluster.whichEach;
  const at = pages > 1 ? cluster.page(page + 1, pages) : '';
  const rows = shown.map((one, i) => {
    const no = page * CLUSTER_PAGE + i + 1;
    return more(isLiveMember(one, scene.now) ? rowOf(one, no, usual, words) : goneRow(one, words));
  });
  return {
    html: fitNeeded([headlineOf(title, view, scene, at && ` · ${at}`), ...rows], MESSAGE_LIMIT),
    buttons: [
      ...shown.flatMap((one, index): Shown[][] =>
        isLiveMember(one, scene.now)
          ? [[{ verb: 'pick', text: `${repositoryOf(one.run)} ${one.run.id}`, index }]]
          : [],
      ),
      [
        ...(pages > 1
          ? [{ verb: 'turn', text: `▸ ${cluster.page(((page + 1) % pages) + 1, pages)}` } as const]
          : []),
        { verb: 'allrest', text: buttons.back },
      ],
    ],
  };
};
