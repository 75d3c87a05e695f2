/**
 * `POST /webhooks/github` verifies and stores a body, then answers 202 (F2, L3). The middleware of
 * @octokit/webhooks acknowledges before storing and buffers unverified bodies of any size.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Inbox } from '#runtime';
import type { IncomingItem } from '#ports/steps';
import type { RepositoryIdentity } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import { sendJson, refuseRequest } from './answer-request.ts';
import { createBodyReader, type BodyLimits } from './read-body.ts';
import { readDeliveryHead, type DeliveryHead, type HttpRefusal } from './delivery-headers.ts';
import type { HttpHandler, HttpRoute } from './http-server.ts';
import { isHandledEvent, readDelivery, type DeliveryObservation } from './read-delivery.ts';
import { MB } from '#model/values';
import { findRepositoryNames } from './repository-names.ts';
import { createSignatureVerifier, type VerifySignature } from './verify-signature.ts';

export const REOPENED_EVENT = 'pull_request.reopened';
export const WEBHOOK_PATH = '/webhooks/github';

export type ReceiverParts = {
  /** Two during a rotation; null when there is none. */
  secrets: readonly string[] | null;
  receive: Inbox['receive'];
  /** `event` is that of the header, or REOPENED_EVENT. */
  hasLiveRun: (repo: RepositoryIdentity, event: string) => Promise<boolean>;
  /** L10: hears of a verified delivery that concerns no run; nothing of it is stored. */
  countUnrelated: (event: string, repos: readonly RepositoryIdentity[]) => void;
  log: Pick<LogPort, 'error'>;
  limits?: BodyLimits;
};

/** Maximum length of a stored unreadable payload (characters). */
const MAX_UNREADABLE_CHARACTERS = 100_000;

export const createReceiver = (parts: ReceiverParts): HttpRoute => ({
  method: 'POST',
  path: WEBHOOK_PATH,
  handle: parts.secrets ? createHandler(parts, parts.secrets) : refuseSwitchedOff,
});

const refuseSwitchedOff = (request: IncomingMessage, response: ServerResponse): void =>
  refuseRequest(request, response, {
    status: 404,
    error: 'Webhooks are switched off: set GITHUB_WEBHOOK_SECRET.',
  });

const createHandler = (
  { receive, hasLiveRun, countUnrelated, log, limits }: ReceiverParts,
  secrets: readonly string[],
): HttpHandler => {
  const verify = createSignatureVerifier(secrets);
  const read = createBodyReader(limits);

  return async (request, response) => {
    const head = readDeliveryHead(request.headers);
    if ('error' in head) return refuseRequest(request, response, head);
    const body = await read(request, head.length);
    if ('error' in body) return refuseRequest(request, response, body);
    const text = await readSignedText(head, body.pieces, verify);
    body.free();
    if (typeof text !== 'string') return refuseRequest(request, response, text);
    try {
      const item = await readItem(head, text, hasLiveRun);
      if ('error' in item) return refuseRequest(request, response, item);
      if ('unrelated' in item) {
        countUnrelated(head.event, item.unrelated);
        return sendJson(response, 202, NO_RUN_ANSWER);
      }
      const [row] = await receive([item]);
      if (!row) throw new Error('a delivery was neither stored nor known');
      const { id, duplicate } = row;
      sendJson(response, duplicate ? 200 : 202, `{"id":${id},"duplicate":${duplicate}}`);
    } catch (error) {
      log.error({ err: error }, 'a delivery could not be stored');
      refuseRequest(request, response, {
        status: 503,
        error: 'It could not be stored now. Deliver it again later.',
      });
    }
  };
};

const NO_RUN_ANSWER = JSON.stringify({ stored: false, note: 'no run of ours' });

/** O10: larger bodies yield between steps (bytes). */
const YIELD_ABOVE_BYTES = MB;
const yieldIfLarge = (size: number): Promise<unknown> | null => (size > YIELD_ABOVE_BYTES ? turn() : null);

const readSignedText = async (
  head: DeliveryHead,
  pieces: readonly Buffer[],
  verify: VerifySignature,
): Promise<string | HttpRefusal> => {
  // guard: F2-signature
  if (!verify(pieces, head.signature)) return { status: 401, error: 'The signature does not fit the body.' };
  await yieldIfLarge(head.length ?? 0);
  const [first] = pieces;
  const raw = (pieces.length === 1 && first ? first : Buffer.concat(pieces)).toString();
  return head.form ? readFormPayload(raw) : raw;
};

const FORM_FIELD = 'payload=';
/**
 * The signature covers no headers: bytes signed as JSON must never be parsed as a form, where a
 * stranger's comment could pose as the message.
 */
const readFormPayload = (raw: string): string | HttpRefusal => {
  const value = raw.slice(FORM_FIELD.length);
  if (raw.startsWith(FORM_FIELD) && /^[\w%+.*~!'()-]+$/.test(value)) {
    try {
      return decodeURIComponent(value.replaceAll('+', ' '));
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
    }
  }
  return { status: 400, error: 'The body is not a form with the one field “payload”.' };
};

const readItem = async (
  { delivery, event }: DeliveryHead,
  text: string,
  hasLiveRun: ReceiverParts['hasLiveRun'],
): Promise<IncomingItem | HttpRefusal | { unrelated: readonly RepositoryIdentity[] }> => {
  const names = findRepositoryNames(text);
  // S11: a run that a closing ended hears of the reopening. The words may stand elsewhere in the text.
  const what = event === 'pull_request' && text.includes('"reopened"') ? REOPENED_EVENT : event;
  // guard: L10-not-stored
  if (
    isHandledEvent(event) &&
    names !== null &&
    (await areUnrelated(names, (repo) => hasLiveRun(repo, what)))
  )
    return { unrelated: names };
  await yieldIfLarge(text.length);
  const payload = parsePayloadObject(text);
  await yieldIfLarge(text.length);
  if (payload === null) return { status: 400, error: 'The body is not a JSON object.' };
  const body = toStoredDelivery(event, payload, text);
  // L8: one lane per repository, so that a busy one does not delay others.
  const lane = `forge:${names?.[0]?.fullName ?? ''}`;
  return {
    source: 'forge',
    key: delivery,
    body,
    lane,
    ...('ignored' in body.seen ? { done: `ignored: ${body.seen.ignored}` } : {}),
  };
};

const areUnrelated = async (
  repos: readonly RepositoryIdentity[],
  hasLiveRun: (repo: RepositoryIdentity) => Promise<boolean>,
): Promise<boolean> => {
  for (const repo of repos) if (await hasLiveRun(repo)) return false;
  return true;
};

const parsePayloadObject = (text: string): object | null => {
  try {
    const payload: unknown = JSON.parse(text);
    return typeof payload === 'object' && !Array.isArray(payload) ? payload : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

type Stored = { event: string; seen: DeliveryObservation; payload?: string };

/** Stores no text by outsiders, except an unreadable payload, kept for inspection. */
const toStoredDelivery = (event: string, payload: object, text: string): Stored => {
  const seen = readDelivery(event, payload);
  if (!('unreadable' in seen)) return { event, seen };
  return { event, seen, payload: text.slice(0, MAX_UNREADABLE_CHARACTERS) };
};
