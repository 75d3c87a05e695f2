/** A gateway, a scripted provider, and a client inside a sandbox. */
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { createGateway, type OpenedGateway } from '../../executors/gateway/gateway.ts';
import type { ModelGrant } from '../../executors/gateway/relay-model-request.ts';
import type { ModelLimits } from '../../executors/gateway/attempt-allowance.ts';
import { maxCommitment, type SpendingStop } from '#model/spending';
import type { ModelUsage } from '#model/reports';

export const KEY = 'sk-operator-7Hq2Lm9Rz4Tw8Xc1Vb6Ny3Kd';

export type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Plays = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export const createProvider = async (plays: Plays) => {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      heard.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      plays(request, response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
};

export const NO_LIMITS: ModelLimits = {
  tokens: null,
  costUsd: null,
  requests: 1_000,
  perMinute: 1_000,
  identical: 1_000,
};

export const openDoor = async (
  base: string,
  grant: Partial<Omit<ModelGrant, 'limits'>> & { limits?: Partial<ModelLimits> } = {},
  more: Pick<Parameters<typeof createGateway>[0], 'now' | 'hide' | 'budget' | 'onTrouble' | 'onEcho'> & {
    onOver?: () => void;
    reserve?: (most: ModelUsage) => Promise<SpendingStop | null | void>;
  } = {},
): Promise<OpenedGateway & { token: string; socket: string }> => {
  const gateway = createGateway(more);
  onTestFinished(() => gateway.close());
  const opened = await gateway.open({
    runId: 'r1',
    network: 'none',
    models: {
      shapes: ['openai', 'anthropic'],
      base: `${base}/v1`,
      key: KEY,
      prices: {},
      hosted: {},
      ...grant,
      limits: { ...NO_LIMITS, ...grant.limits },
    },
    ...(more.onOver ? { onOver: more.onOver } : {}),
    ...(more.reserve ? { reserve: async (asks) => (await more.reserve?.(maxCommitment(asks))) ?? null } : {}),
  });
  if (typeof opened.reach === 'string') throw new Error('the door is no socket');
  return { ...opened, token: opened.models?.token ?? '', socket: opened.reach.socket };
};

export type Answered = { status: number; headers: IncomingMessage['headers']; body: string };
export const ask = async (
  socketPath: string,
  path: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    /** Called with each piece of the answer. */
    onPiece?: (piece: Buffer) => void;
  } = {},
): Promise<Answered> => {
  const { method = 'POST', headers = {}, body, onPiece } = options;
  const request = http.request({
    socketPath,
    path,
    method,
    agent: false,
    headers: { host: '127.0.0.1:17117', 'content-type': 'application/json', ...headers },
  });
  const response = once(request, 'response') as Promise<[IncomingMessage]>;
  // The server may answer and close before it has read everything.
  request.on('error', () => {});
  request.end(body);
  const [answer] = await response;
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    onPiece?.(chunk);
  }
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
};

/** Sends raw bytes and reads until the other side closes. */
export const askRaw = async (socketPath: string, bytes: string): Promise<string> => {
  const socket = connect(socketPath);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
};
