/** E5: what every recording of a real agent, and lines that others have printed, are taken for. */
import { readdirSync } from 'node:fs';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS, enTexts } from '#language';
import { aiderCli } from '../../executors/engines/aider/aider.ts';
import { claudeCli } from '../../executors/engines/claude/claude.ts';
import { codexCli } from '../../executors/engines/codex/codex.ts';
import type { AgentCli } from '../../executors/engines/shared/agent-cli.ts';
import { findRequestedWaitMs, capSharedPause } from '../../executors/gateway/provider-rate-limit.ts';
import { DAY, HOUR } from '#model/values';
import { failureConsequence, FailureClass } from '#model/failure';
import { withRetryTime } from '../../executors/engines/shared/conclude-round.ts';
import {
  crashFailure,
  engineFailure,
  createDetailedFailure,
} from '../../executors/engines/shared/engine-failure.ts';
import { opencodeCli } from '../../executors/engines/opencode/opencode.ts';
import { endOf, recording, replay } from '../support/replay-agent.ts';

const DIALECTS: Readonly<Record<string, AgentCli>> = {
  codex: codexCli,
  claude: claudeCli,
  opencode: opencodeCli,
  aider: aiderCli,
};
const recordings = readdirSync(new URL('../fixtures/agents/', import.meta.url))
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length));
const dialectOf = (name: string): AgentCli => {
  const found = DIALECTS[name.split('-')[0] ?? ''];
  if (!found) throw new Error(`${name} is of no engine`);
  return found;
};

/** In the words of E5. */
const ASKED =
  'auth_missing rate_limited quota_exhausted context_exceeded model_unavailable sandbox_denied permission_denied env_missing invalid_output crashed timed_out cancelled interrupted budget_exceeded no_changes checks_failed push_rejected policy_denied session_lost bad_config';

describe('E5: the classes', () => {
  it('are all there, each with a consequence and one sentence in every language', () => {
    for (const name of ASKED.split(' ')) expect(FailureClass.options).toContain(name);
    for (const one of FailureClass.options) {
      expect(['retry', 'human', 'terminal']).toContain(failureConsequence(one));
      expect(enTexts.why.failures[one]).toMatch(/^[A-Z].*[.]$/s);
      for (const words of Object.values(LANGUAGE_TEXTS)) expect(words.why.failures[one]).toMatch(/[.。]$/);
    }
  });

  it.each(recordings)('%s is read as one class or as a success, wherever it is cut off', (name) => {
    const text = recording(name);
    const lines = text.split('\n');
    for (let kept = 0; kept <= lines.length; kept += 1) {
      const cut = replay(dialectOf(name), lines.slice(0, kept).join('\n'), { end: { exitCode: 1 } });
      expect(cut.failure).not.toBeNull();
      expect(FailureClass.options).toContain(cut.failure?.class);
    }
  });

  it('what we did ourselves comes first, then the event, then the words, then the exit code', () => {
    for (const name of recordings) {
      const of = (end: Parameters<typeof endOf>[0]) =>
        replay(dialectOf(name), recording(name), { end: end ?? {} }).failure?.class;
      expect(of({ ended: 'timed_out', exitCode: null }), name).toBe('timed_out');
      expect(of({ ended: 'aborted', exitCode: null }), name).toBe('cancelled');
      expect(of({ ended: 'output_limit', exitCode: null }), name).toBe('budget_exceeded');
      expect(of({ exitCode: 127 }), name).toBe('agent_missing');
    }
    const limited = recording('codex-rate');
    const misled = { exitCode: 1, stderr: 'Error: no rollout found, 401 Unauthorized' };
    expect(replay(codexCli, limited, { end: misled }).failure?.class).toBe('rate_limited');
    expect(replay(codexCli, '', { end: misled }).failure?.class).toBe('session_lost');
    expect(replay(codexCli, '', { end: { exitCode: 3 } }).failure?.class).toBe('crashed');
  });

  it('any garbage is a class and never an exception', () => {
    const garbage = fc.oneof(fc.string(), fc.json(), fc.constant('{"type":"turn.failed","error":{}}'));
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(DIALECTS)),
        fc.array(garbage),
        fc.nat(255),
        (one, text, exitCode) => {
          const { failure: found } = replay(one, text.join('\n'), {
            end: { exitCode, stderr: text.join(' ') },
          });
          if (exitCode !== 0) expect(FailureClass.options).toContain(found?.class);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a provider is waited for as long as it says, a week too, and no longer than eight days', () => {
    const now = Date.UTC(2026, 0, 5);
    const at = (message: string, retryAt: number | null = null) =>
      withRetryTime(engineFailure('rate_limited', message, retryAt), now)?.retryAt;
    expect(at('Please try again in 90s')).toBe(now + 90_000);
    expect(at('no word of when')).toBeNull();
    expect(at('', now + 60_000)).toBe(now + 60_000);
    expect(at('', now + 7 * DAY)).toBe(now + 7 * DAY);
    expect(at('', now + 90 * DAY)).toBe(now + 8 * DAY);
    const asks = (after: string) => findRequestedWaitMs(429, { 'retry-after': after }, now);
    expect(asks('18000')).toBe(5 * HOUR);
    expect(asks(new Date(now + 3 * DAY).toUTCString())).toBe(3 * DAY);
    expect(asks('1e12')).toBe(8 * DAY);
    for (const after of ['soon', '-5', 'Mon, 01 Jan 2024 00:00:00 GMT']) expect(asks(after)).toBeNull();
    expect(capSharedPause(3 * DAY)).toBe(DAY);
    expect(withRetryTime(engineFailure('crashed', 'try again in 5 s'), now)?.retryAt).toBeNull();
    const busy = engineFailure('model_unavailable', '503: please retry after 30 s');
    expect(withRetryTime(busy, now)?.retryAt).toBe(now + 30_000);
  });
});

describe('E5: what a person reads of a failure', () => {
  const busy = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}';
  const gemini = JSON.stringify([{ error: { code: 429, message: 'You exceeded your quota.', details: [] } }]);
  it.each([
    [busy, 'Overloaded'],
    [`API Error: 529 ${busy}`, 'API Error: 529: Overloaded'],
    [
      `Cannot connect to API: read (ECONNRESET). ${busy}`,
      'Cannot connect to API: read (ECONNRESET). Overloaded',
    ],
    [`Overloaded ${busy}`, 'Overloaded'],
    [
      `got status: 429. ${JSON.stringify({ error: { message: gemini, status: 'x' } })}`,
      'got status: 429. You exceeded your quota.',
    ],
    [`unexpected status 503: ${busy.slice(0, -18)}`, 'unexpected status 503: Overloaded'],
    ['unexpected status 502 Bad Gateway: <html>', 'unexpected status 502 Bad Gateway'],
    ['502: <!DOCTYPE html><html><head><title>502 Bad gateway</title></head><body>x', '502: 502 Bad gateway'],
    ['{"type":"overloaded_error"}', 'overloaded_error'],
    [`${busy}, url: http://x`, 'Overloaded, url: http://x'],
    ['{"error":{"message":"Say \\"hello\\": {}"}}', 'Say "hello": {}'],
    ['the function f() { ended', 'the function f() { ended'],
    ['{}', '{}'],
  ])('is the words of the service, and neither its JSON nor its page: %s', (text, says) => {
    expect(engineFailure('model_unavailable', text).message).toBe(says);
    const exited = { kind: 'engine_exited', exitCode: 1, says: text } as const;
    expect(createDetailedFailure('crashed', text, exited).detail).toMatchObject({ says });
  });

  it('is what stderr says where its last line only closes a document', () => {
    const stderr = `Loaded.\nAPI Error: ${JSON.stringify({ error: { code: 503, message: 'Busy' } }, null, 2)}\n`;
    expect(crashFailure(endOf({ exitCode: 1, stderr }), 'It').message).toBe(
      'It ended with exit code 1: API Error: Busy',
    );
  });
});

/** As services, their proxies, resolvers and the engines' own runtimes say it. */
const OUTAGES = [
  'unexpected status 529 <unknown status code>: Overloaded, url: https://api.example/v1',
  'exceeded retry limit, last status: 503 Service Unavailable, request id: r',
  'unexpected status 502 Bad Gateway: <html>',
  'We’re currently experiencing high demand, which may cause temporary errors.',
  'Selected model is at capacity. Please try a different model.',
  'stream disconnected before completion: error sending request for url (http://127.0.0.1:9/v1)',
  'stream disconnected before completion: idle timeout waiting for SSE',
  'dns error: failed to lookup address information: Temporary failure in name resolution',
  'connect ECONNREFUSED 127.0.0.1:443',
  'getaddrinfo EAI_AGAIN api.example',
  'getaddrinfo ENOTFOUND api.example',
  'Connection dropped (ECONNRESET)',
  'request to https://api.example failed: socket hang up',
  'fetch failed',
  'Network is unreachable (os error 101)',
  'Request timed out.',
  'The model is temporarily unavailable',
  '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
];
const said = {
  codex: (message: string) => ({ type: 'turn.failed', error: { message } }),
  claude: (message: string) => ({
    type: 'result',
    subtype: 'success',
    is_error: true,
    session_id: 'a1',
    result: `API Error: ${message}`,
    api_error_status: null,
    terminal_reason: 'api_error',
  }),
  opencode: (message: string) => ({
    type: 'error',
    sessionID: 'ses_1',
    error: { name: 'UnknownError', data: { message } },
  }),
};

describe('E17: a provider that is overloaded or away', () => {
  it.each(OUTAGES)('%s: is one to wait for, by whichever engine it is told', (message) => {
    for (const [name, event] of Object.entries(said)) {
      const { failure: found } = replay(dialectOf(name), JSON.stringify(event(message)), {
        end: { exitCode: 1 },
      });
      expect(found?.class, name).toBe('model_unavailable');
    }
    for (const told of [`litellm.InternalServerError: ${message}`, `litellm.APIConnectionError: ${message}`])
      expect(replay(aiderCli, told, { end: { exitCode: 0 } }).failure?.class).toBe('model_unavailable');
  });

  it.each([
    ['claude', { ...said.claude('Overloaded'), api_error_status: 529 }],
    ['claude', { ...said.claude('Internal server error'), api_error_status: 500 }],
    ['claude', { ...said.claude('Request timeout'), api_error_status: 408 }],
    ['opencode', { type: 'error', error: { name: 'APIError', data: { message: 'no', statusCode: 503 } } }],
    ['opencode', { type: 'error', error: { name: 'APIError', data: { message: 'no', statusCode: 529 } } }],
  ])('%s: by its status, too', (name, event) => {
    const found = replay(dialectOf(name), JSON.stringify(event), { end: { exitCode: 1 } }).failure;
    expect(found?.class).toBe('model_unavailable');
  });

  it('waiting is not for what it cannot mend', () => {
    const told = (message: string) =>
      replay(codexCli, JSON.stringify(said.codex(message)), { end: { exitCode: 1 } }).failure?.class;
    expect(told('unexpected status 401 Unauthorized: connection')).toBe('auth_missing');
    expect(told('Quota exceeded. Check your plan and billing details.')).toBe('quota_exhausted');
    expect(told('The model `x` does not exist')).toBe('bad_config');
  });
});
