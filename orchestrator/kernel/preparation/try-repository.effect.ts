/** O2, E15: reports what a run would find in a repository, without agent or ledger. */
import type { Baseline } from '../../model/baseline.ts';
import type { Contract } from '../../model/contract.ts';
import { OutsideFailure } from '../ports/index.ts';
import { fallbackUnlessUnavailable } from './read-contribution-rules.effect.ts';
import { inspectTools, tryOut, wantedOf } from './run-baseline.effect.ts';
import { learnContract } from './discover.effect.ts';
import type { EffectContext } from '../handlers/effect-context.ts';
import { plainRunner, type CommandRunner } from '../handlers/recorded-commands.ts';

export type TriedRepository = {
  ref: string;
  contract: Contract;
  baseline: Baseline;
  wantsSigned: boolean;
};
type Needs = Pick<EffectContext, 'workspaces' | 'forge' | 'reader' | 'checks' | 'clock'> & {
  checkTimeoutMs: number;
};

const ID = 'doctor';

/** `onRun` is called before each command. Throws OutsideFailure. */
export const tryRepository = async (
  parts: Needs,
  repo: string,
  { onRun, signal }: { onRun: (name: string, command: string) => void; signal: AbortSignal },
): Promise<TriedRepository> => {
  const { workspaces, forge, checks, checkTimeoutMs, clock } = parts;
  const { cloneUrl, defaultBranch } = await forge.repo(repo);
  const { ref, sha } = await workspaces.prepare({
    runId: ID,
    repo: { name: repo, cloneUrl },
    base: null,
    defaultBranch,
    signal,
  });
  const contract = await learnContract(parts, { id: ID, repo }, sha);
  if ('problem' in contract) throw new OutsideFailure('bad_repository_file', contract.problem);
  const wantsSigned = await fallbackUnlessUnavailable(forge.wantsSigned(repo, ref), false);
  const wanted = wantedOf({ target: { contract }, change: { commit: null }, order: { checks: [] } });
  const place = await workspaces.export({ runId: ID, sha, signal });
  const plain = plainRunner(checks, ID, checkTimeoutMs, signal);
  const told: CommandRunner = (what, where) => {
    onRun(what.name, what.command);
    return plain(what, where);
  };
  try {
    const tools = await inspectTools(plain, place, wanted);
    const of = { ...wanted, ordered: false, goesOn: () => !signal.aborted };
    const tried = await tryOut(told, place, of, signal, async () => {});
    const at = clock.now();
    return { ref, contract, wantsSigned, baseline: { key: '', sha, at, from: null, tools, ...tried } };
  } finally {
    await place.remove();
  }
};
