/** The messages of one run besides its card: progress, what needs a person, the end, and every detail. */
import { mayEnter } from '../../orchestrator/core/on-command.ts';
import type { Run } from '../../orchestrator/core/run.ts';
import { isTerminal } from '../../orchestrator/core/states.ts';
import type { Words } from '../language.ts';
import { clockTime, duration, fit, relative, said, short, show, showBlock } from '../text.ts';
import {
  checksLine,
  headline,
  name,
  sizeOf,
  stateLine,
  verdictText,
  type Rendered,
  type Scene,
  type Shown,
} from './scene.ts';

export const renderProgress = ({ run, attempts, now }: Scene, words: Words): Rendered => {
  const last = attempts.at(-1);
  const running =
    last && last.outcome === 'running'
      ? `▸ <code>${show(last.step, 40)}</code> ${relative(last.startedAt)}`
      : '';
  const diff = run.commit?.diff;
  return {
    html: fit(
      [
        `<b>${run.state}</b> · ${name(run)}`,
        said(run.order.title ?? run.order.goal, 120),
        show(words.states[run.state]),
        run.reason ? said(run.reason, 300) : '',
        running,
        [
          diff ? sizeOf(diff) : '',
          run.evaluation ? checksLine(run, words) : '',
          run.counts.iterations > 0 ? words.progress.tries(run.counts.iterations) : '',
          verdictText(run, now, words) ?? '',
        ]
          .filter(Boolean)
          .join(' · '),
        run.pr ? show(run.pr.url, 300) : '',
        `${words.progress.created} ${relative(run.createdAt)}`,
      ].filter((line) => line !== ''),
    ),
    buttons: isTerminal(run.state) ? [] : [[{ verb: 'detail', text: words.buttons.detail }]],
  };
};

export const renderAttention = ({ run, now }: Scene, words: Words): Rendered => {
  const { title } = words.attention;
  const offers = attentionButtons(run, words);
  const verdict =
    run.state === 'NEEDS_HUMAN_REVIEW'
      ? title.human
      : run.state === 'PAUSED'
        ? title.paused
        : run.state === 'PLAN_READY'
          ? title.plan
          : run.state === 'FAILED_RETRYABLE'
            ? title.retry
            : run.state === 'CI_WAIT' || run.state === 'REVIEW_WAIT'
              ? title.waits
              : title.past;
  const lines = [
    headline(verdict, run),
    said(run.order.title ?? run.order.goal, 120),
    verdict === title.past ? words.attention.over(words.states[run.state]) : '',
    run.reason ? `<code>${showBlock(run.reason, 1_500)}</code>` : '',
    [
      run.commit ? sizeOf(run.commit.diff) : '',
      run.evaluation ? checksLine(run, words) : '',
      verdictText(run, now, words) ?? '',
    ]
      .filter(Boolean)
      .join(' · '),
    run.pr ? show(run.pr.url, 300) : '',
    `${words.progress.since} ${relative(run.since)}`,
  ];
  return { html: fit(lines.filter((line) => line !== '')), buttons: offers };
};

/** Only what the machine would accept from this state. */
const attentionButtons = (run: Run, words: Words): Shown[][] => {
  const b = words.buttons;
  const detail: Shown = { verb: 'detail', text: b.detail };
  const cancel: Shown = { verb: 'cancel', text: b.cancel, style: 'danger' };
  const diff: Shown[] = run.commit ? [{ verb: 'diff', text: b.diff }] : [];
  switch (run.state) {
    case 'NEEDS_HUMAN_REVIEW': {
      const rerun: Shown[] = run.pr && run.pushed ? [{ verb: 'rerun', text: b.rerun }] : [];
      return [
        [{ verb: 'retry', text: b.retry, style: 'primary' }, ...rerun],
        [...diff, detail, cancel],
      ];
    }
    case 'FAILED_RETRYABLE':
      return [[{ verb: 'retry', text: b.retry, style: 'primary' }], [detail, cancel]];
    case 'PAUSED':
      return [[{ verb: 'resume', text: b.resume, style: 'primary' }], [...diff, detail, cancel]];
    case 'PLAN_READY':
      return mayEnter(run, 'IMPLEMENTING')
        ? [[{ verb: 'start', text: b.start, style: 'primary' }], [detail, cancel]]
        : [[detail]];
    case 'CI_WAIT':
    case 'REVIEW_WAIT':
      return [[...diff, detail, cancel]];
    default:
      return [[detail]];
  }
};

export const renderEnded = ({ run }: Scene, words: Words): Rendered => {
  const { ended } = words;
  const title = run.state === 'DONE' ? ended.done : run.state === 'SKIPPED' ? ended.skipped : ended.failed;
  return {
    html: fit(
      [
        headline(title, run),
        said(run.order.title ?? run.order.goal, 120),
        run.reason ? `<code>${showBlock(run.reason, 1_500)}</code>` : '',
        run.pr ? show(run.pr.url, 300) : '',
        ended.took(duration(run.updatedAt - run.createdAt)),
      ].filter((line) => line !== ''),
    ),
    buttons: [[{ verb: 'detail', text: words.buttons.detail }]],
  };
};

/** Everything about one run; also answers "which policy stopped this?". */
export const renderDetail = ({ run, attempts, approval, now }: Scene, words: Words): Rendered => {
  const { detail: d, card } = words;
  const fields = run.proposal?.fields;
  const assessment = run.evaluation?.assessment;
  const objections = (assessment?.reasons ?? []).filter((r) => r.verdict !== 'allow');
  const tokens = run.usage.inputTokens + run.usage.outputTokens;
  const lines = [
    `<b>${name(run)}</b>`,
    stateLine(run, words),
    run.reason ? `<code>${showBlock(run.reason, 500)}</code>` : '',
    `<b>${d.goal}</b> ${said(run.order.goal, 300)}`,
    d.asked(show(run.order.requester.name, 40), run.order.engine),
    run.commit
      ? `<b>${d.change}</b> ${sizeOf(run.commit.diff)} · ${card.files(run.commit.diff.files.length)} · <code>${short(run.commit.sha)}</code>`
      : '',
    ...(run.evaluation?.checks ?? [])
      .slice(0, 8)
      .map(
        (c) =>
          `${c.outcome === 'passed' ? '✓' : '✗'} <code>${show(c.name, 40)}</code> ${c.outcome} ${duration(c.ms)}`,
      ),
    verdictText(run, now, words) ?? '',
    assessment
      ? `<b>${d.policies}</b> ${card.risk(assessment.risk, '')}${objections.length === 0 ? ` · ${d.noPolicies}` : ''}`
      : '',
    ...objections
      .slice(0, 8)
      .map((r) => `${r.verdict} <code>${show(r.policy, 40)}</code> ${said(r.reason, 160)}`),
    fields && run.proposal
      ? `<b>${d.seal}</b> <code>${show(run.proposal.digest, 12)}</code> ${said(fields.title, 120)}`
      : '',
    approval?.state === 'open' ? `${card.decide} ${relative(approval.expiresAt)}` : '',
    run.pr ? show(run.pr.url, 300) : '',
    ...(attempts.length > 0 ? [`<b>${d.attempts}</b>`] : []),
    ...attempts
      .slice(-6)
      .map(
        (a) =>
          `${clockTime(a.startedAt)} <code>${show(a.step, 30)}</code> #${a.no} ${show(a.outcome, 30)} ${duration(a.ms)}`,
      ),
    d.spent(d.fixes(run.counts.iterations, run.order.bounds.maxIterations), duration(run.workedMs), tokens),
  ];
  const head = fit(
    lines.filter((line) => line !== ''),
    3_000,
  );
  const body = fields?.body
    ? `\n${d.body}\n<blockquote expandable><code>${showBlock(fields.body, 900)}</code></blockquote>`
    : '';
  const diff: Shown[] = run.commit ? [{ verb: 'diff', text: words.buttons.diff }] : [];
  return { html: head + body, buttons: diff.length > 0 ? [diff] : [] };
};
