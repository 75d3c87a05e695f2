/** Composes what an agent is told and given for one round. */
import type { BriefAgent } from '../kernel/ports/index.ts';
import { engineOf } from '../kernel/run/proposer-rotation.ts';
import { ROUND_ROWS } from '../kernel/run/round-table.ts';
import { required, type EffectContext } from '../kernel/handlers/effect-context.ts';
import { describeEarlierChanges } from './describe-earlier-changes.ts';
import { gatherEvidence } from './failed-check-logs.ts';
import { createEditLint } from './lint-edits.ts';
import { promptHistory } from './prompt-history.ts';
import { createTurnRecorder } from './record-turns.ts';
import { abilitiesOf, renderPrompt, type PromptParts } from './render-prompt.ts';
import { instructionsFor } from './repository-instructions.ts';
import { mapOf } from './repository-map.ts';
import { conflictEvidence, foreignHeadEvidence, newestAnswerEvidence } from './round-evidence.ts';
import { pictureEvidence, sentPicture } from './sent-picture.ts';

export type BriefingParts = PromptParts &
  Pick<
    EffectContext,
    'ledger' | 'clock' | 'workspaces' | 'forge' | 'checks' | 'executors' | 'reader' | 'log'
  >;

export const createBriefing =
  (parts: BriefingParts): BriefAgent =>
  async (run, round, { past, left, undone, conflicts }) => {
    const executor = required(parts.executors[engineOf(run)], 'engine');
    const can = abilitiesOf(executor, ROUND_ROWS[round.kind].writes === 'change' ? 'change' : 'nothing');
    const guides = await instructionsFor(parts, run, round);
    const gathered = await gatherEvidence(parts, run, round);
    const picture = await sentPicture(parts, run, can.pictures);
    const evidence = [
      ...pictureEvidence(picture, can.pictures),
      ...promptHistory(run, past, left, undone, parts.wording),
      ...newestAnswerEvidence(run),
      ...guides,
      ...(conflicts ? [conflictEvidence(run, conflicts)] : []),
      ...foreignHeadEvidence(run),
      ...describeEarlierChanges(run, round, can),
      ...gathered,
    ];
    return {
      prompt: renderPrompt(run, round, evidence, parts, can),
      picture,
      equip: async (attempt, signal) => {
        const turns = await createTurnRecorder(parts, run.id, attempt, guides);
        const { lint, end } = createEditLint(parts, run, signal);
        return { tools: { turns, map: mapOf(parts, run, round, gathered), lint }, end };
      },
    };
  };
