/** Gives checks the history and tags that their CI checks out (E19). */
import type { Run } from '../run/run.ts';
import type { ExportHistory } from '#ports/workspaces';
import { readRunRepository, repoRef } from '../handlers/effect-context.ts';
import type { ForgeRepository } from '#ports/roles';

export const readExportHistory = async (
  parts: { forge: ForgeRepository },
  run: Run,
): Promise<{ history?: ExportHistory }> => {
  const { contract, base } = run.target;
  const asks = contract?.checks.some(({ needs }) => needs?.some(({ kind }) => kind === 'history')) === true;
  if (!asks || base === null) return {};
  return {
    history: { repo: repoRef(run, await readRunRepository(parts, run)), ref: base.ref, base: base.sha },
  };
};
