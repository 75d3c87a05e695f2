/** What scripts read of a run: `agentpr run list --json`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toListedRun, type ListedRun } from '../../cli/listed-run.ts';
import { RUN_STATES, type RunState } from '#model/run';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';
import { at, START } from '../support/core.ts';

const using = (run: Run, usage: Run['lifecycle']['usage']): Run => patchRun(run, { lifecycle: { usage } });

describe('a run in `agentpr run list --json`', () => {
  it('O1: has its repository, state, pull request, risk, cost and whom it waits for', () => {
    const { run } = at('REVIEW_WAIT');
    expect(toListedRun(using(run, { inputTokens: 1_200, outputTokens: 300, costUsd: 0.02 }))).toEqual({
      id: run.id,
      repository: run.order.repo,
      goal: run.order.goal,
      state: 'REVIEW_WAIT',
      waitsFor: 'maintainer',
      pullRequest: run.upstream.pullRequest?.id,
      link: run.upstream.pullRequest?.url,
      risk: 'low',
      costUsd: 0.02,
      inputTokens: 1_200,
      outputTokens: 300,
      engine: run.order.engine,
      requestedBy: run.order.requester.name,
      campaign: null,
      createdAt: new Date(START).toISOString(),
      since: new Date(run.lifecycle.stateEnteredAt).toISOString(),
    } satisfies { [field in keyof ListedRun]: unknown });
  });

  it('O1: says in each state whom it waits for', () => {
    const waits: Record<RunState, ListedRun['waitsFor']> = {
      QUEUED: 'slot',
      DISCOVERY: null,
      PLAN_READY: null,
      IMPLEMENTING: null,
      LOCAL_VALIDATING: null,
      PUSHED: 'approver',
      CI_WAIT: 'ci',
      REVIEW_WAIT: 'maintainer',
      ITERATING: null,
      PAUSED: 'operator',
      DONE: null,
      SKIPPED: null,
      NEEDS_HUMAN_REVIEW: 'operator',
      FAILED_RETRYABLE: null,
      FAILED_TERMINAL: null,
    };
    expect(
      Object.fromEntries(RUN_STATES.map((state) => [state, toListedRun(at(state).run).waitsFor])),
    ).toEqual(waits);
  });

  it('O1: a cost that the engine does not tell is null, and none is 0', () => {
    const { run } = at('CI_WAIT');
    expect(toListedRun(using(run, { inputTokens: 900, outputTokens: 1, costUsd: 0 })).costUsd).toBeNull();
    expect(toListedRun(using(run, { inputTokens: 0, outputTokens: 0, costUsd: 0 })).costUsd).toBe(0);
  });

  it('O1: each of its fields stands in the documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
    const fields = Object.keys(toListedRun(at('QUEUED').run));
    expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
  });
});
