/** Lets commands write a round's note in HOME, the one place outside the workspace (E8, E10). */
/** `~/NOTE` as a whole word; otherwise it may be part of another path. */
const wordOf = (note: string): RegExp =>
  new RegExp(`(?<=^|[\\s<>])~/${note.replaceAll('.', '\\.')}(?=$|[\\s;|&<>])`, 'g');

/** Rewrites the note's path into the workspace. Assignments to HOME stay subject to a question. */
export const withNoteInWorkspace = (command: string, note: string | null): string =>
  note === null ? command : command.replace(wordOf(note), `./${note}`);

/** Only a quoted here-document that writes the whole note. */
export const writesNote = (command: string, note: string | null): boolean => {
  if (note === null) return false;
  const [first = '', ...lines] = command.trimEnd().split('\n');
  const end = /^cat >>? ?(~\/\S+) <<'(\w+)'$/.exec(first);
  // Other commands may follow the here-document.
  // guard: E10-note-ends-it
  return end?.[1] === `~/${note}` && lines.indexOf(end[2] ?? '') === lines.length - 1 && lines.length > 0;
};
