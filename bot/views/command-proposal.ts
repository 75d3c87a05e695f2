/** Renders proposed commands for free text; a tap gives the command (C4). */
import { bansStoppingRun } from '#preparation';
import type { CommandChoice, ChoiceTarget, MessageView } from '#effects';
import { operatorWordsMode, type Run } from '#run';
import type { GrantedBudget } from '#model/limits';
import { pullOpeningOf, PullEdit } from '#model/opening';
import { workOfTitle } from '#model/pull';
import {
  PERSONAL_REQUIREMENTS,
  hasRequirementRule,
  missingRequirements,
  requirementAnswers,
  type RecordedAnswer,
  type MissingRequirement,
} from '#model/requirements';
import { isTerminal, STATE_TRAITS } from '#model/run';
import type { CommandName } from '#commands';
import { isReasonMissing, findOpenQuestions } from '#pull-text';
import type { LanguageTexts } from '../language/languages.ts';
import { pullOpeningText, pullRemovalsText } from './pull-lines.ts';
import { budgetsText } from './reason-messages.ts';
import { fitLines, escapeLine, escapeBlock } from '../text/telegram-html.ts';
import { currentActivity, runName, shortName } from './run-lines.ts';
import type { RenderedMessage, ViewButton } from './scene.ts';

type ProposalView = Extract<MessageView, { view: 'command_choice' }>;
export type ProposedCommand = Exclude<
  CommandName,
  | 'approve'
  | 'users'
  | 'take'
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
  | 'cost'
  | 'board'
  | 'passkey'
  | 'set_aside'
  | 'notes'
  | 'drop'
  | 'words'
>;

export const onwardVerb = ({ lifecycle: { state } }: Run): 'retry' | 'resume' | null => {
  const { onward } = STATE_TRAITS[state];
  return onward === 'start' ? null : onward;
};

export const verbToContinue = (run: Run): 'retry' | 'resume' | 'overrule' | null =>
  bansStoppingRun(run).length > 0 ? 'overrule' : onwardVerb(run);

export const missingAnswers = (run: Run): MissingRequirement[] =>
  run.upstream.pullRequest || isTerminal(run.lifecycle.state)
    ? []
    : missingRequirements({
        contract: run.target.contract,
        issue: run.target.issue,
        answers: withDescription(run),
        trailers: run.target.commitTrailers,
        work: workOfTitle(run.gate.proposal?.fields.title ?? run.order.goal),
        questions: findOpenQuestions(
          run.target.contract?.template ?? null,
          run.gate.proposal?.fields.body ?? '',
        ),
      }).filter((m) => m.what !== 'sign_off' || !run.change.commit);

/** A description that says no more than its title asks the person at the card for a line, and waits for none. */
export const isReasonWanted = (run: Run): boolean => {
  const { approval, proposal, editedPrText } = run.gate;
  const { order, target, agent } = run;
  if (approval?.kind !== 'open_pr' || !proposal || order.reverts || order.fixes) return false;
  const own = editedPrText?.description ?? requirementAnswers(target.requirementAnswers).words;
  return (
    own === undefined &&
    !hasRequirementRule(target.contract, 'words') &&
    isReasonMissing(order, agent.agentReports, proposal.fields.title)
  );
};

/** An edited description counts as the requester's own words. */
const withDescription = ({
  target: { requirementAnswers: answers },
  gate: { editedPrText: words },
}: Run): readonly RecordedAnswer[] =>
  words?.description
    ? [...answers, { what: 'words', text: words.description, by: { id: null, name: words.by }, at: 0 }]
    : answers;

export const isUnchangedSince = ({ epoch, approval }: ChoiceTarget, run: Run | undefined): boolean =>
  epoch === null
    ? run === undefined
    : run?.lifecycle.epoch === epoch && (run.gate.approval?.id ?? null) === approval;

export const isStillMeant = (
  { command }: Pick<CommandChoice, 'command'>,
  target: ChoiceTarget,
  run: Run | undefined,
): boolean =>
  command === 'tell'
    ? run !== undefined && operatorWordsMode(run) === 'words'
    : isUnchangedSince(target, run);

const wordsIn = ({ parameters: told }: CommandChoice): string => {
  const order = told.order as { goal?: unknown } | undefined;
  const words = told.instruction ?? told.advice ?? told.reason ?? told.text ?? told.told ?? order?.goal;
  return typeof words === 'string' ? words : '';
};

const MAX_NAMED_RUNS = 8;

const repositoriesIn = ({ parameters: told }: CommandChoice): string[] => {
  const { repo } = (told.order ?? {}) as { repo?: unknown };
  return typeof repo === 'string' ? [repo] : [];
};

const engineIn = ({ parameters: told }: CommandChoice): string[] => {
  const { engine } = (told.order ?? {}) as { engine?: unknown };
  return typeof engine === 'string' ? [engine] : [];
};

/** What would be typed; the language's own name says it already. */
const settingIn = ({ command, parameters: told }: CommandChoice): string => {
  const setting = told.setting as { what?: string; name?: string; to?: string } | undefined;
  if (command !== 'settings' || !setting || setting.what === 'language') return '';
  const name = setting.what === 'installation' ? setting.name : setting.what;
  const to = setting.what === 'quiet' && setting.to === '' ? 'off' : (setting.to ?? '');
  return `/settings ${name ?? ''} ${to}`.trim();
};

const hasPicture = ({ parameters: told }: CommandChoice): boolean =>
  (told.order as { picture?: unknown } | undefined)?.picture !== undefined;

/** F13: how it is to open, in an order or in an edit of one. */
const opensLinesOf = ({ parameters: told }: CommandChoice, words: LanguageTexts): string[] => {
  const { pull } = (told.order ?? told.words ?? {}) as { pull?: unknown };
  const options = PullEdit.safeParse(pull).data;
  if (!options) return [];
  const { without = [], ...wanted } = options;
  const opens = pullOpeningText(pullOpeningOf(wanted, { mayPush: true }), words);
  const removed = without.length > 0 ? pullRemovalsText(without, words) : '';
  return [opens, removed].filter((line) => line !== '');
};

const budgetsIn = ({ parameters: told }: CommandChoice): readonly GrantedBudget[] => {
  const { budgets = [] } = (told.order ?? {}) as { budgets?: readonly GrantedBudget[] };
  return budgets;
};

const describesPull = ({ command, parameters: told }: CommandChoice): boolean =>
  command === 'edit' &&
  typeof (told.words as { description?: unknown } | undefined)?.description === 'string';

const buttonOf = (
  choice: CommandChoice,
  { choices }: ProposalView,
  runs: ReadonlyMap<string, Run>,
  words: LanguageTexts,
  n = choice.targets.length,
): string => {
  const [target] = choice.targets;
  const run = runs.get(target?.run ?? '');
  if (choice.command === 'tell') return words.proposal.tells(run ? shortName(run) : (target?.run ?? ''));
  const hasTell = choices.some(({ command }) => command === 'tell');
  const what = PERSONAL_REQUIREMENTS.find(
    (one) => choice.command === 'answer' && one === choice.parameters.what,
  );
  const { does, answers } = words.proposal;
  const { again } = choice.parameters;
  const plain =
    again === 'words' || again === 'same'
      ? words.proposal.again[again]
      : what || describesPull(choice)
        ? answers[what ?? 'words']
        : choice.command === 'settings' && settingIn(choice) === ''
          ? words.proposal.changeLanguage
          : choice.command === 'new' && hasTell
            ? words.proposal.newRun(repositoriesIn(choice).join())
            : does[choice.command as Exclude<ProposedCommand, 'tell'>];
  const granted = budgetsText(budgetsIn(choice), words);
  const text = granted === '' ? plain : words.proposal.upTo(plain, granted);
  if (choice.targets.length > 1) return words.proposal.several(text, n);
  const differ = new Set(choices.map(({ targets: on }) => on[0]?.run)).size > 1;
  return run && (differ || hasTell) ? `${text} · ${shortName(run)}` : text;
};

/** C7: marks a model's text as such; nothing in it can be tapped. */
export const quoteModel = ({ by, text }: { by: string; text: string }, { model }: LanguageTexts): string[] =>
  text === ''
    ? []
    : [
        `<b>${escapeLine(model.says(by))}</b>`,
        `<blockquote expandable><code>${escapeBlock(text, 1_500)}</code></blockquote>`,
      ];

export const renderProposal = (
  view: ProposalView,
  runs: readonly Run[],
  words: LanguageTexts,
  given: { choice: CommandChoice; runs: number } | null = null,
): RenderedMessage => {
  const { proposal, buttons } = words;
  const { choices, modelAnswer: told, expected } = view;
  const byId = new Map(runs.map((run) => [run.id, run]));
  const live = choices.every(
    (choice) =>
      choice.targets.length === 0 ||
      choice.targets.some((one) => isStillMeant(choice, one, byId.get(one.run))),
  );
  const several = runs.length === 1 ? proposal.whichAct : proposal.which;
  const asks = choices.length > 1 ? several : proposal.title;
  const title = given
    ? `✓ ${buttonOf(given.choice, view, byId, words, given.choice.targets.length > 1 ? given.runs : undefined)}`
    : live
      ? asks
      : proposal.over;
  const ofGiven = given?.choice.targets.map(({ run }) => run);
  const listed = runs.filter(({ id }) => ofGiven?.includes(id) ?? true);
  const said = (given ? [given.choice] : choices).map(wordsIn).find((one) => one !== '') ?? '';
  return {
    html: fitLines([
      ...(told ? quoteModel(told, words) : []),
      `<b>${escapeLine(title)}</b>`,
      // The run's own message tells what the tap changed.
      ...listed
        .slice(0, MAX_NAMED_RUNS)
        .map((run) =>
          given ? runName(run) : `${runName(run)} · ${escapeLine(currentActivity(run, words))}`,
        ),
      ...(listed.length > MAX_NAMED_RUNS ? [words.fleet.more(listed.length - MAX_NAMED_RUNS)] : []),
      ...(choices.some(({ command }) => command === 'overrule') ? [escapeLine(proposal.overrule, 300)] : []),
      ...[...new Set(choices.flatMap(repositoriesIn))].map((repo) => escapeLine(repo, 100)),
      ...choices.map(settingIn).map((line) => (line === '' ? '' : `<code>${escapeLine(line, 100)}</code>`)),
      ...[...new Set(choices.flatMap(engineIn))].map((engine) => escapeLine(proposal.engine(engine), 60)),
      ...choices
        .flatMap((choice) => opensLinesOf(choice, words))
        .filter((line, at, all) => all.indexOf(line) === at),
      ...(choices.some(hasPicture) ? [escapeLine(words.pictures.goesAlong, 100)] : []),
      ...(expected && !given ? [escapeLine(words.budgets.expected(expected), 300)] : []),
      ...(said === ''
        ? []
        : [`<blockquote expandable><code>${escapeBlock(said, 2_500)}</code></blockquote>`]),
    ]),
    buttons:
      live && !given
        ? [
            ...choices.map((choice): ViewButton[] => [
              {
                verb: 'command.give',
                text: buttonOf(choice, view, byId, words),
                ...(choice.command === 'cancel' ? { style: 'danger' as const } : {}),
              },
            ]),
            ...(runs.length === 1 ? [[{ verb: 'show' as const, text: buttons.look }]] : []),
          ]
        : [],
  };
};
