/** Guards of the built-in engine, and of what repositories bring for agents. */
import { always, gone, never, swap, without } from './breaks.ts';
import { noticedBy, test, type Guard } from './guard.ts';

export const BUILTIN: readonly Guard[] = [
  ...noticedBy(test('slow/processes/repository-settings'), [
    ['E11-no-link-to-settings', 'settings behind a link are left alone', never],
  ]),
  ...noticedBy(test('processes/linked-names'), [
    ['E11-linked-names', 'a file is judged by what links call it, too', never],
  ]),
  ...noticedBy(test('core/builtin-loop'), [
    ['E9-table-of-states', 'no turn takes a step that the table does not have', never],
    ['E9-done-with-an-action', 'a report with an action is invalid', never],
  ]),
  ...noticedBy(test('slow/processes/builtin-engine'), [
    ['E9-invalid-thoughts', 'thoughts that count for nothing end the round', never],
    ['E9-context-before-sending', 'what the model cannot read is not sent', never],
    ['E9-inside-the-workspace', 'what is outside of the workspace is denied at once', never],
  ]),
  ...noticedBy(test('slow/processes/builtin-engine', 'a map stands'), [
    ['E9-map-once', 'a map stands in the first turn of a conversation alone', never],
  ]),
  ...noticedBy(test('core/plan-loop', 'another plan'), [
    ['E8-replan-in-a-fix', 'a plan is redone in a fix only where the agent asks for it', never],
  ]),
  ...noticedBy(test('processes/builtin-turns', 'altered'), [
    ['L5-turn-link', 'a turn that was changed is named', never],
    ['L5-turn-mac', 'a turn that somebody else wrote is named', never],
    ['L5-turn-texts', 'texts are those that the facts name', never],
    ['L5-turn-head', 'the run’s log misses the last turn', never],
    ['P4-turn-decided', 'what ran was decided on', never],
    ['P4-turn-policy-version', 'a decision names its version of the policies', never],
    ['P4-turn-rejected', 'what was rejected did not run', never],
    ['P4-turn-original', 'a modification names the original', never],
    ['P4-turn-lineage', 'a decision names the one before', never],
    ['E9-turn-way', 'a turn went by the table of states', never],
    ['E9-turn-tools', 'a turn used the tools that it had', never],
  ]),
  ...noticedBy(test('slow/processes/builtin-turn-rows', 'edits from the base'), [
    ['E9-turn-reapplied', 'a patch applied again makes what is recorded', never],
    ['E9-turn-sealed', 'bytes that no turn made are named', gone],
  ]),
  ...noticedBy(test('processes/builtin-turns', 'what was killed'), [
    ['L5-turn-order', 'a process that was thought dead writes no turn', never],
    ['L5-own-turns', 'nothing is built on turns of others', never],
    ['L5-turn-before-action', 'a turn is written before its action runs', gone],
  ]),
  ...noticedBy(test('slow/processes/builtin-turn-rows', 'long work'), [
    ['E9-goes-on-smaller', 'a context that is too long is asked again with less', gone],
  ]),
  ...noticedBy(test('core/rank-proposals'), [
    ['E9-denied-is-dropped', 'a proposal that is denied is never chosen', gone],
    [
      'E9-picked-goes-first',
      'what a person picked goes before all else',
      without('Number(isPicked(b)) - Number(isPicked(a))'),
    ],
  ]),
  ...noticedBy(test('slow/processes/builtin-proposers', 'says nothing'), [
    ['E9-silent-proposer', 'a silent proposer is left out', always],
  ]),
  ...noticedBy(test('slow/processes/builtin-proposers', 'alone it is waited for'), [
    ['E9-alone-is-waited-for', 'who thinks alone is waited for, and keeps its thinking', never],
  ]),
  ...noticedBy(test('slow/processes/builtin-proposers', 'killed between'), [
    ['L6-proposals-before-action', 'proposals are written before one of them is done', gone],
    ['L6-undecided-was-not-done', 'what was not decided on is not told as cut off', never],
  ]),
  ...noticedBy(test('slow/stories/turns', 'L6: killed twice'), [
    ['L6-session-of-cut-turn', 'a conversation that was killed in its first turn goes on', never],
  ]),
  ...noticedBy(test('slow/processes/builtin-proposers', 'altered'), [
    ['E9-turn-choice', 'the proposal that ran is the one that goes first', never],
    ['E9-turn-of-the-chosen', 'a turn acted as the chosen proposal says', never],
    ['P4-proposal-policy-version', 'a proposal was weighed under a version of the policies', never],
    ['P4-picked-was-granted', 'a turn names a person only for what one was asked to allow', never],
  ]),
  ...noticedBy(test('slow/processes/builtin-turn-rows', 'L8'), [
    ['L8-turn-quota', 'texts of turns are kept within a quota', always],
  ]),
  ...noticedBy(test('processes/builtin-turns', 'E16'), [
    ['E16-turn-texts', 'no text of a turn holds a lent secret', gone],
  ]),
  ...noticedBy(test('adapters/lent'), [
    ['E16-activity-lines', 'no line of what an agent does holds a lent secret', swap('hide(line)', 'line')],
  ]),
  ...noticedBy(test('slow/processes/repository-map'), [
    ['E9-map-budget', 'a map keeps to its budget', never],
    ['O10-map-plain-files', 'a map reads no links', always],
  ]),
  ...noticedBy(test('core/file-linters'), [
    ['E9-known-options', 'a linter with options that nobody knows is not asked about files', never],
    ['E9-linted-as-contracted', 'a linter is asked about files that the contract has it look at', gone],
  ]),
  ...noticedBy(test('slow/processes/edit-lint'), [
    ['E3-written-inside', 'what is written into an export stays in it', never],
    ['E9-lint-installed', 'no linter is asked without what the base installs', always],
    ['S7-lint-gives-up', 'a linter that hangs is asked once', never],
    ['S7-lint-bounded', 'linters take so much of a round and no more', without('spentMs < limits.roundMs')],
  ]),
  ...noticedBy(test('slow/processes/code-eye'), [
    ['E9-new-faults-only', 'what was broken before is blamed on no edit', never],
    ['S7-edit-reflections', 'what edits broke is told so often and no more', never],
    ['O10-source-not-again', 'a file that broke its reader is not read again', never],
  ]),
];
