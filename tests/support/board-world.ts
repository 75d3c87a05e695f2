/** The board over HTTP beside a chat, on one real ledger. */
import { SpendingBudgets } from '#model/spending';
import { readSpending } from '#limits';
import { createBoardSteering } from '../../app/board-parts.ts';
import { boardAddressOf, createBoardRoutes } from '../../app/board-routes.ts';
import { readPatchBook } from '#chat-text';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { closeServer, createHttpServer, listenOn } from '../../webhooks/http-server.ts';
import { createKeyDecisions, keyOriginOf, type KeyOrigin } from '#passkeys';
import { z } from 'zod';
import { createSoftKey, type SoftKey } from './soft-key.ts';
import { createChatWorld } from './chat-world.ts';
import { readerHere } from './reader-here.ts';

export const BOT_TOKEN = '4242:token-of-the-board';

type ChatWorld = Awaited<ReturnType<typeof createChatWorld>>;
export type BoardWorld = Awaited<ReturnType<typeof createBoardWorld>>;
type Given = NonNullable<Parameters<typeof createChatWorld>[0]> & { faults?: unknown[] };

/** What a page gives its script; null when it asks for nothing. */
export const recordIn = (page: string, id: string): unknown => {
  const [, text] = new RegExp(`id="${id}" data-asked="([^"]*)"`).exec(page) ?? [];
  if (text === undefined) return null;
  return JSON.parse(text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))));
};

export const optionsIn = (page: string): { challenge: string; rp: { id: string } } =>
  z
    .object({ challenge: z.string(), rp: z.object({ id: z.string() }) })
    .parse(recordIn(page, 'register-asked'));

export const createBoardWorld = async ({ faults = [], ...given }: Given = {}) => {
  const chat: ChatWorld = await createChatWorld(given);
  let address: string | null = null;
  const registered: string[] = [];
  const origin = (): KeyOrigin | null => (address === null ? null : keyOriginOf(address));
  const board = createBoardRoutes({
    access: chat.access,
    query: chat.ledger.query,
    patch: chat.patch,
    fileOf: given.files ?? (async () => null),
    readBook: async (patch) => readPatchBook(patch),
    distillLog: async (log) => log.slice(0, 2_000),
    readLog: readerHere.readLog,
    replay: (runId) => replayRuns(chat.ledger, runId),
    reports: chat.reports,
    costs: () =>
      readSpending({
        ledger: chat.ledger,
        clock: chat.clock,
        budgets: async () => SpendingBudgets.parse({ month: 100 }),
      }),
    wordsFor: chat.wordsFor,
    chatAddress: (payload) => `https://t.me/agentpr_bot?start=${payload}`,
    serverUrl: 'https://github.com',
    appToken: BOT_TOKEN,
    tell: createBoardSteering({
      submit: chat.submit,
      query: chat.ledger.query,
      roleOf: (user) => chat.access.roleOf(user),
    }),
    keys: {
      passkeys: chat.passkeys,
      origin,
      decisions: createKeyDecisions({
        query: chat.ledger.query,
        submit: chat.submit,
        passkeys: chat.passkeys,
        trusted: chat.trusted,
        roleOf: (user) => chat.access.roleOf(user),
        publicNames: {},
        clock: chat.clock,
        origin,
      }),
      onRegistered: async (person, fingerprint) => registered.push(`${person.name} ${fingerprint}`),
    },
    clock: chat.clock,
    log: { error: (...what) => void faults.push(what) },
  });
  const server = createHttpServer(board.routes, { error: (...what) => void faults.push(what) });
  const served = boardAddressOf(null, await listenOn(server, '127.0.0.1', 0));
  address = served;
  chat.serveBoardAt(served);
  const close = async (): Promise<void> => {
    board.close();
    await closeServer(server);
  };
  given.atEnd?.(close);
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${served}${path}`, { headers, redirect: 'manual' });
  let opened = '';
  /** What a page sends: of its own site, as JSON, with the origin of the link that opened it. */
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${served}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: opened, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const linkOf = (text: string): string => {
    const [, at = '', link = ''] = /(http:\/\/[\w.]+:\d+)(\/board\/enter\/[^\s<]+)/.exec(text) ?? [];
    opened = at;
    return link;
  };
  const signIn = async (user: string, command = '/board'): Promise<{ cookie: string }> => {
    const said = await chat.says(command, { by: user });
    const opened = await get(`${linkOf(said.join('\n'))}/confirmed`);
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
    return { cookie };
  };
  /** Registers a key of software for a person, as their browser does. */
  const giveKey = async (user: string, key = createSoftKey()): Promise<SoftKey> => {
    const { cookie } = await signIn(user, '/passkey');
    const page = await (await get('/board/passkeys', { cookie })).text();
    const answer = await post('/board/passkeys', key.register(optionsIn(page), origin()?.origin ?? ''), {
      cookie,
    });
    if (!answer.ok) throw new Error(`no key was registered: ${answer.status} ${await answer.text()}`);
    return key;
  };
  return { ...chat, board, address: served, origin, registered, giveKey, post, get, linkOf, signIn, close };
};
