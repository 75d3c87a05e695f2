/**
 * C9: everything about one run, behind *More*: what happened in sentences, then why it is judged as
 * it is, and the record of ids, digests and attempts, folded away.
 */
import { lastJudged, type Run } from '../../orchestrator/core/machine/run.ts';
import { engineOf } from '../../orchestrator/core/machine/turns.ts';
import { minutesToReview } from '../../orchestrator/core/review-cost.ts';
import type { AttemptRow } from '../../orchestrator/ports.ts';
import type { Texts } from '../language/language.ts';
import { duration, fit, moment, prose, relative, said, short, show } from '../text/text.ts';
import { forkLine, whatElse } from './branch.ts';
import { checkLine } from './evidence.ts';
import { rivalLine } from './gate.ts';
import { gradeHistory, gradeLines } from './grade.ts';
import { revokeButton, standingLines } from './permission.ts';
import { objectedTo, policyLines } from './policy.ts';
import { pullAddress, pullLines } from './pull.ts';
import { saysMore } from './run.ts';
import { name, sizeOf, stateLine, type Rendered, type Scene, type Shown } from './scene.ts';
import { sightLine } from './sight.ts';
import { turnsLine } from './turns.ts';
import { waysOut } from './ways-out.ts';
import { reasonOf } from './why.ts';

const MAX_CHECKS = 8;
const MAX_ATTEMPTS = 6;

/** Who asked for what, what came of it, and where it is. */
const story = (run: Run, now: number, words: Texts): string[] => {
  const { detail: d, calendar } = words;
  const {
    change: { commit, pushedHead: pushed },
    order,
  } = run;
  const asked = d.asked(show(order.requester.name, 40), relative(run.lifecycle.createdAt, now, calendar));
  return [
    `${asked} ${prose(order.goal, 400)}`,
    commit
      ? d.changed(
          show(engineOf(run), 40),
          sizeOf(commit.diff),
          commit.diff.files.length,
          duration(run.lifecycle.workedMs, calendar),
          minutesToReview(commit.diff),
        )
      : '',
    pushed ? d.pushed(said(pushed.branch, 120)) : commit ? d.notPushed : '',
    saysMore(run) ? prose(reasonOf(run, now, words), 500) : '',
  ];
};

const attemptLine = (a: AttemptRow, now: number, words: Texts): string =>
  `${moment(a.startedAt, now, words.calendar)} <code>${show(a.step, 30)}</code> #${a.no} ${show(a.outcome, 30)} ${duration(a.ms, words.calendar)}`;

/** Names, digests and processes, which people compare. */
const record = ({ run, attempts, grades = [], now }: Scene, words: Texts): string[] => {
  const { detail: d } = words;
  const fields = run.gate.proposal?.fields;
  const from = fields ? `${show(fields.baseRef, 40)} ${short(fields.mergeBase)} → ` : '';
  const commit = run.change.commit ? `${d.commit} <code>${from}${short(run.change.commit.sha)}</code>` : '';
  return [
    `${d.run} <code>${show(run.id, 24)}</code>`,
    commit,
    run.gate.proposal ? `${d.seal} <code>${run.gate.proposal.digest.slice(0, 12)}</code>` : '',
    ...gradeLines(run, words),
    ...(attempts.length > 0 ? [`<b>${d.attempts}</b>`] : []),
    ...attempts.slice(-MAX_ATTEMPTS).map((a) => attemptLine(a, now, words)),
    ...gradeHistory(grades, now, words),
    d.spent(
      run.lifecycle.counts.iterations,
      run.order.bounds.maxIterations,
      duration(run.lifecycle.workedMs, words.calendar),
      run.lifecycle.usage.inputTokens + run.lifecycle.usage.outputTokens,
    ),
  ].filter((line) => line !== '');
};

export const renderDetail = (scene: Scene, words: Texts): Rendered => {
  const { run, approval, now, serverUrl } = scene;
  const { detail: d, card } = words;
  const judged = lastJudged(run);
  const checks = run.change.evaluation?.checks ?? [];
  const lines = [
    `<b>${name(run)}</b>`,
    run.gate.proposal ? prose(run.gate.proposal.fields.title, 120) : '',
    stateLine(run, now, words),
    ...story(run, now, words),
    turnsLine(run, words),
    ...checks.slice(0, MAX_CHECKS).map((check) => checkLine(check, run.target.base?.ref ?? '', words)),
    checks.length > MAX_CHECKS ? d.moreChecks(checks.length - MAX_CHECKS) : '',
    ...pullLines(run, now, words),
    sightLine(run, now, words),
    forkLine(run, words),
    whatElse(run, words),
    rivalLine(run, words),
    ...standingLines(run, words),
    judged ? `<b>${d.policies}</b>${objectedTo(run) ? '' : ` ${d.noPolicies}`}` : '',
    ...(judged ? policyLines(judged, words) : []),
    approval?.state === 'open' ? `${card.decide} ${relative(approval.expiresAt, now, words.calendar)}` : '',
    pullAddress(run),
  ];
  const head = fit(
    lines.filter((line) => line !== ''),
    2_700,
  );
  const folded = fit(record(scene, words), 1_200);
  const diff: Shown[] = run.change.commit
    ? [
        { verb: 'diff', text: words.buttons.diff },
        { verb: 'text', text: words.buttons.text },
      ]
    : [];
  const rows = [diff, revokeButton(run, words)].filter((row) => row.length > 0);
  return {
    html: `${head}\n<blockquote expandable><b>${d.record}</b>\n${folded}</blockquote>`,
    buttons: [...rows, ...waysOut(run, serverUrl, words)],
  };
};
