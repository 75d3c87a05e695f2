/** Says what each policy guards, and which policies stopped a run. */
import type { AssessmentExplanation, BuiltInId } from '#governor';
import type { AssessmentReason } from '#model/assessment';
import type { CustomPolicy } from '#model/settings';
import { readDuration } from '#model/values';
import { composeAsks } from './compose-judgements.ts';
import { extendSentences, type Underscored } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

type Says = { guards: string } & Partial<Record<'allows' | 'escalates' | 'denies', string>>;
export type PolicyDescription = Record<'allows' | 'escalates' | 'denies', string | null> & { guards: string };

type PolicySentence = Underscored<BuiltInId, '-'>;
/** No policy is without its sentences, and no sentence without its policy. */
type Described<Sentences> = keyof Sentences extends PolicySentence ? Record<PolicySentence, Says> : never;

const describePolicies = ({ policyAbout }: SentenceTree) => {
  const about: Readonly<Described<SentenceTree['policyAbout']>> = policyAbout;
  const sentenceOf = (id: string) => id.replaceAll('-', '_') as PolicySentence;
  return {
    describePolicy: (id: BuiltInId): PolicyDescription => ({
      allows: null,
      escalates: null,
      denies: null,
      ...about[sentenceOf(id)],
    }),
    /** Assessments may name policies of the operator, or of another version. */
    guardsOf: (id: string): string | null =>
      Object.hasOwn(about, sentenceOf(id)) ? about[sentenceOf(id)].guards : null,
  };
};

/** Says a policy of the operator's own: when it speaks, and what it asks of those who approve. */
const composeOwnPolicy = (tree: SentenceTree) => {
  const { policyWhen: when, policyWords } = tree;
  const conditionsOf = ({
    paths,
    repos,
    actions,
    minAdded,
    authors,
    minRisk,
  }: CustomPolicy['when']): string[] => [
    ...(paths ? [when.paths(paths)] : []),
    ...(repos ? [when.repos(repos)] : []),
    ...(actions ? [when.actions(actions.map((action) => when.kinds[action]))] : []),
    ...(minAdded === undefined ? [] : [when.minAdded(minAdded)]),
    ...(authors ? [when.authors(authors)] : []),
    ...(minRisk === undefined ? [] : [when.minRisk(minRisk)]),
  ];
  return ({
    when: conditions,
    verdict,
    reason,
    by,
    approvals,
    approvers,
    after,
  }: CustomPolicy): PolicyDescription => {
    const asks = composeAsks(tree, {
      ...(approvals === undefined ? {} : { approvals }),
      ...(approvers === undefined ? {} : { approvers: approvers.map((name) => ({ name })) }),
      ...(after === undefined ? {} : { afterMs: readDuration(after) ?? 0 }),
    });
    const all = [...asks, ...(by === undefined ? [] : [when.ownKey])];
    const says = policyWords.list.when(conditionsOf(conditions), all);
    return {
      guards: reason,
      allows: null,
      escalates: verdict === 'escalate' ? says : null,
      denies: verdict === 'deny' ? says : null,
    };
  };
};

const POLICY_ACTION_MARKS = { allow: '·', note: '·', escalate: '?', deny: '✘' } as const;

export const composePolicies = (tree: SentenceTree, judgement: (of: AssessmentReason) => string) => {
  const { policyWords: words } = tree;
  const { describePolicy, guardsOf } = describePolicies(tree);
  const policyLine = ({ policy, verdict, reason }: AssessmentExplanation['others'][number]): string =>
    `  ${POLICY_ACTION_MARKS[verdict]} ${words.stated(policy, judgement(reason), guardsOf(policy))}`;
  const sayRemedy = (what: AssessmentExplanation['can'][number]): string => {
    if (what.kind !== 'change_settings') return words.can[what.kind];
    return words.can.change_settings(
      what.settings.map(({ kind, name }) =>
        kind === 'own_policy' ? words.ownPolicy(name) : `policies.${name}`,
      ),
    );
  };
  return {
    describePolicy,
    describeOwnPolicy: composeOwnPolicy(tree),
    policyWords: extendSentences(words, {
      /** Callers must escape the lines, because reasons quote the repository. */
      explained: (e: AssessmentExplanation): string[] => [
        words.title(e.decision, e.risk, e.policyVersion),
        ...[...e.objections, ...e.others].map(policyLine),
        ...e.raised.map(({ level, id, reason }) => `  ${words.raised(level, id, judgement(reason))}`),
        ...e.can.map((what) => `  → ${sayRemedy(what)}`),
      ],
    }),
  };
};
