/** Records a user's answers to what a repository requires of contributors (F9). */
import { Person } from '#model/order';
import { enterState } from '../lifecycle/enter-state.ts';
import { progressSlot, addMessage, addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import { defineCommand, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { hasRequirementRule, withNewAnswer, RecordedAnswer } from '#model/requirements';
import { toNoCardRefusal } from '../run/refusals.ts';
import { STOPPED } from '../run/state-groups.ts';

const recordAnswer = (
  draft: StepDraft,
  { by, what, text }: InputOf<'command.requirement.answer'>,
): HandlerRuling => {
  const { run, stamp } = draft;
  // guard: F9-answer-asked
  if (!hasRequirementRule(run.target.contract, what)) return { refuse: { kind: 'not_asked', run: run.id } };
  if (run.upstream.pullRequest) return { refuse: { kind: 'has_pull', run: run.id } };
  if (what === 'sign_off' && run.change.commit) return { refuse: { kind: 'committed', run: run.id } };
  const given: RecordedAnswer = { what, text, by, at: stamp.at };
  const { approval } = run.gate;
  if (run.lifecycle.state === 'PUSHED' || approval?.kind === 'open_pr') {
    if (!approval) return { refuse: toNoCardRefusal(run) };
    const words = { title: null, description: null };
    addWork(draft, {
      kind: 'modify_proposal',
      approvalId: approval.id,
      pullText: words,
      answer: given,
      by: by.name,
      reason: '',
    });
    return undefined;
  }
  run.target.requirementAnswers = withNewAnswer(run.target.requirementAnswers, given);
  if (run.lifecycle.state === 'PLAN_READY')
    return void enterState(draft, 'DISCOVERY', { kind: 'requirement_answered', by: by.name, what });
  addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
  return undefined;
};

export const REQUIREMENT_COMMANDS = [
  defineCommand({
    type: 'command.requirement.answer',
    fields: { by: Person, ...RecordedAnswer.pick({ what: true, text: true }).shape },
    moves: [
      moveFrom(['PLAN_READY'], ['DISCOVERY'], 'what a person was asked for; read with it again'),
      ...stayIn(['IMPLEMENTING', 'LOCAL_VALIDATING', 'PUSHED', ...STOPPED], 'kept; judged anew'),
    ],
    handle: (d, input): HandlerRuling => recordAnswer(d, input),
  }),
];
