/** Time of a turn of three proposers beside that of its slowest one alone (E9). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createModelRequester, type AskedModel } from '../../executors/engines/builtin/ask-model.ts';
import { thinkTogether, type Proposer } from '../../executors/engines/builtin/think-together.ts';
import { chatCompletions } from '../../tests/support/fake-model/openai.ts';
import { NO_USAGE } from '#model/reports';
import { median, round, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';

const DELAYS_MS: Readonly<Record<string, number>> = { quick: 200, middle: 350, slow: 500 };
const PATIENCE_MS = 60_000;

const createSlowModel = async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      const model = String(body['model']);
      const answer = chatCompletions({ say: 'I think.' }, { streams: false, id: '1', model, body });
      const events = 'events' in answer ? answer.events : [];
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const { data } of events)
          response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
        response.end();
      }, DELAYS_MS[model] ?? 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
};

export const proposers: Measurement = {
  name: 'proposers',
  about: 'three proposers of a turn beside the slowest of them alone',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const { url, close } = await createSlowModel();
    const usedBy = () => NO_USAGE;
    const way = { provider: 'openai', url, own: true, token: 't', note: () => {}, used: () => null, usedBy };
    const made: Proposer[] = [];
    for (const name of Object.keys(DELAYS_MS))
      made.push({
        name,
        model: name,
        prompt: null,
        ask: await createModelRequester({ ...way, reach: 'shared' }, name),
      });
    const asked: AskedModel = {
      system: 'Think.',
      messages: [{ role: 'user', content: 'What next?' }],
      tools: ['read'],
      mostTokens: 100,
      signal: new AbortController().signal,
      onPiece: () => {},
    };
    const think = (some: readonly Proposer[]): Promise<number> =>
      timed(async () => {
        const replies = await thinkTogether(some, asked, { usedBy }, PATIENCE_MS);
        if (replies.some(({ reply }) => reply.kind !== 'said')) throw new Error('a proposer did not answer');
      });
    const slowest = made.filter(({ name }) => name === 'slow');
    const ratios: number[] = [];
    const alone: number[] = [];
    await think(made);
    for (let i = 0; i < (quick ? 3 : pairs); i += 1) {
      const one = await think(slowest);
      alone.push(one);
      ratios.push((await think(made)) / one);
    }
    close();
    return [
      {
        name: 'proposers',
        value: Math.round(median(ratios) * 100) / 100,
        unit: '×',
        bar: { is: '<=', at: 1.1 },
        note: `models that answer after ${Object.values(DELAYS_MS).join(', ')} ms; the slowest alone ${round(median(alone))} ms`,
      },
    ];
  },
};
