/** Offers the operations over HTTP on this machine alone, to whoever has the token. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { redactSecrets } from '#text-safety';
import { describeFailure } from '../../app/describe-failure.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { cliWords } from '../language.ts';
import type { CommonOptions } from '../show-runs.ts';
import { OPERATIONS } from './operations.ts';
import { runOperation, createMcpServer } from './serve-mcp.ts';

const MAX_BODY_BYTES = 1_000_000;
/** Security: only programs of this machine reach it; a proxy in front may let others. */
const ONLY_THIS_MACHINE = '127.0.0.1';

const NO_TOKEN = {
  message: { error: 'Send “Authorization: Bearer …” with the value of AGENTPR_API_TOKEN.' },
};

const STATUS: ReadonlyMap<number, 400 | 404 | 409> = new Map([
  [EXIT_CODES.usage, 400],
  [EXIT_CODES.notFound, 404],
  [EXIT_CODES.refused, 409],
]);

export const createHttpApi = (token: string, place: Pick<CommonOptions, 'data'>): Hono => {
  const mcp = createMcpHandler(() => createMcpServer(place));
  const api = new Hono();
  const asksForToken = bearerAuth({
    token,
    noAuthenticationHeader: NO_TOKEN,
    invalidAuthenticationHeader: NO_TOKEN,
    invalidToken: NO_TOKEN,
  });
  // guard: G3-api-token
  api.use(asksForToken);
  api.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) => context.json({ error: 'The request is too large.' }, 413),
    }),
  );
  api.all('/mcp', ({ req }) => mcp.fetch(req.raw));
  api.get('/api', (context) =>
    context.json(
      OPERATIONS.map(({ name, about, isReading, input }) => ({
        path: `/api/${name}`,
        about,
        isReading,
        input: z.toJSONSchema(input, { io: 'input' }),
      })),
    ),
  );
  for (const operation of OPERATIONS)
    api.post(`/api/${operation.name}`, async (context) => {
      const given = operation.input.safeParse(await context.req.json().catch(() => null));
      if (!given.success) return context.json({ error: z.prettifyError(given.error) }, 400);
      return context.json(await runOperation(operation, given.data, place));
    });
  api.notFound((context) => context.json({ error: 'There is nothing here. GET /api lists what is.' }, 404));
  api.onError((error, context) => {
    if ('getResponse' in error) return error.getResponse();
    const status = error instanceof CommandExit ? (STATUS.get(error.code) ?? 500) : 500;
    return context.json({ error: redactSecrets(describeFailure(cliWords(), error)) }, status);
  });
  return api;
};

/** Resolves with the address once it listens. Rejects with the system's error. */
export const serveApi = async (
  api: Hono,
  port: number,
): Promise<{ address: string; close(): Promise<void> }> => {
  const server = createAdaptorServer({ fetch: api.fetch });
  server.listen(port, ONLY_THIS_MACHINE);
  await once(server, 'listening');
  const { port: used } = server.address() as AddressInfo;
  return {
    address: `http://${ONLY_THIS_MACHINE}:${used}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
};
