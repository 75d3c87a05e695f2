/** Builds the record of one turn; it is written before an action runs, and when the turn is over. */
import type { DraftedAction, TurnDraft } from '#model/turn';
import type { TurnRecorder } from '#ports/records';

type TurnParts = Pick<TurnDraft, 'session' | 'model' | 'tools'>;

export const createTurnDraft = (
  record: TurnRecorder['write'],
  seq: number,
  parts: TurnParts,
  states: () => TurnDraft['states'],
) => {
  let draft: TurnDraft = {
    ...parts,
    engine: 'builtin',
    context: { digest: '', tokens: 0, parts: [], files: [], summarised: 0, shortened: 0 },
    thought: { kind: 'none', text: null, problem: null },
    actions: [],
    evaluation: null,
    states: [],
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
  };
  const change = (patch: Partial<TurnDraft>): void => void (draft = { ...draft, ...patch });
  const write = async (): Promise<void> => {
    change({ states: [...states()] });
    await record(seq, draft);
  };
  return {
    change,
    write,
    actions: (): readonly DraftedAction[] => draft.actions,
    changeAction: (call: string, patch: Partial<DraftedAction>): void =>
      change({ actions: draft.actions.map((one) => (one.call === call ? { ...one, ...patch } : one)) }),
    ends: async (kind: NonNullable<TurnDraft['evaluation']>['kind'], failure: string | null = null) => {
      change({ evaluation: { kind, failure } });
      await write();
    },
  };
};
export type DraftTurn = ReturnType<typeof createTurnDraft>;
