/** English descriptions of an agent round's task, in chat and in prompts. */
import { enComposed } from './sentences.ts';
import { firstLine, type Feedback } from '../../../orchestrator/model/feedback.ts';
import type { PolicyObjections } from '../../../orchestrator/model/change-records.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

export const enObjections = (all: PolicyObjections): string =>
  all.map(({ policy, reason }) => `${policy}: ${enComposed.judgement(reason)}`).join('; ');

const placed = (path: string | null, line: number | null): string =>
  path === null ? 'the whole change' : line === null ? path : `${path}:${line}`;

export const enFeedback: SentenceCatalogue<Feedback> = {
  words: ({ text }) => text,
  red: ({ checks }) => `CI is red: ${checks.join(', ')}`,
  review: ({ reviewer, body }) => `${reviewer} requested changes:\n\n${body}`,
  remarks: ({ items }) =>
    [
      `${[...new Set(items.map(({ author }) => author))].join(', ')}: ${countWords(items.length, 'remark', 'remarks')}`,
      ...items.map(
        ({ no, author, path, line, hunk, body, answer }) =>
          `[${no}] ${placed(path, line)} ${author}${answer ? ' (change nothing for this one; propose an answer in your report)' : ''}:\n${body}${hunk === '' ? '' : `\nThe lines it is about:\n${hunk}`}`,
      ),
    ].join('\n\n'),
  denied: (r) => `A policy forbids the change: ${enObjections(r.objections)}`,
  refused: ({ denialReason: because }) => enComposed.denials.told[because],
  checks_failed: () => 'The checks failed.',
  tests_pass_on_base: () =>
    'Every check passes, and the tests that you added or altered also pass on the base, without the rest of your change. Where the change alters behaviour, make a test fail without it; where no test can, leave them and say so in the summary.',
  step: ({ id, text }) => `(STEP_ID=${id}) ${text}`,
  step_passed: ({ id }) => `Step ${id} passed our checks.`,
  step_changed_nothing: ({ id, skippedFiles: leftOut }) => {
    const which = leftOut.map((f) => `${f.path}: ${enComposed.findingNote(f)}`).join('; ');
    const committable = which === '' ? '' : ` that can be committed (${which})`;
    return `Step ${id} changed no file${committable}. Split it, do it another way, or block it and say why in Notes.`;
  },
  plan_has_no_step: () => 'The plan has no step; “Next” needs exactly one.',
  goal_changed: () => 'the goal was changed; put it back as it was',
  acceptance_lost: ({ commands }) =>
    `acceptance was taken away: ${commands.map((c) => `\`${c}\``).join(', ')}`,
  done_lost: () => 'a step that is done was taken out of Done',
  done_added: () => 'steps are moved to Done by us, when their checks pass',
};

export const enFeedbackLine = (about: Feedback | null): string =>
  about ? firstLine(sayRecord(enFeedback, about)) : '';
