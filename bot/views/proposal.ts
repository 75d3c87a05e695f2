/** C4: what somebody's own words are taken for, read back to them; a tap gives the command. */
import { bansAt } from '../../orchestrator/core/machine/bans.ts';
import type { Choice, ChoiceTarget, View } from '../../orchestrator/core/machine/effects.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { ASKED, missingIn, type GivenAnswer, type Missing } from '../../orchestrator/core/missing.ts';
import { isTerminal, STATE } from '../../orchestrator/core/states.ts';
import type { CommandName } from '../../orchestrator/commands/rows.ts';
import type { Texts } from '../language/language.ts';
import { fit, show, showBlock } from '../text/text.ts';
import { doing, name, shortName, type Rendered, type Shown } from './scene.ts';

export type ProposalView = Extract<View, { view: 'command_choice' }>;
/** What may be proposed. */
export type Proposed = Exclude<
  CommandName,
  | 'approve'
  | 'users'
  | 'take'
  | 'edit'
  | 'start'
  | 'rerun'
  | 'help'
  | 'greet'
  | 'without'
  | 'permit'
  | 'report'
  | 'batch'
  | 'adopt'
  | 'campaign'
  | 'insights'
>;

/** The command that continues a stopped run; null for a run that has not stopped. */
export const onwardVerb = ({ lifecycle: { state } }: Run): 'retry' | 'resume' | null => {
  const { onward } = STATE[state];
  return onward === 'start' ? null : onward;
};

/** What an answer to its call does: at a ban, it says why that rule is about something else. */
export const answerVerb = (run: Run): 'retry' | 'resume' | 'overrule' | null =>
  bansAt(run).length > 0 ? 'overrule' : onwardVerb(run);

/** What the repository asks a person for, and they can still give. */
export const asksOf = (run: Run): Missing[] =>
  run.upstream.pullRequest || isTerminal(run.lifecycle.state)
    ? []
    : missingIn({
        contract: run.target.contract,
        issue: run.target.issue,
        answers: withDescription(run),
        trailers: run.target.commitTrailers,
      }).filter((m) => m.what !== 'sign_off' || !run.change.commit);

/** A description that somebody wrote on the card is in their words as well. */
const withDescription = ({
  target: { requirementAnswers: answers },
  gate: { editedPrText: words },
}: Run): readonly GivenAnswer[] =>
  words?.description
    ? [...answers, { what: 'words', text: words.description, by: { id: null, name: words.by }, at: 0 }]
    : answers;

/** The run is as it was when the words were written. */
export const stands = ({ epoch, approval }: ChoiceTarget, run: Run | undefined): boolean =>
  epoch === null
    ? run === undefined
    : run?.lifecycle.epoch === epoch && (run.gate.approval?.id ?? null) === approval;

/** The words that somebody would have typed after the command. */
const wordsIn = ({ parameters: told }: Choice): string => {
  const order = told.order as { goal?: unknown } | undefined;
  const words = told.instruction ?? told.advice ?? told.reason ?? told.text ?? order?.goal;
  return typeof words === 'string' ? words : '';
};

const MOST_NAMED = 8;

const orderedIn = ({ parameters: told }: Choice): string[] => {
  const { repo } = (told.order ?? {}) as { repo?: unknown };
  return typeof repo === 'string' ? [repo] : [];
};

/** What a choice does, as its button says it; several differ in their runs or in the command. */
const buttonOf = (
  choice: Choice,
  { choices }: ProposalView,
  runs: ReadonlyMap<string, Run>,
  words: Texts,
): string => {
  const what = ASKED.find((one) => choice.command === 'answer' && one === choice.parameters.what);
  const { does, answers } = words.proposal;
  const text = what ? answers[what] : does[choice.command as Proposed];
  if (choice.targets.length > 1) return words.proposal.several(text, choice.targets.length);
  const run = runs.get(choice.targets[0]?.run ?? '');
  const differ = new Set(choices.map(({ targets: on }) => on[0]?.run)).size > 1;
  return run && differ ? `${text} · ${shortName(run)}` : text;
};

/** C7: a model's words, marked as such; nothing in them can be tapped. */
export const modelSays = ({ by, text }: { by: string; text: string }, { model }: Texts): string[] =>
  text === ''
    ? []
    : [
        `<b>${show(model.says(by))}</b>`,
        `<blockquote expandable><code>${showBlock(text, 1_500)}</code></blockquote>`,
      ];

/** `given` is the choice that was tapped: it is said so, and nothing is offered any more. */
export const renderProposal = (
  view: ProposalView,
  runs: readonly Run[],
  words: Texts,
  given: Choice | null = null,
): Rendered => {
  const { proposal, buttons } = words;
  const { choices, modelAnswer: told } = view;
  const byId = new Map(runs.map((run) => [run.id, run]));
  const live = choices.every(
    ({ targets: on }) => on.length === 0 || on.some((one) => stands(one, byId.get(one.run))),
  );
  const asks = choices.length > 1 ? proposal.which : proposal.title;
  const title = given ? `✓ ${buttonOf(given, view, byId, words)}` : live ? asks : proposal.over;
  const said = (given ? [given] : choices).map(wordsIn).find((one) => one !== '') ?? '';
  return {
    html: fit([
      ...(told ? modelSays(told, words) : []),
      `<b>${show(title)}</b>`,
      ...runs.slice(0, MOST_NAMED).map((run) => `${name(run)} · ${show(doing(run, words))}`),
      ...(runs.length > MOST_NAMED ? [words.fleet.more(runs.length - MOST_NAMED)] : []),
      ...(choices.some(({ command }) => command === 'overrule') ? [show(proposal.overrule, 300)] : []),
      ...choices.flatMap(orderedIn).map((repo) => show(repo, 100)),
      ...(said === '' ? [] : [`<blockquote expandable><code>${showBlock(said, 2_500)}</code></blockquote>`]),
    ]),
    buttons:
      live && !given
        ? [
            ...choices.map((choice): Shown[] => [
              {
                verb: 'give',
                text: buttonOf(choice, view, byId, words),
                ...(choice.command === 'cancel' ? { style: 'danger' as const } : {}),
              },
            ]),
            ...(runs.length === 1 ? [[{ verb: 'show' as const, text: buttons.look }]] : []),
          ]
        : [],
  };
};
