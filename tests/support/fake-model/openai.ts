/** Scripted turns for OpenAI's Responses (streamed) and Chat Completions APIs. */
import { COST, wordsOf, type Answer, type Asked, type Spoken } from './turns.ts';

const namesOf = (tools: unknown): string[] =>
  Array.isArray(tools)
    ? tools.flatMap((tool: { name?: unknown; function?: { name?: unknown } }) => {
        const name = tool.name ?? tool.function?.name;
        return typeof name === 'string' ? [name] : [];
      })
    : [];

/** Finds the agent's shell tool, whatever its name. */
const shellCall = (tools: unknown, command: string): { name: string; arguments: string } => {
  const names = namesOf(tools);
  const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });
  if (names.includes('exec_command')) return call('exec_command', { cmd: command });
  if (names.includes('shell_command')) return call('shell_command', { command });
  if (names.includes('shell')) return call('shell', { command: ['bash', '-c', command] });
  const name = names.find((candidate) => /bash|run|exec|command/i.test(candidate)) ?? 'bash';
  return call(name, { command });
};

/** Codex gives newer models one JavaScript tool, which it describes in the input. */
const inJavaScript = (input: unknown): boolean =>
  Array.isArray(input) && input.some((item: { type?: unknown }) => item.type === 'additional_tools');

type Item = { type: string; id: string } & Readonly<Record<string, unknown>>;
const outputItem = (turn: Spoken, { id, body }: Asked): Item => {
  if (!('run' in turn))
    return {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: wordsOf(turn), annotations: [] }],
    };
  const call = { call_id: `call_${id}`, status: 'completed' };
  if (!inJavaScript(body.input))
    return { type: 'function_call', id: `fc_${id}`, ...call, ...shellCall(body.tools, turn.run) };
  const input = `text(await tools.exec_command({ cmd: ${JSON.stringify(turn.run)} }));`;
  return { type: 'custom_tool_call', id: `ctc_${id}`, ...call, name: 'exec', input };
};

/** Some clients read only the deltas. */
const spoken = (turn: Spoken, itemId: string): ({ type: string } & Readonly<Record<string, unknown>>)[] => {
  if ('run' in turn) return [];
  const place = { item_id: itemId, output_index: 0, content_index: 0 };
  return [{ type: 'response.output_text.delta', ...place, delta: wordsOf(turn) }];
};

export const responses = (turn: Spoken, asked: Asked): Answer => {
  const item = outputItem(turn, asked);
  const response = { id: `resp_${asked.id}`, object: 'response', model: asked.model };
  const usage = {
    input_tokens: COST.fresh + COST.cached,
    input_tokens_details: { cached_tokens: COST.cached },
    output_tokens: COST.written,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: COST.fresh + COST.cached + COST.written,
  };
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    ...spoken(turn, item.id),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
  ];
  return { events: events.map((data) => ({ event: data.type, data })) };
};

export const chatCompletions = (turn: Spoken, { id, model, body }: Asked): Answer => {
  const named = (name: string, input: unknown) => ({ name, arguments: JSON.stringify(input) });
  const message =
    'calls' in turn
      ? {
          role: 'assistant',
          content: wordsOf(turn),
          tool_calls: turn.calls.map(({ name, input }, index) => ({
            index,
            id: `call_${id}_${index}`,
            type: 'function',
            function: named(name, input),
          })),
        }
      : 'run' in turn
        ? {
            role: 'assistant',
            content: null,
            tool_calls: [
              { index: 0, id: `call_${id}`, type: 'function', function: shellCall(body.tools, turn.run) },
            ],
          }
        : { role: 'assistant', content: wordsOf(turn) };
  const finish_reason = 'run' in turn || 'calls' in turn ? 'tool_calls' : 'stop';
  const usage = {
    prompt_tokens: COST.fresh + COST.cached,
    prompt_tokens_details: { cached_tokens: COST.cached },
    completion_tokens: COST.written,
    total_tokens: COST.fresh + COST.cached + COST.written,
  };
  const base = { id: `chat_${id}`, model, created: 0 };
  if (body.stream !== true)
    return {
      body: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
    };
  const chunk = { ...base, object: 'chat.completion.chunk' };
  return {
    events: [
      { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
      { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage } },
      { data: '[DONE]' },
    ],
  };
};

export const openAiError = (turn: { message: string; type?: string; code?: string }): object => ({
  error: { message: turn.message, type: turn.type ?? 'error', param: null, code: turn.code ?? null },
});
