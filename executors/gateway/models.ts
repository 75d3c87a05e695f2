/**
 * E16: passes a request of the box on to the provider, with the key in place of the attempt's token,
 * and counts what it used.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NO_USAGE, type Usage } from '../../orchestrator/core/facts.ts';
import { networkFaultOf, networkWords } from '../../orchestrator/ports.ts';
import { MB, MINUTE, SECOND } from '../../orchestrator/core/units.ts';
import { createAllowance, type Allowance, type ModelLimits, type Exhausted } from './allowance.ts';
import { passOn } from './answer.ts';
import { askedToWait, type ProviderBudget } from './budget.ts';
import { costOf, priceOf, type Prices } from './prices.ts';
import { countedFor, createReader, type Read } from './reader.ts';
import { readAsked, tokensAsked, type ModelRequest } from './request.ts';
import { routeOf, SHAPES, type ShapeName, type TokenCounts, type RefusalKind } from './shapes.ts';
import { createTranscript } from './transcript.ts';
import type { HttpAgents } from '../network/http-agents.ts';
import { askUpstream, chosen } from './upstream.ts';

/** Where a model is, and what it may cost. */
export type ModelGrant = {
  /** The first is spoken where nothing tells which. */
  shapes: readonly [ShapeName, ...ShapeName[]];
  /** With its version: `https://api.openai.com/v1`. */
  base: string;
  key: string | null;
  limits: ModelLimits;
  prices: Prices;
};

export type ModelDoor = {
  token: string;
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>;
  /** So far, by what passed through. */
  used: () => Usage;
  /** Why requests are refused by now; null while they are not. */
  over: () => Overrun | null;
  transcript: () => string;
  /** A line of the transcript that is none of the model’s: what was decided. */
  note: (text: string) => void;
  /** Of at least one answer the provider told too little, so that it was estimated. */
  estimated: () => boolean;
};
export type Overrun = { spent: Exhausted | 'price'; says: string };

const LARGEST_REQUEST = 32 * MB;
/** Requests of one attempt at the same time. */
const AT_ONCE = 16;
const LONGEST_MS = 30 * MINUTE;

const OVER: Readonly<Record<Exhausted, (limits: ModelLimits) => string>> = {
  tokens: () => 'The token budget of this run is used up (maxTokens).',
  cost: () => 'The cost budget of this run is used up (maxCostUsd).',
  requests: ({ requests }) => `The agent asked its model ${requests} times in one turn (gateway.requests).`,
  perMinute: ({ perMinute }) =>
    `The agent asked its model ${perMinute} times within a minute (gateway.perMinute).`,
  identical: ({ identical }) =>
    `The agent made the same call ${identical} times in a row (gateway.identical).`,
};

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The header in which the token came is the one in which the provider expects the key. */
const tokenIn = ({
  headers,
}: IncomingMessage): { header: 'x-api-key' | 'authorization'; token: string } | null => {
  const own = headers['x-api-key'];
  if (typeof own === 'string') return { header: 'x-api-key', token: own };
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return bearer === undefined ? null : { header: 'authorization', token: bearer };
};

const bodyOf = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_REQUEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Where the provider serves what the box asks for. Paths are few and known: nothing is decoded. */
const target = ({ base }: ModelGrant, url: URL): URL =>
  new URL(base.replace(/\/+$/, '') + url.pathname.slice('/v1'.length) + url.search);
const PLAIN_QUERY = /^(\?[\w=&.,-]{0,200})?$/;

type Deps = {
  agents: HttpAgents;
  budget: ProviderBudget;
  now: () => number;
  hide: (text: string) => string;
  onUsed: () => void;
  /** Once, when the first request was refused for good. */
  onOver: () => void;
};

/** Serves one attempt; `token` is all that its box knows. */
export const createModelDoor = (grant: ModelGrant, token: string, deps: Deps): ModelDoor => {
  const { shapes, key, limits, prices } = grant;
  const { now, budget } = deps;
  const provider = new URL(grant.base).host;
  const allowance: Allowance = createAllowance(limits, now);
  const transcript = createTranscript((text) => deps.hide(text.replaceAll(token, '[token]')));
  let over: Overrun | null = null;
  let estimated = false;
  let atOnce = 0;
  let known = 0;

  const refuse = (response: ServerResponse, shape: ShapeName, of: RefusalKind, message: string): void => {
    const { status, type } = SHAPES[shape].trouble[of];
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(SHAPES[shape].body(type, message)));
  };
  const end = (response: ServerResponse, shape: ShapeName, found: Overrun): void => {
    if (over === null) {
      over = found;
      transcript.note(found.says);
      deps.onOver();
    }
    refuse(response, shape, 'over', `${found.says} Stop here: no further request will be answered.`);
  };

  const priced = (model: string | null): boolean => model !== null && priceOf(model, prices) !== null;
  const usageOf = (model: string | null, tokens: TokenCounts): Usage => {
    const price = model === null ? null : priceOf(model, prices);
    return {
      inputTokens: tokens.fresh + tokens.cached + tokens.stored,
      outputTokens: tokens.output,
      costUsd: price === null ? 0 : costOf(price, tokens),
    };
  };
  /** What it may come to at most, to be set aside while it is under way. */
  const needOf = (asked: ModelRequest) => {
    const { input, output } = tokensAsked(asked);
    const { costUsd } = usageOf(asked.model, { fresh: input, cached: 0, stored: 0, output });
    return { tokens: input + output, costUsd };
  };
  /** What no earlier request had; conversations only grow, or begin anew. */
  const fresh = ({ items }: ModelRequest): string => {
    const from = items.length > known ? known : Math.max(0, items.length - 1);
    known = items.length;
    return JSON.stringify(items.slice(from));
  };

  const pass = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    body: Buffer | null,
    header: 'x-api-key' | 'authorization',
    shape: ShapeName,
    asked: ModelRequest | null,
  ): Promise<Usage> => {
    const began = now();
    const left = new AbortController();
    response.once('close', () => left.abort());
    const secret = key === null ? {} : { [header]: header === 'x-api-key' ? key : `Bearer ${key}` };
    const note = (status: number | null, read: Read, reached: boolean): Usage => {
      if (asked === null) return NO_USAGE;
      const isAnswer = reached && (status === null || status < 400);
      const counted = countedFor(read, asked.characters);
      const usage = isAnswer || read.told !== null ? usageOf(asked.model, counted.tokens) : NO_USAGE;
      estimated ||= isAnswer && counted.estimated;
      transcript.add({
        path: url.pathname,
        model: asked.model,
        status,
        ms: now() - began,
        usage,
        priced: priced(asked.model),
        estimated: isAnswer && counted.estimated,
        asked: fresh(asked),
        said: read.said,
      });
      return usage;
    };
    const nothing: Read = { told: null, characters: 0, said: '' };
    const wait = await budget.left(provider);
    // guard: E16-provider-left-alone
    if (wait > 0) {
      const seconds = Math.ceil(wait / SECOND);
      response.setHeader('retry-after', seconds);
      refuse(response, shape, 'limited', `The provider of the model takes nothing for ${seconds} s.`);
      return note(SHAPES[shape].trouble.limited.status, nothing, false);
    }
    let answer: IncomingMessage;
    try {
      answer = await askUpstream(deps.agents, target(grant, url), {
        method: request.method ?? 'GET',
        headers: { ...chosen(request.headers, 'asks'), 'accept-encoding': 'identity', ...secret },
        body,
        signal: AbortSignal.any([left.signal, AbortSignal.timeout(LONGEST_MS)]),
      });
    } catch (error) {
      const fault = networkFaultOf(error);
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
      if (left.signal.aborted) return note(null, nothing, true);
      refuse(
        response,
        shape,
        'provider',
        fault === null
          ? `The provider of the model cannot be reached (${code}).`
          : networkWords(`the provider of the model, ${provider},`, fault),
      );
      return note(SHAPES[shape].trouble.provider.status, nothing, false);
    }
    const status = answer.statusCode ?? 502;
    const asks = askedToWait(status, answer.headers);
    if (asks !== null) await budget.refused(provider, asks);
    // guard: E16-no-redirect
    if (status >= 300 && status < 400) {
      answer.destroy();
      refuse(
        response,
        shape,
        'provider',
        `The provider of the model sends requests elsewhere (${status}); that is not followed.`,
      );
      return note(status, nothing, false);
    }
    response.writeHead(status, chosen(answer.headers, 'answers'));
    response.flushHeaders();
    const reader = createReader(shape, answer.headers['content-type'] ?? '');
    const ended = await passOn(answer, response, reader.add);
    return note(ended === 'left' ? null : status, reader.end(), true);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const given = tokenIn(request);
    // guard: E16-own-token
    if (given === null || !isSame(given.token, token))
      return refuse(response, shapes[0], 'token', 'This token is not known here.');
    const route = routeOf(shapes, request.method ?? '', url.pathname);
    if (route === null || !PLAIN_QUERY.test(url.search))
      return refuse(response, shapes[0], 'path', 'Only requests to the model are passed on.');
    const { shape } = route;
    const isPost = request.method === 'POST';
    const body = isPost ? await bodyOf(request) : null;
    if (isPost && body === null) return refuse(response, shape, 'large', 'The request is too large.');
    const asked = body === null ? null : readAsked(body);
    if (body !== null && asked === null) return refuse(response, shape, 'bad', 'The request is no JSON.');
    const paid = route.paid ? asked : null;
    if (limits.costUsd !== null && paid !== null && !priced(paid.model))
      return end(response, shape, { spent: 'price', says: unpriced(paid.model) });
    const ticket = await allowance.ask(
      paid === null ? { tokens: 0, costUsd: 0 } : needOf(paid),
      paid?.call ?? null,
    );
    if ('over' in ticket)
      return end(response, shape, { spent: ticket.over, says: OVER[ticket.over](limits) });
    let came = NO_USAGE;
    try {
      if (!response.destroyed) came = await pass(request, response, url, body, given.header, shape, paid);
    } finally {
      ticket.settle(came);
      deps.onUsed();
    }
  };

  return {
    token,
    handle: async (request, response, url) => {
      if (atOnce >= AT_ONCE)
        return refuse(response, shapes[0], 'large', `More than ${AT_ONCE} requests at once.`);
      atOnce += 1;
      try {
        await serve(request, response, url);
      } finally {
        atOnce -= 1;
      }
    },
    used: allowance.used,
    over: () => over,
    transcript: transcript.text,
    note: transcript.note,
    estimated: () => estimated,
  };
};

const unpriced = (model: string | null): string =>
  `The cost of this run is limited, and nobody has said what ${model ?? 'this model'} costs: name its price in ` +
  '"gateway.prices" of agentpr.config.json, or take the limit away (maxCostUsd).';
