/** Renders the offer of a note, and the notes of a repository (E21). */
import type { MessageView } from '#effects';
import type { RepositoryNote } from '#repository-notes';
import { commandFormOf } from '../language/command-forms.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { codeLine, escapeLine, fitLines, momentText } from '../text/telegram-html.ts';
import type { RenderedMessage } from './scene.ts';
import type { ScreenContent } from './screen-rows.ts';

/** The whole of a note: what is shown is what is kept. */
const MAX_SHOWN_LENGTH = 320;

export const renderNoteOffer = (
  { repo, text, from, before, kept }: Extract<MessageView, { view: 'note_offer' }>,
  { repositoryNotes: t }: LanguageTexts,
): RenderedMessage => ({
  html: fitLines([
    `<b>${escapeLine(t.title)}</b> · ${escapeLine(repo, 100)}`,
    escapeLine(t.again[from]),
    codeLine(text, MAX_SHOWN_LENGTH),
    `${escapeLine(t.before(before.run))} ${codeLine(before.text, 160)}`,
    escapeLine(kept === null ? t.asks : t.keptBy(kept)),
  ]),
  buttons: kept === null ? [[{ verb: 'note.keep', text: t.keep, style: 'primary' }]] : [],
});

export const renderNotes = (
  repo: string,
  notes: readonly RepositoryNote[],
  now: number,
  words: LanguageTexts,
): ScreenContent => {
  const { repositoryNotes: t, calendar } = words;
  return {
    html: fitLines([
      `<b>${escapeLine(t.title)}</b> · ${escapeLine(repo, 100)}`,
      ...(notes.length === 0 ? [escapeLine(t.none(repo))] : []),
      ...notes.map(
        ({ no, text, by, at }) =>
          `${no}. ${codeLine(text, MAX_SHOWN_LENGTH)} · ${escapeLine(by, 60)}, ${escapeLine(momentText(at, now, calendar))}`,
      ),
      codeLine(commandFormOf('notes', words), 200),
    ]),
    buttons: notes
      .slice(0, 10)
      .map(({ no }) => [
        { verb: 'say' as const, text: t.forget(no), runId: '', says: `/notes ${repo} forget ${no}` },
      ]),
  };
};

export const renderNotedRepositories = (repos: readonly string[], words: LanguageTexts): ScreenContent => {
  const { repositoryNotes: t } = words;
  return {
    html: fitLines([
      `<b>${escapeLine(t.title)}</b>`,
      escapeLine(repos.length === 0 ? t.nowhere : t.where),
      ...repos.map((repo) => codeLine(repo, 200)),
      codeLine(commandFormOf('notes', words), 200),
    ]),
    buttons: repos
      .slice(0, 10)
      .map((repo) => [{ verb: 'say' as const, text: repo, runId: '', says: `/notes ${repo}` }]),
  };
};
