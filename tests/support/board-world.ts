/** The board over HTTP beside a chat, on one real ledger. */
import { createBoardRoutes } from '../../app/board-routes.ts';
import { readPatchBook } from '#chat-text';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { closeServer, createHttpServer, listenOn } from '../../webhooks/http-server.ts';
import { createChatWorld } from './chat-world.ts';
import { readerHere } from './reader-here.ts';

export const BOT_TOKEN = '4242:token-of-the-board';

type ChatWorld = Awaited<ReturnType<typeof createChatWorld>>;
export type BoardWorld = Awaited<ReturnType<typeof createBoardWorld>>;
type Given = NonNullable<Parameters<typeof createChatWorld>[0]> & { faults?: unknown[] };

export const createBoardWorld = async ({ faults = [], ...given }: Given = {}) => {
  const chat: ChatWorld = await createChatWorld(given);
  const board = createBoardRoutes({
    access: chat.access,
    query: chat.ledger.query,
    patch: chat.patch,
    fileOf: given.files ?? (async () => null),
    readBook: async (patch) => readPatchBook(patch),
    distillLog: async (log) => log.slice(0, 2_000),
    readLog: async (log) => (await readerHere.readLog(log)).shown,
    replay: (runId) => replayRuns(chat.ledger, runId),
    reports: chat.reports,
    wordsFor: chat.wordsFor,
    chatAddress: (payload) => `https://t.me/agentpr_bot?start=${payload}`,
    serverUrl: 'https://github.com',
    appToken: BOT_TOKEN,
    clock: chat.clock,
    log: { error: (...what) => void faults.push(what) },
  });
  const server = createHttpServer(board.routes, { error: (...what) => void faults.push(what) });
  const address = await listenOn(server, '127.0.0.1', 0);
  chat.serveBoardAt(address);
  const close = async (): Promise<void> => {
    board.close();
    await closeServer(server);
  };
  given.atEnd?.(close);
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${address}${path}`, { headers, redirect: 'manual' });
  const linkOf = (text: string): string => {
    const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/board\/enter\/[^\s<]+/.exec(text) ?? [];
    return link.slice(address.length);
  };
  const signIn = async (user: string): Promise<{ cookie: string }> => {
    const said = await chat.says('/board', { by: user });
    const opened = await get(`${linkOf(said.join('\n'))}/confirmed`);
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
    return { cookie };
  };
  return { ...chat, board, address, get, linkOf, signIn, close };
};
