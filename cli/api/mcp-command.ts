/** `agentpr mcp`: lets other programs order changes and follow them, over standard input or HTTP. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { SHORTEST_SECRET } from '#webhooks';
import { readRawEnvironment } from '../load-config.ts';
import { printRedacted } from '../output.ts';
import { CommandExit, EXIT_CODES } from '../exit-codes.ts';
import { cliWords } from '../language.ts';
import { createHttpApi, serveApi } from './serve-http.ts';
import { createMcpServer } from './serve-mcp.ts';

type Options = { http?: string; data?: string };

const readPort = (text: string): number => {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CommandExit(EXIT_CODES.usage, { kind: 'no_port', given: text });
};

/** RFC 6750, section 2.1: what a bearer token may be written with. */
const BEARER = /^[\w.~+/-]+=*$/;

/** Security: a token is asked for, because every user of the machine reaches the port. */
const requireToken = (): string => {
  const token = readRawEnvironment().AGENTPR_API_TOKEN?.trim() ?? '';
  if (token.length >= SHORTEST_SECRET && BEARER.test(token)) return token;
  throw new CommandExit(EXIT_CODES.config, { kind: 'no_api_token', min: SHORTEST_SECRET });
};

const untilStopped = (): Promise<unknown> =>
  Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);

const serve = async ({ http, data }: Options): Promise<void> => {
  const place = data === undefined ? {} : { data };
  if (http === undefined) {
    // Standard output belongs to the protocol.
    serveStdio(() => createMcpServer(place));
    return;
  }
  const port = readPort(http);
  const api = await serveApi(createHttpApi(requireToken(), place), port);
  printRedacted(cliWords().commandLine.apiListens({ address: api.address }));
  await untilStopped();
  await api.close();
};

export const addMcpCommand = (program: Command): void => {
  program
    .command('mcp')
    .option(
      '--http <port>',
      'listen on this port of 127.0.0.1 instead, with AGENTPR_API_TOKEN as the bearer token',
    )
    .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)')
    .action(serve);
};
