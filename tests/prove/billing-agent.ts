/** Agents that send parallel requests through their attempt's gateway, and may hang up. */
import http from 'node:http';
import type { ModelGateway, OpenedGateway as Door } from '../../executors/gateway/gateway.ts';
import type { ModelUsage } from '#model/reports';
import type { EngineExecutor, ExecutorDone } from '#ports/processes';
import {
  ANSWERS,
  bodyOf,
  LEAVES,
  MODEL_PATHS,
  MODEL_PRICE,
  type BillingProvider,
  type PlannedRequest,
} from './billing-provider.ts';
import { createRandom, seedFor, type Random } from './random.ts';
import { Crash, type Life } from './scheduler.ts';

const MAX_WAVES = 3;
const MAX_AT_ONCE = 4;
const BREAKERS = { requests: 1_000, perMinute: 1_000, identical: 1_000 };

const planRequest = (runId: string, no: number, seed: number): PlannedRequest => {
  const id = `${runId}-${no}`;
  const random = createRandom(seedFor(seed, id));
  const answer = random.pick(ANSWERS);
  const openai = MODEL_PATHS.filter((one) => one !== '/v1/messages');
  const path = random.pick(answer === 'told by a dearer tier' ? openai : MODEL_PATHS);
  const asked = {
    id,
    runId,
    path,
    answer,
    stream: random.chance(0.6),
    priority: path !== '/v1/messages' && random.chance(0.2),
    maxOutput: random.pick([200, 4_000, 20_000]),
    // A silent answer would block until the end of the attempt.
    leaves: answer === 'silent' ? ('when it was heard' as const) : random.pick(LEAVES),
    patience: random.pick([0, 1, 8]),
  };
  // A dearer tier must not exceed the request's own maximum.
  const share = answer === 'told by a dearer tier' ? 0.5 : 1;
  const input = 1 + random.int(Math.floor(bodyOf(asked).length * share));
  const cached = random.chance(0.5) ? random.int(input) : 0;
  // Often the maximum, so that no slack hides uncounted usage.
  const most = Math.floor(asked.maxOutput * share);
  return { ...asked, input, cached, output: random.chance(0.5) ? most : 1 + random.int(most) };
};

/** Resolves when the client is done, in whatever way. */
const sendRequest = (
  of: PlannedRequest,
  { socket, token }: { socket: string; token: string },
  expect: BillingProvider['expect'],
  onMoment: () => void,
): Promise<void> =>
  new Promise((resolve) => {
    const request = http.request({
      socketPath: socket,
      path: of.path,
      method: 'POST',
      agent: false,
      headers: {
        host: '127.0.0.1:17117',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
    });
    expect(of, () => {
      onMoment();
      if (of.leaves === 'when it was heard') request.destroy();
    });
    request.on('error', () => {});
    request.on('close', resolve);
    request.on('response', (response) => {
      response.on('error', () => {});
      response.on('data', () => {
        onMoment();
        if (of.leaves === 'at the first byte') request.destroy();
      });
    });
    request.end(bodyOf(of));
    if (of.leaves === 'at once') setImmediate(() => request.destroy());
  });

const ended = (usage: ModelUsage, spent: boolean): ExecutorDone => ({
  usage,
  containment: 'bwrap',
  model: null,
  session: null,
  outcome: 'failed',
  failure: spent
    ? { class: 'budget_exceeded', message: 'the budget is used up', retryAt: null }
    : { class: 'crashed', message: 'it broke', retryAt: null },
  summary: '',
  end: { exitCode: 1, ended: 'exited', signal: null, ms: 50, stdout: '', stderr: '' },
});

export type Trial = {
  seed: number;
  random: Random;
  provider: BillingProvider;
  say: (what: string) => void;
  count: (what: string) => void;
  violate: (what: string) => void;
  asked: Map<string, number>;
};

/** The agent of one life: it asks in waves and crashes, so that there is another attempt. */
export const createAsker = (
  trial: Trial,
  gateway: ModelGateway,
  of: { life: () => Life; died: Promise<void> },
  onMoment: () => void,
): EngineExecutor => {
  const { provider, seed, say, count } = trial;
  const next = (runId: string): PlannedRequest => {
    const no = (trial.asked.get(runId) ?? 0) + 1;
    trial.asked.set(runId, no);
    const planned = planRequest(runId, no, seed);
    say(`${planned.id} ${planned.path}: ${planned.answer}; leaves ${planned.leaves}`);
    count(planned.answer);
    if (planned.leaves !== 'never') count('hang-ups');
    return planned;
  };
  const work = async ({ models, reach }: Door, runId: string): Promise<void> => {
    if (models === null || typeof reach === 'string') throw new Error('the door is no socket');
    const way = { socket: reach.socket, token: models.token };
    const send = (planned: PlannedRequest) => sendRequest(planned, way, provider.expect, onMoment);
    const random = createRandom(seedFor(seed, `${runId} ${trial.asked.get(runId) ?? 0} waves`));
    for (let waves = 1 + random.int(MAX_WAVES); waves > 0; waves -= 1)
      await Promise.all(Array.from({ length: 1 + random.int(MAX_AT_ONCE) }, () => send(next(runId))));
    if (!random.chance(0.3)) return;
    // Still running at the end of the attempt, so it is not awaited.
    const last: PlannedRequest = { ...next(runId), answer: 'silent', leaves: 'never' };
    await new Promise<void>((resolve) => {
      void sendRequest(
        last,
        way,
        (one, heard) => provider.expect(one, () => (heard(), resolve())),
        onMoment,
      ).then(resolve);
    });
  };
  return {
    run: async (input) => {
      const { runId, left = { tokens: null, costUsd: null }, reserve } = input;
      const door = await gateway.open({
        runId,
        network: 'none',
        models: {
          shapes: ['openai', 'anthropic'],
          base: `${provider.url}/v1`,
          key: null,
          limits: { ...BREAKERS, ...left },
          prices: { m: MODEL_PRICE },
          hosted: {},
        },
        onUsed: () => {
          const usage = door.models?.used();
          if (usage) input.onEvent({ type: 'used', usage, session: null, outputBytes: 0 });
        },
        ...(reserve ? { reserve } : {}),
      });
      input.onEvent({ type: 'started', pid: 1, pidStart: null });
      await Promise.race([work(door, runId).then(() => door.models?.settle()), of.died]);
      await door.close();
      if (of.life().dead() || door.models === null) throw new Crash();
      return ended(door.models.used(), door.models.over() !== null);
    },
  };
};
