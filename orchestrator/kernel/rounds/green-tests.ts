/** An agent hears once that the tests of its change pass without the change (E19). */
import type { ReportedChange } from '#model/agent';
import type { CheckResult } from '#model/evidence';
import { enginesInTurn } from '#model/order';
import { innerRound } from '../run/round-table.ts';
import { nextRound } from '../lifecycle/round-allowance.ts';
import { clearRetries, type StepDraft } from '../lifecycle/step-draft.ts';
import { enterState } from '../lifecycle/enter-state.ts';

const BEHAVES_ANEW: readonly (ReportedChange['type'] | undefined)[] = [null, undefined, 'fix', 'feature'];

export const hearsOfGreenTests = (draft: StepDraft, checks: readonly CheckResult[]): boolean => {
  const { run } = draft;
  const { agent, order, upstream } = run;
  const isGreen = checks.some(({ withTestsOnBase }) => withTestsOnBase === 'passes');
  const canHear =
    order.engine !== 'script' &&
    enginesInTurn(order).length === 0 &&
    !order.fixes &&
    upstream.pullRequest === null;
  if (!isGreen || !canHear || agent.plan || agent.greenTestsReported) return false;
  if (!BEHAVES_ANEW.includes(agent.claims.reported?.type)) return false;
  const told = innerRound(agent.round, 'check_fix', [{ kind: 'tests_pass_on_base' }]);
  const again = nextRound(run, told);
  if ('stop' in again) return false;
  agent.greenTestsReported = true;
  agent.round = told;
  run.lifecycle.counts = again.counts;
  clearRetries(draft);
  enterState(draft, 'IMPLEMENTING', { kind: 'tests_pass_on_base' });
  return true;
};
