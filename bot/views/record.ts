/** What was learned of a run's repository, what it has used up, and the caption of a log. */
import { visibleCommand } from '../../orchestrator/core/lookalikes.ts';
import { saidBy } from '../../orchestrator/core/govern/repository.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { AttemptRow, LoggedCall } from '../../orchestrator/ports.ts';
import type { Texts } from '../language/language.ts';
import { say } from '../text/catalogue.ts';
import { BUDGETS, type Budget } from '../../orchestrator/core/bounds.ts';
import { accountOf } from '../../orchestrator/core/machine/budget.ts';
import { duration, fit, said, show, showBlock } from '../text/text.ts';
import { name } from './scene.ts';
import { amountOf } from './why.ts';

/** The steps of a run that keeps a plan, in their order. */
const stepLines = ({ agent: { plan: kept } }: Run, title: string): string[] => {
  if (!kept) return [];
  const { done, next, backlog, blocked } = kept.plan;
  const marked = [
    ...done.map((s) => ({ mark: '✓', ...s })),
    ...(next ? [{ mark: '▸', ...next }] : []),
    ...backlog.map((s) => ({ mark: '·', ...s })),
    ...blocked.map((s) => ({ mark: '✗', ...s })),
  ];
  return [
    `<b>${title}</b>`,
    ...marked.slice(0, 20).map((s) => `${s.mark} ${said(`${s.id} ${s.text}`, 120)}`),
  ];
};

/** The contract (E7). Every rule says where it is written. Null while nothing is known. */
export const renderPlan = (run: Run, words: Texts): string | null => {
  const {
    target: { contract, base, escalation },
    order,
  } = run;
  if (!contract) return null;
  const { plan } = words;
  const { ecosystems, packageManager, branchRule, titleRule, template, riskFlags, rules } = contract;
  const given = order.checks.length > 0;
  const checks = given
    ? order.checks.map((command) => ({ name: '', command, dir: '', source: plan.given, by: undefined }))
    : contract.checks;
  const by = (found: { by?: 'agent' | undefined }): string => (found.by ? ` · ${plan.byAgent}` : '');
  const within = (dir: string): string => (dir === '' ? '' : ` · ${said(`${dir}/`, 60)}`);
  return fit(
    [
      `<b>${name(run)}</b>${base ? ` · ${said(base.ref, 60)}` : ''}`,
      said(order.title ?? order.goal, 200),
      escalation === null ? '' : `⚠ ${plan.asks}: ${said(say(words.reasons, escalation), 300)}`,
      ecosystems.length + (packageManager ? 1 : 0) > 0
        ? `<b>${plan.ecosystems}</b> ${show([...ecosystems, packageManager ?? ''].filter(Boolean).join(', '), 100)}`
        : '',
      ...(given ? [] : contract.installs.slice(0, 5)).map(
        (i) => `<b>${plan.install}</b> ${said(visibleCommand(i.command), 120)}${within(i.dir)}${by(i)}`,
      ),
      `<b>${plan.checks}</b>${checks.length === 0 ? ` ${plan.noChecks}` : ''}`,
      ...checks
        .slice(0, 10)
        .map(
          (c) =>
            `${c.name ? `${said(c.name, 30)} ` : ''}${said(visibleCommand(c.command), 120)}${within(c.dir)} (${said(c.source, 60)}${by(c)})`,
        ),
      contract.outline ? `<b>${plan.outline}</b> ${said(contract.outline, 300)}` : '',
      ...stepLines(run, plan.steps),
      ...(rules.length > 0 ? [`<b>${plan.rules}</b>`] : []),
      ...rules
        .slice(0, 10)
        .map(
          (r) =>
            `${show(r.kind.replace(/_/g, ' '))}: ${said(`“${r.quote}” ${r.file}:${r.line}`, 200)}${by(r)}`,
        ),
      branchRule ? plan.branch(said(branchRule, 80)) : '',
      titleRule ? plan.titles : '',
      template === null ? '' : plan.template,
      contract.policies ? `<b>${plan.own}</b> ${said(saidBy(contract.policies), 300)}` : '',
      riskFlags.length > 0 ? `<b>${plan.flags}</b> ${said(riskFlags.join(', '), 300)}` : '',
    ].filter((line) => line !== ''),
  );
};

/** E6: of each budget what is used, how much there is, and what is left. */
export const renderBudget = (run: Run, words: Texts, pricesAsOf?: string): string => {
  const { budgets, budget } = words;
  const { names } = budgets;
  const {
    lifecycle: { counts, usage },
  } = run;
  // A model without a known price costs something all the same.
  const isUntold = usage.costUsd === 0 && usage.inputTokens + usage.outputTokens > 0;
  const amount = (one: Budget, n: number): string => amountOf(one, n, words);
  const lines = BUDGETS.map((one) => {
    const { used, limit, left } = accountOf(run, one);
    return limit === null || left === null
      ? budgets.open(names[one], one === 'cost' && isUntold ? budgets.untold : amount(one, used))
      : budgets.line(names[one], amount(one, used), amount(one, limit), amount(one, left));
  });
  return fit([
    `<b>${name(run)}</b>`,
    budgets.title,
    ...lines.map((line) => show(line)),
    ...(pricesAsOf === undefined ? [] : [show(budgets.pricesOf(pricesAsOf))]),
    show(budgets.split(usage.inputTokens, usage.outputTokens)),
    budget.retries(counts.retries, run.order.bounds.maxStepRetries),
    show(budgets.raiseWith(`/budget ${run.id} ${BUDGETS.join('|')} +…`)),
  ]);
};

/** Bot API, sendDocument: a caption of at most 1024 characters; markup counts here too. */
const CAPTION = 1_000;

/** The last calls of an agent; the file has all of them with what they printed. */
const MAX_CALLS = 6;
/** Less room than this shows nothing of a log (characters). */
const LEAST = 60;
const callLines = (calls: readonly LoggedCall[], words: Texts): string => {
  const more = calls.length - MAX_CALLS;
  return [
    ...(more > 0 ? [show(words.log.earlierCalls(more))] : []),
    ...calls.slice(-MAX_CALLS).map(({ call, exit, failed }) => {
      const code = exit === null ? '' : ` · ${words.log.exit(exit)}`;
      return `${failed ? '✗' : '✓'} <code>${show(call, 60)}</code>${code}`;
    }),
  ].join('\n');
};

export const renderLogCaption = (
  run: Run,
  { step, no, outcome, exitCode, ms }: AttemptRow,
  calls: readonly LoggedCall[],
  distilled: string,
  words: Texts,
): string => {
  const head = [
    name(run),
    `${said(step, 40)} #${no}`,
    show(outcome, 40),
    ...(exitCode === null ? [] : [words.log.exit(exitCode)]),
    duration(ms, words.calendar),
  ].join(' · ');
  const list = callLines(calls, words);
  const room = CAPTION - head.length - list.length - '\n\n<code></code>'.length;
  const text = distilled.trim() === '' || room < LEAST ? '' : showBlock(distilled, room);
  return [head, list, text === '' ? '' : `<code>${text}</code>`].filter((part) => part !== '').join('\n');
};
