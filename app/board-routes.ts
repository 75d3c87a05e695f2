/** O5: serves the board where its address is safe; loads it when its first page is asked for. */
import type { Board, BoardParts } from '#board';
import type { HttpHandler, HttpRoute } from '#webhooks';
import type { ControlConfig } from './config.ts';

const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost', '::1', '[::1]'];

/** Security: over plain HTTP, sessions could be read on the way. */
export const servesBoard = ({ host, publicUrl }: ControlConfig['http']): boolean =>
  publicUrl !== null || LOOPBACK_HOSTS.includes(host);

export const miniAppUrl = ({ publicUrl }: ControlConfig['http']): string | null =>
  publicUrl?.startsWith('https://') ? `${publicUrl.replace(/(?<!\/)\/+$/, '')}/board/app/open` : null;

export type ServedBoard = { routes: HttpRoute[]; heard(runId: string): void; close(): void };

export const createBoardRoutes = (parts: BoardParts): ServedBoard => {
  let loading: Promise<Board> | null = null;
  let board: Board | null = null;
  const load = async (): Promise<Board> => {
    const { createBoard } = await import('#board');
    board = createBoard(parts);
    return board;
  };
  const handle: HttpHandler = async (request, response) => {
    loading ??= load();
    await (await loading).handle(request, response);
  };
  return {
    routes: [
      {
        method: 'GET',
        path: '/',
        handle: (_request, response) => void response.writeHead(302, { location: '/board/' }).end(),
      },
      { method: 'GET', path: '/board', handle },
      { method: 'GET', path: '/board/', handle },
    ],
    heard: (runId) => board?.heard(runId),
    close: () => board?.close(),
  };
};
