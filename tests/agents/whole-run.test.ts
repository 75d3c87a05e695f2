/**
 * A whole run with each real coding agent: the demo, as a person starts it, with a scripted model
 * behind the agent.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { AgentName } from '../../executors/engines/engine-settings.ts';
import { AGENT_CLIS } from '../../executors/engines/engines.ts';
import type { Run } from '#run';
import { BEST } from '../support/agent-round.ts';
import { COST } from '../support/fake-model/turns.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { AGENTS_PATH, withAgent } from '../support/installed-agents.ts';
import { askingModel, patchingModel, promptIn, sampleModel } from '../support/sample-model.ts';

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
        PATH: AGENTS_PATH,
        HOME: process.env.HOME,
        LANG: 'C.UTF-8',
        OPENAI_API_KEY: KEY,
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_MODEL: 'scripted-model',
        ANTHROPIC_API_KEY: KEY,
        ANTHROPIC_BASE_URL: url,
        GEMINI_API_KEY: KEY,
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_MODEL: 'scripted-model',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, out, err };
};

/** What became of each, for the table at the end. */
const TABLE: string[] = [];
const versionOf = (engine: AgentName): string => {
  const program = withAgent(AGENT_CLIS[engine].program).program?.file;
  if (AGENT_CLIS[engine].ours) return 'of AgentPR';
  return (
    execFileSync(program ?? '', ['--version'], { encoding: 'utf8' })
      .trim()
      .split('\n')[0] ?? ''
  );
};

let model: FakeModel;
beforeAll(async () => {
  model = await createFakeModel();
});
afterAll(async () => {
  console.log(['| engine | version | end | rounds | questions | requests | s |', ...TABLE].join('\n'));
  await model.close();
});

const MODELS = {
  runs: sampleModel,
  patches: patchingModel,
  asks: askingModel,
};
/** How the scripted model works behind each: by a command, by patches, or by a command that is asked about. */
const ENGINES: readonly [AgentName, keyof typeof MODELS][] = [
  ...(['codex', 'claude', 'opencode'] as const).map((name): [AgentName, 'runs'] => [name, 'runs']),
  ['builtin', 'patches'],
  ...(['claude-ask', 'opencode-acp', 'qwen', 'copilot', 'gemini'] as const).map(
    (name): [AgentName, 'asks'] => [name, 'asks'],
  ),
];

describe.each(ENGINES)('the demo with the real %s', (engine, how) => {
  withAgent(AGENT_CLIS[engine].program).test(
    'E4, E10: goes through a failed check, red CI and a review to a merged pull request, in one session',
    async () => {
      const asks = how === 'asks';
      model.answers(MODELS[how]());
      const before = model.requests.length;
      const begun = Date.now();
      const { code, out, err } = await demo(engine, model.url);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const ended = JSON.parse(out) as Ended;
      const asked = model.requests.slice(before);
      expect(ended).toMatchObject({
        run: {
          lifecycle: { state: 'DONE', counts: { iterations: 2, retries: 0 } },
          agent: { containment: BEST },
        },
        proof: { holds: true },
      });
      expect(Object.values(ended.verdicts)).not.toContain(false);
      expect(ended.pulls).toHaveLength(1);
      const way = ended.events.map((e) => e.stateAfter).filter((s, i, all) => s !== all[i - 1]);
      const question = asks ? ['NEEDS_HUMAN_REVIEW', 'IMPLEMENTING'] : [];
      const fixQuestion = asks ? ['NEEDS_HUMAN_REVIEW', 'ITERATING'] : [];
      expect(way).toEqual([
        ...['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', ...question, 'LOCAL_VALIDATING'],
        ...['IMPLEMENTING', ...question, 'LOCAL_VALIDATING', 'PUSHED', 'CI_WAIT'],
        ...['ITERATING', ...fixQuestion, 'CI_WAIT', 'REVIEW_WAIT'],
        ...['ITERATING', ...fixQuestion, 'CI_WAIT', 'REVIEW_WAIT', 'DONE'],
      ]);

      const rounds = ended.events.filter((e) => e.type === 'worker.implementation.completed');
      const questions = ended.run.agent.permissions?.askedCount ?? 0;
      expect(rounds).toHaveLength(4);
      expect(questions).toBe(asks ? 4 : 0);
      expect(new Set(rounds.map((e) => e.body.session?.id)).size).toBe(1);
      expect(new Set(asked.map(({ key }) => key))).toEqual(new Set([KEY]));
      const { inputTokens, outputTokens } = ended.run.lifecycle.usage;
      expect(inputTokens).toBe(asked.length * (COST.fresh + COST.cached));
      // The scripted model claims less for its long commands than their length allows.
      expect(outputTokens).toBeGreaterThanOrEqual(asked.length * COST.written);
      const seconds = ((Date.now() - begun) / 1_000).toFixed(0);
      TABLE.push(
        `| ${engine} | ${versionOf(engine)} | ${ended.run.lifecycle.state} | ${rounds.length} | ${questions} | ${asked.length} | ${seconds} |`,
      );
      if (asks) return;
      // Each round asks twice: what to do, and what now that the command has run.
      expect(asked).toHaveLength(8);
      expect(promptIn(asked[2]?.body ?? {})).toContain('What our checks say of your last change');
      expect(promptIn(asked[4]?.body ?? {})).toContain('Which checks of the code host failed');
      expect(promptIn(asked[6]?.body ?? {})).toContain('What reviewers asked for');
      expect(JSON.stringify(asked[6]?.body).split('Fix the first wait').length).toBeGreaterThan(4);
    },
    5,
  );
});
