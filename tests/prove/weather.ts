/** Derives a world from a seed: failure rates, people's behaviour, and bounds. */
import type { RunBounds } from '#model/limits';
import type { Weather as Mail } from './mail.ts';
import type { Random } from './random.ts';
import type { Behaviour } from './world/state.ts';

export type Weather = {
  behaviour: Partial<Behaviour>;
  mail: Mail;
  bounds: Partial<RunBounds> & Pick<RunBounds, 'maxIterations' | 'maxReflections' | 'autoIterate' | 'push'>;
  required: string[];
  /** Maximum number of runs. */
  runs: number;
  /** Chances that a run keeps a plan, and that its agent reads first. */
  plan: number;
  reads: number;
  /** Chance per life that it crashes. */
  crash: number;
  /** Share of requested actions in what people do. */
  diligence: number;
  /** Activity of the code host's people. */
  busy: number;
  /** Chance per turn that the clock jumps. */
  clock: number;
  /** Turns with all failures, then with those of the code host only. */
  length: number;
  steady: number;
};

/** All kinds of trouble, to report the missing ones. */
export const TROUBLES: readonly string[] = [
  ...['forge', 'git', 'chat'].flatMap((who) => [
    `${who}: request lost`,
    `${who}: answer lost`,
    `${who}: asks for patience`,
  ]),
  'forge: an app changes the title at once',
  'forge: shows another author',
  'disk: full',
  ...[
    'crashed',
    'timed_out',
    'auth_missing',
    'rate_limited',
    'context_exceeded',
    'sandbox_denied',
    'interrupted',
    'session_lost',
    'invalid_output',
    'changed nothing',
    'left something unsafe',
    'a risky change',
    'a plan that cannot be read',
    'touched the plan',
    'uses tokens',
    'rules that stand nowhere',
  ].map((what) => `agent: ${what}`),
  'our checks: red',
  'our checks: env_missing',
  'CI: runs',
  'CI: red',
  'CI: waits for a maintainer',
  'webhook: lost',
  'webhook: late',
  'webhook: twice',
  'webhook: delivered again by hand',
  'process: dies',
  'clock: put forward',
  'clock: put back',
  ...[
    'merge',
    'close',
    'ask for changes',
    'strangers ask for changes',
    'approve',
    'remark',
    'comment',
    'comment on a line',
    'run the checks again',
    'push to our branch',
    'delete our branch',
    'open a pull request on our branch',
    'make a conflict',
  ].map((what) => `people: ${what}`),
  ...[
    'answers',
    'presses',
    'presses twice',
    'presses elsewhere',
    'forges a button',
    'is delivered again',
    'types',
    'wants a plan',
    'wants the repository read',
  ].map((what) => `person: ${what}`),
];

export const weatherOf = (random: Random): Weather => {
  const some = <T>(...chances: T[]): T => random.pick(chances);
  return {
    behaviour: {
      trouble: some(0, 0.03, 0.06, 0.1),
      lies: some(0, 0, 0, 0.3),
      disk: some(0, 0, 0.03),
      checksFail: some(0, 0, 0.2, 0.7),
      checksBreak: some(0, 0, 0, 0.1),
      agentFails: some(0, 0, 0.2),
      agentIdle: some(0, 0, 0.1),
      agentGarbles: some(0, 0, 0.2),
      agentUses: some(0, 0, 0, 0.7),
      sessionLost: some(0, 0, 0.3),
      unsafe: some(0, 0, 0, 0.1),
      risky: some(0, 0, 0, 0.4),
      ci: some(0, 1, 1, 1),
      ciRed: some(0, 0.2, 0.5, 0.9),
    },
    mail: { hooks: some(0, 1, 1, 2), lost: some(0, 0.1, 0.4), twice: some(0, 0.2), late: some(0, 0.3) },
    bounds: {
      approvalMs: some(600_000, 600_000, 60_000),
      pollMs: 5_000,
      runMs: some(3_600_000, 3_600_000, 45_000),
      reminderMs: some(86_400_000, 40_000),
      ciWaitMs: some(86_400_000, 20_000),
      reviewWaitMs: some(86_400_000, 20_000),
      retryMs: 1_000,
      ciSettleMs: 5_000,
      noCiMs: 15_000,
      maxTokens: some(null, 40, 90),
      warnAt: 0.8,
      maxIterations: some(1, 2, 3),
      maxReflections: some(1, 3),
      autoIterate: random.chance(0.3),
      push: some('before_approval', 'before_approval', 'after_approval'),
    },
    required: random.pick([[], [], ['build']]),
    runs: some(1, 1, 1, 2, 3),
    plan: some(0, 0, 0, 0.5),
    reads: some(0, 0, 0, 0.5),
    crash: some(0, 0.5, 0.7),
    clock: some(0, 0, 0, 0.02),
    diligence: some(0.1, 0.5, 0.9),
    busy: some(0.02, 0.08, 0.2),
    length: some(20, 60, 120),
    steady: some(0, 40, 80),
  };
};
