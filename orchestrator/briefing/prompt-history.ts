/** Tells an agent about interrupted turns, and about edits that were kept or lost (E17, L6). */
import type { RunAgent } from '../kernel/run/run.ts';
import type { DiscardedEdits } from '#model/change';
import type { AttemptRow } from '#ports/ledger';
import type { WorkspaceLeftovers } from '#ports/workspaces';
import type { EffectContext } from '../kernel/handlers/effect-context.ts';
import { ASKED_OUTCOME } from '../kernel/run/permissions.ts';
import type { PromptEvidence } from './render-prompt.ts';

/** Outcomes of turns that the agent finished itself. */
const COMPLETE_OUTCOMES = ['completed', 'invalid_output', ASKED_OUTCOME];
const MAX_HISTORY_LINES = 100;

type Past = readonly Pick<AttemptRow, 'step' | 'outcome'>[];

const cutOff = (attempts: Past): string | null => {
  const last = attempts.findLast(({ step }) => step === 'agent');
  return last === undefined || COMPLETE_OUTCOMES.includes(last.outcome)
    ? null
    : last.outcome.replace('running', 'interrupted');
};

const DISCARD_NOTICES: Record<DiscardedEdits['why'], string> = {
  guard: 'That round may not change files, so these edits of yours were put back:',
  plan: 'A step may not change the plan, so your edit of the plan was put back.',
  disk: 'The disk was full, so edits that were not committed had to be removed.',
  missing: 'The workspace was gone: the files are as in the last commit, without the edits since.',
  other_commit: 'The files were brought to another commit, so these edits of yours are gone:',
  taken_back: 'A person took back your last change: the files are as in your change before it. It was in:',
  fresh_workspace: 'The repository was read again, so these edits are not in the workspace any more:',
};

const capLines = (lines: readonly string[], more = 0): string[] => {
  const rest = lines.length - MAX_HISTORY_LINES + more;
  return rest > 0 ? [...lines.slice(0, MAX_HISTORY_LINES), `… and ${rest} more`] : [...lines];
};

export const promptHistory = (
  { agent: { session } }: { agent: Pick<RunAgent, 'session'> },
  attempts: Past,
  left: WorkspaceLeftovers,
  undone: DiscardedEdits | null,
  { findingNote }: Pick<EffectContext['texts']['wording'], 'findingNote'>,
): PromptEvidence[] => {
  const out: PromptEvidence[] = [];
  const addEvidence = (title: string, ours: string[], names: string[] = []): void =>
    void out.push({ title, ours: ours.join('\n'), data: names.join('\n') });
  const cut = cutOff(attempts);
  const edits = left.files.length > 0;
  if (cut !== null)
    addEvidence(session === null ? 'An earlier attempt was cut off' : 'Your last turn was cut off', [
      `What ended it: ${cut.replaceAll('_', ' ')}.`,
      edits
        ? 'Edits of the interrupted attempt are in the workspace; they are listed below.'
        : 'No edit of it is in the workspace: the files are as in the last commit.',
      'Look at the files as they are now, then do what is asked for here.',
    ]);
  if (edits)
    addEvidence(
      'Edits that are in the workspace already, and are not committed yet',
      ['They are yours, of an attempt that was not finished. Keep what is right, change the rest.'],
      capLines(left.files),
    );
  if (left.unfit.length > 0)
    addEvidence(
      'What is in the workspace and cannot be committed',
      [],
      capLines(left.unfit.map((f) => `${f.path || '(the workspace)'}: ${findingNote(f)}`)),
    );
  if (undone)
    addEvidence('Edits that were undone', [DISCARD_NOTICES[undone.why]], capLines(undone.files, undone.more));
  return out;
};
