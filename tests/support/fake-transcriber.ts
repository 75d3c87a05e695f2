/** A local server that speaks OpenAI's audio API, and says what it was asked. */
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFields } from '../../playground/body.ts';

export type TranscriptRequest = {
  path: string;
  authorization: string | null;
  fields: Readonly<Record<string, unknown>>;
  file: { name: string; mime: string; content: Buffer } | null;
};
type Answering = (response: ServerResponse) => void;

export const createFakeTranscriber = async () => {
  const requests: TranscriptRequest[] = [];
  let answer: Answering = (response) => void response.end('{}');
  let asked: () => void = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fields = readFields(request.headers['content-type'] ?? '', Buffer.concat(chunks));
      requests.push({
        path: request.url ?? '',
        authorization: request.headers.authorization ?? null,
        fields: fields?.params ?? {},
        file: fields?.files.file ?? null,
      });
      asked();
      answer(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reply =
    (status: number, body: string): Answering =>
    (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    says: (text: string) => void (answer = reply(200, JSON.stringify({ text }))),
    answers: (status: number, body: string) => void (answer = reply(status, body)),
    /** Never answers. */
    hangs: () => void (answer = () => undefined),
    onAsked: (listener: () => void) => void (asked = listener),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
export type FakeTranscriber = Awaited<ReturnType<typeof createFakeTranscriber>>;
