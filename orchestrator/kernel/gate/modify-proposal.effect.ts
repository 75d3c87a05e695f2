/** `modify` replaces the text of a pull request that awaits approval; risk may not rise (P4). */
import { assessModification } from '#governor';
import type { Run } from '../run/run.ts';
import { mergeEditedText } from '#model/pull';
import { withNewAnswer } from '#model/requirements';
import type { EffectHandler } from '../runtime/effect-handler.ts';
import { requireRunOf, type EffectContext } from '../handlers/effect-context.ts';
import { gatherPullAction, gatherPullProposal } from './gather-proposal.io.ts';

export const createModifyProposalHandler =
  (parts: EffectContext): EffectHandler<'modify_proposal'> =>
  async (claim) => {
    const { approvalId, pullText, answer, by, reason } = claim.do;
    const asked = answer ? { pullText, answer } : { pullText };
    const run = await requireRunOf(parts, claim.runId);
    const { proposal, approval } = run.gate;
    if (!proposal || approval?.id !== approvalId) {
      const decision = { kind: 'rejected', by: 'policy', why: { kind: 'card_closed' } } as const;
      const input = { type: 'worker.proposal.modified', approvalId, by, ...asked, decision } as const;
      return { kind: 'result', input: { ...input, proposal: null } };
    }
    const original = { id: proposal.digest, assessment: proposal.fields.assessment };
    const after: Run = answer
      ? {
          ...run,
          target: { ...run.target, requirementAnswers: withNewAnswer(run.target.requirementAnswers, answer) },
        }
      : {
          ...run,
          gate: {
            ...run.gate,
            editedPrText: {
              ...mergeEditedText(run.gate.editedPrText, pullText),
              original: original.id,
              by,
              reason,
            },
          },
        };
    const { action } = await gatherPullAction(parts, run);
    const changed = await gatherPullAction(parts, after);
    const { decision } = assessModification({ ...original, action }, changed.action, changed.context, {
      by: 'human',
      reason,
    });
    const accepted = decision.kind === 'modified';
    return {
      kind: 'result',
      input: {
        type: 'worker.proposal.modified',
        approvalId,
        by,
        ...asked,
        decision,
        proposal: accepted ? await gatherPullProposal(parts, after, proposal.fields) : null,
      },
    };
  };
