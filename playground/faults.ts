/** Makes a local server fail on purpose: which requests, how, and how often. */

/** True for `done` means that the request takes effect although the client sees a failure. */
export type FaultAction =
  | { kind: 'answer'; status: number; body: unknown; headers?: Record<string, string>; done: boolean }
  | { kind: 'drop'; done: boolean }
  | { kind: 'delay'; ms: number };

export type RequestSeen = { route: string; path: string; params: Record<string, unknown> };
/** A route (`sendMessage`, `POST /repos/{owner}/{repo}/pulls`), a whole path, or `*`. */
export type FaultMatch = string | RegExp | { route: string | RegExp; when(request: RequestSeen): boolean };

export type Fault = { used(): number; stop(): void };
export type Faults = {
  /** Applies to the next `times` matching requests (default: 1). */
  next(match: FaultMatch, action: FaultAction, times?: number): Fault;
  always(match: FaultMatch, action: FaultAction): Fault;
  clear(): void;
};

/** A string body is sent unchanged, anything else as JSON. */
export const answer = (status: number, body: unknown, headers?: Record<string, string>): FaultAction => ({
  kind: 'answer',
  status,
  body,
  ...(headers && { headers }),
  done: false,
});
export const serverError = (): FaultAction =>
  answer(500, { ok: false, error_code: 500, description: 'Internal Server Error', message: 'Server Error' });
export const badGateway = (): FaultAction =>
  answer(502, '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body></body>\r\n</html>\r\n', {
    'content-type': 'text/html',
  });
export const garbage = (): FaultAction =>
  answer(200, '{"ok":tru', { 'content-type': 'application/json; charset=utf-8' });
export const delay = (ms: number): FaultAction => ({ kind: 'delay', ms });
export const drop = (): FaultAction => ({ kind: 'drop', done: false });
export const commitThenDrop = (): FaultAction => ({ kind: 'drop', done: true });
export const commitThen = (action: FaultAction): FaultAction =>
  action.kind === 'delay' ? action : { ...action, done: true };

type Rule = { match: FaultMatch; action: FaultAction; left: number; used: number };

export type FaultBox = Faults & {
  take(request: RequestSeen): { delayMs: number; action: Exclude<FaultAction, { kind: 'delay' }> | null };
};

export function createFaults(): FaultBox {
  let rules: Rule[] = [];

  function add(match: FaultMatch, action: FaultAction, left: number): Fault {
    const rule: Rule = { match, action, left, used: 0 };
    rules.push(rule);
    return {
      used: () => rule.used,
      stop() {
        rules = rules.filter((other) => other !== rule);
      },
    };
  }

  return {
    next: (match, action, times = 1) => add(match, action, times),
    always: (match, action) => add(match, action, Infinity),
    clear() {
      rules = [];
    },
    take(request) {
      let delayMs = 0;
      for (const rule of rules) {
        if (rule.left === 0 || !matches(rule.match, request)) continue;
        rule.left -= 1;
        rule.used += 1;
        if (rule.action.kind !== 'delay') return { delayMs, action: rule.action };
        delayMs += rule.action.ms;
      }
      return { delayMs, action: null };
    },
  };
}

function matches(match: FaultMatch, request: RequestSeen): boolean {
  if (match === '*') return true;
  if (typeof match === 'string') return match === request.route || match === request.path;
  if (match instanceof RegExp) return match.test(request.route) || match.test(request.path);
  return matches(match.route, request) && match.when(request);
}
