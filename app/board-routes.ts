/** Serves the board where its address is safe; loads it when its first page is asked for (O5). */
import type { Board, BoardParts } from '#board';
import { keyOriginOf } from '#passkeys';
import { createBodyReader, refuseRequest, type HttpHandler, type HttpRoute } from '#webhooks';
import type { ControlConfig } from './config.ts';

/** Larger than any decision with its signature. */
const MAX_ACT_BYTES = 64_000;

const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost', '::1', '[::1]'];

/** Security: over plain HTTP, sessions could be read on the way. */
export const canServeBoard = ({ host, publicUrl }: ControlConfig['http']): boolean =>
  publicUrl !== null || LOOPBACK_HOSTS.includes(host);

export const miniAppUrl = ({ publicUrl }: ControlConfig['http']): string | null =>
  publicUrl?.startsWith('https://') ? `${publicUrl}/board/app/open` : null;

export const boardAddressOf = (publicUrl: string | null, listening: string): string =>
  publicUrl ?? keyOriginOf(listening)?.origin ?? listening;

export type ServedBoard = { routes: HttpRoute[]; onRunChanged(runId: string): void; close(): void };

export const createBoardRoutes = (parts: BoardParts): ServedBoard => {
  let loading: Promise<Board> | null = null;
  let board: Board | null = null;
  const loadBoard = async (): Promise<Board> => {
    const { createBoard } = await import('#board');
    board = createBoard(parts);
    return board;
  };
  const readBody = createBodyReader();
  const handle: HttpHandler = async (request, response) => {
    loading ??= loadBoard();
    await (await loading).handle(request, response);
  };
  const handleAct: HttpHandler = async (request, response) => {
    const announced = Number(request.headers['content-length'] ?? Number.NaN);
    // guard: G11-act-size
    if (!(announced <= MAX_ACT_BYTES))
      return refuseRequest(request, response, {
        status: 413,
        error: 'The body is larger than any decision.',
      });
    const body = await readBody(request, announced);
    if ('error' in body) return refuseRequest(request, response, body);
    const text = Buffer.concat(body.pieces).toString();
    body.free();
    loading ??= loadBoard();
    await (await loading).act(request, response, text);
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
      { method: 'POST', path: '/board/', handle: handleAct },
    ],
    onRunChanged: (runId) => board?.onRunChanged(runId),
    close: () => board?.close(),
  };
};
