/** Calls methods of Slack's Web API and classifies their refusals. */
import { z } from 'zod';
import { failureWithDetail, OutsideFailure } from '#ports/forge';
import { networkFailureOf, wasNeverConnected } from '#network-faults';
import { failureDetail } from '#model/failure';
import { cutText, DAY } from '#model/values';
import { showInvisible } from '#text-safety';

export const SLACK_NAME = 'Slack';
const TIMEOUT_MS = 15_000;
const DEFAULT_WAIT_MS = 5_000;

const TOKEN_REFUSALS = [
  ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'],
  ...['missing_scope', 'not_allowed_token_type', 'no_permission', 'org_login_required', 'ekm_access_denied'],
];
const PASSING_REFUSALS = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];
const RATE_REFUSALS = ['ratelimited', 'rate_limited', 'message_limit_exceeded'];

export class SlackRefusal extends OutsideFailure {
  readonly code: string;
  constructor(code: string, failure: OutsideFailure) {
    super(failure.class, failure.message, failure);
    this.code = code;
  }
}
/** The answer was lost or unreadable, so the call may have had its effect. */
export class SlackUncertain extends OutsideFailure {}

const Answer = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  response_metadata: z
    .object({ messages: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});

/** Security: addresses that Slack gives us carry a ticket or a change, and are as safe as its own. */
export const isSafeSlackUrl = (address: string, root: string): boolean =>
  !root.startsWith('https:') || /^(?:https|wss):/.test(address);

type SlackFields = Readonly<Record<string, unknown>>;
export type SlackApi = ReturnType<typeof createSlackApi>;

export const createSlackApi = (parts: { token: string; root: string; clock: { now(): number } }) => {
  const { token, root, clock } = parts;

  const askSlack = async (
    method: string,
    fields: SlackFields,
    signal?: AbortSignal,
  ): Promise<{ answer: unknown; headers: Headers }> => {
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${root}/${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: formOf(fields),
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      text = await response.text();
    } catch (error) {
      throw toUnreachedFailure(error);
    }
    if (response.status === 429) throw createRateRefusal(response.headers.get('retry-after'), clock.now());
    const answer = readJson(text);
    const said = Answer.safeParse(answer);
    if (!said.success) throw createUncertainFailure(`${method} was answered by something that is not Slack`);
    if (said.data.ok) return { answer, headers: response.headers };
    throw refusalOf(said.data, response.headers.get('retry-after'), clock.now());
  };

  return {
    root,
    async call<T extends z.ZodType>(
      method: string,
      fields: SlackFields,
      gives: T,
      signal?: AbortSignal,
    ): Promise<z.infer<T>> {
      const { answer } = await askSlack(method, fields, signal);
      const read = gives.safeParse(answer);
      if (!read.success)
        throw createUncertainFailure(`${method} was answered by something that is not Slack`);
      return read.data;
    },
    async readScopes(signal?: AbortSignal): Promise<string[]> {
      const { headers } = await askSlack('auth.test', {}, signal);
      return (headers.get('x-oauth-scopes') ?? '')
        .split(',')
        .map((scope) => scope.trim())
        .filter(Boolean);
    },
  };
};

/** Some methods take no JSON; all take a form, in which structures are JSON. */
const formOf = (fields: SlackFields): URLSearchParams => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null)
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form;
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const createUncertainFailure = (message: string): OutsideFailure =>
  new SlackUncertain('chat_unavailable', message, {
    detail: failureDetail({ kind: 'chat_unreached', service: SLACK_NAME }),
  });

const toUnreachedFailure = (error: unknown): unknown => {
  const wayFailure = networkFailureOf(SLACK_NAME, error, 'chat');
  if (wayFailure) return wayFailure;
  const message = 'Slack could not be reached. We try again by ourselves.';
  if (!wasNeverConnected(error)) return createUncertainFailure(message);
  return failureWithDetail(
    'chat_unavailable',
    message,
    failureDetail({ kind: 'chat_unreached', service: SLACK_NAME }),
  );
};

const createRateRefusal = (after: string | null, now: number): SlackRefusal => {
  const seconds = Number(after);
  const wait =
    after === null || !Number.isFinite(seconds)
      ? DEFAULT_WAIT_MS
      : Math.min(DAY, Math.max(1, seconds) * 1_000);
  const detail = failureDetail({ kind: 'chat_refused', service: SLACK_NAME, says: 'ratelimited' });
  const words = 'Slack asks for a pause.';
  return new SlackRefusal(
    'ratelimited',
    new OutsideFailure('rate_limited', words, { retryAt: now + wait, detail }),
  );
};

const refusalOf = (
  { error: code = 'unknown_error', response_metadata }: z.infer<typeof Answer>,
  after: string | null,
  now: number,
): OutsideFailure => {
  if (RATE_REFUSALS.includes(code)) return createRateRefusal(after, now);
  const more = (response_metadata?.messages ?? []).join('; ');
  const says = cutText(showInvisible([code, more].filter(Boolean).join(': ')).replace(/\s+/g, ' '), 300);
  if (TOKEN_REFUSALS.includes(code))
    return new SlackRefusal(
      code,
      failureWithDetail(
        'auth_missing',
        `Slack refuses our token (${says}). Check SLACK_BOT_TOKEN and SLACK_APP_TOKEN.`,
        failureDetail({ kind: 'chat_token_unknown', service: SLACK_NAME, says }),
      ),
    );
  const detail = failureDetail({ kind: 'chat_refused', service: SLACK_NAME, says });
  const words = `Slack refused the message: ${says}`;
  if (PASSING_REFUSALS.includes(code)) return new SlackUncertain('chat_unavailable', words, { detail });
  return new SlackRefusal(code, failureWithDetail('chat_refused', words, detail));
};
