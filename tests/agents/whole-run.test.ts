/**
 * A whole run with each real coding agent: the demo, as a person starts it, with a scripted model
 * behind the agent.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { BEST } from '../support/agent-round.ts';
import { COST } from '../support/fake-model/turns.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { AGENTS_PATH, withAgent } from '../support/installed-agents.ts';
import { patchingModel, promptIn, sampleModel } from '../support/sample-model.ts';

const CLI = path.join(import.meta.dirname, '../../cli/agentpr.js');
const KEY = 'sk-scripted-key';

type Ended = {
  run: Run;
  events: { type: string; stateAfter: string; body: { session?: { id: string } } }[];
  pulls: unknown[];
  proof: { holds: boolean };
  verdicts: Record<string, boolean>;
};

const demo = async (engine: string, url: string) => {
  const child = spawn(
    process.execPath,
    [CLI, 'demo', '--once', '--json', '--engine', engine, '--sandbox', BEST],
    {
      env: {
        ...{ PATH: AGENTS_PATH, HOME: process.env.HOME, LANG: 'C.UTF-8' },
        ...{ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted-model' },
        ...{ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
};

let model: FakeModel;
beforeAll(async () => {
  model = await createFakeModel();
});
afterAll(() => model.close());

describe.each(['codex', 'claude', 'opencode', 'builtin'])('the demo with the real %s', (engine) => {
  withAgent(engine).test(
    'E4: goes through a failed check, red CI and a review to a merged pull request, in one session',
    async () => {
      model.answers(engine === 'builtin' ? patchingModel() : sampleModel());
      const before = model.requests.length;
      const { code, out, err } = await demo(engine, model.url);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const ended = JSON.parse(out) as Ended;
      const asked = model.requests.slice(before);
      expect(ended).toMatchObject({
        run: { state: 'DONE', containment: BEST, counts: { iterations: 2, retries: 0 } },
        proof: { holds: true },
      });
      expect(Object.values(ended.verdicts)).not.toContain(false);
      expect(ended.pulls).toHaveLength(1);
      const way = ended.events.map((e) => e.stateAfter).filter((s, i, all) => s !== all[i - 1]);
      expect(way).toEqual([
        ...['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING'],
        ...['IMPLEMENTING', 'LOCAL_VALIDATING', 'PUSHED', 'CI_WAIT', 'ITERATING'],
        ...['CI_WAIT', 'REVIEW_WAIT', 'ITERATING', 'CI_WAIT', 'REVIEW_WAIT', 'DONE'],
      ]);

      const rounds = ended.events.filter((e) => e.type === 'worker.implementation.completed');
      expect(rounds).toHaveLength(4);
      expect(new Set(rounds.map((e) => e.body.session?.id)).size).toBe(1);
      // Each round asks twice: what to do, and what now that the command has run.
      expect(asked).toHaveLength(8);
      expect(new Set(asked.map(({ key }) => key))).toEqual(new Set([KEY]));
      expect(promptIn(asked[2]?.body ?? {})).toContain('What our checks say of your last change');
      expect(promptIn(asked[4]?.body ?? {})).toContain('Which checks of the code host failed');
      expect(promptIn(asked[6]?.body ?? {})).toContain('What reviewers asked for');
      expect(JSON.stringify(asked[6]?.body).split('Fix the first wait').length).toBeGreaterThan(4);
      const { inputTokens, outputTokens } = ended.run.usage;
      expect(inputTokens).toBe(8 * (COST.fresh + COST.cached));
      // The scripted model claims less for its long commands than their length allows.
      expect(outputTokens).toBeGreaterThanOrEqual(8 * COST.written);
    },
    5,
  );
});
