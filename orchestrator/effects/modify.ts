/**
 * modify: other words for a pull request that waits for its signature, judged anew; they may not
 * raise the risk (P4).
 */
import { modify } from '../core/govern/decision.ts';
import type { Run } from '../core/machine/run.ts';
import { reworded } from '../core/machine/words.ts';
import { withAnswer } from '../core/missing.ts';
import type { Handler } from '../engine/handler.ts';
import { runOf, type EffectParts } from './parts.ts';
import { pullAction, pullProposal } from './proposal.ts';

export const createModify =
  (parts: EffectParts): Handler<'modify_proposal'> =>
  async (claim) => {
    const { approvalId, words, answer, by, reason } = claim.do;
    const asked = answer ? { words, answer } : { words };
    const run = await runOf(parts, claim.runId);
    const {
      gate: { proposal, approval },
    } = run;
    if (!proposal || approval?.id !== approvalId) {
      const decision = { kind: 'rejected', by: 'policy', why: { kind: 'card_gone' } } as const;
      const input = { type: 'worker.proposal.modified', approvalId, by, ...asked, decision } as const;
      return { kind: 'result', input: { ...input, proposal: null } };
    }
    const original = { id: proposal.digest, assessment: proposal.fields.assessment };
    const after: Run = answer
      ? {
          ...run,
          target: { ...run.target, requirementAnswers: withAnswer(run.target.requirementAnswers, answer) },
        }
      : {
          ...run,
          gate: {
            ...run.gate,
            editedPrText: { ...reworded(run.gate.editedPrText, words), original: original.id, by, reason },
          },
        };
    const { action } = await pullAction(parts, run);
    const changed = await pullAction(parts, after);
    const { decision } = modify({ ...original, action }, changed.action, changed.context, {
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
        proposal: accepted ? await pullProposal(parts, after, proposal.fields) : null,
      },
    };
  };
