/** discover: makes the workspace and learns the repository's contract, mechanically (E7). */
import { discover, wantedFiles } from '../core/discovery/discover.ts';
import { readRepositoryFile, REPOSITORY_FILE } from '../core/govern/repository.ts';
import type { Undone } from '../core/facts.ts';
import type { Run } from '../core/machine/run.ts';
import { undoneFiles } from '../core/machine/undone.ts';
import { stepFailed, type Handler } from '../engine/handler.ts';
import { leftOf } from './guard.ts';
import { repoOf, repoRef, runOf, type EffectParts } from './parts.ts';

export const createDiscover = (parts: EffectParts): Handler<'discover'> => {
  const { workspaces, ledger, clock } = parts;
  return async (claim, signal) => {
    const run = await runOf(parts, claim.runId);
    const facts = await repoOf(parts, run);
    if (!facts.mayPush && !facts.archived) {
      return stepFailed('discover', 'permission_denied', `our credential may not push to ${run.order.repo}`);
    }
    const before = await workBefore(parts, run);
    const { ref, sha } = await workspaces.prepare({
      runId: run.id,
      repo: repoRef(run, facts),
      base: run.order.base,
      defaultBranch: facts.defaultBranch,
      signal,
    });
    const undone = await takenUp(parts, run, sha, before);
    const tree = await workspaces.tree(run.id, sha);
    const files = await tree.read([...wantedFiles(tree.paths), REPOSITORY_FILE]);
    // Of the base commit: what an agent changes in it later says nothing of its own change.
    const own = tree.paths.includes(REPOSITORY_FILE)
      ? readRepositoryFile(files.get(REPOSITORY_FILE) ?? null)
      : null;
    if (own && 'problem' in own) return stepFailed('discover', 'bad_repository_file', own.problem);
    const learned = discover(tree.paths, (path) => files.get(path) ?? null);
    const contract = { ...learned, ...own };
    await ledger.artifact({
      runId: run.id,
      type: 'contract',
      content: JSON.stringify(contract, null, 2),
      at: clock.now(),
    });
    const cla = contract.rules.find((r) => r.kind === 'cla');
    return {
      kind: 'result',
      input: {
        type: 'worker.discovery.completed',
        contract,
        base: { ref, sha, repoId: facts.id },
        archived: facts.archived,
        escalate: cla ? { kind: 'asks_agreement', file: cla.file, line: cla.line } : null,
        undone,
      },
    };
  };
};

/** What agents have done so far: their commit, and what is not committed yet. */
const workBefore = async (parts: EffectParts, run: Run): Promise<string[]> => {
  if (run.base === null || !(await parts.workspaces.exists(run.id))) return [];
  return (await leftOf(parts, run)).files;
};

/** E17: a repository that is read anew and has not moved on keeps the commit of this run; what is lost is told. */
const takenUp = async (
  { workspaces }: EffectParts,
  { id, commit }: Run,
  base: string,
  left: readonly string[],
): Promise<Undone | null> => {
  const stays = commit?.base === base;
  if (stays) await workspaces.reset({ runId: id, sha: commit.sha });
  const committed = stays ? [] : (commit?.diff.files ?? []).map((f) => f.path);
  const gone = [...committed, ...left];
  return gone.length === 0 ? null : undoneFiles('anew', gone);
};
