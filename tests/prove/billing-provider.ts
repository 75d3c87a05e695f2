/** A provider that records what it bills; answers may be late, in pieces, or missing. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { ModelUsage } from '#model/reports';

/** Dollars per million tokens, a different price for each kind. */
export const MODEL_PRICE = { input: 2, output: 10, cached: 0.5, stored: 2.5 };
const MILLION = 1_000_000;
const DEARER = 2;

export const ANSWERS = [
  'told whole',
  'told in pieces',
  'told by a dearer tier',
  'never told',
  'cut off',
  'dropped',
  'silent',
  'refused',
  'given up by a proxy',
] as const;
/** The moment when the client hangs up. */
export const LEAVES = ['never', 'at once', 'when it was heard', 'at the first byte'] as const;

export const MODEL_PATHS = ['/v1/responses', '/v1/chat/completions', '/v1/messages'] as const;
type ModelPath = (typeof MODEL_PATHS)[number];

/** Real usage; `cached` is part of the input. */
type Took = { input: number; cached: number; output: number };
/** A request and its fate, decided before it is sent. */
export type PlannedRequest = Took & {
  id: string;
  runId: string;
  path: ModelPath;
  stream: boolean;
  priority: boolean;
  maxOutput: number;
  answer: (typeof ANSWERS)[number];
  leaves: (typeof LEAVES)[number];
  /** Event loop turns before the answer and between its pieces. */
  patience: number;
};

type Tier = { service_tier?: string };
type Wire = {
  limit: string;
  usage: (took: Took) => object;
  whole: (usage: object | null, tier: Tier) => object;
  first: (took: Took) => object;
  piece: (text: string) => object;
  last: (took: Took, tier: Tier) => object;
};
const openaiUsage = ({ input, cached, output }: Took) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
});
const chatUsage = ({ input, cached, output }: Took) => ({
  prompt_tokens: input,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens: output,
});
const anthropicUsage = ({ input, cached, output }: Took) => ({
  input_tokens: input - cached,
  cache_read_input_tokens: cached,
  output_tokens: output,
});
const WIRE: Readonly<Record<ModelPath, Wire>> = {
  '/v1/responses': {
    limit: 'max_output_tokens',
    usage: openaiUsage,
    whole: (usage, tier) => ({ output: [], ...tier, ...(usage && { usage }) }),
    first: () => ({ type: 'response.created' }),
    piece: (delta) => ({ type: 'response.output_text.delta', delta }),
    last: (took, tier) => ({ type: 'response.completed', response: { ...tier, usage: openaiUsage(took) } }),
  },
  '/v1/chat/completions': {
    limit: 'max_completion_tokens',
    usage: chatUsage,
    whole: (usage, tier) => ({ choices: [], ...tier, ...(usage && { usage }) }),
    first: () => ({ choices: [{ delta: { role: 'assistant' } }] }),
    piece: (content) => ({ choices: [{ delta: { content } }] }),
    last: (took, tier) => ({ choices: [], ...tier, usage: chatUsage(took) }),
  },
  '/v1/messages': {
    limit: 'max_tokens',
    usage: anthropicUsage,
    whole: (usage) => ({ content: [], ...(usage && { usage }) }),
    first: (took) => ({ type: 'message_start', message: { usage: anthropicUsage({ ...took, output: 1 }) } }),
    piece: (text) => ({ type: 'content_block_delta', delta: { text } }),
    last: ({ output }) => ({ type: 'message_delta', usage: { output_tokens: output } }),
  },
};

export const bodyOf = ({ id, path, stream, priority, maxOutput }: Omit<PlannedRequest, keyof Took>): string =>
  JSON.stringify({
    model: 'm',
    metadata: { id },
    stream,
    [WIRE[path].limit]: maxOutput,
    ...(priority ? { service_tier: 'priority' } : {}),
    ...(path === '/v1/responses' ? { input: id } : { messages: [{ role: 'user', content: id }] }),
  });

const costOf = ({ input, cached, output }: Took, factor: number, perInput = MODEL_PRICE.input): number =>
  (((input - cached) * perInput + cached * MODEL_PRICE.cached + output * MODEL_PRICE.output) / MILLION) *
  factor;
const billFor = (of: PlannedRequest): ModelUsage => ({
  inputTokens: of.input,
  outputTokens: of.output,
  costUsd: costOf(of, of.priority || of.answer === 'told by a dearer tier' ? DEARER : 1),
});
const mostFor = (of: PlannedRequest): ModelUsage => {
  const most = { input: bodyOf(of).length, cached: 0, output: of.maxOutput };
  return {
    inputTokens: most.input,
    outputTokens: most.output,
    costUsd: costOf(most, of.priority ? DEARER : 1, MODEL_PRICE.stored),
  };
};

export type Account = { billed: ModelUsage; largest: ModelUsage; requests: number };
const NOTHING: ModelUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const eachOf = (a: ModelUsage, b: ModelUsage, of: (a: number, b: number) => number): ModelUsage => ({
  inputTokens: of(a.inputTokens, b.inputTokens),
  outputTokens: of(a.outputTokens, b.outputTokens),
  costUsd: of(a.costUsd, b.costUsd),
});

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
};
const PIECE_BYTES = 37;

/** The client may be gone at any piece. */
const answer = async (of: PlannedRequest, toldAsked: boolean, response: ServerResponse): Promise<void> => {
  const wire = WIRE[of.path];
  await turns(of.patience);
  if (of.answer === 'silent' || response.destroyed) return;
  if (of.answer === 'dropped') return void response.destroy();
  const json = { 'content-type': 'application/json' };
  if (of.answer === 'refused') return void response.writeHead(500, json).end('{"error":{"message":"no"}}');
  if (of.answer === 'given up by a proxy') return void response.writeHead(504, json).end('{}');
  const tells = of.answer.startsWith('told') && toldAsked;
  const tier = of.answer === 'told by a dearer tier' ? { service_tier: 'priority' } : {};
  const events = [
    wire.first(of),
    wire.piece('so '),
    wire.piece('be it'),
    ...(tells ? [wire.last(of, tier)] : []),
  ];
  const text = of.stream
    ? events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    : JSON.stringify(wire.whole(tells ? wire.usage(of) : null, tier));
  response.writeHead(200, of.stream ? { 'content-type': 'text/event-stream' } : json);
  if (of.answer === 'told whole') return void response.end(text);
  const end = of.answer === 'cut off' ? Math.floor(text.length / 2) : text.length;
  for (let from = 0; from < end && !response.destroyed; from += PIECE_BYTES) {
    response.write(text.slice(from, Math.min(end, from + PIECE_BYTES)));
    await turns(1 + of.patience);
  }
  if (of.answer === 'cut off') response.destroy();
  else response.end();
};

export type BillingProvider = Awaited<ReturnType<typeof createBillingProvider>>;

/** Shared by many trials; bills each request it receives, also repeated ones. */
export const createBillingProvider = async () => {
  const planned = new Map<string, { of: PlannedRequest; heard: () => void }>();
  const accounts = new Map<string, Account>();
  const strangers: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = JSON.parse(text) as { metadata?: { id?: string }; stream_options?: object };
      const { of, heard } = planned.get(body.metadata?.id ?? '') ?? {};
      if (of === undefined) {
        strangers.push(text.slice(0, 200));
        return void response.destroy();
      }
      const before = accounts.get(of.runId) ?? { billed: NOTHING, largest: NOTHING, requests: 0 };
      accounts.set(of.runId, {
        billed: of.answer === 'refused' ? before.billed : eachOf(before.billed, billFor(of), (a, b) => a + b),
        largest: eachOf(before.largest, mostFor(of), Math.max),
        requests: before.requests + 1,
      });
      heard?.();
      // Chat streams include usage only on request.
      const toldAsked = of.path !== '/v1/chat/completions' || !of.stream || 'stream_options' in body;
      void answer(of, toldAsked, response);
    });
  });
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves when all earlier requests were read: connections are accepted in order. */
    settle: async (): Promise<void> => {
      const last = connect(port, '127.0.0.1');
      await once(last, 'connect');
      while (![...open].some(({ remotePort }) => remotePort === last.localPort)) await turns(1);
      last.destroy();
      while (open.size > 0) await turns(1);
    },
    expect: (of: PlannedRequest, heard: () => void): void => void planned.set(of.id, { of, heard }),
    accountOf: (runId: string): Account =>
      accounts.get(runId) ?? { billed: NOTHING, largest: NOTHING, requests: 0 },
    strangers,
    forget: (): void => {
      planned.clear();
      accounts.clear();
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
