/** Reads a box's request to its model: token, body and destination. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MB } from '#model/values';

const MAX_REQUEST_BYTES = 32 * MB;

const KEY_HEADERS = ['x-api-key', 'x-goog-api-key'] as const;
export type KeyHeader = (typeof KEY_HEADERS)[number] | 'authorization';

/** The provider expects the key in the token's header. */
const tokenIn = ({ headers }: IncomingMessage): { header: KeyHeader; token: string } | null => {
  for (const header of KEY_HEADERS) {
    const own = headers[header];
    if (typeof own === 'string') return { header, token: own };
  }
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return bearer === undefined ? null : { header: 'authorization', token: bearer };
};

const isSame = (actual: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** Returns null for any token but the attempt's. */
export const authenticateBox = (request: IncomingMessage, token: string): KeyHeader | null => {
  const given = tokenIn(request);
  // guard: E16-own-token
  if (given === null || !isSame(given.token, token)) return null;
  return given.header;
};

export const readRequestBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REQUEST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const VERSION = /^\/v1(?:beta)?(?=\/)/;
export const isModelPath = (path: string): boolean => VERSION.test(path);
/** Allowed paths are few and known, so nothing is decoded. */
export const upstreamUrlOf = (base: string, url: URL): URL =>
  new URL(base.replace(/(?<!\/)\/+$/, '') + url.pathname.replace(VERSION, '') + url.search);
