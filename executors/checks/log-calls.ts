/** C2: turns an agent's JSON event lines into a log for people. */
import type { LoggedCall, ReadableLog } from '#ports/workspaces';

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
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value);
const textAt = (value: unknown, ...path: readonly string[]): string | null => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
};
const numberAt = (value: unknown, ...path: readonly string[]): number | null => {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : null;
};
const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

const callOf = (tool: string, input: unknown): string => {
  const command = at(input, 'command') ?? at(input, 'cmd');
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
const said = (text: string | null): Piece[] => (text === null || text === '' ? [] : [{ kind: 'said', text }]);

const EXIT = /^(?:Error: )?Exit code (\d+)\n?/;

const codex = (event: Json): Piece[] => {
  const item = at(event, 'item');
  if (event['type'] === 'turn.failed') return said(textAt(event, 'error', 'message'));
  if (event['type'] === 'error') return said(textAt(event, 'message'));
  if (event['type'] !== 'item.completed') return [];
  const ended = (call: string, output: string, exit: number | null, failed: boolean): Piece[] => [
    { kind: 'ended', id: null, call, output, exit, failed },
  ];
  switch (textAt(item, 'type')) {
    case 'command_execution': {
      const exit = numberAt(item, 'exit_code');
      return ended(
        `$ ${textAt(item, 'command') ?? ''}`,
        textAt(item, 'aggregated_output') ?? '',
        exit,
        exit !== 0,
      );
    }
    case 'file_change': {
      const changes = listAt(item, 'changes').map(
        (one) => `${textAt(one, 'kind') ?? ''} ${textAt(one, 'path') ?? ''}`,
      );
      return ended(`file_change ${changes.join(', ')}`, '', null, textAt(item, 'status') === 'failed');
    }
    case 'mcp_tool_call':
      return ended(
        callOf(`${textAt(item, 'server') ?? ''}/${textAt(item, 'tool') ?? ''}`, at(item, 'arguments')),
        textOf(at(item, 'result', 'content') ?? at(item, 'error', 'message')),
        null,
        textAt(item, 'status') === 'failed',
      );
    case 'web_search':
      return ended(`web_search ${textAt(item, 'query') ?? ''}`, '', null, false);
    case 'agent_message':
      return said(textAt(item, 'text'));
    case 'error':
      return said(textAt(item, 'message'));
    default:
      return [];
  }
};

const claude = (event: Json): Piece[] => {
  if (event['type'] === 'result') return event['is_error'] === true ? said(textAt(event, 'result')) : [];
  return listAt(event, 'message', 'content').flatMap((part): Piece[] => {
    switch (textAt(part, 'type')) {
      case 'text':
        return event['type'] === 'assistant' ? said(textAt(part, 'text')) : [];
      case 'tool_use': {
        const call = callOf(textAt(part, 'name') ?? '', at(part, 'input'));
        return [{ kind: 'begun', id: textAt(part, 'id') ?? '', call }];
      }
      case 'tool_result': {
        const failed = at(part, 'is_error') === true;
        const words = textOf(at(part, 'content'));
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

const opencode = (event: Json): Piece[] => {
  const state = at(event, 'part', 'state');
  if (event['type'] === 'text') return said(textAt(event, 'part', 'text'));
  if (event['type'] === 'error') return said(textAt(event, 'error', 'data', 'message'));
  const exit = numberAt(state, 'metadata', 'exit');
  return [
    {
      kind: 'ended',
      id: null,
      call: callOf(textAt(event, 'part', 'tool') ?? '', at(state, 'input')),
      output: textAt(state, 'output') ?? textAt(state, 'error') ?? '',
      exit,
      failed: textAt(state, 'status') === 'error' || (exit !== null && exit !== 0),
    },
  ];
};

const acp = (event: Json): Piece[] => {
  const update = at(event, 'params', 'update');
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
          call: callOf(textAt(update, 'title') ?? textAt(update, 'kind') ?? '', at(update, 'rawInput')),
        },
      ];
    case 'tool_call_update': {
      const status = textAt(update, 'status');
      if (status !== 'completed' && status !== 'failed') return [];
      const exit = numberAt(update, 'rawOutput', 'exitCode') ?? numberAt(update, 'rawOutput', 'exit_code');
      const output = [
        textOf(at(update, 'content')),
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

const builtin = (event: Json): Piece[] => [
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
  [(e) => /^(?:item|turn|thread)\./.test(textAt(e, 'type') ?? ''), codex],
  [(e) => e['type'] === 'error' && typeof e['message'] === 'string', codex],
  [(e) => textAt(e, 'method') === 'session/update', acp],
  [(e) => e['jsonrpc'] === '2.0', () => []],
  [(e) => isJson(e['part']) && ['tool_use', 'text'].includes(textAt(e, 'type') ?? ''), opencode],
  [(e) => e['type'] === 'error' && isJson(e['error']), opencode],
  [(e) => ['step_start', 'step_finish'].includes(textAt(e, 'type') ?? ''), () => []],
  [(e) => ['assistant', 'user', 'result'].includes(textAt(e, 'type') ?? ''), claude],
  [(e) => ['system', 'stream_event'].includes(textAt(e, 'type') ?? ''), () => []],
  [(e) => typeof e['tool'] === 'string' && typeof e['ok'] === 'boolean', builtin],
];

/** Stop parsing after this many lines that look like events but are not. */
const MAX_BROKEN = 200;

const piecesOf = (line: string, broken: { lines: number }): Piece[] | null => {
  if (!line.startsWith('{"') || !line.trimEnd().endsWith('}') || broken.lines > MAX_BROKEN) return null;
  try {
    const event: unknown = JSON.parse(line);
    const form = isJson(event) ? FORMS.find(([is]) => is(event)) : undefined;
    return form && isJson(event) ? form[1](event) : null;
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
const rendered = ({ call, exit, failed }: LoggedCall, n: number, output: string): string => {
  const code = exit === null ? '' : ` exit ${exit}`;
  const body = output.trim() === '' ? [] : [cutEnd(output.replace(/(?<!\n)\n+$/, ''), MAX_OUTPUT)];
  return [`${SEPARATOR_LINE} ${n}`, call, ...body, `${failed ? '✗' : '✓'}${code}`].join('\n');
};

/** Calls in the order in which they ended; unfinished ones come last, without a mark. */
export const readableLog = (log: string): Omit<ReadableLog, 'shown'> => {
  const out: string[] = [];
  const calls: LoggedCall[] = [];
  const open = new Map<string, string>();
  let spoken = '';
  let isRead = false;
  const broken = { lines: 0 };
  const say = (): void => {
    if (spoken !== '') out.push(`${SEPARATOR_LINE}\n${spoken.trim()}`);
    spoken = '';
  };
  for (const line of log.split('\n')) {
    const pieces = piecesOf(line, broken);
    if (pieces === null) {
      say();
      out.push(line);
      continue;
    }
    isRead = true;
    for (const piece of pieces) {
      if (piece.kind === 'said') {
        spoken += piece.goesOn || spoken === '' ? piece.text : `\n${piece.text}`;
        continue;
      }
      say();
      if (piece.kind === 'begun') open.set(piece.id, piece.call);
      else {
        const call = cutStart(piece.call ?? open.get(piece.id ?? '') ?? '?', MAX_CALL);
        open.delete(piece.id ?? '');
        const one = { call, exit: piece.exit, failed: piece.failed };
        calls.push(one);
        out.push(rendered(one, calls.length, piece.output));
      }
    }
  }
  say();
  for (const call of open.values()) out.push(`${SEPARATOR_LINE}\n${cutStart(call, MAX_CALL)}\n…`);
  return { text: isRead ? out.join('\n') : log, calls };
};
