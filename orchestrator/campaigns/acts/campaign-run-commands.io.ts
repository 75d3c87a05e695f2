/** Commands for many runs; each gets the same key, so that a repeated command changes nothing. */
import { listOfferedLessons, selectLessonTargets, changeRequestInput } from '../collect-lessons.ts';
import type { Input } from '../../kernel/run/input-types.ts';
import { readCampaignStatus, type CampaignStatus } from '../campaign-status.io.ts';
import { sha256Hex } from '../../kernel/runtime/content-hash.ts';
import type { SubmitInput } from '../../kernel/runtime/submit-input.ts';
import { openQuestionsIn, cancellableRuns, retryableRuns, runsWithOpenPull } from '#campaign-standing';
import type { FailureClass } from '#model/failure';
import { selectStillAsked, type AskedFirst } from '#model/requirements';
import type { OfferedLesson } from '#model/feedback';
import type { Person } from '#model/order';
import type { SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

export type ActParts = {
  ledger: { query: Pick<Ledger['query'], 'campaign' | 'campaigns' | 'campaignRuns' | 'runs' | 'setting'> };
  submit: SubmitInput;
  clock: SystemClock;
};
export type Asked = { id: string; by: Person; key: string };

const askAll = async (
  { ledger, submit, clock }: ActParts,
  { id, key }: Asked,
  of: (at: CampaignStatus) => readonly { run: string }[],
  input: Input,
): Promise<number> => {
  const at = await readCampaignStatus(ledger.query, id, clock.now());
  let taken = 0;
  for (const { run } of at ? of(at) : []) {
    const { kind } = await submit({ runId: run, input, key, cause: { kind: 'none' } });
    if (kind === 'written' || kind === 'duplicate') taken += 1;
  }
  return taken;
};

export const teachLesson = async (
  { ledger, submit }: ActParts,
  { id, by }: Omit<Asked, 'key'>,
  lesson: OfferedLesson,
  wish: string,
): Promise<number> => {
  const key = `lesson:${id}:${sha256Hex(wish)}`;
  let taken = 0;
  const runs = await ledger.query.campaignRuns(id);
  const told = new Set(selectLessonTargets(listOfferedLessons(runs), lesson));
  for (const run of runs.filter((one) => told.has(one.id))) {
    const input = changeRequestInput(run, by, wish, lesson);
    const { kind } = await submit({ runId: run.id, input, key, cause: { kind: 'none' } });
    if (kind === 'written' || kind === 'duplicate') taken += 1;
  }
  return taken;
};

export const answerFirstQuestions = (
  parts: ActParts,
  asked: Asked,
  shown: readonly AskedFirst[],
  answer: 'begin' | 'leave_out',
): Promise<number> =>
  askAll(
    parts,
    asked,
    ({ standings }) => selectStillAsked(shown, openQuestionsIn(standings)),
    answer === 'begin'
      ? { type: 'command.implementation.start', by: asked.by }
      : { type: 'command.skip', by: asked.by, reason: '' },
  );

export const cancelUnopened = (parts: ActParts, asked: Asked, reason: string): Promise<number> =>
  askAll(parts, asked, ({ standings }) => cancellableRuns(standings), {
    type: 'command.cancel',
    by: asked.by,
    reason,
  });

export const withdrawRuns = (
  parts: ActParts,
  asked: Asked,
  of: { runs: readonly string[]; words: string; reason: string; branches?: true },
): Promise<number> =>
  askAll(
    parts,
    asked,
    ({ standings }) => runsWithOpenPull(standings).filter(({ run }) => of.runs.includes(run)),
    {
      type: 'command.cancel',
      by: asked.by,
      reason: of.reason,
      close: of.words,
      ...(of.branches ? { branch: 'removed' } : {}),
    },
  );

export const retryFailed = (parts: ActParts, asked: Asked & { only: FailureClass | null }): Promise<number> =>
  askAll(parts, asked, ({ standings }) => retryableRuns(standings, asked.only), {
    type: 'command.retry',
    by: asked.by,
    target: null,
  });
