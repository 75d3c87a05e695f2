/** Says what policies, risk, grades and the rules of a repository state: which sentence, filled in with what. */
import type { AssessmentReason, AssessmentReasonOf, NotModified, SignatureAsks } from '#model/assessment';
import { spanOf } from '#model/values';
import type { RuleKind } from '#model/contract';
import type { DependencyChange } from '#model/change';
import type { SealDifference } from '#model/seal';
import { sayRecord, type SentenceCatalogue } from '../text/catalogue.ts';
import type { composeRecords } from './compose-records.ts';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

type StatedRule = Omit<AssessmentReasonOf<'rule'>, 'kind'>;

const composeRules = ({ ruleAsks, ruleLines, ruleKept, ruleValued }: SentenceTree) => {
  const keeps: Partial<Record<RuleKind, string>> = ruleKept;
  const asked = (kind: RuleKind, value: string | null): string => {
    if (kind === 'size' && Number.isFinite(Number(value ?? 'x'))) return ruleLines(value ?? '');
    return ruleAsks[kind]({ value: kind === 'elsewhere' && value === 'not here' ? null : value });
  };
  /** A value that the sentence does not show stands behind it. */
  const asks = ({ rule, value }: StatedRule): string => {
    const says = asked(rule, value);
    return value !== null && says === asked(rule, null) ? ruleValued(says, value) : says;
  };
  return {
    stated: (of: StatedRule) => ({ ...of, asks: asks(of) }),
    kept: (of: StatedRule) => ({ ...of, asks: asks(of), kept: of.value === null ? keeps[of.rule] : null }),
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
const composeAsks = ({ signatureAsks: says }: SentenceTree, asks: SignatureAsks): string[] => {
  const { approvals: n = 1, approvers, afterMs } = asks;
  const span = spanOf(afterMs ?? 0);
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

const numbered = (questions: readonly string[]): readonly string[] =>
  questions.length > 1 ? questions.map((question, at) => `${at + 1}. ${question}`) : questions;

type Records = Pick<ReturnType<typeof composeRecords>, 'failedInDetail' | 'untranslated' | 'secretName'>;

const composeReasons = (
  s: SentenceTree,
  { failedInDetail, untranslated, secretName }: Records,
): SentenceCatalogue<AssessmentReason> => {
  const { stated, kept } = composeRules(s);
  const { judgements: says } = s;
  return extendSentences(says, {
    no_policy_allows: ({ what }: AssessmentReasonOf<'no_policy_allows'>) =>
      says.no_policy_allows({ what: what && s.judgedActions[what.action](what.name) }),
    dependency_changes: ({ changes, more }: AssessmentReasonOf<'dependency_changes'>) =>
      says.dependency_changes({ changes: changes.map((one) => dependencyChange(s, one)), more }),
    finding: (it: AssessmentReasonOf<'finding'>) => says.finding({ ...it, finding: s.findings[it.finding] }),
    public_text_secret: ({ where, secret }: AssessmentReasonOf<'public_text_secret'>) =>
      says.public_text_secret({ where, secret: secretName(secret) }),
    public_text_signal: (it: AssessmentReasonOf<'public_text_signal'>) =>
      says.public_text_signal({ ...it, excerpt: JSON.stringify(it.excerpt) }),
    competing_pulls: ({ pulls }: AssessmentReasonOf<'competing_pulls'>) =>
      says.competing_pulls({ pulls: pulls.map(({ id, author }) => s.competingPull(id, author)) }),
    rule: (it: AssessmentReasonOf<'rule'>) => says.rule(stated(it)),
    rule_followed: (it: AssessmentReasonOf<'rule_followed'>) => says.rule_followed(kept({ ...it })),
    title_rule: ({ title, place, ...it }: AssessmentReasonOf<'title_rule'>) =>
      says.title_rule({
        ...it,
        title: JSON.stringify(title),
        place: place && s.ruleQuote(place.quote, place.file, place.line),
      }),
    template_open: ({ questions }: AssessmentReasonOf<'template_open'>) =>
      says.template_open({ questions: numbered(questions) }),
    custom_policy: ({ asks, ...it }: AssessmentReasonOf<'custom_policy'>) =>
      says.custom_policy({ ...it, asks: asks && composeAsks(s, asks).join(' · ') }),
    check_config_not_compared: ({ why, ...it }: AssessmentReasonOf<'check_config_not_compared'>) =>
      says.check_config_not_compared({
        ...it,
        why: why.kind === 'tool_message' ? why.words : s.noBudgetLeft(s.budgets.names[why.budget]),
      }),
    inline_program: ({ program, acts }: AssessmentReasonOf<'inline_program'>) =>
      says.inline_program({ program, acts: acts.map(({ act, words }) => s.inlineActs[act](words)) }),
    step_failed: (it: AssessmentReasonOf<'step_failed'>) => {
      const words = it.detail ? failedInDetail(it.detail) : untranslated(it.message);
      return words ? says.step_failed({ stop: s.stops[it.class], words }) : s.why.failures[it.class];
    },
  });
};

export const composeJudgements = (s: SentenceTree, records: Records) => {
  const judgements = composeReasons(s, records);
  const judgement = (of: AssessmentReason): string => sayRecord(judgements, of);
  const notModified: SentenceCatalogue<NotModified> = extendSentences(s.notModified, {
    forbidden: ({ objections }: NotModified & { kind: 'forbidden' }) =>
      s.notModified.forbidden({
        objections: objections.map(({ policy, reason }) => s.objection(policy, judgement(reason))),
      }),
  });
  const changedSince: SentenceCatalogue<SealDifference> = extendSentences(s.changedSince, {
    field: ({ field, from, to }: SealDifference & { kind: 'field' }) =>
      s.changedSince.field({ name: s.changedFields[field], isShown: from + to !== '', from, to }),
    judgement: ({ reason }: SealDifference & { kind: 'judgement' }) => judgement(reason),
    rules: ({ added, removed }: SealDifference & { kind: 'rules' }) =>
      [...added.map(s.changedRules.added), ...removed.map(s.changedRules.removed)].join(s.marks.semicolon),
  });
  return {
    changedSince,
    judgements,
    judgement,
    rule: (of: StatedRule): string => judgement({ ...of, kind: 'rule' }),
    notModified: (of: NotModified): string => sayRecord(notModified, of),
  };
};
