/** Scripted turns for Anthropic's Messages API, streamed or as one body. */
import { COST, wordsOf, type Answer, type Asked, type Spoken } from './turns.ts';

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown };

type Schema = { enum?: unknown[]; anyOf?: Schema[]; type?: string };
type Tool = { name?: unknown; input_schema?: { properties?: Record<string, Schema>; required?: string[] } };

const toolNamed = (tools: unknown, name: string): Tool | undefined =>
  Array.isArray(tools) ? (tools as Tool[]).find((tool) => tool.name === name) : undefined;

/** Returns a minimal value that fits a schema. */
const least = ({ enum: words, anyOf = [], type }: Schema): unknown => {
  if (anyOf.length > 0) return anyOf.some((one) => one.type === 'null') ? null : least(anyOf[0] ?? {});
  return words?.[0] ?? (type === 'array' ? [] : '');
};

/** Models that are held to a schema fill all required fields. */
const heldTo = ({ input_schema: schema }: Tool, said: object): object => ({
  ...Object.fromEntries(
    (schema?.required ?? []).map((name) => [name, least(schema?.properties?.[name] ?? {})]),
  ),
  ...said,
});

const blockOf = (turn: Spoken, { id, body }: Asked): Block => {
  const use = (name: string, input: unknown): Block => ({ type: 'tool_use', id: `toolu_${id}`, name, input });
  const [call] = 'calls' in turn ? turn.calls : [];
  if (call) return use(call.name, call.input);
  if ('run' in turn)
    return toolNamed(body.tools, 'run')
      ? use('run', { command: turn.run })
      : use('Bash', { command: turn.run, description: 'scripted command' });
  const report = toolNamed(body.tools, 'StructuredOutput');
  if ('report' in turn && report) return use('StructuredOutput', heldTo(report, turn.report));
  return { type: 'text', text: wordsOf(turn) };
};

export const messages = (turn: Spoken, asked: Asked): Answer => {
  const block = blockOf(turn, asked);
  const stop_reason = block.type === 'text' ? 'end_turn' : 'tool_use';
  const usage = {
    input_tokens: COST.fresh,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: COST.cached,
    output_tokens: COST.written,
  };
  const message = {
    id: `msg_${asked.id}`,
    type: 'message',
    role: 'assistant',
    model: asked.model,
    stop_sequence: null,
  };
  if (asked.body.stream !== true) return { body: { ...message, content: [block], stop_reason, usage } };
  const [start, delta] =
    block.type === 'text'
      ? [
          { ...block, text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  const begun = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const events = [
    { type: 'message_start', message: begun },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  return { events: events.map((data) => ({ event: data.type, data })) };
};

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export const anthropicError = (turn: { status: number; message: string; type?: string }): object => ({
  type: 'error',
  error: { type: turn.type ?? TYPES[turn.status] ?? 'api_error', message: turn.message },
});
