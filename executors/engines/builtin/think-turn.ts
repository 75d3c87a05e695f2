/** The THINKING of one turn: by one model, or by several proposers of which one is chosen (E9). */
import { RANKING_VERSION, type DraftedChoice, type TurnDraft } from '#model/turn';
import { shouldWaitForProvider } from '#model/failure';
import { engineFailure, type EngineFailure } from '../shared/engine-failure.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import type { AskedModel, ModelReply } from './ask-model.ts';
import {
  chooseProposal,
  renderOtherProposals,
  listOtherProposals,
  listAlternativeActions,
  type Chosen,
} from './choose-proposal.ts';
import type { createConversation } from './conversation.ts';
import type { DraftTurn } from './draft-turn.ts';
import type { LoopEvent } from './events.ts';
import { estimateTokens } from './fit-conversation.ts';
import type { BoxTools } from './box-tools.ts';
import type { FileDigests } from './file-digests.ts';
import type { LoopLimits } from './named-model.ts';
import type { ToolName } from './parse-thought.ts';
import { sha256 } from './stored-session.ts';
import { canProposeAgain, thinkTogether, type Proposer, type ProposerReply } from './think-together.ts';
import { evaluateProposals } from './evaluate-proposals.ts';

export type Thinking = {
  talk: ProgramConversation;
  way: NonNullable<ProgramConversation['model']>;
  tools: BoxTools;
  limits: LoopLimits;
  allowed: readonly ToolName[];
  shielded: readonly string[];
  system: string;
  proposers: readonly Proposer[];
  together: boolean;
  files: FileDigests;
  conversation: ReturnType<typeof createConversation>;
  room: number;
  checked: boolean;
};
type Thought = { said: ModelReply; model: string; chosen: Chosen | null };

type Told = Pick<TurnDraft['context'], 'parts' | 'files'>;
const MAX_SMALLER_TRIES = 3;

const prepareRequest = (thinking: Thinking, draft: DraftTurn, told: Told): AskedModel | EngineFailure => {
  const { conversation, system, limits, allowed, tools, talk } = thinking;
  const fits = conversation.fits(system, thinking.room);
  // guard: E9-context-before-sending
  if (fits === null)
    return engineFailure(
      'context_exceeded',
      `The conversation does not fit into the ${limits.context} tokens that the model reads (--context).`,
    );
  const { messages, ...fitted } = fits;
  const text = JSON.stringify([system, messages]);
  draft.change({
    context: { digest: sha256(text), tokens: estimateTokens(messages, system), ...told, ...fitted },
  });
  return {
    system,
    messages,
    tools: allowed,
    picture: talk.picture,
    mostTokens: limits.output,
    signal: tools.gone,
    onPiece: () => talk.tell({ type: 'alive' } satisfies LoopEvent),
  };
};

const isTooLong = ({ reply }: Pick<ProposerReply, 'reply'>): boolean =>
  reply.kind === 'refused' && reply.failure.class === 'context_exceeded';

const askAll = async (thinking: Thinking, draft: DraftTurn): Promise<ProposerReply[] | EngineFailure> => {
  const { conversation, files, system, way, limits } = thinking;
  const patienceMs = thinking.together ? limits.patienceMs : null;
  const parts = [{ kind: 'system' as const, name: 'system', text: system }, ...conversation.fresh()];
  const told = { parts, files: files.takeRead() };
  for (let tries = 0; ; tries += 1) {
    const asked = prepareRequest(thinking, draft, told);
    if ('class' in asked) return asked;
    const replies = await thinkTogether(thinking.proposers, asked, way, patienceMs);
    if (!replies.every(isTooLong) || tries >= MAX_SMALLER_TRIES) return replies;
    // guard: E9-goes-on-smaller
    thinking.room = Math.floor(thinking.room * 0.5);
  }
};

const failureOf = (replies: readonly ProposerReply[]): EngineFailure => {
  const all = replies.flatMap(({ reply }) => (reply.kind === 'refused' ? [reply.failure] : []));
  return (
    all.find((one) => shouldWaitForProvider(one.class)) ??
    all[0] ??
    engineFailure('model_unavailable', 'No proposer answered.')
  );
};

const chooseAmongReplies = async (
  thinking: Thinking,
  replies: readonly ProposerReply[],
  { isLastTurn }: { isLastTurn: boolean },
): Promise<Chosen> => {
  const { talk } = thinking;
  for (const { proposer, reply } of replies) {
    if (reply.kind !== 'refused') continue;
    const says = `${proposer.name} is left out: ${reply.failure.class}`;
    talk.tell({ type: 'says', text: says, works: false } satisfies LoopEvent);
  }
  return chooseProposal(await evaluateProposals(replies, thinking), { isLastTurn });
};

export const thinkTurn = async (
  thinking: Thinking,
  draft: DraftTurn,
  { isLastTurn }: { isLastTurn: boolean },
): Promise<Thought> => {
  const replies = await askAll(thinking, draft);
  const [first] = thinking.proposers;
  if ('class' in replies)
    return { said: { kind: 'refused', failure: replies }, model: first?.model ?? '', chosen: null };
  if (!thinking.together) {
    const [only] = replies;
    return { said: only?.reply ?? NO_REPLY, model: only?.proposer.model ?? '', chosen: null };
  }
  const chosen = await chooseAmongReplies(thinking, replies, { isLastTurn });
  const choice: DraftedChoice = { ranking: RANKING_VERSION, isLastTurn, proposals: chosen.proposals };
  draft.change({ choice });
  thinking.conversation.hearsOfOthers(renderOtherProposals(listOtherProposals(chosen)));
  thinking.proposers = thinking.proposers.filter((one) =>
    replies.every((reply) => reply.proposer !== one || canProposeAgain(reply)),
  );
  const taken = chosen.at === null ? undefined : replies[chosen.at];
  return {
    said: taken?.reply ?? { kind: 'refused', failure: failureOf(replies) },
    model: taken?.proposer.model ?? first?.model ?? '',
    chosen,
  };
};
const NO_REPLY: ModelReply = {
  kind: 'refused',
  failure: engineFailure('model_unavailable', ''),
};

export const listAlternatives = (chosen: Chosen | null) =>
  chosen === null ? [] : listAlternativeActions(chosen);

export const renderProposalLines = (chosen: Chosen | null): string[] =>
  (chosen?.proposals ?? []).map(({ proposer, result, evidence, size, actions, failure, usage, ms }) =>
    [
      `${proposer}: ${result}`,
      actions.map(({ tool }) => tool).join(', '),
      evidence.join(', '),
      size > 0 ? `size ${size}` : '',
      failure ?? '',
      `${usage.inputTokens} in, ${usage.outputTokens} out`,
      `${ms} ms`,
    ]
      .filter((part) => part !== '')
      .join(' · '),
  );
