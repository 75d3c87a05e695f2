/** Finds installed coding agents, their sign-in state, and whether they answer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlConfig } from '../../app/config.ts';
import { AGENT_CLIS, AGENT_NAMES, type AgentName, findProgram } from '#engines';
import { toPathVariable, listOwnHomes } from '#process';
import { runAgentOnce } from '../agent-step.ts';

const MINUTES = 2;
/** Harmless even if an agent follows it literally. */
const QUESTION = 'Answer with the one word: ready. Read no file and change none.';

const INSTALLABLE = ['codex', 'claude', 'opencode'] as const;
export const installHints = (): string[] => INSTALLABLE.map((name) => AGENT_CLIS[name].install);

/** Agents that share a program count once. */
const isFirstOfProgram = (name: AgentName, at: number): boolean =>
  AGENT_NAMES.findIndex((one) => AGENT_CLIS[one].program === AGENT_CLIS[name].program) === at;

export const findInstalledAgents = ({ file, operator }: ControlConfig): AgentName[] =>
  AGENT_NAMES.filter(isFirstOfProgram).filter((name) => {
    const { ours, program } = AGENT_CLIS[name];
    if (ours !== undefined) return false;
    const command = file.engines[name]?.command ?? program;
    const search = [toPathVariable(file.tools), operator.env.PATH ?? ''].join(':');
    return command !== '' && findProgram(command, search) !== null;
  });

type AgentTrial = { ms: number; failure: string | null };

/** Asks one question in an empty folder, sandboxed as in a run. */
export const tryAgent = async (name: AgentName, config: ControlConfig): Promise<AgentTrial> => {
  // The folder must not be below /tmp, because a sandbox has its own /tmp.
  const [home = config.operator.home] = listOwnHomes();
  const dir = mkdtempSync(join(home, '.agentpr-question-'));
  try {
    const done = await runAgentOnce({
      engine: name,
      prompt: QUESTION,
      dir,
      readOnly: true,
      minutes: MINUTES,
      sandbox: config.sandbox,
      settings: config.file,
      signal: AbortSignal.timeout(MINUTES * 60_000),
      onEvent: () => undefined,
    });
    return { ms: done.end.ms, failure: done.failure?.message ?? null };
  } catch (error) {
    return { ms: 0, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};
