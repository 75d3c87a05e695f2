/** Runs one round of an agent by the Agent Client Protocol (E10). */
import { z } from 'zod';
import type { ClientContext } from '@agentclientprotocol/sdk';
import { readAgentReport } from '../shared/agent-report.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import { CANCEL_MS, createPermissionAsker } from '../shared/answer-permission-requests.ts';
import { SIGN_IN_CODE } from './events.ts';
import { describeSignInMethods, findSignInMethod } from './sign-in-methods.ts';
import { createMessageStream } from './message-stream.ts';
import {
  type AcpAgent,
  AcpPermissionRequest,
  createToolCallStore,
  findPermissionOption,
  fromAcpPermissionRequest,
} from './acp-permission-request.ts';

const MOST_TOLD = 5;

const Session = z.object({
  sessionId: z.string().nullish().catch(null),
  modes: z
    .object({ currentModeId: z.string(), availableModes: z.array(z.object({ id: z.string() })) })
    .nullish()
    .catch(null),
  models: z.object({ currentModelId: z.string() }).nullish().catch(null),
});
type Session = z.infer<typeof Session>;
const Ready = z.object({
  authMethods: z.array(z.unknown()).catch([]),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false),
      sessionCapabilities: z.object({ resume: z.unknown() }).partial().catch({}),
      promptCapabilities: z
        .object({ image: z.boolean().catch(false) })
        .partial()
        .catch({}),
    })
    .catch({ loadSession: false, sessionCapabilities: {}, promptCapabilities: {} }),
});
const Quota = z.object({
  quota: z.object({ token_count: z.object({ input_tokens: z.number(), output_tokens: z.number() }) }),
});
const Turn = z
  .object({ stopReason: z.string(), usage: z.unknown().optional(), _meta: z.unknown().optional() })
  .transform(({ stopReason, usage, _meta }) => {
    const count = Quota.safeParse(_meta).data?.quota.token_count;
    if (count === undefined) return { stopReason, usage };
    const [inputTokens, outputTokens] = [count.input_tokens, count.output_tokens];
    return { stopReason, usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } };
  });
const Update = z.object({ update: z.unknown().optional() });
/** A piece of a conversation. An agent may also tell of its mode each time that it is set. */
const Piece = z.object({ sessionUpdate: z.string().regex(/^(?:user|agent)_\w+_chunk$|^tool_call|^plan/) });

const renderDenials = (denied: readonly string[]): string =>
  [
    'You were not allowed to do this:',
    ...denied.map((reason) => `- ${reason}`),
    'Do not try it again. Go on without it, and end with the report that you were asked for.',
  ].join('\n');

const createGate = (talk: ProgramConversation, by: AcpAgent) => {
  const calls = createToolCallStore();
  const denied: string[] = [];
  const asking = createPermissionAsker(talk);
  const CANCELLED = { outcome: { outcome: 'cancelled' } } as const;
  const toOptionOutcome = (optionId: string | null) =>
    optionId === null ? CANCELLED : ({ outcome: { outcome: 'selected', optionId } } as const);

  const denyRequest = (asked: AcpPermissionRequest, reason: string) => {
    denied.push(reason);
    return toOptionOutcome(findPermissionOption(asked, { allows: false }));
  };
  return {
    stopped: asking.stopped,
    flooded: asking.flooded,
    heard: calls.hear,
    answer: async (params: unknown) => {
      const asked = AcpPermissionRequest.safeParse(params).data;
      const answer = await asking.answer(() =>
        asked
          ? fromAcpPermissionRequest(asked, calls.find(asked.toolCall.toolCallId), talk.workspace, by)
          : null,
      );
      if (!asked || answer.kind === 'over') return CANCELLED;
      if (answer.kind === 'deny') return denyRequest(asked, answer.reason);
      // The protocol can only allow exactly what was requested.
      if (answer.kind === 'modified')
        return denyRequest(asked, `It was allowed in other words: ${answer.input}`);
      const once = findPermissionOption(asked, { allows: true });
      return once === null ? denyRequest(asked, 'It cannot be allowed just once.') : toOptionOutcome(once);
    },
    untold: (): string[] => denied.splice(0),
  };
};
type Gate = ReturnType<typeof createGate>;

const Refused = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

/** Signs the agent in where it asks for that, and where a variable of its box is what it takes. */
const signInAgent = async (
  agent: ClientContext,
  methods: readonly unknown[],
  env: ProgramConversation['env'],
  begin: () => Promise<unknown>,
): Promise<unknown> => {
  try {
    return await begin();
  } catch (error) {
    const refused = Refused.safeParse(error).data;
    if (refused?.code !== SIGN_IN_CODE) throw error;
    const methodId = findSignInMethod(methods, env);
    if (methodId === null)
      throw new OwnRefusal(`${refused.message}${describeSignInMethods(methods)}`, SIGN_IN_CODE);
    await agent.request<unknown>('authenticate', { methodId });
    return begin();
  }
};

const openSession = async (
  agent: ClientContext,
  { session, workspace, env }: ProgramConversation,
  by: AcpAgent,
): Promise<{ session: Session; sees: boolean }> => {
  const { authMethods, agentCapabilities } = Ready.parse(
    await agent.request<unknown>('initialize', {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'agentpr', version: '1' },
    }),
  );
  const at = { cwd: workspace, mcpServers: [], ...(by.meta ? { _meta: by.meta } : {}) };
  const { sessionCapabilities, promptCapabilities } = agentCapabilities;
  const [method, about] =
    session === null
      ? ['session/new', at]
      : [sessionCapabilities.resume ? 'session/resume' : 'session/load', { ...at, sessionId: session.id }];
  const begun = await signInAgent(agent, authMethods, env, () => agent.request<unknown>(method, about));
  return { session: Session.parse(begun), sees: promptCapabilities.image === true };
};

const setMode = async (
  agent: ClientContext,
  sessionId: string,
  { modes }: Session,
  { mode }: AcpAgent,
): Promise<void> => {
  if (mode === null || modes?.currentModeId === mode) return;
  // guard: E10-mode-that-asks
  if (modes?.availableModes.some(({ id }) => id === mode) !== true)
    throw new OwnRefusal(`It has no mode “${mode}”, in which it asks before it runs a command.`);
  await agent.request<unknown>('session/set_mode', { sessionId, modeId: mode });
};

/** An agent may replay its history after it answered, one piece at a time: it is asked until none comes. */
const awaitReplayEnd = async (
  agent: ClientContext,
  sessionId: string,
  { mode }: AcpAgent,
  count: () => number,
) => {
  if (mode === null) return;
  for (let before = -1; before !== count();) {
    before = count();
    await agent.request<unknown>('session/set_mode', { sessionId, modeId: mode });
  }
};

class OwnRefusal extends Error {
  readonly code: number;
  constructor(message: string, code = 0) {
    super(message);
    this.code = code;
  }
}

/** E21: words are the next prompt of the session; an update after it shows that the agent has them. */
const createSaying = ({ words }: ProgramConversation) => {
  let unheard: readonly number[] = [];
  return {
    onArrival: (call: () => void): (() => void) => words?.onArrival(call) ?? (() => {}),
    take: async (): Promise<string[]> => {
      const found = (await words?.take()) ?? [];
      unheard = found.map(({ no }) => no);
      return found.map(({ text }) => text);
    },
    hear: (): void => {
      if (unheard.length > 0) words?.heard(unheard);
      unheard = [];
    },
  };
};
type Saying = ReturnType<typeof createSaying>;

/** Waits only a while for the end if a person is asked, or until the agent heeds that there are words. */
const turnOf = async (
  agent: ClientContext,
  sessionId: string,
  prompt: readonly PromptBlock[],
  { stopped }: Gate,
  said: Saying,
) => {
  let late: NodeJS.Timeout | undefined;
  const cancelled = new Promise<null>((resolve) => {
    const cancelSession = (): void => {
      void agent.notify('session/cancel', { sessionId }).catch(() => {});
      late = setTimeout(() => resolve(null), CANCEL_MS);
    };
    if (stopped.aborted) cancelSession();
    else stopped.addEventListener('abort', cancelSession, { once: true });
  });
  let isCut = false;
  const quiet = said.onArrival(() => {
    if (isCut) return;
    isCut = true;
    void agent.notify('session/cancel', { sessionId }).catch(() => {});
  });
  try {
    const ended = agent.request<unknown>('session/prompt', { sessionId, prompt });
    const said = await Promise.race([ended, cancelled]);
    return { said, isCut };
  } finally {
    quiet();
    clearTimeout(late);
  }
};

type PromptBlock = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: string };
const textBlock = (text: string): PromptBlock => ({ type: 'text', text });

/** A resumed session knows it; an agent that takes none may still open the file. */
const pictureBlocks = (
  { picture, session }: ProgramConversation,
  { sees }: { sees: boolean },
): PromptBlock[] => {
  if (picture === null || session !== null) return [];
  const { file, mime: mimeType, bytes } = picture;
  // guard: C2-picture-able
  return sees
    ? [{ type: 'image', mimeType, data: Buffer.from(bytes).toString('base64') }]
    : [textBlock(`You take no pictures; the file is ${file}, if you have a tool that can look at it.`)];
};

const runTurns = async (
  agent: ClientContext,
  sessionId: string,
  talk: ProgramConversation,
  gate: Gate,
  sees: boolean,
  saying: Saying,
): Promise<void> => {
  let prompt = [textBlock(talk.prompt), ...pictureBlocks(talk, { sees })];
  for (let told = 0; ;) {
    talk.tell({ type: 'prompted' });
    const { said, isCut } = await turnOf(agent, sessionId, prompt, gate, saying);
    if (gate.stopped.aborted) return;
    saying.hear();
    const end = Turn.parse(said);
    talk.tell({ type: 'ended', ...end });
    const words = await saying.take();
    const untold = gate.untold();
    const denials = untold.length === 0 ? [] : [renderDenials(untold)];
    // E21: the words that we cut it for are to be said later after all.
    const goesOn = words.length === 0 && isCut && end.stopReason === 'cancelled';
    if (goesOn) words.push('Go on.');
    if (words.length === 0) {
      if (denials.length === 0 || told === MOST_TOLD) return;
      if (readAgentReport(talk.reading().report).kind === 'valid') return;
      told += 1;
    }
    prompt = [...denials, ...words].map(textBlock);
  }
};

export const converseAs =
  (by: AcpAgent) =>
  async (talk: ProgramConversation): Promise<void> => {
    const { client } = await import('@agentclientprotocol/sdk');
    const gate = createGate(talk, by);
    const saying = createSaying(talk);
    let live = false;
    let early = 0;
    const onUpdate = (params: unknown): void => {
      const told = Update.safeParse(params).data;
      // Loading a session replays its history, which must not count again.
      if (!live && Piece.safeParse(told?.update).success) early += 1;
      if (!live || told === undefined || gate.stopped.aborted) return;
      gate.heard(told.update);
      saying.hear();
      talk.tell({ type: 'update', update: told.update });
    };
    const anything = { parse: (params: unknown): unknown => params };
    const connection = client({ name: 'agentpr' })
      .onRequest('session/request_permission', anything, ({ params }) => gate.answer(params))
      .connect(createMessageStream(talk, { update: onUpdate, flood: gate.flooded }));
    const { agent } = connection;
    let at: 'start' | 'session' | 'turn' = talk.session === null ? 'start' : 'session';
    try {
      const { session, sees } = await openSession(agent, talk, by);
      const id = talk.session?.id ?? session.sessionId ?? '';
      talk.tell({ type: 'session', id });
      talk.tell({ type: 'model', name: session.models?.currentModelId ?? null });
      at = 'turn';
      await setMode(agent, id, session, by);
      // guard: L6-history-not-heard-again
      if (talk.session !== null) await awaitReplayEnd(agent, id, by, () => early);
      live = true;
      await runTurns(agent, id, talk, gate, sees, saying);
    } catch (error) {
      if (connection.signal.aborted) return;
      const said = Refused.safeParse(error).data;
      const message = error instanceof z.ZodError ? 'The agent answered in an unknown form.' : null;
      if (said === undefined && message === null) throw error;
      talk.tell({ type: 'refused', at, ...(said ?? { code: 0, message, data: null }) });
    } finally {
      connection.close();
    }
  };
