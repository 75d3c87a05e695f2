/** Effects that a step asks for, and what they are called. */
export { isPublishing, selectEffectKinds, traitsOf } from './effect-traits.ts';
export {
  type ApprovalChange,
  type ChoiceTarget,
  type CommandChoice,
  type Effect,
  type EffectKind,
  type MessageView,
  type QuestionMember,
  type QuestionsView,
  type ReplyButton,
  type UnfinishedOrder,
  chatFor,
} from './effect-types.ts';
export type { Step } from './recorded-step.ts';
