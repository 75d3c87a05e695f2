/** Renders the contract of a repository and the plan of a run. */
import { visibleCommand } from '#text-safety';
import { describeRepositoryPolicies } from '#governor';
import type { Contract, PathFilter } from '#model/contract';
import type { Run } from '#run';
import type { LanguageTexts } from '../language/languages.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { fitLines, codeLine, escapeLine } from '../text/telegram-html.ts';
import { runName } from './run-lines.ts';

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
    ...marked.slice(0, 20).map((s) => `${s.mark} ${codeLine(`${s.id} ${s.text}`, 120)}`),
  ];
};

const MOST_SHOWN = 10;
const patternsOf = (filters: readonly PathFilter[]): string =>
  filters
    .flatMap(({ only = [], ignore = [] }) => [...only, ...ignore.map((one) => `!${one}`)])
    .slice(0, 4)
    .join(' ');
const linesOfCiChecks = ({ leftToCi = [] }: Contract, { plan }: LanguageTexts): string[] =>
  leftToCi.length === 0
    ? []
    : [
        `<b>${plan.leftToCi}</b>`,
        ...leftToCi
          .slice(0, 5)
          .map((c) => `${codeLine(visibleCommand(c.command), 120)} (${codeLine(c.source, 60)})`),
        ...(leftToCi.length > 5 ? [plan.more(leftToCi.length - 5)] : []),
      ];

/** E7: returns null when there is no contract yet. */
export const renderPlan = (run: Run, words: LanguageTexts): string | null => {
  const {
    target: { contract, base, escalation },
    order,
  } = run;
  if (!contract) return null;
  const { plan } = words;
  const { ecosystems, packageManager, branchRule, titleRule, template, riskFlags, rules } = contract;
  const given = order.checks.length > 0;
  const checks = given
    ? order.checks.map((command) => ({
        name: '',
        command,
        dir: '',
        source: plan.given,
        by: undefined,
        filters: undefined,
      }))
    : contract.checks;
  const agentMark = (found: { by?: 'agent' | undefined }): string => (found.by ? ` · ${plan.byAgent}` : '');
  const filterMark = (filters: readonly PathFilter[] | undefined): string =>
    filters === undefined ? '' : ` · ${codeLine(plan.only(patternsOf(filters)), 100)}`;
  const folderMark = (dir: string): string => (dir === '' ? '' : ` · ${codeLine(`${dir}/`, 60)}`);
  return fitLines(
    [
      `<b>${runName(run)}</b>${base ? ` · ${codeLine(base.ref, 60)}` : ''}`,
      codeLine(order.title ?? order.goal, 200),
      escalation === null ? '' : `⚠ ${plan.asks}: ${codeLine(sayRecord(words.reasons, escalation), 300)}`,
      ecosystems.length + (packageManager ? 1 : 0) > 0
        ? `<b>${plan.ecosystems}</b> ${escapeLine([...ecosystems, packageManager ?? ''].filter(Boolean).join(', '), 100)}`
        : '',
      ...(given ? [] : contract.installs.slice(0, 5)).map(
        (i) =>
          `<b>${plan.install}</b> ${codeLine(visibleCommand(i.command), 120)}${folderMark(i.dir)}${agentMark(i)}`,
      ),
      `<b>${plan.checks}</b>${checks.length === 0 ? ` ${plan.noChecks}` : ''}`,
      ...checks
        .slice(0, MOST_SHOWN)
        .map(
          (c) =>
            `${c.name ? `${codeLine(c.name, 30)} ` : ''}${codeLine(visibleCommand(c.command), 120)}${folderMark(c.dir)} (${codeLine(c.source, 60)}${agentMark(c)})${filterMark(c.filters)}`,
        ),
      ...(checks.length > MOST_SHOWN ? [plan.more(checks.length - MOST_SHOWN)] : []),
      ...(given ? [] : linesOfCiChecks(contract, words)),
      contract.outline ? `<b>${plan.outline}</b> ${codeLine(contract.outline, 300)}` : '',
      ...stepLines(run, plan.steps),
      ...(rules.length > 0 ? [`<b>${plan.rules}</b>`] : []),
      ...rules
        .slice(0, 10)
        .map(
          (r) =>
            `${escapeLine(plan.rule(r.kind))}: ${codeLine(`“${r.quote}” ${r.file}:${r.line}`, 200)}${agentMark(r)}`,
        ),
      branchRule ? plan.branch(codeLine(branchRule, 80)) : '',
      titleRule ? plan.titles : '',
      template === null ? '' : plan.template,
      contract.policies
        ? `<b>${plan.own}</b> ${codeLine(describeRepositoryPolicies(contract.policies), 300)}`
        : '',
      riskFlags.length > 0
        ? `<b>${plan.flags}</b> ${codeLine(riskFlags.map(words.riskFlag).join(', '), 300)}`
        : '',
      contract.agentSettings ? escapeLine(`⚙ ${words.agentSettings(contract.agentSettings)}`) : '',
    ].filter((line) => line !== ''),
  );
};
