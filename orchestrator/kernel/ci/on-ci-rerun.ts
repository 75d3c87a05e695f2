/** Handles a person's wish to run the red checks again. */
import { Person } from '#model/order';
import { defineCommand, moveFrom, type HandlerRuling } from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { settleState } from '../lifecycle/settle-state.ts';
import { addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import { isForeign } from '../run/foreign-commit.ts';
import { theirsFirst } from '../run/refusals.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';
import { SETTLED } from '../run/state-groups.ts';
import { rerunAsked } from './ci-facts.ts';
import { countRerun } from './on-checks-compared.ts';
import { rewriteChecks } from './red-checks.ts';

const rerunChecks = (d: StepDraft, name: string): HandlerRuling => {
  const { run } = d;
  if (isForeign(run)) return { refuse: theirsFirst(run) };
  if (!run.upstream.pullRequest || !run.change.pushedHead)
    return { refuse: { kind: 'no_pull', run: run.id } };
  const { sha } = run.change.pushedHead;
  rewriteChecks(run, (ci) => rerunAsked(ci, d.stamp.at));
  if (run.lifecycle.reason.kind === 'maybe_flaky') countRerun(run);
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  enterState(d, 'CI_WAIT', { kind: 'checks_rerun', by: name });
  settleState(d);
  if (run.lifecycle.state === 'CI_WAIT') addWork(d, { kind: 'rerun_ci', sha });
  return undefined;
};

export const RERUN_COMMANDS = [
  defineCommand({
    type: 'command.ci.rerun',
    fields: { by: Person },
    moves: [moveFrom(['NEEDS_HUMAN_REVIEW'], SETTLED, 'CI asked to run again, then settled')],
    pushes: true,
    handle: (d, { by }): HandlerRuling => rerunChecks(d, by.name),
  }),
];
