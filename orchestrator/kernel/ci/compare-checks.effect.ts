/** `compare_checks` asks whose failures the red checks of our head are, before a fix is counted (F6). */
import { repositoryOf } from '../run/run.ts';
import type { EffectHandler } from '../runtime/effect-handler.ts';
import { requireValue, requireRunOf, type EffectContext } from '../handlers/effect-context.ts';
import { redNames } from './compared-checks.ts';
import type { ForgeChecks } from '#ports/roles';

export const createCompareChecksHandler =
  (parts: Pick<EffectContext, 'ledger'> & { forge: ForgeChecks }): EffectHandler<'compare_checks'> =>
  async (claim) => {
    const run = await requireRunOf(parts, claim.runId);
    const { sha } = claim.do;
    const { ref } = requireValue(run.target.base, 'base');
    const { onBase, flaky } = await parts.forge.findRedOnBaseOrFlaky(repositoryOf(run), sha, ref);
    return {
      kind: 'result',
      input: { type: 'worker.ci.compared', sha, ref, checks: redNames(run), failingOnBase: onBase, flaky },
    };
  };
