/** Forwards a box's requests to the provider with the key, and counts usage (E16). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { addUsage, NO_USAGE, type ModelUsage } from '#model/reports';
import { MINUTE, SECOND } from '#model/values';
import { networkFaultOf, networkWords } from '#network-faults';
import {
  createAttemptAllowance,
  type AttemptAllowance,
  type LimitsNow,
  type ModelLimits,
  type ExhaustedLimit,
} from './attempt-allowance.ts';
import { isReadableEncoding, MAX_ANSWER_BYTES, relayAnswer, type RelayEnd } from './relay-answer.ts';
import { createCredentialEchoFilter, type EchoFilter } from './credential-echo-filter.ts';
import {
  findRequestedWaitMs,
  isOutOfQuota,
  findRetryDelayMs,
  capSharedPause,
  type ProviderBudget,
} from './provider-rate-limit.ts';
import { authenticateBox, readRequestBody, upstreamUrlOf, type KeyHeader } from './read-incoming-request.ts';
import type { ListedPriceOf } from './listed-prices.ts';
import type { ModelPrice } from './model-price.ts';
import { findModelPrice, type ModelPrices } from './model-prices.ts';
import { createAnswerReader, NOTHING_READ, type AnswerReading } from './answer-reader.ts';
import type { ModelRequest } from './read-model-request.ts';
import type { ReadRequest } from './read-request-in-thread.ts';
import { maxUsageOf, settleRequest, type HostedPrices } from './settle-request.ts';
import {
  LIMIT_MESSAGES,
  valueOfLimit,
  UNKNOWN_TIER,
  renderHostedTool,
  renderUnpricedModel,
  UNREAD_PRICES,
  wasNeverSent,
} from './refusal-messages.ts';
import { findModelRoute, API_SHAPES, type ShapeName, type RefusalKind } from './api-shapes.ts';
import { createExposedSecrets, type ExposedSecrets } from '#sandbox';
import { createModelTranscript } from './model-transcript.ts';
import type { HttpAgents } from '#network';
import type { SpendingRequest, SpendingStop } from '#model/spending';
import { sendUpstreamRequest, pickHeaders } from './upstream-request.ts';

export type ModelGrant = {
  shapes: readonly [ShapeName, ...ShapeName[]];
  /** Includes the version: `https://api.openai.com/v1`. */
  base: string;
  key: string | null;
  limits: ModelLimits;
  limitsNow?: LimitsNow;
  prices: ModelPrices;
  hosted: HostedPrices;
  /** P7: a limit above the run counts dollars, so a model needs a price. */
  costHolds?: () => boolean;
  /** Proposers of a round: each names itself in `x-agentpr-proposer`, and is counted by its name. */
  proposers?: readonly string[];
};

export type ModelRelay = {
  token: string;
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>;
  used: () => ModelUsage;
  usedBy: (proposer: string) => ModelUsage;
  requests: () => number;
  /** Aborts pending requests; afterwards `used` is final. */
  settle: () => Promise<void>;
  /** The provider refuses requests until then (epoch ms); null if it accepts them. */
  closedUntil: () => number | null;
  over: () => LimitOverrun | null;
  transcript: () => string;
  note: (text: string) => void;
  estimated: () => boolean;
};
export type LimitOverrun =
  | { spent: ExhaustedLimit; limit: number; says: string }
  | { spent: 'price'; model: string | null; says: string }
  | { spent: 'spending'; says: string };

/** The name is percent-encoded. It is not sent on. */
export const PROPOSER_HEADER = 'x-agentpr-proposer';

const AT_ONCE = 16;
const LONGEST_MS = 30 * MINUTE;

type Deps = {
  agents: HttpAgents;
  readRequest: ReadRequest;
  budget: ProviderBudget;
  now: () => number;
  hide: (text: string) => string;
  onUsed: () => void;
  /** Called once, after the first permanent refusal. */
  onOver: () => void;
  /** The provider refuses requests for this time (ms). */
  onClosed: (ms: number) => void;
  /** Called once, if an answer contained the key. */
  onEcho: (provider: string) => void;
  /** E18: rejects if the provider does not answer. */
  listedPriceOf: ListedPriceOf;
  /** Gives why nothing may be spent any more, or null. */
  reserve: (asks: SpendingRequest) => Promise<SpendingStop | null>;
  settled: (most: ModelUsage, used: ModelUsage) => Promise<void>;
};

const secretsOf = ({ key, base }: ModelGrant): ExposedSecrets | null => {
  const { username, password } = new URL(base);
  const values = [key ?? '', decodeURIComponent(username), decodeURIComponent(password)];
  if (values.every((value) => value === '')) return null;
  const secrets = createExposedSecrets();
  secrets.add(
    'the key of the model',
    values.filter((value) => value !== ''),
  );
  return secrets;
};

const headOf = (headers: IncomingMessage['headers'], filter: EchoFilter | null): Record<string, string> => {
  const head = pickHeaders(headers, 'answers');
  if (filter === null) return head;
  // guard: E16-echo-headers
  return Object.fromEntries(
    Object.entries(head).flatMap(([name, value]) =>
      name === 'content-encoding' ? [] : [[name, filter.header(value)]],
    ),
  );
};

type SettleAnswer = (status: number | null, read: AnswerReading, ended: RelayEnd | 'unsent') => ModelUsage;

export const createModelRelay = (grant: ModelGrant, token: string, deps: Deps): ModelRelay => {
  const { shapes, key, limits, prices } = grant;
  const { now, budget } = deps;
  const provider = new URL(grant.base).host;
  const allowance: AttemptAllowance = createAttemptAllowance(limits, now, grant.limitsNow);
  const transcript = createModelTranscript((text) => deps.hide(text.replaceAll(token, '[token]')));
  let over: LimitOverrun | null = null;
  let estimated = false;
  let closedUntil: number | null = null;
  const secrets = secretsOf(grant);
  let hasEchoed = false;
  const onKeyEcho = (): void => {
    if (hasEchoed) return;
    hasEchoed = true;
    transcript.note('The provider sent the key of the model back; it was hidden from the sandbox.');
    deps.onEcho(provider);
  };
  let atOnce = 0;
  let known = 0;

  const refuseWith = (response: ServerResponse, shape: ShapeName, of: RefusalKind, message: string): void => {
    const { status, type } = API_SHAPES[shape].trouble[of];
    if (response.headersSent) return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(API_SHAPES[shape].body(type, message, status)));
  };
  const endWithOverrun = (response: ServerResponse, shape: ShapeName, found: LimitOverrun): void => {
    if (over === null) {
      over = found;
      transcript.note(found.says);
      deps.onOver();
    }
    refuseWith(response, shape, 'over', `${found.says} Stop here: no further request will be answered.`);
  };

  const onProviderClosed = (ms: number): void => {
    closedUntil = Math.max(closedUntil ?? 0, now() + ms);
    deps.onClosed(ms);
  };
  /** Asked for each request: a budget may be set in the middle of a turn. */
  const costHolds = (): boolean => limits.costUsd !== null || grant.costHolds?.() === true;
  const priceFor = async (model: string | null): Promise<ModelPrice | null> => {
    if (model === null) return null;
    const told = findModelPrice(model, prices, now());
    // A price is not needed if cost is not limited.
    if (told !== null || !costHolds() || !shapes.includes('openai')) return told;
    const wait = await budget.left(provider);
    if (wait > 0) onProviderClosed(wait);
    return wait > 0 ? Promise.reject(new Error(UNREAD_PRICES)) : deps.listedPriceOf(grant, model);
  };
  const ending = new AbortController();
  const serves = new Set<Promise<void>>();
  let written: Promise<unknown> = Promise.resolve();
  /** The newest value must be stored last. */
  const reserveAllowance = (most: ModelUsage, signal: AbortSignal): Promise<SpendingStop | null> => {
    const mine = written
      .catch(() => {})
      .then(() => deps.reserve({ most, underWay, used: allowance.used, signal }));
    written = mine;
    return mine;
  };
  /** What was let through and has no answer yet: what only waits to be let through is not reserved. */
  const sent = new Set<ModelUsage>();
  const underWay = (): ModelUsage => [...sent].reduce(addUsage, NO_USAGE);
  type Passed = {
    url: URL;
    header: KeyHeader;
    shape: ShapeName;
    body: Uint8Array | null;
    asked: ModelRequest | null;
    price: ModelPrice | null;
  };
  const createSettling = ({ url, asked, price }: Passed): SettleAnswer => {
    const began = now();
    return (status, read, ended) => {
      if (asked === null) return NO_USAGE;
      const settled =
        ended === 'unsent'
          ? { usage: NO_USAGE, estimated: false }
          : settleRequest(asked, { status, ended, read }, price, grant.hosted);
      estimated ||= settled.estimated;
      known = asked.items;
      transcript.add({
        path: url.pathname,
        model: asked.model,
        status: ended === 'left' ? null : status,
        ms: now() - began,
        ...settled,
        priced: price !== null,
        asked: asked.fresh,
        said: read.said,
      });
      return settled.usage;
    };
  };
  const pauseProvider = async (ms: number): Promise<void> => {
    await budget.refused(provider, capSharedPause(ms));
    onProviderClosed(ms);
  };
  const passRequest = async (
    request: IncomingMessage,
    response: ServerResponse,
    passed: Passed,
  ): Promise<ModelUsage> => {
    const { url, header, shape, body, asked } = passed;
    const left = new AbortController();
    response.once('close', () => left.abort());
    const secret = key === null ? {} : { [header]: header === 'authorization' ? `Bearer ${key}` : key };
    const settleAnswer = createSettling(passed);
    const rejectAnswer = (answer: IncomingMessage, says: string): void => {
      answer.destroy();
      refuseWith(response, shape, 'provider', says);
    };
    const wait = await budget.left(provider);
    // guard: E16-provider-left-alone
    if (wait > 0) {
      onProviderClosed(wait);
      const seconds = Math.ceil(wait / SECOND);
      response.setHeader('retry-after', seconds);
      refuseWith(response, shape, 'limited', `The provider of the model takes nothing for ${seconds} s.`);
      return settleAnswer(API_SHAPES[shape].trouble.limited.status, NOTHING_READ, 'unsent');
    }
    let answer: IncomingMessage;
    try {
      answer = await sendUpstreamRequest(deps.agents, upstreamUrlOf(grant.base, url), {
        method: request.method ?? 'GET',
        headers: { ...pickHeaders(request.headers, 'asks'), 'accept-encoding': 'identity', ...secret },
        body,
        signal: AbortSignal.any([left.signal, ending.signal, AbortSignal.timeout(LONGEST_MS)]),
      });
    } catch (error) {
      const fault = networkFaultOf(error);
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
      const says =
        fault === null
          ? `The provider of the model cannot be reached (${code}).`
          : networkWords(`the provider of the model, ${provider},`, fault);
      if (!response.destroyed) refuseWith(response, shape, 'provider', says);
      if (fault === null && !wasNeverSent(code)) return settleAnswer(null, NOTHING_READ, 'left');
      return settleAnswer(API_SHAPES[shape].trouble.provider.status, NOTHING_READ, 'unsent');
    }
    const status = answer.statusCode ?? 502;
    const asks = findRequestedWaitMs(status, answer.headers, now());
    if (asks !== null) await pauseProvider(asks);
    // guard: E16-no-redirect
    if (status >= 300 && status < 400) {
      const says = `The provider of the model sends requests elsewhere (${status}); that is not followed.`;
      rejectAnswer(answer, says);
      return settleAnswer(status, NOTHING_READ, 'unsent');
    }
    const filter = secrets === null ? null : createCredentialEchoFilter(secrets, onKeyEcho);
    const encoding = answer.headers['content-encoding'];
    if (filter !== null && !isReadableEncoding(encoding)) {
      rejectAnswer(answer, 'The answer of the provider is packed in a way that nobody here reads.');
      return settleAnswer(null, NOTHING_READ, 'cut');
    }
    response.writeHead(status, headOf(answer.headers, filter));
    response.flushHeaders();
    const reader = createAnswerReader(shape, answer.headers['content-type'] ?? '');
    const ended = await relayAnswer(answer, response, reader.add, MAX_ANSWER_BYTES, filter);
    const read = reader.end();
    const told = asks ?? findRetryDelayMs(status, read.said);
    if (asks === null && told !== null) await pauseProvider(told);
    else if (asks === null && isOutOfQuota(status, read.said)) {
      await budget.refused(provider, null);
      onProviderClosed(await budget.left(provider));
    } else if (asked !== null && status < 300) await budget.answered(provider);
    return settleAnswer(status, read, ended);
  };

  const checkRequest = (
    asked: ModelRequest,
    price: ModelPrice | null,
  ): { of: RefusalKind; says: string } | { over: LimitOverrun } | null => {
    const { billing, model } = asked;
    const hosted = billing.hosted.find((name) => !Object.hasOwn(grant.hosted, name));
    // guard: E18-hosted-refused
    if (hosted !== undefined) return { of: 'bad', says: renderHostedTool(hosted) };
    // guard: P7-price-above-run
    if (!costHolds()) return null;
    if (price === null) return { over: { spent: 'price', model, says: renderUnpricedModel(model) } };
    return billing.factor === null ? { of: 'bad', says: UNKNOWN_TIER } : null;
  };

  const proposerOf = ({ headers }: IncomingMessage): string | null => {
    const { [PROPOSER_HEADER]: named } = headers;
    return grant.proposers?.find((one) => encodeURIComponent(one) === named) ?? null;
  };

  const serveRequest = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> => {
    const header = authenticateBox(request, token);
    if (header === null) return refuseWith(response, shapes[0], 'token', 'This token is not known here.');
    const route = findModelRoute(shapes, request.method ?? '', url.pathname);
    if (route === null || !API_SHAPES[route.shape].query.test(url.search))
      return refuseWith(response, shapes[0], 'path', 'Only requests to the model are passed on.');
    const { shape } = route;
    const isPost = request.method === 'POST';
    const given = isPost ? await readRequestBody(request) : null;
    if (isPost && given === null) return refuseWith(response, shape, 'large', 'The request is too large.');
    const asks = { shape, path: url.pathname, known };
    const read = given === null ? null : await deps.readRequest(given, asks);
    if (read !== null && 'refused' in read) return refuseWith(response, shape, 'bad', read.refused);
    const asked = route.paid ? read : null;
    const price = asked === null ? null : await priceFor(asked.model).catch(() => 'unread' as const);
    if (price === 'unread') return refuseWith(response, shape, 'provider', UNREAD_PRICES);
    const no = asked === null ? null : checkRequest(asked, price);
    if (no !== null && 'over' in no) return endWithOverrun(response, shape, no.over);
    if (no !== null) return refuseWith(response, shape, no.of, no.says);
    const most = asked === null ? NO_USAGE : maxUsageOf(asked, price, grant.hosted);
    const ticket = await allowance.ask(most, asked?.call ?? null, proposerOf(request));
    if ('over' in ticket)
      return endWithOverrun(response, shape, {
        spent: ticket.over,
        limit: valueOfLimit(ticket.over, allowance.limits()),
        says: LIMIT_MESSAGES[ticket.over](allowance.limits()),
      });
    // Store first, because a crash would hide a billed request.
    let came = NO_USAGE;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const signal = AbortSignal.any([ending.signal, gone.signal]);
      // guard: E18-reserved-first
      const stop = asked === null ? null : await reserveAllowance(most, signal);
      // guard: P7-nothing-sent-over
      if (stop) return endWithOverrun(response, shape, { spent: 'spending', says: stop.says });
      sent.add(most);
      const passed = { url, header, shape, body: read === null ? null : read.body, asked, price };
      if (!response.destroyed && !ending.signal.aborted) came = await passRequest(request, response, passed);
    } finally {
      sent.delete(most);
      ticket.settle(came);
      if (asked !== null) await deps.settled(addUsage(allowance.used(), underWay()), allowance.used());
      deps.onUsed();
    }
  };

  return {
    token,
    handle: async (request, response, url) => {
      if (atOnce >= AT_ONCE)
        return refuseWith(response, shapes[0], 'large', `More than ${AT_ONCE} requests at once.`);
      atOnce += 1;
      const serving = serveRequest(request, response, url);
      const ended = serving.then(
        () => {},
        () => {},
      );
      serves.add(ended);
      try {
        await serving;
      } finally {
        serves.delete(ended);
        atOnce -= 1;
      }
    },
    used: allowance.used,
    usedBy: allowance.usedBy,
    requests: allowance.requests,
    settle: async () => {
      ending.abort();
      await Promise.all(serves);
    },
    over: () => over,
    closedUntil: () => closedUntil,
    transcript: transcript.text,
    note: transcript.note,
    estimated: () => estimated,
  };
};
