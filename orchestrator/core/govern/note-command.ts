/**
 * E8, E10: in a round that is to write a note, that file of HOME is the one place outside the
 * workspace that commands may be about.
 */
/** `~/NOTE` as a word of its own; behind any other sign it may be part of another path. */
const wordOf = (note: string): RegExp =>
  new RegExp(`(?<=^|[\\s<>])~/${note.replaceAll('.', '\\.')}(?=$|[\\s;|&<>])`, 'g');

/**
 * The command to be judged: as if the note lay in the workspace. One that gives HOME another value is
 * asked about as every assignment is.
 */
export const asIfInside = (command: string, note: string | null): string =>
  note === null ? command : command.replace(wordOf(note), `./${note}`);

/** Writes the note whole, from a document in which nothing is expanded, and does nothing else. */
export const writesNote = (command: string, note: string | null): boolean => {
  if (note === null) return false;
  const [first = '', ...lines] = command.trimEnd().split('\n');
  const end = /^cat >>? ?(~\/\S+) <<'(\w+)'$/.exec(first);
  // Behind the end of the document come other commands.
  // guard: E10-note-ends-it
  return end?.[1] === `~/${note}` && lines.indexOf(end[2] ?? '') === lines.length - 1 && lines.length > 0;
};
