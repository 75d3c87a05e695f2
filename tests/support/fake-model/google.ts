/** Scripted turns for Google's generateContent, streamed or as one body. */
import { COST, wordsOf, type Answer, type Asked, type Spoken } from './turns.ts';

type Declared = { functionDeclarations?: { name?: string }[] };

const named = (tools: unknown): string[] =>
  (Array.isArray(tools) ? (tools as Declared[]) : []).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.flatMap(({ name }) => (name === undefined ? [] : [name])),
  );

const partsOf = (turn: Spoken, { body }: Asked): object[] => {
  if ('run' in turn) {
    const name = named(body.tools).find((one) => /shell|run|command/.test(one)) ?? 'run_shell_command';
    return [{ functionCall: { name, args: { command: turn.run } } }];
  }
  const said = { text: wordsOf(turn) };
  if (!('calls' in turn)) return [said];
  return [
    ...(turn.say ? [said] : []),
    ...turn.calls.map(({ name, input: args }) => ({ functionCall: { name, args } })),
  ];
};

/** A quarter of what was written are thoughts, which the answer leaves out. */
const THOUGHTS = COST.written / 4;
const usageMetadata = {
  promptTokenCount: COST.fresh + COST.cached,
  cachedContentTokenCount: COST.cached,
  candidatesTokenCount: COST.written - THOUGHTS,
  thoughtsTokenCount: THOUGHTS,
  totalTokenCount: COST.fresh + COST.cached + COST.written,
};

export const generateContent = (turn: Spoken, asked: Asked): Answer => {
  const answer = (parts: object[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    usageMetadata,
    modelVersion: asked.model,
    responseId: asked.id,
  });
  const parts = partsOf(turn, asked);
  if (!asked.streams) return { body: answer(parts, { finishReason: 'STOP' }) };
  const begun = { ...usageMetadata, candidatesTokenCount: 1, thoughtsTokenCount: 0, totalTokenCount: 1 };
  return {
    events: [
      { data: { ...answer([{ text: '' }]), usageMetadata: begun } },
      { data: answer(parts, { finishReason: 'STOP' }) },
    ],
  };
};

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
const ofRpc = (type: string, more: object): object => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...more,
});

export const googleError = (turn: {
  status: number;
  message: string;
  type?: string;
  code?: string;
  retryAfter?: number;
}): object => ({
  error: {
    code: turn.status,
    message: turn.message,
    status: turn.type ?? STATUSES[turn.status] ?? 'INTERNAL',
    details: [
      ...(turn.code === undefined
        ? []
        : [ofRpc('ErrorInfo', { reason: turn.code, domain: 'googleapis.com' })]),
      ...(turn.retryAfter === undefined ? [] : [ofRpc('RetryInfo', { retryDelay: `${turn.retryAfter}s` })]),
    ],
  },
});
