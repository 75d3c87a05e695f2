/** Processes of the repository: agents, checks, and what a crash left of them. */
import type {
  CheckResult,
  ContainmentLevel,
  ExposedCredential,
  AgentSession,
  ModelUsage,
} from '../core/change-facts.ts';
import type { AgentClaims } from '../core/govern/grade-attempt.ts';
import type { FailureClass } from '../core/failure-classes.ts';
import type { AttemptRow } from './rows.ts';

/**
 * A cap of the run's box that was met; `says` is the end of a sentence. `reserve` is what the disk
 * keeps free for us, `host` what the machine itself had no more of.
 */
export type CapExcess = { limit: 'memory' | 'processes' | 'disk' | 'reserve' | 'host'; says: string };

export type ProcessEnd = {
  exitCode: number | null;
  /** Why it ended: by itself, or by us. */
  ended: 'exited' | 'signalled' | 'timed_out' | 'aborted' | 'output_limit' | 'over_limit' | 'not_started';
  signal: string | null;
  ms: number;
  stdout: string;
  stderr: string;
  /**
   * Why it was stopped (`over_limit`) or not started, or what the kernel refused it or killed of
   * it.
   */
  excess?: CapExcess;
};

export type ExecutorEvent =
  | { type: 'started'; pid: number; pidStart: string | null }
  | { type: 'progress'; text: string }
  /** Of this round so far. Engines that count at the end alone say nothing before. */
  | { type: 'used'; usage: ModelUsage; session: AgentSession | null; outputBytes: number };

export type ExecutorDone = {
  outcome: 'completed' | 'failed';
  /** `model` is the one without a price, where that is why (E18); null where the agent named none. */
  failure: {
    class: FailureClass;
    message: string;
    retryAt: number | null;
    model?: string | null;
  } | null;
  /**
   * What the next round may resume, with all that the session has used so far by the engine's own
   * count.
   */
  session: AgentSession | null;
  /** The agent's own words; a claim (S5). */
  summary: string;
  /** The words that it ended with in place of a report, line by line. */
  words?: string;
  /** What else it says of its work; left out by engines that ask for no report. */
  claims?: AgentClaims;
  /** Of this round alone. */
  usage: ModelUsage;
  containment: ContainmentLevel;
  /** Left out where nothing was. */
  lends?: ExposedCredential | null;
  end: ProcessEnd;
  model: string | null;
  /** What it and its model said to each other, where that was heard. */
  transcript?: string;
};

/**
 * E10: what an agent asks to be allowed to do. `input` is what it would hand to its tool, as JSON with
 * sorted keys; the words that it says about it are no part of it.
 */
export type PermissionRequest = {
  /** The kind of tool, as the agent calls it. */
  tool: string;
  input: string;
  /** The shell command, where the input is just that and it runs in the workspace. */
  command: string | null;
  /** The files of the workspace that it is about; null where it names none, or is about others. */
  files: readonly string[] | null;
  /** P4: the engine can run another input in its place. */
  editable?: boolean;
};

/**
 * `deny` reaches the agent with its reason; `wait` ends its turn: a person is asked. `modified` is the
 * input that a person put in place of its own. `by` is left out where policies decided.
 */
export type PermissionAnswer =
  | { kind: 'allow'; by?: string }
  | { kind: 'modified'; input: string; by: string }
  | { kind: 'deny'; reason: string }
  | { kind: 'wait' };

/** What the commands of an agent reach, beside its model. */
export type CommandNetwork =
  | { kind: 'open' }
  | { kind: 'none' }
  | { kind: 'listed'; registries: string[]; hosts: string[] };

/** E7: what an agent can do in a round, so that its prompt asks for nothing that its flags forbid. */
export type AgentAbilities = {
  /** Null where it can run no command at all. */
  commands: { network: CommandNetwork } | null;
  /** Its program asks its model for the report, in the form that we gave to the program. */
  hasReportForm: boolean;
};

/**
 * E4: the contract of every engine: `started`, any `progress`, then exactly one result. A round
 * that ended well without a valid report fails with `invalid_output`, its message saying what was
 * wrong with the report (E7).
 */
export type EngineExecutor = {
  /**
   * How the agent calls itself where it is named as an author: `Name <email>`; left out by what has
   * no such name.
   */
  coAuthor?: string;
  /**
   * Which provider it would ask through our gateway, by a name that all our processes share; null,
   * or left out, where that is not known.
   */
  provider?(engineArgs: readonly string[]): string | null;
  /**
   * P5: which of a repository's instructions it reads itself: paths, and folders that end in a slash;
   * left out by what reads no prompt.
   */
  readsInstructions?: readonly string[];
  /** Left out by what no prompt has to be fitted to. */
  abilities?(round: { writes: 'change' | 'nothing' }): AgentAbilities;
  run(input: {
    runId: string;
    engineArgs: string[];
    prompt: string;
    workspace: string;
    home: string;
    /** Resumes this one; an engine that cannot find it any more fails with `session_lost`. */
    session: AgentSession | null;
    /** `nothing`: the workspace must be as it was afterwards. */
    writes: 'change' | 'nothing';
    /** What is left of the run's budgets; null, or left out: no limit. */
    left?: { tokens: number | null; costUsd: number | null };
    timeoutMs: number;
    signal: AbortSignal;
    onEvent(event: ExecutorEvent): void;
    /**
     * E18: writes down what this round may have been billed by now, at most; what it would be billed
     * for is not asked before that is done.
     */
    reserve?: (most: ModelUsage) => Promise<void>;
    /** Judges what an agent asks; where it is left out, everything that is asked is denied. */
    ask?: (request: PermissionRequest) => Promise<PermissionAnswer>;
  }): Promise<ExecutorDone>;
};

/** Runs one command of the repository, contained, in an export of the tree that is to be sealed. */
export type CheckExecutor = {
  run(input: {
    runId: string;
    /** Installations may have a network that checks have not. */
    kind: 'install' | 'check';
    name: string;
    command: string;
    /** The export, which may be written to. */
    dir: string;
    /** Where in it the command runs; '' is its root. The repository chose the name. */
    folder: string;
    home: string;
    timeoutMs: number;
    signal: AbortSignal;
    onStart(pid: number, pidStart: string | null): void;
  }): Promise<{ result: CheckResult; end: ProcessEnd; containment: ContainmentLevel }>;
};

/** Kills what a crashed boot left behind, by pid and start time. Returns how many were alive. */
export type ProcessReaper = {
  reap(attempts: readonly Pick<AttemptRow, 'runId' | 'pid' | 'pidStart'>[]): Promise<number>;
};
