/** Finds what the repository of a campaign run asks before work. */
import type { AskedFirst } from '#model/requirements';
import type { Run } from './run.ts';

/** Returns null when nothing is asked, or when the run needs a card of its own. */
export const findFirstQuestion = (run: Run): AskedFirst | null => {
  const { order } = run;
  const { state } = run.lifecycle;
  const { escalation } = run.target;
  if (order.campaign === undefined || state !== 'PLAN_READY' || escalation === null) return null;
  const toAskedFirst = (wishes: AskedFirst['wishes']): AskedFirst => ({
    run: run.id,
    repo: order.repo,
    wishes,
  });
  switch (escalation.kind) {
    case 'answers_missing':
      return toAskedFirst(escalation.missing.map(({ what: _, ...wish }) => wish));
    case 'rule_unmet': {
      const { kind: _, ...wish } = escalation;
      // guard: F5-some-ask-alone
      return wish.rule === 'base_branch' ? toAskedFirst([wish]) : null;
    }
    case 'possible_ban': {
      const { kind: _, ...place } = escalation;
      return toAskedFirst([{ rule: 'other', value: 'ai', ...place }]);
    }
    default:
      return null;
  }
};
