/** Two or more proposers think about one context at the same time (E9). */
import { subtractUsage, type ModelUsage } from '#model/reports';
import { shouldWaitForProvider } from '#model/failure';
import { engineFailure, createDetailedFailure, type EngineFailure } from '../shared/engine-failure.ts';
import { resolveProposers } from '../shared/resolve-proposers.ts';
import type { ModelWay, ProgramConversation } from '../shared/program-conversation.ts';
import { createModelRequester, type AskedModel, type ModelReply } from './ask-model.ts';
import { findRequestedModel, readNamedModel } from './named-model.ts';

export type Proposer = {
  name: string;
  model: string;
  prompt: string | null;
  ask: Awaited<ReturnType<typeof createModelRequester>>;
};
export type ProposerReply = { proposer: Proposer; reply: ModelReply; usage: ModelUsage; ms: number };

const NO_MODEL =
  'No model is named: set "engines": {"builtin": {"args": ["-m", "<model>"]}} in agentpr.config.json, or OPENAI_MODEL or ANTHROPIC_MODEL.';

export const createProposers = async (
  { args, env, proposers, configuredProposers }: ProgramConversation,
  way: ModelWay,
): Promise<Proposer[] | EngineFailure> => {
  const usual = findRequestedModel(args, env, way.provider);
  const named = resolveProposers(proposers, configuredProposers);
  const made: Proposer[] = [];
  for (const { name, model: said, prompt } of named.length > 0 ? named : [NOBODY_NAMED]) {
    const read = said === null ? null : readNamedModel(['-m', said]);
    if (read !== null && read.provider !== null && read.provider !== way.provider)
      return engineFailure(
        'bad_config',
        `The proposer ${name} is of another provider than the rest: one key is used in a round, here that of ${way.provider}.`,
      );
    const model = read?.model ?? usual;
    if (model === null) return createDetailedFailure('bad_config', NO_MODEL, { kind: 'model_unnamed' });
    const counted = named.length === 0 ? null : name;
    made.push({ name: name || model, model, prompt, ask: await createModelRequester(way, model, counted) });
  }
  return made;
};
const NOBODY_NAMED = { name: '', model: null, prompt: null };

const askWithPatience = async (
  { ask, name }: Proposer,
  asked: AskedModel,
  patienceMs: number,
): Promise<ModelReply> => {
  const tired = new AbortController();
  const giveUp = (): void => tired.abort();
  let timer = setTimeout(giveUp, patienceMs);
  const onPiece = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, patienceMs);
    asked.onPiece();
  };
  try {
    return await ask({ ...asked, onPiece, signal: AbortSignal.any([asked.signal, tired.signal]) });
  } catch (error) {
    // guard: E9-silent-proposer
    if (asked.signal.aborted || !tired.signal.aborted) throw error;
    return { kind: 'refused', failure: engineFailure('timed_out', `${name} said nothing for too long.`) };
  } finally {
    clearTimeout(timer);
  }
};

/** Words of thinking are bound to the model that thought; another one cannot be shown them. */
const withoutThinking = (reply: ModelReply): ModelReply => {
  if (reply.kind === 'refused' || reply.message?.role !== 'assistant') return reply;
  const { content } = reply.message;
  if (typeof content === 'string') return reply;
  return {
    ...reply,
    message: { role: 'assistant', content: content.filter(({ type }) => type !== 'reasoning') },
  };
};

/** A model that thinks alone may take the whole round, and gets its reasoning back. */
const answerOf = async (
  proposer: Proposer,
  asked: AskedModel,
  patienceMs: number | null,
): Promise<ModelReply> =>
  // guard: E9-alone-is-waited-for
  patienceMs === null
    ? proposer.ask(asked)
    : withoutThinking(await askWithPatience(proposer, asked, patienceMs));

export const thinkTogether = (
  proposers: readonly Proposer[],
  asked: AskedModel,
  { usedBy }: Pick<ModelWay, 'usedBy'>,
  patienceMs: number | null,
): Promise<ProposerReply[]> =>
  Promise.all(
    proposers.map(async (proposer): Promise<ProposerReply> => {
      const before = usedBy(proposer.name);
      const began = performance.now();
      const system = [asked.system, ...(proposer.prompt === null ? [] : [proposer.prompt])].join('\n');
      const reply = await answerOf(proposer, { ...asked, system }, patienceMs);
      const ms = Math.round(performance.now() - began);
      return { proposer, reply, usage: subtractUsage(usedBy(proposer.name), before), ms };
    }),
  );

export const canProposeAgain = ({ reply }: ProposerReply): boolean =>
  reply.kind === 'said' ||
  shouldWaitForProvider(reply.failure.class) ||
  reply.failure.class === 'context_exceeded';
