/** Figures of one run with a pull request and without questions. */
import type { RunFigures } from '../../orchestrator/reports/run-figures.ts';
import { MINUTE } from '#model/values';
import { START } from './core.ts';

export const someFigures = (change: Partial<RunFigures> = {}): RunFigures => ({
  run: 'r',
  repo: 'octo/app',
  engine: 'script',
  flow: 'direct',
  prompt: 'v1',
  drawn: false,
  campaign: null,
  ecosystems: ['node'],
  createdAt: START,
  readyAt: START + MINUTE,
  openedAt: START + 2 * MINUTE,
  mergedAt: null,
  endedAt: null,
  state: 'REVIEW_WAIT',
  firstCi: 'passed',
  iterations: 0,
  needsHuman: false,
  failures: {},
  tokens: 0,
  costUsd: 0,
  workedMs: 0,
  rounds: [],
  causes: {},
  skills: {},
  together: [],
  remarks: { heard: 0, unanswered: 0 },
  survival: [],
  ...change,
});
