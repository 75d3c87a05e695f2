/** Turns an agent's JSON event lines into a log for people (C2). */
import type { LoggedCall, LoggedStep, ReadableLog } from '#ports/workspaces';

type Json = Readonly<Record<string, unknown>>;
type Piece =
  | { kind: 'said'; text: string; goesOn?: boolean }
  | { kind: 'begun'; id: string; call: string }
  | {
      kind: 'ended';
      id: string | null;
      call: string | null;
      output: string;
      exit: number | null;
      failed: boolean;
    };

const MAX_OUTPUT = 20_000;
const MAX_CALL = 4_000;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const valueAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value);
const textAt = (value: unknown, ...path: readonly string[]): string | null => {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : null;
};
const numberAt = (value: unknown, ...path: readonly string[]): number | null => {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : null;
};
const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
};

const callOf = (tool: string, input: unknown): string => {
  const command = valueAt(input, 'command') ?? valueAt(input, 'cmd');
  if (typeof command === 'string') return `$ ${command}`;
  if (Array.isArray(command)) return `$ ${command.join(' ')}`;
  const given =
    input === undefined || input === null
      ? ''
      : ` ${typeof input === 'string' ? input : JSON.stringify(input)}`;
  return `${tool}${given}`;
};
const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content.map((part) => textAt(part, 'text') ?? textAt(part, 'content', 'text') ?? '').join('');
  return content === undefined || content === null ? '' : JSON.stringify(content);
};
const toTextPieces = (text: string | null): Piece[] =>
  text === null || text === '' ? [] : [{ kind: 'said', text }];

const EXIT = /^(?:Error: )?Exit code (\d+)\n?/;

const readCodexEvent = (event: Json): Piece[] => {
  const item = valueAt(event, 'item');
  if (event['type'] === 'turn.failed') return toTextPieces(textAt(event, 'error', 'message'));
  if (event['type'] === 'error') return toTextPieces(textAt(event, 'message'));
  if (event['type'] !== 'item.completed') return [];
  const toEndedPieces = (
    call: string,
    output: string,
    exit: number | null,
    { failed }: { failed: boolean },
  ): Piece[] => [{ kind: 'ended', id: null, call, output, exit, failed }];
  switch (textAt(item, 'type')) {
    case 'command_execution': {
      const exit = numberAt(item, 'exit_code');
      return toEndedPieces(
        `$ ${textAt(item, 'command') ?? ''}`,
        textAt(item, 'aggregated_output') ?? '',
        exit,
        { failed: exit !== 0 },
      );
    }
    case 'file_change': {
      const changes = listAt(item, 'changes').map(
        (one) => `${textAt(one, 'kind') ?? ''} ${textAt(one, 'path') ?? ''}`,
      );
      return toEndedPieces(`file_change ${changes.join(', ')}`, '', null, {
        failed: textAt(item, 'status') === 'failed',
      });
    }
    case 'mcp_tool_call':
      return toEndedPieces(
        callOf(`${textAt(item, 'server') ?? ''}/${textAt(item, 'tool') ?? ''}`, valueAt(item, 'arguments')),
        textOf(valueAt(item, 'result', 'content') ?? valueAt(item, 'error', 'message')),
        null,
        { failed: textAt(item, 'status') === 'failed' },
      );
    case 'web_search':
      return toEndedPieces(`web_search ${textAt(item, 'query') ?? ''}`, '', null, { failed: false });
    case 'agent_message':
      return toTextPieces(textAt(item, 'text'));
    case 'error':
      return toTextPieces(textAt(item, 'message'));
    default:
      return [];
  }
};

const readClaudeEvent = (event: Json): Piece[] => {
  if (event['type'] === 'result')
    return event['is_error'] === true ? toTextPieces(textAt(event, 'result')) : [];
  return listAt(event, 'message', 'content').flatMap((part): Piece[] => {
    switch (textAt(part, 'type')) {
      case 'text':
        return event['type'] === 'assistant' ? toTextPieces(textAt(part, 'text')) : [];
      case 'tool_use': {
        const call = callOf(textAt(part, 'name') ?? '', valueAt(part, 'input'));
        return [{ kind: 'begun', id: textAt(part, 'id') ?? '', call }];
      }
      case 'tool_result': {
        const failed = valueAt(part, 'is_error') === true;
        const words = textOf(valueAt(part, 'content'));
        const exit = failed ? Number(EXIT.exec(words)?.[1] ?? Number.NaN) : 0;
        return [
          {
            kind: 'ended',
            id: textAt(part, 'tool_use_id'),
            call: null,
            output: failed ? words.replace(EXIT, '') : words,
            exit: Number.isNaN(exit) ? null : exit,
            failed,
          },
        ];
      }
      default:
        return [];
    }
  });
};

const readOpencodeEvent = (event: Json): Piece[] => {
  const state = valueAt(event, 'part', 'state');
  if (event['type'] === 'text') return toTextPieces(textAt(event, 'part', 'text'));
  if (event['type'] === 'error') return toTextPieces(textAt(event, 'error', 'data', 'message'));
  const exit = numberAt(state, 'metadata', 'exit');
  return [
    {
      kind: 'ended',
      id: null,
      call: callOf(textAt(event, 'part', 'tool') ?? '', valueAt(state, 'input')),
      output: textAt(state, 'output') ?? textAt(state, 'error') ?? '',
      exit,
      failed: textAt(state, 'status') === 'error' || (exit !== null && exit !== 0),
    },
  ];
};

const readAcpEvent = (event: Json): Piece[] => {
  const update = valueAt(event, 'params', 'update');
  const id = textAt(update, 'toolCallId') ?? '';
  switch (textAt(update, 'sessionUpdate')) {
    case 'agent_message_chunk': {
      const text = textAt(update, 'content', 'text');
      return text === null ? [] : [{ kind: 'said', text, goesOn: true }];
    }
    case 'tool_call':
      return [
        {
          kind: 'begun',
          id,
          call: callOf(textAt(update, 'title') ?? textAt(update, 'kind') ?? '', valueAt(update, 'rawInput')),
        },
      ];
    case 'tool_call_update': {
      const status = textAt(update, 'status');
      if (status !== 'completed' && status !== 'failed') return [];
      const exit = numberAt(update, 'rawOutput', 'exitCode') ?? numberAt(update, 'rawOutput', 'exit_code');
      const output = [
        textOf(valueAt(update, 'content')),
        textAt(update, 'rawOutput'),
        textAt(update, 'rawOutput', 'output'),
        textAt(update, 'rawOutput', 'stdout'),
      ].find((one) => one !== null && one !== '');
      return [
        {
          kind: 'ended',
          id,
          call: null,
          output: output ?? '',
          exit,
          failed: status === 'failed' || (exit ?? 0) !== 0,
        },
      ];
    }
    default:
      return [];
  }
};

const readBuiltinEvent = (event: Json): Piece[] => [
  {
    kind: 'ended',
    id: null,
    call: callOf(textAt(event, 'tool') ?? '', event['input']),
    output: textOf(event['text']),
    exit: null,
    failed: event['ok'] !== true,
  },
];

/** Events are recognised by shape, not by engine: programs adopt each other's formats. */
const FORMS: readonly (readonly [is: (event: Json) => boolean, read: (event: Json) => Piece[]])[] = [
  [(e) => /^(?:item|turn|thread)\./.test(textAt(e, 'type') ?? ''), readCodexEvent],
  [(e) => e['type'] === 'error' && typeof e['message'] === 'string', readCodexEvent],
  [(e) => textAt(e, 'method') === 'session/update', readAcpEvent],
  [(e) => e['jsonrpc'] === '2.0', () => []],
  [(e) => isJson(e['part']) && ['tool_use', 'text'].includes(textAt(e, 'type') ?? ''), readOpencodeEvent],
  [(e) => e['type'] === 'error' && isJson(e['error']), readOpencodeEvent],
  [(e) => ['step_start', 'step_finish'].includes(textAt(e, 'type') ?? ''), () => []],
  [(e) => ['assistant', 'user', 'result'].includes(textAt(e, 'type') ?? ''), readClaudeEvent],
  [(e) => ['system', 'stream_event'].includes(textAt(e, 'type') ?? ''), () => []],
  [(e) => typeof e['tool'] === 'string' && typeof e['ok'] === 'boolean', readBuiltinEvent],
];

/** Stop parsing after this many lines that look like events but are not. */
const MAX_BROKEN = 200;

const readEvent = (event: unknown): Piece[] | null => {
  const form = isJson(event) ? FORMS.find(([is]) => is(event)) : undefined;
  return form && isJson(event) ? form[1](event) : null;
};

/** What the calls printed whose end an event tells; null where it tells of none. */
export const findCallOutput = (event: unknown): string | null => {
  const outputs = (readEvent(event) ?? []).flatMap((piece) => (piece.kind === 'ended' ? piece.output : []));
  return outputs.length === 0 ? null : outputs.join('\n');
};

const piecesOf = (line: string, broken: { lines: number }): Piece[] | null => {
  if (!line.startsWith('{"') || !line.trimEnd().endsWith('}') || broken.lines > MAX_BROKEN) return null;
  try {
    return readEvent(JSON.parse(line));
  } catch {
    broken.lines += 1;
    return null;
  }
};

const cutEnd = (text: string, most: number): string =>
  text.length <= most ? text : `… (${text.length - most})\n${text.slice(-most)}`;
const cutStart = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

const SEPARATOR_LINE = '─'.repeat(24);
const renderCall = ({ call, exit, failed }: LoggedCall, callNumber: number, output: string): string => {
  const code = exit === null ? '' : ` exit ${exit}`;
  const body = output.trim() === '' ? [] : [cutEnd(output.replace(/(?<!\n)\n+$/, ''), MAX_OUTPUT)];
  return [`${SEPARATOR_LINE} ${callNumber}`, call, ...body, `${failed ? '✗' : '✓'}${code}`].join('\n');
};

/** Calls in the order in which they ended; unfinished ones come last, without a mark. */
export const parseAgentLog = (log: string): Omit<ReadableLog, 'shown'> => {
  const out: string[] = [];
  const steps: LoggedStep[] = [];
  let calls = 0;
  const open = new Map<string, string>();
  let spoken = '';
  let isRead = false;
  const broken = { lines: 0 };
  const flushSpoken = (): void => {
    if (spoken !== '') {
      out.push(`${SEPARATOR_LINE}\n${spoken.trim()}`);
      steps.push({ kind: 'said', text: cutStart(spoken.trim(), MAX_CALL) });
    }
    spoken = '';
  };
  for (const line of log.split('\n')) {
    const pieces = piecesOf(line, broken);
    if (pieces === null) {
      flushSpoken();
      out.push(line);
      continue;
    }
    isRead = true;
    for (const piece of pieces) {
      if (piece.kind === 'said') {
        spoken += piece.goesOn || spoken === '' ? piece.text : `\n${piece.text}`;
        continue;
      }
      flushSpoken();
      if (piece.kind === 'begun') open.set(piece.id, piece.call);
      else {
        const call = cutStart(piece.call ?? open.get(piece.id ?? '') ?? '?', MAX_CALL);
        open.delete(piece.id ?? '');
        const one = { call, exit: piece.exit, failed: piece.failed };
        calls += 1;
        steps.push({ kind: 'call', ...one, output: cutEnd(piece.output.trim(), MAX_OUTPUT) });
        out.push(renderCall(one, calls, piece.output));
      }
    }
  }
  flushSpoken();
  for (const call of open.values()) out.push(`${SEPARATOR_LINE}\n${cutStart(call, MAX_CALL)}\n…`);
  return { text: isRead ? out.join('\n') : log, steps };
};
