/** Says what policies, risk, grades and the rules of a repository state: which sentence, filled in with what. */
import type { AssessmentReason, AssessmentReasonOf, NotModified, SignatureAsks } from '#model/assessment';
import { toWholeUnits } from '#model/values';
import type { RuleKind } from '#model/contract';
import type { DependencyChange } from '#model/change';
import type { SealDifference } from '#model/seal';
import { sayRecord, type SentenceCatalogue } from '../text/sentence-catalogue.ts';
import type { composeRecords } from './compose-records.ts';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

type StatedRule = Omit<AssessmentReasonOf<'rule'>, 'kind'>;

const composeRules = ({ ruleAsks, ruleLines, ruleKept, ruleValued }: SentenceTree) => {
  const keeps: Partial<Record<RuleKind, string>> = ruleKept;
  const sayRule = (kind: RuleKind, value: string | null): string => {
    if (kind === 'size' && Number.isFinite(Number(value ?? 'x'))) return ruleLines(value ?? '');
    return ruleAsks[kind]({ value: kind === 'elsewhere' && value === 'not here' ? null : value });
  };
  /** A value that the sentence does not show stands behind it. */
  const sayRuleWithValue = ({ rule, value }: StatedRule): string => {
    const says = sayRule(rule, value);
    return value !== null && says === sayRule(rule, null) ? ruleValued(says, value) : says;
  };
  return {
    stated: (of: StatedRule) => ({ ...of, asks: sayRuleWithValue(of) }),
    kept: (of: StatedRule) => ({
      ...of,
      asks: sayRuleWithValue(of),
      kept: of.value === null ? keeps[of.rule] : null,
    }),
  };
};

const dependencyChange = (
  { dependencyChanges: says }: SentenceTree,
  { name, was, version, path }: DependencyChange,
): string => {
  if (version === null) return says.removed(name, path);
  if (was === null) return says.added([name, version].join(' ').trim(), path);
  return says.changed(name, was, version, path);
};

/** G10: what a policy asks of those who approve; its sentences stand beside each other. */
export const composeAsks = (
  { signatureAsks: says }: Pick<SentenceTree, 'signatureAsks'>,
  asks: Omit<SignatureAsks, 'approvers'> & { approvers?: readonly { name: string }[] },
): string[] => {
  const { approvals: n = 1, approvers, afterMs } = asks;
  const span = toWholeUnits(afterMs ?? 0);
  return [
    ...(approvers
      ? [
          says.approvers(
            n,
            approvers.map(({ name }) => name),
          ),
        ]
      : []),
    ...(!approvers && n > 1 ? [says.approvals(n)] : []),
    ...(afterMs === undefined ? [] : [says.after(span.unit, span.n)]),
  ];
};

const numberQuestions = (questions: readonly string[]): readonly string[] =>
  questions.length > 1 ? questions.map((question, at) => `${at + 1}. ${question}`) : questions;

type Records = Pick<ReturnType<typeof composeRecords>, 'failedInDetail' | 'untranslated' | 'secretName'>;

const composeReasons = (
  tree: SentenceTree,
  { failedInDetail, untranslated, secretName }: Records,
): SentenceCatalogue<AssessmentReason> => {
  const { stated, kept } = composeRules(tree);
  const { judgements: says } = tree;
  return extendSentences(says, {
    no_policy_allows: ({ what }: AssessmentReasonOf<'no_policy_allows'>) =>
      says.no_policy_allows({ what: what && tree.judgedActions[what.action](what.name) }),
    dependency_changes: ({ changes, more }: AssessmentReasonOf<'dependency_changes'>) =>
      says.dependency_changes({ changes: changes.map((one) => dependencyChange(tree, one)), more }),
    finding: (it: AssessmentReasonOf<'finding'>) =>
      says.finding({ ...it, finding: tree.findings[it.finding] }),
    public_text_secret: ({ where, secret }: AssessmentReasonOf<'public_text_secret'>) =>
      says.public_text_secret({ where, secret: secretName(secret) }),
    public_text_signal: (it: AssessmentReasonOf<'public_text_signal'>) =>
      says.public_text_signal({ ...it, excerpt: JSON.stringify(it.excerpt) }),
    competing_pulls: ({ pulls }: AssessmentReasonOf<'competing_pulls'>) =>
      says.competing_pulls({ pulls: pulls.map(({ id, author }) => tree.competingPull(id, author)) }),
    rule: (it: AssessmentReasonOf<'rule'>) => says.rule(stated(it)),
    rule_followed: (it: AssessmentReasonOf<'rule_followed'>) => says.rule_followed(kept({ ...it })),
    title_rule: ({ title, place, ...it }: AssessmentReasonOf<'title_rule'>) =>
      says.title_rule({
        ...it,
        title: JSON.stringify(title),
        place: place && tree.ruleQuote(place.quote, place.file, place.line),
      }),
    template_open: ({ questions }: AssessmentReasonOf<'template_open'>) =>
      says.template_open({ questions: numberQuestions(questions) }),
    custom_policy: ({ asks, ...it }: AssessmentReasonOf<'custom_policy'>) =>
      says.custom_policy({ ...it, asks: asks && composeAsks(tree, asks).join(' · ') }),
    check_config_not_compared: ({ why, ...it }: AssessmentReasonOf<'check_config_not_compared'>) =>
      says.check_config_not_compared({
        ...it,
        why: why.kind === 'tool_message' ? why.words : tree.noBudgetLeft(tree.budgets.names[why.budget]),
      }),
    inline_program: ({ program, acts }: AssessmentReasonOf<'inline_program'>) =>
      says.inline_program({ program, acts: acts.map(({ act, words }) => tree.inlineActs[act](words)) }),
    check_failed: ({ limit, ...it }: AssessmentReasonOf<'check_failed'>) =>
      limit
        ? [
            tree.evidence.overLimit(it.name, failedInDetail(limit)),
            ...(it.timedOut ? [says.check_failed(it)] : []),
          ].join('; ')
        : says.check_failed(it),
    step_failed: (it: AssessmentReasonOf<'step_failed'>) => {
      const words = it.detail ? failedInDetail(it.detail) : untranslated(it.message);
      return words ? says.step_failed({ stop: tree.stops[it.class], words }) : tree.why.failures[it.class];
    },
  });
};

export const composeJudgements = (tree: SentenceTree, records: Records) => {
  const judgements = composeReasons(tree, records);
  const judgement = (of: AssessmentReason): string => sayRecord(judgements, of);
  const notModified: SentenceCatalogue<NotModified> = extendSentences(tree.notModified, {
    forbidden: ({ objections }: NotModified & { kind: 'forbidden' }) =>
      tree.notModified.forbidden({
        objections: objections.map(({ policy, reason }) => tree.objection(policy, judgement(reason))),
      }),
  });
  const changedSince: SentenceCatalogue<SealDifference> = extendSentences(tree.changedSince, {
    field: ({ field, from, to }: SealDifference & { kind: 'field' }) =>
      tree.changedSince.field({ name: tree.changedFields[field], isShown: from + to !== '', from, to }),
    judgement: ({ reason }: SealDifference & { kind: 'judgement' }) => judgement(reason),
    rules: ({ added, removed }: SealDifference & { kind: 'rules' }) =>
      [...added.map(tree.changedRules.added), ...removed.map(tree.changedRules.removed)].join(
        tree.marks.semicolon,
      ),
  });
  return {
    changedSince,
    judgements,
    judgement,
    rule: (of: StatedRule): string => judgement({ ...of, kind: 'rule' }),
    notModified: (of: NotModified): string => sayRecord(notModified, of),
  };
};
