/** English: what chats are told besides how a run stands. */
import type { Note } from '../../../orchestrator/core/notes.ts';
import { join, type Catalogue } from '../../text/catalogue.ts';
import { notModified } from './judgements.ts';
import { failures } from './why.ts';
import { timeSpan } from '../../../orchestrator/core/text.ts';

const unchanged = (why: string): string => `The words were not changed: ${why}`;

const ROLLED_BACK = {
  older:
    '⚠️ The ledger was put back to an earlier state: what was decided since then is not known. Check open pull requests; the operator then runs `agentpr audit accept` on the host.',
  missing:
    '⚠️ Nothing tells any more whether the ledger was put back to an earlier state: keys/ledger.anchor is gone. If that was you, run `agentpr audit accept` on the host.',
};

export const notes: Catalogue<Note> = {
  words_failed: (n) => unchanged(failures[n.class]),
  words_late: ({ by }) => unchanged(`${by} approved the card before they were judged.`),
  words_rejected: ({ why }) => unchanged(`${notModified(why)}.`),
  words_unjudged: () => unchanged('it is not known what would be published.'),
  head_unread: (n) => join(failures[n.class], n.message !== '' && `(${n.message})`),
  pull_too_late: ({ pull, url, ended }) =>
    `Pull request #${pull} was opened just before the run ${ended ? 'ended' : 'was stopped'}: ${url}`,
  restarted: ({ awayMs, handled, freed, rollback, runs, more }) =>
    [
      ...(rollback === null ? [] : [ROLLED_BACK[rollback]]),
      `I was restarted and away${awayMs === null ? '' : ` for ${timeSpan(awayMs)}`}. Nothing you sent is lost${handled > 0 ? ` (${handled} handled now)` : ''}; ${freed} interrupted steps start again.`,
      ...runs.map(({ repo, id, state }) => `${repo} · ${id}: goes on at ${state}`),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ].join('\n'),
  stuck: ({ step, says, state }) =>
    join(
      step === 'observe'
        ? `I cannot look at the code host: ${says}.`
        : `A step (${step}) failed and was given up: ${says}.`,
      `The run stays ${state ?? 'as it is'}. The log on the host says more; then /retry or /cancel it.`,
    ),
};
