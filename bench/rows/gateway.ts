/** Latency that the gateway adds, and its throughput. */
import { once } from 'node:events';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway } from '../../executors/gateway/gateway.ts';
import { inPairs, median, quantile, spread, timed } from '../measure.ts';
import { amountOf, type Measurement, type Row } from '../row.ts';

const MB = 1_000_000;
const TEXT = 'x'.repeat(900);
const event = (data: object): string =>
  `event: response.output_text.delta\ndata: ${JSON.stringify({ type: 'response.output_text.delta', ...data })}\n\n`;
const DONE = `event: response.completed\ndata: ${JSON.stringify({
  type: 'response.completed',
  response: { usage: { input_tokens: 1_000, output_tokens: 80 } },
})}\n\n`;
const PIECE = event({ delta: TEXT });

const MODEL = { perSecond: 100, word: event({ delta: 'words' }) };
const STREAMS = 3;

const createProvider = async (): Promise<{ port: number; close(): void }> => {
  const server = createServer((request, response) => {
    const pieces = Number(request.headers['x-stainless-pieces'] ?? 1);
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (request.headers['x-stainless-paced'] !== undefined) return void pace(response, pieces);
      let left = pieces;
      const go = (): void => {
        while (left > 0) {
          left -= 1;
          if (!response.write(PIECE)) return void response.once('drain', go);
        }
        response.end(DONE);
      };
      go();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => (server.closeAllConnections(), server.close()),
  };
};

const pace = (response: ServerResponse, pieces: number): void => {
  let left = pieces;
  const each = setInterval(() => {
    if ((left -= 1) >= 0) return void response.write(MODEL.word);
    clearInterval(each);
    response.end(DONE);
  }, 1_000 / MODEL.perSecond);
};

type Way = http.RequestOptions & { agent: http.Agent };
/** Processor time (ms). */
const worked = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const ask = async (way: Way, token: string, pieces: number, body: Buffer, paced = false): Promise<number> => {
  const request = http.request({
    ...way,
    method: 'POST',
    path: '/v1/responses',
    headers: {
      host: '127.0.0.1:17117',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-stainless-pieces': String(pieces),
      'content-length': String(body.length),
      ...(paced ? { 'x-stainless-paced': '1' } : {}),
    },
  });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`the gateway answered with ${answer.statusCode}`);
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length;
  return bytes;
};

const question = (n: number): Buffer =>
  Buffer.from(
    JSON.stringify({
      model: 'm',
      stream: true,
      input: Array.from({ length: 30 }, (_, i) => ({
        role: 'user',
        content: `${'word '.repeat(400)}${i * n}`,
      })),
    }),
  );

export const gateway: Measurement = {
  name: 'gateway',
  about: 'what the way to a model through the gateway adds',
  run: async (options): Promise<Row[]> => {
    const { quick, pairs } = options;
    const provider = await createProvider();
    const { open, close } = createGateway({});
    const limits = { tokens: null, costUsd: null, requests: 1e9, perMinute: 1e9, identical: 1e9 };
    const {
      models,
      reach,
      close: shut,
    } = await open({
      runId: 'measured',
      network: 'none',
      models: {
        shapes: ['openai'],
        base: `http://127.0.0.1:${provider.port}/v1`,
        key: 'k',
        prices: {},
        hosted: {},
        limits,
      },
    });
    if (typeof reach === 'string' || models === null) throw new Error('the box has no door');
    const agent = new http.Agent({ keepAlive: true });
    const through: Way = { socketPath: reach.socket, agent };
    const direct: Way = { host: '127.0.0.1', port: provider.port, agent };
    let n = 0;
    const one = (way: Way, pieces: number): Promise<number> => {
      const body = question((n += 1));
      return timed(() => ask(way, models.token, pieces, body));
    };
    try {
      const added: number[] = [];
      const plain: number[] = [];
      const requests = amountOf(options, 100, 300, 500);
      for (let i = -20; i < requests; i += 1) {
        const first = i % 2 === 0;
        const a = first ? await one(through, 20) : await one(direct, 20);
        const b = first ? await one(direct, 20) : await one(through, 20);
        if (i < 0) continue;
        added.push(first ? a - b : b - a);
        plain.push(first ? b : a);
      }
      const large = Math.ceil(((quick ? 5 : 40) * MB) / PIECE.length);
      const rate = async (way: Way): Promise<number> =>
        (large * PIECE.length) / (await one(way, large)) / 1_000;
      const paired = await inPairs(
        pairs,
        () => rate(through),
        () => rate(direct),
      );
      const burst = async (way: Way): Promise<number> => {
        const before = worked();
        for (let i = 0; i < 50; i += 1) await one(way, 20);
        return (worked() - before) / 50;
      };
      const cpu = await inPairs(
        pairs,
        () => burst(through),
        () => burst(direct),
      );
      /** Share of a core while models stream at their pace. */
      const share = async (way: Way): Promise<number> => {
        const before = worked();
        const pieces = MODEL.perSecond * (quick ? 1 : 5);
        const ms = await timed(() =>
          Promise.all(
            Array.from({ length: STREAMS }, () => ask(way, models.token, pieces, question((n += 1)), true)),
          ),
        );
        return ((worked() - before) / ms) * 100;
      };
      const cores = await inPairs(
        pairs,
        () => share(through),
        () => share(direct),
      );
      const note = `${requests} questions of 60 KB with answers of 20 KB, in turn with the same asked directly (median ${median(plain).toFixed(2)} ms); of a processor it takes ${(cpu.a - cpu.b).toFixed(2)} ms more, client, provider and gateway in one process`;
      return [
        {
          name: 'gateway-added',
          value: median(added),
          unit: 'ms',
          bar: { is: '<=', at: 3 },
          note: `p50 of what is added to a request; ${note}`,
        },
        {
          name: 'gateway-added-p95',
          value: quantile(added, 0.95),
          unit: 'ms',
          bar: { is: '<=', at: 10 },
          note: 'p95 of the same, the noise of both sides in it',
        },
        {
          name: 'gateway-core',
          value: cores.a - cores.b,
          unit: '% of a core',
          bar: { is: '<=', at: 5 },
          note: `${STREAMS} streams of ${MODEL.perSecond} events a second at once: ${cores.a.toFixed(1)} % through it, ${cores.b.toFixed(1)} % directly, client and provider in the same process; ${spread(cores)}`,
        },
        {
          name: 'gateway-rate',
          value: paired.ratio,
          unit: '×',
          bar: null,
          note: `an event stream of ${Math.round((large * PIECE.length) / MB)} MB: ${paired.a.toFixed(0)} MB/s through it, ${paired.b.toFixed(0)} MB/s directly; each event is read for what it used; ${spread(paired)}`,
        },
      ];
    } finally {
      agent.destroy();
      await shut();
      await close();
      provider.close();
    }
  },
};
