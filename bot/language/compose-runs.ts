/** Says why a run is where it is, why a command is refused, and what an agent is told. */
import type { RefusalHint, Refusal, Reason, ReasonOf } from '#run';
import { toShownAmount, type BudgetKind } from '#model/limits';
import { groupAlikeStops, stopFaultOf, type BaselineStop, type ObservedToolchain } from '#model/evidence';
import type { PolicyObjections } from '#model/assessment';
import type { SkippedFile } from '#model/change';
import { isHostRefusal } from '#model/failure';
import { firstLine, type Feedback } from '#model/feedback';
import { isTerminal } from '#model/run';
import type { CommandFailure } from '#model/environment';
import {
  joinParts,
  sayRecord,
  type RenderContext,
  type SentenceCatalogue,
} from '../text/sentence-catalogue.ts';
import type { composeBudgets } from './compose-budgets.ts';
import type { composeJudgements } from './compose-judgements.ts';
import type { composeRecords } from './compose-records.ts';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';
import { findHostTool } from '#tools';

const formatWay = (way: string): string => (way.startsWith('https:') ? way : `\`${way}\``);
const waysTo = (program: string | null): readonly string[] =>
  (program === null ? null : findHostTool(program))?.get ?? [];

const composeBaseline = (
  { baseline, commandFailures }: SentenceTree,
  { failedInDetail }: Pick<Composed, 'failedInDetail'>,
) => {
  /** The required version is part of the first error or given beside it. */
  const withOtherVersion = (way: string): string =>
    way.startsWith('npm install -g ') ? baseline.otherVersion(way) : way;
  /** apt has only one version of a package, so it offers no other. */
  const waysFor = ({ kind, program }: CommandFailure): readonly string[] =>
    kind === 'wrong_version'
      ? waysTo(program)
          .filter((way) => !way.startsWith('apt-get '))
          .map(withOtherVersion)
      : waysTo(program);
  const stopReason = ({ stop, more }: { stop: BaselineStop; more: number }): string => {
    const { commandFailure: failure, command } = stop;
    const ways = waysFor(failure).map(formatWay);
    return baseline.stopped({
      fault: stopFaultOf(stop),
      failure: commandFailures[failure.kind]({
        ...failure,
        command,
        ways,
        limit: failure.limit ? failedInDetail(failure.limit) : failure.says,
      }),
      says: failure.kind === 'over_limit' ? '' : failure.says,
      ciGreen: stop.ciGreen === true,
      more,
    });
  };
  const toolMismatch = (tool: ObservedToolchain): string => baseline.mismatch(tool);
  return {
    stopReason,
    toolMismatch,
    toolMismatches: (tools: readonly ObservedToolchain[]): string =>
      tools.length === 0 ? '' : baseline.mismatches(tools.map(toolMismatch)),
  };
};

type Of<Kind extends Reason['kind']> = ReasonOf<Kind>;
type FeedbackOf<Kind extends Feedback['kind']> = Extract<Feedback, { kind: Kind }>;
type RefusalOf<Kind extends Refusal['kind']> = Extract<Refusal, { kind: Kind }>;
type Composed = ReturnType<typeof composeRecords> &
  ReturnType<typeof composeJudgements> & {
    budgets: ReturnType<typeof composeBudgets>;
    commandType: (of: Extract<Refusal, { kind: 'not_possible_now' }>['command']) => string;
  };

const composeFeedback = (tree: SentenceTree, { findingNote, judgement }: Composed) => {
  const says = tree.feedback;
  const objections = (all: PolicyObjections): string =>
    all.map(({ policy, reason }) => tree.objection(policy, judgement(reason))).join(tree.marks.semicolon);
  const renderSkippedFiles = (files: readonly SkippedFile[]): string =>
    files.map((file) => tree.skippedFile(file.path, findingNote(file))).join(tree.marks.semicolon);
  const feedback: SentenceCatalogue<Feedback> = extendSentences(says, {
    words: ({ text }: FeedbackOf<'words'>) => text,
    remarks: ({ items }: FeedbackOf<'remarks'>) => {
      const authors = [...new Set(items.map(({ author }) => author))];
      return [says.remarks({ authors, n: items.length }), ...items.map(tree.remarks.asked)].join('\n\n');
    },
    denied: (it: FeedbackOf<'denied'>) => says.denied({ objections: objections(it.objections) }),
    refused: (it: FeedbackOf<'refused'>) => tree.denials.told[it.denialReason],
    step_changed_nothing: ({ id, skippedFiles: files }: FeedbackOf<'step_changed_nothing'>) =>
      says.step_changed_nothing({ id, files: renderSkippedFiles(files) }),
    acceptance_lost: ({ commands }: FeedbackOf<'acceptance_lost'>) =>
      says.acceptance_lost({ commands: commands.map((command) => `\`${command}\``) }),
  });
  const feedbackLine = (about: Feedback | null): string =>
    about === null ? '' : firstLine(sayRecord(feedback, about));
  return { feedback, feedbackLine, objections, skippedFiles: renderSkippedFiles };
};

type Told = Composed & ReturnType<typeof composeFeedback> & ReturnType<typeof composeBaseline>;

const composeStarts = (tree: SentenceTree, { rule, stopReason, toolMismatches }: Told) => ({
  slot_wait: (it: Of<'slot_wait'>, { time }: RenderContext) =>
    tree.reasons.slot_wait({ ...it, at: it.at === null ? null : time(it.at) }),
  write_slot_wait: ({ queueLength = 0, ...it }: Of<'write_slot_wait'>, { time }: RenderContext) =>
    tree.reasons.write_slot_wait({ ...it, queueLength, at: it.readyAt === 0 ? null : time(it.readyAt) }),
  base_unusable: ({ run, stops, toolVersionMismatches }: Of<'base_unusable'>) =>
    [
      ...groupAlikeStops(stops).map(stopReason),
      toolMismatches(toolVersionMismatches),
      tree.reasons.base_unusable({ run }),
    ]
      .filter(Boolean)
      .join('\n'),
  base_checked: ({ failing, flaky, toolVersionMismatches }: Of<'base_checked'>) =>
    joinParts(
      failing.length > 0 && tree.baseline.failing(failing),
      flaky.length > 0 && tree.baseline.flaky(flaky),
      toolMismatches(toolVersionMismatches),
    ),
  answers_missing: ({ missing }: Of<'answers_missing'>) =>
    [
      ...missing.map((one) => tree.requirements.ask(rule(one), one.what)),
      tree.reasons.answers_missing(),
    ].join('\n'),
  competing_pulls: ({ pulls }: Of<'competing_pulls'>) =>
    tree.reasons.competing_pulls({ pulls: pulls.map(tree.rivals.pull) }),
  rule_unmet: (it: Of<'rule_unmet'>) => tree.reasons.rule_unmet({ rule: rule(it) }),
});

const composeStops = (tree: SentenceTree, told: Told) => {
  const { hostRefused, failedInDetail, untranslated, refused, feedbackLine } = told;
  const { failures } = tree.why;
  const formatAmount = (budget: BudgetKind, amount: number): string =>
    told.budgets.amounts[budget](toShownAmount(budget, amount));
  return {
    plan_too_long: ({ rounds, about }: Of<'plan_too_long'>) =>
      tree.reasons.plan_too_long({ rounds, about: about && feedbackLine(about) }),
    step_failed: ({ detail, retryAt, ...it }: Of<'step_failed'>, { time }: RenderContext) =>
      tree.reasons.step_failed({
        ...it,
        // The refusal's sentence already includes the code host's message.
        why:
          detail && isHostRefusal(detail)
            ? hostRefused(detail)
            : tree.marks.explained(
                failures[it.class],
                detail ? failedInDetail(detail) : untranslated(it.message),
              ),
        endsHere: detail !== undefined && isHostRefusal(detail) && !it.again,
        retryAt: retryAt === null ? null : time(retryAt),
      }),
    no_changes: ({ ignored = [], ...it }: Of<'no_changes'>) =>
      tree.reasons.no_changes({ ...it, ignored, why: failures.no_changes }),
    nothing_committable: ({ skippedFiles }: Of<'nothing_committable'>) =>
      tree.marks.explained(failures.unsafe_workspace, told.skippedFiles(skippedFiles)),
    seal_changed: ({ differences }: Of<'seal_changed'>) =>
      tree.marks.explained(
        failures.seal_moved,
        differences.map((one) => sayRecord(told.changedSince, one)).join(tree.marks.semicolon),
      ),
    policy_denied: ({ objections }: Of<'policy_denied'>) =>
      tree.marks.explained(failures.policy_denied, told.objections(objections)),
    budget_exhausted: ({ budget, used, atMost, limit, raise, about, ...it }: Of<'budget_exhausted'>) =>
      tree.reasons.budget_exhausted({
        ...it,
        budget,
        used,
        name: tree.budgets.names[budget],
        usedAmount: atMost ? tree.budgets.atMost(formatAmount(budget, used)) : formatAmount(budget, used),
        limitAmount: formatAmount(budget, limit),
        raise: toShownAmount(budget, raise),
        about: feedbackLine(about),
      }),
    price_unknown: (it: Of<'price_unknown'>) =>
      tree.reasons.price_unknown({ ...it, limit: formatAmount('cost', it.limit) }),
    iterating: ({ about }: Of<'iterating'>) => feedbackLine(about) || tree.reasons.iterating(),
    rerun_refused: (it: Of<'rerun_refused'>) => tree.reasons.rerun_refused({ why: refused(it) }),
  };
};

const composeReasons = (tree: SentenceTree, told: Told): SentenceCatalogue<Reason> => {
  const shortCommit = (sha: string): string => sha.slice(0, 6) || tree.marks.noCommit;
  const because = tree.denials.why;
  return extendSentences(tree.reasons, {
    ...composeStarts(tree, told),
    ...composeStops(tree, told),
    foreign_head: ({ from, to }: Of<'foreign_head'>) =>
      tree.reasons.foreign_head({ from: shortCommit(from), to: shortCommit(to) }),
    head_adopted: (it: Of<'head_adopted'>) => tree.reasons.head_adopted({ ...it, sha: shortCommit(it.sha) }),
    base_up_to_date: ({ ref, sha }: Of<'base_up_to_date'>) =>
      tree.reasons.base_up_to_date({ ref, sha: shortCommit(sha) }),
    base_merge: ({ sha, conflicts, ...it }: Of<'base_merge'>) =>
      tree.reasons.base_merge({ ...it, sha: shortCommit(sha), conflicts: conflicts.slice(0, 5) }),
    permission_granted: ({ by, picked, sort, edited }: Of<'permission_granted'>) => {
      const how = picked === undefined ? (sort === null ? (edited ? 'edited' : 'once') : 'sort') : 'picked';
      return tree.reasons.permission_granted({ by, how, picked: picked ?? '', sort: sort ?? '' });
    },
    rejected: ({ by, note, again, denialReason: why }: Of<'rejected'>) =>
      tree.reasons.rejected({ by, again: again === true, note: joinParts(why ? because[why] : null, note) }),
    ended_by_person: ({ denialReason: why, ...it }: Of<'ended_by_person'>) =>
      tree.reasons.ended_by_person({ ...it, because: why && because[why] }),
  });
};

const composeRefusals = (
  tree: SentenceTree,
  { commandType, reasons }: Composed & { reasons: SentenceCatalogue<Reason> },
): SentenceCatalogue<Refusal> => {
  const formatHints = (run: string, hints: readonly RefusalHint[]): string =>
    hints.map((hint) => tree.refusalHints[hint]({ run })).join(tree.marks.gap);
  return extendSentences(tree.refusals, {
    not_possible_now: ({ run, state, command, hints }: RefusalOf<'not_possible_now'>) =>
      tree.refusals.not_possible_now({
        run,
        isOver: isTerminal(state),
        heading: tree.headings[state],
        state: tree.states[state],
        does: commandType(command),
        hints: formatHints(run, hints),
      }),
    no_card: ({ run, hints }: RefusalOf<'no_card'>) =>
      tree.refusals.no_card({ run, hints: formatHints(run, hints) }),
    run_stopped: ({ by }: RefusalOf<'run_stopped'>, setting: RenderContext) =>
      sayRecord(reasons, by, setting),
  });
};

export const composeRuns = (tree: SentenceTree, composed: Composed) => {
  const baseline = composeBaseline(tree, composed);
  const told = composeFeedback(tree, composed);
  const reasons = composeReasons(tree, { ...composed, ...told, ...baseline });
  return {
    stopReason: baseline.stopReason,
    toolMismatch: baseline.toolMismatch,
    feedback: told.feedback,
    objections: told.objections,
    reasons,
    refusals: composeRefusals(tree, { ...composed, reasons }),
  };
};
