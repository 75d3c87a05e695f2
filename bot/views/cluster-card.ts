/** Renders a cluster card: common change, differences, and each member's outcome (C2). */
import { CLUSTER_PAGE, isClusterArmed, type ClusterMember, type ClusterView } from '#model/chat';
import { repositoryOf, type Run } from '#run';
import type { ApprovalRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import {
  escapeHtml,
  fitNeeded,
  groupLines,
  MESSAGE_LIMIT,
  escapeProse,
  relativeTimeHtml,
  shortSha,
  escapeLine,
  showPath,
} from '../text/telegram-html.ts';
import { cautionLine, naturesIn } from './cautions.ts';
import { isCardLive } from './live-card.ts';
import { againstLines, evidenceLines, capitaliseFirst } from './evidence-lines.ts';
import { quoteOf } from './patch-quote.ts';
import { checksLine, currentActivity } from './run-lines.ts';
import { describeSize, formatDiffSize } from './file-facts.ts';
import type { RenderedMessage, ViewButton } from './scene.ts';

export type MemberScene = { member: ClusterMember; run: Run | null; approval: ApprovalRow | null };
type Live = MemberScene & { run: Run; approval: ApprovalRow };
export type ClusterScene = {
  members: readonly MemberScene[];
  /** Common text; where parts differ, as it is in one repository. */
  common: { title: string; text: string; as?: string } | null;
  name: string;
  now: number;
};

const MAX_CLUSTER_ROWS = 10;

/** Returns true when a tap would sign exactly what the card shows. */
export const isLiveMember = (scene: MemberScene, now: number): scene is Live => {
  const { member, run, approval } = scene;
  return (
    run !== null && approval !== null && approval.digest === member.digest && isCardLive(run, approval, now)
  );
};

export const renderCluster = (
  view: ClusterView,
  scene: ClusterScene,
  words: LanguageTexts,
): RenderedMessage => {
  const live = scene.members.filter((one) => isLiveMember(one, scene.now));
  const [first] = live;
  if (view.lists && first) return renderList(view, view.lists, usualIn(live), scene, words);
  const own = view.mixed ? linesOfMixed : liveLines;
  const lines = first ? own(view, scene, live, first, words) : overLines(view, scene, words);
  const head = fitNeeded(lines, view.mixed ? MESSAGE_LIMIT : 2_200);
  const { common } = scene;
  const room = MESSAGE_LIMIT - head.length;
  const files = first?.run.change.commit?.diff.files ?? [];
  const quoted = first && common ? quoteOf({ text: common.text, omitted: 0 }, files, words, room) : '';
  return { html: head + quoted, buttons: first ? buttonsOf(view, live.length, scene.now, words) : [] };
};

type Line = { html: string; needed: boolean };
const essentialLine = (html: string): Line => ({ html, needed: true });
const optionalLine = (html: string): Line => ({ html, needed: false });

const headlineOf = (verdict: string, view: ClusterView, scene: ClusterScene, rest: string): Line =>
  essentialLine(
    `<b>${verdict}</b>${view.mixed ? '' : ` · ${escapeLine(scene.name, 40)} ${escapeLine(view.campaign, 12)}`}${rest}`,
  );

const liveLines = (
  view: ClusterView,
  scene: ClusterScene,
  live: readonly Live[],
  first: Live,
  words: LanguageTexts,
): Line[] => {
  const { card, cluster } = words;
  const { now, common } = scene;
  const {
    change: { commit },
    gate: { proposal },
    order,
  } = first.run;
  const decide = decideLine(view, live, now, words);
  const usual = usualIn(live);
  const other = live.filter(({ member }) => member.around !== usual).length;
  const asks = cluster.asks[view.kind === 'push' ? 'push' : 'open'](live.length);
  const risk = proposal?.fields.assessment.risk ?? 'high';
  const size = commit ? cluster.each(formatDiffSize(commit.diff), commit.diff.files.length) : '';
  return groupLines([
    [essentialLine(`<b>${asks}</b>`), optionalLine(escapeProse(common?.title ?? '', 120))],
    [
      ...groupEvidence(live, words).map(essentialLine),
      essentialLine(
        capitaliseFirst(
          [size, `${risk === 'low' ? '' : '⚠ '}${card.risk(risk)}`].filter(Boolean).join(' · '),
        ),
      ),
      ...(proposal ? againstLines(first.run, proposal.fields, words).map(optionalLine) : []),
      essentialLine(cautionLine(first.run, words)),
      optionalLine(naturesIn(first.run, words)),
      essentialLine(
        other > 0 ? `≠ ${other > live.length / 2 ? cluster.aroundAll : cluster.around(other)}` : '',
      ),
    ],
    [
      ...rowsOf(live, usual, words),
      ...linesOfGone(scene, words),
      essentialLine(view.apart > 0 ? cluster.apart(view.apart) : ''),
      optionalLine(common?.as === undefined ? '' : cluster.shownAs(showPath(common.as, 40))),
    ],
    [
      optionalLine(
        `${escapeLine(scene.name, 40)} ${escapeLine(view.campaign, 12)} · ${card.requested(escapeLine(order.requester.name, 24))}`,
      ),
      essentialLine(decide),
    ],
  ]);
};

const linesOfMixed = (
  view: ClusterView,
  scene: ClusterScene,
  live: readonly Live[],
  _: Live,
  words: LanguageTexts,
): Line[] => {
  const { cluster } = words;
  const asks = cluster.asksMixed[view.kind === 'push' ? 'push' : 'open'](live.length);
  return groupLines([
    [essentialLine(`<b>${asks}</b>`), optionalLine(cluster.eachByItself)],
    ...live.map(({ run }, i) => [
      essentialLine(`${i + 1} <b>${showPath(repositoryOf(run), 40)}</b> · ${escapeProse(titleIn(run), 90)}`),
      ...evidenceLines(run, words).map(essentialLine),
      essentialLine(capitaliseFirst(sizeIn(run, words))),
      essentialLine(cautionLine(run, words)),
    ]),
    linesOfGone(scene, words),
    [essentialLine(decideLine(view, live, scene.now, words))],
  ]);
};

const titleIn = ({ gate: { proposal }, order }: Run): string =>
  proposal?.fields.title ?? order.title ?? order.goal;

const sizeIn = ({ change: { commit } }: Run, { card }: LanguageTexts): string =>
  [commit ? describeSize(commit.diff, card) : '', card.risk('low')].filter(Boolean).join(' · ');

const decideLine = (
  view: ClusterView,
  live: readonly Live[],
  now: number,
  { card, cluster, calendar }: LanguageTexts,
): string => {
  const [first] = live;
  const does =
    view.kind === 'push' ? 'pushAll' : first?.run.lifecycle.state === 'PUSHED' ? 'openAll' : 'bothAll';
  if (isClusterArmed(view, now))
    return `${card.armed(cluster[does](live.length))} ${relativeTimeHtml(view.armedUntil ?? now, now, calendar)}`;
  const expires = Math.min(...live.map(({ approval }) => approval.expiresAt));
  return `${card.decide} ${relativeTimeHtml(expires, now, calendar)}${card.undecided}`;
};

/** Returns the surrounding lines that at least half of the members share, or null. */
const usualIn = (live: readonly Live[]): string | null => {
  const counts = Map.groupBy(live, ({ member }) => member.around);
  const [most] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return most && most[1].length >= live.length / 2 ? most[0] : null;
};

const rowsOf = (live: readonly Live[], usual: string | null, words: LanguageTexts): Line[] => [
  ...live
    .slice(0, MAX_CLUSTER_ROWS)
    .map((one, i) =>
      optionalLine(rowOf(one, i + 1, usual, sameEvidence(live, words) === null ? words : null)),
    ),
  essentialLine(live.length > MAX_CLUSTER_ROWS ? words.cluster.more(live.length - MAX_CLUSTER_ROWS) : ''),
];

const sameEvidence = (live: readonly Live[], words: LanguageTexts): string[] | null => {
  const [first = [], ...others] = live.map(({ run }) => evidenceLines(run, words));
  return others.every((one) => one.join('\n') === first.join('\n')) ? first : null;
};

/** The evidence of one card where it is the same for all; otherwise how many passed. */
const groupEvidence = (live: readonly Live[], words: LanguageTexts): string[] => {
  const same = sameEvidence(live, words);
  if (same) return same;
  const passed = live.filter(({ run }) => run.change.evaluation?.passed === true).length;
  return [`${passed === live.length ? '✓' : '⚠'} ${words.cluster.passed(passed, live.length)}`];
};

const marksOf = ({ run, member }: Live, usual: string | null): string => {
  const { signatures, needed: of } = run.gate.approval ?? { signatures: [], needed: 1 };
  const signed = signatures.length > 0 ? ` · ✍ ${signatures.length}/${of}` : '';
  return `${signed}${usual !== null && member.around !== usual ? ' ≠' : ''}`;
};

/** `words` are given where the checks differ. */
const rowOf = (one: Live, no: number, usual: string | null, words: LanguageTexts | null): string =>
  `${no} <b>${showPath(repositoryOf(one.run), 40)}</b>${words === null ? '' : ` · ${checksLine(one.run, words)}`}${marksOf(one, usual)}`;

/** Names what a tap would sign, by its base and head. */
const rowWithSeal = (one: Live, no: number, usual: string | null, words: LanguageTexts): string => {
  const { run } = one;
  const fields = run.gate.proposal?.fields;
  const sealed = `${escapeLine(fields?.baseRef ?? '', 16)} ${shortSha(fields?.mergeBase)} → ${shortSha(fields?.headSha)}`;
  return `${no} <b>${showPath(repositoryOf(run), 40)}</b> ${escapeLine(run.id, 12)} · <code>${sealed}</code> · ${checksLine(run, words)}${marksOf(one, usual)}`;
};

const linesOfGone = ({ members, now }: ClusterScene, words: LanguageTexts): Line[] => {
  const gone = members.filter((one) => !isLiveMember(one, now));
  const rows = gone.slice(0, 4).map((one) => optionalLine(rowOfGone(one, words)));
  return [
    ...rows,
    optionalLine(gone.length > rows.length ? words.cluster.moreGone(gone.length - rows.length) : ''),
  ];
};

const rowOfGone = ({ run, member }: MemberScene, words: LanguageTexts): string =>
  run
    ? `✗ ${showPath(repositoryOf(run), 40)} ${escapeLine(run.id, 12)}: ${escapeLine(currentActivity(run, words), 80)}`
    : `✗ ${escapeLine(member.run, 12)}: ${escapeHtml(words.tap.gone)}`;

/** The message is not redrawn, so the text must stay true. */
const becameOf = (run: Run, { approval }: ClusterMember, words: LanguageTexts): string => {
  if (run.upstream.pullRequest) return words.card.openedAs(run.upstream.pullRequest.id);
  return run.gate.consumedApproval?.id === approval
    ? words.card.by(run.gate.consumedApproval.by)
    : currentActivity(run, words);
};

const overLines = (view: ClusterView, scene: ClusterScene, words: LanguageTexts): Line[] => [
  headlineOf(words.cluster.over, view, scene, ` · ${words.cluster.decided(scene.members.length)}`),
  ...scene.members.slice(0, 2 * MAX_CLUSTER_ROWS).map(({ run, member }) => {
    if (!run) return optionalLine(`${escapeLine(member.run, 12)}: ${escapeHtml(words.tap.gone)}`);
    return optionalLine(
      `${showPath(repositoryOf(run), 40)} ${escapeLine(run.id, 12)}: ${escapeLine(becameOf(run, member, words), 80)}`,
    );
  }),
  essentialLine(
    scene.members.length > 2 * MAX_CLUSTER_ROWS
      ? words.cluster.more(scene.members.length - 2 * MAX_CLUSTER_ROWS)
      : '',
  ),
];

const buttonsOf = (
  view: ClusterView,
  live: number,
  now: number,
  { cluster, buttons }: LanguageTexts,
): ViewButton[][] =>
  isClusterArmed(view, now)
    ? [
        [
          { verb: 'cluster.confirm', text: cluster.confirm(live), style: 'success' },
          { verb: 'cluster.back', text: buttons.back },
        ],
      ]
    : [
        [
          { verb: 'cluster.arm', text: cluster.approve(live), style: 'success' },
          { verb: 'cluster.take_out', text: cluster.takeOut },
        ],
        [
          { verb: 'cluster.show_each', text: cluster.showEach },
          { verb: 'cluster.whole', text: buttons.diff },
        ],
      ];

export const selectClusterPage = <T>(members: readonly T[], page: number): T[] =>
  members.slice(page * CLUSTER_PAGE, (page + 1) * CLUSTER_PAGE);
export const clusterPageCount = ({ members }: Pick<ClusterView, 'members'>): number =>
  Math.max(1, Math.ceil(members.length / CLUSTER_PAGE));

const renderList = (
  view: ClusterView,
  lists: NonNullable<ClusterView['lists']>,
  usual: string | null,
  scene: ClusterScene,
  words: LanguageTexts,
): RenderedMessage => {
  const { cluster, buttons } = words;
  const pages = clusterPageCount(view);
  const page = Math.min(lists.page, pages - 1);
  const shown = selectClusterPage(scene.members, page);
  const title = lists.for === 'out' ? cluster.whichOut : cluster.whichEach;
  const at = pages > 1 ? cluster.page(page + 1, pages) : '';
  const rows = shown.map((one, i) => {
    const no = page * CLUSTER_PAGE + i + 1;
    return optionalLine(
      isLiveMember(one, scene.now) ? rowWithSeal(one, no, usual, words) : rowOfGone(one, words),
    );
  });
  return {
    html: fitNeeded([headlineOf(title, view, scene, at && ` · ${at}`), ...rows], MESSAGE_LIMIT),
    buttons: [
      ...shown.flatMap((one, index): ViewButton[][] =>
        isLiveMember(one, scene.now)
          ? [[{ verb: 'cluster.pick', text: `${repositoryOf(one.run)} ${one.run.id}`, index }]]
          : [],
      ),
      [
        ...(pages > 1
          ? [{ verb: 'cluster.page', text: `▸ ${cluster.page(((page + 1) % pages) + 1, pages)}` } as const]
          : []),
        { verb: 'cluster.back', text: buttons.back },
      ],
    ],
  };
};
