/** What the effect handlers share: the ports, and the settings that are not part of an order. */
import type { ForkSettings } from '../core/forks.ts';
import type { PolicySettings } from '../core/policy-settings.ts';
import type { Run } from '../core/machine/run.ts';
import type { Hints } from '../engine/hints.ts';
import {
  OutsideFailure,
  type Checks,
  type Clock,
  type Executor,
  type Forge,
  type Ledger,
  type Notes,
  type RepoFacts,
  type RepoRef,
  type Timers,
  type Wording,
  type Workspaces,
  type Log,
} from '../ports.ts';
import type { Submit } from '../engine/submit.ts';

export type EffectParts = {
  ledger: Ledger;
  submit: Submit;
  clock: Clock;
  timers: Timers;
  workspaces: Workspaces;
  notes: Notes;
  forge: Forge;
  checks: Checks;
  /** By the name of the engine. */
  executors: Readonly<Record<string, Executor>>;
  settings: {
    maxParallelRuns: number;
    maxRunsPerDay: number;
    policies: PolicySettings;
    forks: ForkSettings;
    /** Author and committer of the commits we make. */
    author: { name: string; email: string };
    checkTimeoutMs: number;
  };
  /** Key of the receipts in pull request bodies (G7). */
  receiptKey: Uint8Array;
  /** What the core tells as data, in English, for prompts. */
  wording: Wording;
  /** The skill texts by name and prompt version. */
  skill: (name: string, version: string) => string;
  /** A log of any size, cut down to its first failure and its summary. */
  distillLog: (log: string) => string;
  log: Log;
  /**
   * What of the things that were lent to agents a text holds, by name; left out where nothing is
   * lent.
   */
  lent?: { namesIn(text: string): readonly string[] };
  /** Left out where nobody hears of anything between two looks. */
  hints?: Hints;
};

/** The run an effect belongs to; effects of runs that are not there are a bug. */
export const runOf = async (parts: Pick<EffectParts, 'ledger'>, runId: string | null): Promise<Run> => {
  const run = runId === null ? null : await parts.ledger.query.run(runId);
  if (!run) throw new Error(`there is no run ${runId}`);
  return run;
};

/**
 * G6: names are given away. Once a run knows its repository by its id, another one of that name is
 * none of its business.
 */
export const repoOf = async ({ forge }: Pick<EffectParts, 'forge'>, run: Run): Promise<RepoFacts> => {
  const { repo } = run.order;
  const facts = await forge.repo(repo);
  if (run.base && facts.id !== run.base.repoId)
    throw new OutsideFailure(
      'repository_missing',
      `${repo} is another repository now. Make a new run under the name that ours has today`,
    );
  return facts;
};

export const repoRef = (run: Run, facts: Pick<RepoFacts, 'cloneUrl'>): RepoRef => ({
  name: run.order.repo,
  cloneUrl: facts.cloneUrl,
});

/** A fact that an earlier step must have left in the run. */
export const need = <T>(value: T | null | undefined, what: string): T => {
  if (value === null || value === undefined)
    throw new OutsideFailure('env_missing', `the run has no ${what} yet`);
  return value;
};
