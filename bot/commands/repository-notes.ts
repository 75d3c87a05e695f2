/** Notes of a repository: listed for everybody, kept, changed and forgotten by approvers (E21). */
import { addNote, changeNote, forgetNote, listNotedRepositories, readNotes } from '#repository-notes';
import type { ArgumentsOf } from '#commands';
import { renderNotedRepositories, renderNotes } from '../views/note-screens.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import {
  plainReply,
  screenReply,
  settleUpdate,
  viewReply,
  type CommandContext,
  personOf,
} from './command-context.ts';
import { cardOn, defineButton } from './define-button.ts';

export const changeNotes = async (
  context: CommandContext,
  change: ArgumentsOf<'notes'>['note'],
): Promise<void> => {
  const { ledger, clock, words } = context;
  const showNotes = async (repo: string): Promise<void> => {
    const { html, buttons } = renderNotes(repo, await readNotes(ledger, repo), clock.now(), words);
    return settleUpdate(context, 'notes', screenReply(context, html, buttons));
  };
  if (change.do === 'list') {
    if (change.repo !== null) return showNotes(change.repo);
    const { html, buttons } = renderNotedRepositories(await listNotedRepositories(ledger), words);
    return settleUpdate(context, 'notes', screenReply(context, html, buttons));
  }
  const by = personOf(context);
  const at = clock.now();
  const outcome =
    change.do === 'add'
      ? await addNote(ledger, { ...change, by, at })
      : change.do === 'edit'
        ? await changeNote(ledger, { ...change, by, at })
        : await forgetNote(ledger, { ...change, by });
  if (outcome === 'kept') return showNotes(change.repo);
  return settleUpdate(context, 'notes', plainReply(words.repositoryNotes.outcomes[outcome]));
};

export const NOTE_BUTTONS = [
  defineButton(cardOn('note_offer'), {
    verb: 'note.keep',
    // guard: E21-approver-keeps-exact-words
    role: 'approver',
    async onTap({ c, row, show }): PendingTapAnswer {
      const t = c.words.repositoryNotes;
      if (show.kept !== null) return settleTap(c, t.keptBy(show.kept), true);
      const { repo, text } = show;
      const outcome = await addNote(c.ledger, { repo, text, by: personOf(c), at: c.clock.now() });
      if (outcome !== 'kept' && outcome !== 'known') return settleTap(c, t.outcomes[outcome], true);
      return settleTap(c, t.keptNow, false, viewReply({ ...show, kept: c.name }, row.runId, row.slot));
    },
  }),
];
