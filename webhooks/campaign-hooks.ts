/** `POST /hooks/<name>` asks for a campaign or for one change: verified, stored, acknowledged (F5). */
import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Inbox } from '#runtime';
import type { SystemClock, LogPort } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import { sendJson, refuseRequest } from './answer-request.ts';
import { createBodyReader, type BodyLimits } from './read-body.ts';
import type { HttpRefusal } from './delivery-headers.ts';
import type { HttpHandler, HttpRoute } from './http-server.ts';
import { readBodySignedHead } from './body-signed-call.ts';
import type { VerifySignature } from './verify-signature.ts';
import { isCallSigned, MAX_CALL_BYTES, readCallHead, TOO_LARGE } from './standard-webhooks.ts';

export type HookCall = { item: IncomingItem; campaign: string };
/** What a program sends besides asks for nothing; an error would make it send that again. */
export type IgnoredCall = { ignored: string };

/** Two secrets during a rotation. */
export type HookCaller =
  | { kind: 'standard'; keys: readonly KeyObject[] }
  | { kind: 'body'; header: string; prefix: string; verify: VerifySignature };

export type HookParts = {
  hooks: ReadonlyMap<string, HookCaller>;
  /** `id` is empty where calls carry none. */
  read: (hook: string, id: string, body: string) => Promise<HookCall | HttpRefusal | IgnoredCall>;
  receive: Inbox['receive'];
  clock: SystemClock;
  log: Pick<LogPort, 'error'>;
  limits?: BodyLimits;
};

const PREFIX = '/hooks/';

export const createCampaignHookRoute = (parts: HookParts): HttpRoute => ({
  method: 'POST',
  path: PREFIX,
  handle: createHandler(parts),
});

const createHandler = ({ hooks, read, receive, clock, log, limits }: HookParts): HttpHandler => {
  const readBody = createBodyReader(limits);
  const inTurn = createTurns();
  return async (request, response) => {
    const [name = ''] = (request.url ?? '').slice(PREFIX.length).split('?', 1);
    const caller = hooks.get(name);
    if (!caller)
      return refuseRequest(request, response, {
        status: 404,
        error: 'There is no webhook of this name here.',
      });
    const head = readHead(caller, name, request.headers, clock.now());
    if ('error' in head) return refuseRequest(request, response, head);
    const body = await readBody(request, head.length);
    if ('error' in body) return refuseRequest(request, response, body);
    // guard: F5-hook-signature
    const signed = head.isSigned(body.pieces);
    const bytes = Buffer.concat(body.pieces);
    body.free();
    if (!signed)
      return refuseRequest(request, response, { status: 401, error: 'The signature does not fit the body.' });
    if (bytes.length > MAX_CALL_BYTES)
      return refuseRequest(request, response, { status: 413, error: TOO_LARGE });
    try {
      const answer = await inTurn(name, async () => {
        const called = await read(name, head.id, bytes.toString());
        if ('error' in called || 'ignored' in called) return called;
        const [row] = await receive([called.item]);
        if (!row) throw new Error('a call was neither stored nor known');
        return { id: called.campaign, duplicate: row.duplicate };
      });
      if ('error' in answer) return refuseRequest(request, response, answer);
      if ('ignored' in answer)
        return sendJson(response, 200, JSON.stringify({ stored: false, note: answer.ignored }));
      sendJson(response, answer.duplicate ? 200 : 202, JSON.stringify(answer));
    } catch (error) {
      log.error({ err: error }, 'a call of a webhook could not be stored');
      refuseRequest(request, response, {
        status: 503,
        error: 'It could not be stored now. Call again later.',
      });
    }
  };
};

type ReadHead = {
  id: string;
  length: number | null;
  isSigned: (body: readonly Uint8Array[]) => boolean;
};
const readHead = (
  caller: HookCaller,
  name: string,
  headers: IncomingHttpHeaders,
  now: number,
): ReadHead | HttpRefusal => {
  if (caller.kind === 'standard') {
    const head = readCallHead(name, headers, now);
    return 'error' in head ? head : { ...head, isSigned: (body) => isCallSigned(caller.keys, head, body) };
  }
  const head = readBodySignedHead(caller, headers);
  if ('error' in head) return head;
  const { length, signature } = head;
  return { id: '', length, isSigned: (body) => caller.verify(body, signature) };
};

/** Serialised by name, as limits depend on earlier calls. */
const createTurns = () => {
  const last = new Map<string, Promise<unknown>>();
  // guard: F5-calls-in-turn
  return <T>(name: string, go: () => Promise<T>): Promise<T> => {
    const done = (last.get(name) ?? Promise.resolve()).then(go);
    last.set(
      name,
      done.catch(() => undefined),
    );
    return done;
  };
};
