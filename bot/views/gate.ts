/**
 * C2: the gate card: what a person decides on, in at most twelve lines, and what became of the
 * decision.
 */
import type { View } from '../../orchestrator/core/machine/effects.ts';
import { mayNotUpdate } from '../../orchestrator/core/machine/on-branch.ts';
import { fixesMade } from '../../orchestrator/core/machine/ordered-fixes.ts';
import { engineOf } from '../../orchestrator/core/machine/turns.ts';
import { turnsLine } from './turns.ts';
import { minutesToReview } from '../../orchestrator/core/review-cost.ts';
import { repositoryOf, type Run } from '../../orchestrator/core/machine/run.ts';
import type { SealFields } from '../../orchestrator/core/seal.ts';
import type { ApprovalRow } from '../../orchestrator/ports.ts';
import { changedBy } from '../text/hunks.ts';
import type { Texts } from '../language/language.ts';
import {
  MESSAGE_LIMIT,
  duration,
  fitNeeded,
  relative,
  said,
  short,
  show,
  showPath,
  type FittedLine,
} from '../text/text.ts';
import { forkLine, whatElse } from './branch.ts';
import { cautions } from './cautions.ts';
import { renderClosed } from './closed-card.ts';
import { denyButtons } from './denying.ts';
import { gradeLine, passes } from './grade.ts';
import { isArmed, isLive } from './live.ts';
import { objectedTo, riskLine } from './policy.ts';
import { quote } from './quote.ts';
import { waysOut } from './ways-out.ts';
import { renderReplies } from './replies.ts';
import { askedOf } from './why.ts';
import {
  byRisk,
  checksLine,
  deserves,
  fixNo,
  isFix,
  showsFix,
  naturesOf,
  sizeOf,
  type Nature,
  type Rendered,
  type Scene,
  type Shown,
} from './scene.ts';

type GateView = Extract<View, { view: 'gate' }>;

/** Columns of a phone in a code entity. */
const COLUMNS = 36;

export const renderGate = (view: GateView, scene: Scene, words: Texts): Rendered => {
  const { run, approval, now } = scene;
  if (approval?.kind === 'reply') return renderReplies(view, scene, approval, words);
  if (!approval || !run.proposal || !isLive(run, approval, now)) return renderClosed(scene, words);
  const fields = run.proposal.fields;
  const lines = liveLines(view, scene, approval, fields, words);
  const head = fitNeeded(lines, 1_500);
  return {
    html: head + quote(scene, words, MESSAGE_LIMIT - head.length),
    buttons: [
      ...buttons(view, approval, run, fields, now, words),
      ...(isArmed(view, now) || view.denying ? [] : waysOut(run, scene.serverUrl, words)),
    ],
  };
};

/** Ordered fixes that are not in it, since they changed nothing. */
const leftFixes = (run: Run, { card }: Texts): string => {
  const none = fixesMade(run, false);
  return none.length === 0 ? '' : show(card.leftFixes(none.join(', ')), 400);
};

const liveLines = (
  view: GateView,
  scene: Scene,
  approval: ApprovalRow,
  fields: SealFields,
  words: Texts,
): FittedLine[] => {
  const { run, now } = scene;
  const { card } = words;
  const fix = isFix(run);
  const added = whatIsAdded(scene);
  const total = run.commit ? sizeOf(run.commit.diff) : '';
  const push = approval.kind === 'push';
  const verdict = fix ? card.fix : push ? card.push : card.ready;
  const what = fix ? card.pushFix : push ? card.pushIt : run.state === 'PUSHED' ? card.openIt : card.openBoth;
  const decide = isArmed(view, now)
    ? `${card.armed(what)} ${relative(view.armedUntil ?? now, now, words.calendar)}`
    : view.denying
      ? `<b>${words.denials.asks}</b>`
      : `${card.decide} ${relative(approval.expiresAt, now, words.calendar)}`;
  const subject = subjectLine(run, fields, words);
  const needed = (html: string): FittedLine => ({ html, needed: true });
  // Names and words of others, some of which an agent chose: they push nothing out of the card.
  const more = (html: string): FittedLine => ({ html, needed: false });
  return [
    // The first 80 characters are all that a notification shows: verdict, repository and size.
    needed(
      `<b>${verdict}</b> · ${showPath(repositoryOf(run), 36)} · ${sizeOf(added)} · ${card.run(show(run.id, 12))}`,
    ),
    more(said(fields.title, 90)),
    more(subject),
    more(fix ? whichFix(run, words) : ''),
    more(fields.pullBody === undefined ? '' : card.describes),
    needed(forkLine(run, words)),
    more(whatElse(run, words)),
    more(rivalLine(run, words)),
    more(turnsLine(run, words)),
    needed(leftFixes(run, words)),
    needed(
      [
        fix ? card.inAll(total) : '',
        passes(run, words),
        card.files(added.files.length),
        run.commit && !push ? card.review(minutesToReview(run.commit.diff)) : '',
        checksLine(run, words),
        `${engineOf(run)} ${duration(run.workedMs, words.calendar)}`,
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    more(gradeLine(run, words)),
    needed(riskLine(fields, words)),
    ...fileLines(added.files, subject === '' || added.files.length <= 3 ? 3 : 2, words).map(more),
    needed(
      `<code>${show(fields.baseRef, 24)} ${short(fields.mergeBase)} → ${short(fields.headSha)}</code> (${!push && run.state !== 'PUSHED' ? card.unpushed : card.sealed})`,
    ),
    needed(`${decide} · ${card.requested(show(run.order.requester.name, 24))}`),
    needed(cautions(run, words)),
    needed(view.next ? words.card.next : ''),
  ];
};

/** What the commit says first, where it is not the title; all of it is behind a button (G8). */
const subjectLine = (run: Run, fields: SealFields, words: Texts): string => {
  const [subject = ''] = (run.commit?.message ?? '').split('\n');
  return subject === fields.title ? '' : words.card.commit(said(subject, 80));
};

/** Pull requests of others for the same, where none of ours is open yet. */
export const rivalLine = ({ rivals, pr }: Run, { card }: Texts): string =>
  pr || rivals.length === 0
    ? ''
    : `⚠ ${card.rivals(rivals.map((r) => `${show(r.id, 40)} ${show(r.author, 40)} (${card.rivalBy[r.by]})`).join(', '))}`;

/** Which fix it is, and what somebody or some check asked for. */
const whichFix = (run: Run, words: Texts): string => {
  const asked = askedOf(run, words);
  const no = words.card.fixFor(run.pr?.id ?? '', fixNo(run, words));
  return asked === '' ? no : `${no}: ${said(asked, 120)}`;
};

type Added = { added: number; deleted: number; files: Listed[] };
type Listed = {
  path: string;
  added: number;
  deleted: number;
  binary: boolean;
  gone: boolean;
  flag: boolean;
  is: Nature[];
};

/**
 * What the tap would add to what is public: the whole change, or of a fix what it changes since the
 * last push.
 */
const whatIsAdded = ({ run, patch }: Scene): Added => {
  const diff = run.commit?.diff;
  if (!diff) return { added: 0, deleted: 0, files: [] };
  const whole = byRisk(diff).map((f) => ({
    ...f,
    gone: f.status === 'deleted',
    flag: deserves(diff, f),
    is: naturesOf(diff, f),
  }));
  const fix = showsFix(run) ? changedBy(patch) : null;
  if (!fix) return { added: diff.added, deleted: diff.deleted, files: whole };
  const files = fix.map((f) => {
    const known = whole.find((w) => w.path === f.path);
    const binary = known?.binary ?? f.binary;
    return { ...f, binary, gone: known?.gone ?? false, flag: known?.flag ?? binary, is: known?.is ?? [] };
  });
  files.sort((a, b) => Number(b.flag) - Number(a.flag) || b.added + b.deleted - a.added - a.deleted);
  return { added: sum(files, 'added'), deleted: sum(files, 'deleted'), files };
};

const sum = (files: readonly Listed[], pick: 'added' | 'deleted'): number =>
  files.reduce((n, f) => n + f[pick], 0);

const fileLines = (files: readonly Listed[], most: number, words: Texts): string[] => {
  const shown = files.slice(0, most).map((f, i) => {
    const { card } = words;
    const size = f.binary ? card.binary : f.is.length > 0 && f.added + f.deleted === 0 ? '' : sizeOf(f);
    const told = [size, f.gone ? card.deleted : '', ...f.is.map((one) => card.natures[one])];
    const tail = ` ${told.filter(Boolean).join(' ')}${f.flag ? ' ⚠' : ''}`;
    return `<code>${i + 1} ${showPath(f.path, Math.max(8, COLUMNS - 2 - tail.length))}${tail}</code>`;
  });
  const rest = files.slice(most);
  if (rest.length === 0) return shown;
  return [...shown, words.card.moreFiles(rest.length, sum(rest, 'added'), sum(rest, 'deleted'))];
};

const buttons = (
  view: GateView,
  approval: ApprovalRow,
  run: Run,
  fields: SealFields,
  now: number,
  words: Texts,
): Shown[][] => {
  const b = words.buttons;
  const sha = short(fields.headSha);
  if (isArmed(view, now)) {
    return [
      [
        { verb: 'ok', text: b.ok(sha), style: 'danger' },
        { verb: 'back', text: b.back },
      ],
    ];
  }
  if (view.denying) return denyButtons(words);
  const text = approval.kind !== 'push' ? b.open(sha) : isFix(run) ? b.pushFix(sha) : b.push(sha);
  const high = fields.assessment.risk === 'high';
  const risky: Shown[][] = high ? [[{ verb: 'risk', text: b.risk, style: 'primary' }]] : [];
  const why: Shown[] = !high && objectedTo(run) ? [{ verb: 'risk', text: b.why }] : [];
  const update: Shown[] =
    fields.conflicts && mayNotUpdate(run) === null ? [{ verb: 'update', text: b.update }] : [];
  return [
    ...risky,
    [
      { verb: 'open', text, style: 'success' },
      { verb: 'deny', text: b.deny },
    ],
    ...(update.length > 0 ? [update] : []),
    [
      { verb: 'diff', text: b.diff },
      { verb: 'text', text: b.text },
      { verb: 'detail', text: b.detail },
    ],
    ...(why.length > 0 ? [why] : []),
  ];
};
