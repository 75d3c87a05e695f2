/** Defines the input of rendering, and small pieces that several views share. */
import { isOpeningDelay } from '#model/limits';
import type { Feedback } from '#model/feedback';
import type { OpeningWindow } from '#model/schedule';
import { isExcusedRed } from '#model/evidence';
import type { DiffFacts, FileChange, Finding } from '#model/change';
import type { Grade } from '#model/assessment';
import { isTest } from '#model/paths';
import { cutText } from '#model/values';
import type { ChangedFile } from '../text/first-hunks.ts';
import { isDoc } from '#pull-text';
import { repositoryOf, type Run } from '#run';
import type { ApprovalRow, AttemptRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import { relativeTimeHtml, escapeLine } from '../text/telegram-html.ts';

/** Holds the verb of each button; the list of their rows fills it in (`bot/commands/buttons.ts`). */
// oxlint-disable-next-line typescript/no-empty-object-type -- Filled in where the rows stand.
export interface ButtonVerbs {}
export type ButtonVerb = keyof ButtonVerbs;

/** `index` distinguishes equal verbs. Telegram reports no tap on `opens` or `copies`. */
export type ViewButton = {
  verb: ButtonVerb;
  text: string;
  style?: 'danger' | 'success' | 'primary';
  index?: number;
  opens?: string;
  copies?: string;
};
/** `closed`: a card that nobody can approve or deny any more. */
export type RenderedMessage = { html: string; buttons: ViewButton[][]; closed?: true };

/** Read when the message is sent, so that it shows the run's current state. */
export type ViewScene = {
  run: Run;
  approval: ApprovalRow | null;
  attempts: readonly AttemptRow[];
  earlier?: Pick<Run, 'target'>;
  grades?: readonly { at: number; grade: Grade }[];
  /** Patch for the view; for a fix, since the last push. */
  patch: { text: string; omitted: number } | null;
  /** What a person asked for on the card before, and what is new since then; null where unknown. */
  asked?: { feedback: readonly Feedback[]; news: readonly ChangedFile[] | null };
  serverUrl?: string;
  othersWait?: boolean;
  windows?: readonly OpeningWindow[];
  /** L5: somebody else changed the card's row. */
  isRecordChanged?: boolean;
  now: number;
};

export const attemptDurationMs = ({ outcome, ms, startedAt }: AttemptRow, now: number): number =>
  outcome === 'running' ? Math.max(0, now - startedAt) : ms;

export const runName = (run: Run): string =>
  `${escapeLine(repositoryOf(run), 60)} · ${escapeLine(run.id, 24)}`;

export const shortName = (run: Run): string =>
  `${cutText(repositoryOf(run).split('/').at(-1) ?? '', 18)} ${run.id}`;

export const runHeadline = (words: string, run: Run): string => `<b>${words}</b> · ${runName(run)}`;

export const checksLine = (run: Run, words: LanguageTexts): string => {
  const checks = run.change.evaluation?.checks ?? [];
  const passed = checks.filter((c) => c.outcome === 'passed').length;
  const unjudged = checks.filter((c) => isExcusedRed(c) && c.onBase?.environmentGap).length;
  const before = checks.filter(isExcusedRed).length - unjudged;
  const untested = checks.filter((c) => c.outcome === 'ran_no_test').length;
  return words.card.checks(passed, checks.length, {
    n: before,
    ref: escapeLine(run.target.base?.ref ?? '', 24),
    untested,
    unjudged,
  });
};

export const formatDiffSize = (diff: { added: number; deleted: number }): string =>
  `+${diff.added} −${diff.deleted}`;

export const describeSize = (
  change: { added: number; deleted: number; files: readonly unknown[] },
  { sizes }: LanguageTexts['card'],
): string => {
  const lines = change.added + change.deleted;
  const files = change.files.length;
  const is = lines <= 60 && files <= 5 ? 'small' : lines <= 400 && files <= 20 ? 'medium' : 'large';
  return sizes[is](lines === 0 ? '' : formatDiffSize(change), files);
};

export const findEnding = (run: Run, words: LanguageTexts): { title: string; did: string } | null => {
  const {
    lifecycle: { reason, state },
  } = run;
  if (state !== 'FAILED_TERMINAL') return null;
  if (reason.kind === 'ended_by_person' && reason.how !== 'skipped') return words.ended[reason.how];
  if (reason.kind !== 'pull_closed') return null;
  const { title, did } = words.ended.closed;
  return { title: title(reason.by), did: did(reason.by) };
};

/** G10: approved, and held back by its hours, a cool-down or a cap. */
export const isOpeningDelayed = ({ gate, lifecycle: { epoch, reason } }: Run): boolean =>
  gate.approval === null &&
  gate.consumedApproval?.epoch === epoch &&
  reason.kind === 'write_slot_wait' &&
  isOpeningDelay(reason);

export const liveHeading = (run: Run, words: LanguageTexts): string =>
  isOpeningDelayed(run)
    ? words.doing.approvedHeading
    : words.headings[run.gate.approval ? 'PUSHED' : run.lifecycle.state];

export const stateHeading = (run: Run, words: LanguageTexts): string =>
  escapeLine(findEnding(run, words)?.title ?? liveHeading(run, words), 60);

/** F5: a write to the code host that has to wait, such as for a merge queue. */
export const isWaitingToWrite = ({ lifecycle }: Run): boolean => lifecycle.reason.kind === 'write_slot_wait';

export const currentActivity = (run: Run, words: LanguageTexts): string => {
  const {
    gate: { approval, consumedApproval: consumed },
    lifecycle: { epoch, state },
  } = run;
  if (approval) return words.doing.card;
  if (consumed?.epoch === epoch) {
    if (isOpeningDelayed(run)) return words.doing.heldBack;
    if (isWaitingToWrite(run)) return words.doing.held;
    return state !== 'PUSHED' ? words.doing.pushing : words.doing.opening;
  }
  const ended = findEnding(run, words);
  if (ended) return ended.did;
  return run.lifecycle.reason.kind === 'pushing' ? words.doing.pushing : words.states[state];
};

export const isUnderWay = (run: Run, words: LanguageTexts): boolean =>
  [words.doing.opening, words.doing.pushing].includes(currentActivity(run, words));

export const stateLine = (run: Run, now: number, words: LanguageTexts): string =>
  [
    `<b>${stateHeading(run, words)}</b>`,
    ...(findEnding(run, words) || run.gate.approval ? [] : [escapeLine(currentActivity(run, words))]),
    relativeTimeHtml(run.lifecycle.stateEnteredAt, now, words.calendar),
  ].join(' · ');

export const isFix = (run: Run): boolean =>
  run.upstream.pullRequest !== null &&
  run.change.pushedHead !== null &&
  run.change.commit !== null &&
  run.change.commit.sha !== run.change.pushedHead.sha;

/** The whole change is shown after a merge of the base. */
export const showsFix = (run: Run): boolean => isFix(run) && !run.change.pendingMerge;

export const fixNumberText = ({ lifecycle: { counts }, order }: Run, words: LanguageTexts): string =>
  words.progress.fix(counts.iterations, order.bounds.maxIterations);

export const SKIPPED_FILE_FINDINGS = [
  'nested_repository',
  'hard_link',
  'bad_name',
  'too_large',
  'skipped_ignored',
] as const satisfies readonly Finding['kind'][];

export type ChangeNature =
  | 'renamed'
  | 'executable'
  | 'notExecutable'
  | 'link'
  | 'submodule'
  | 'lineEndings'
  | 'blanks'
  | 'lfs'
  | 'lfsRaw'
  | 'filterRaw';
export const NATURE_BY_FINDING: Partial<Record<Finding['kind'], ChangeNature>> = {
  line_endings_only: 'lineEndings',
  whitespace_only: 'blanks',
  lfs_pointer: 'lfs',
  lfs_raw: 'lfsRaw',
  filter_raw: 'filterRaw',
};
export const naturesOf = (diff: DiffFacts, file: FileChange): ChangeNature[] => {
  const hasModes = (old: string, now: string): boolean => file.oldMode === old && file.newMode === now;
  const is: [ChangeNature, boolean][] = [
    ['renamed', file.oldPath !== null && file.oldPath !== file.path],
    ['executable', file.newMode === '100755' && file.oldMode !== '100755'],
    ['notExecutable', hasModes('100755', '100644')],
    ['link', file.newMode === '120000'],
    ['submodule', file.newMode === '160000'],
  ];
  const found = diff.findings.flatMap(({ kind, path }) =>
    path === file.path ? (NATURE_BY_FINDING[kind] ?? []) : [],
  );
  return [...is.flatMap(([nature, so]) => (so ? [nature] : [])), ...new Set(found)];
};

const TELLING =
  /(^|\/)(\.github\/workflows\/|\.gitlab-ci|\.circleci\/|Jenkinsfile)|package-lock|\.lock$|(^|\/)(package\.json|setup\.py)$/;
/** Sorts flagged files first, then deletions, then source before tests and docs, then by size. */
export const sortFilesByRisk = (diff: DiffFacts): FileChange[] => {
  const flagged = new Set(diff.findings.map((f) => f.path));
  const weightOf = (file: FileChange): number =>
    (flagged.has(file.path) ? 8e9 : 0) +
    (TELLING.test(file.path) || file.binary || file.status === 'type_changed' ? 4e9 : 0) +
    (file.status === 'deleted' ? 2e9 : 0) +
    (isTest(file.path) || isDoc(file.path) ? 0 : 1e9) +
    file.added +
    file.deleted;
  return [...diff.files].sort((a, b) => weightOf(b) - weightOf(a) || (a.path < b.path ? -1 : 1));
};

export const deservesAttention = (diff: DiffFacts, file: FileChange): boolean =>
  diff.findings.some((f) => f.path === file.path) ||
  TELLING.test(file.path) ||
  file.binary ||
  file.status === 'deleted';
