/** Notes of a repository, kept among the settings: who accepted which words stands in their log (E21). */
import { z } from 'zod';
import type { Person } from '#model/order';
import { redactSecrets, showInvisible } from '#text-safety';
import type { Ledger } from '#ports/ledger';

const MAX_NOTES = 30;
/** An approver reads all of it, and every agent is told all of them (characters). */
export const MAX_NOTE_LENGTH = 300;

const RepositoryNote = z.object({
  no: z.int().positive(),
  text: z.string().min(1).max(MAX_NOTE_LENGTH),
  by: z.string(),
  at: z.number(),
});
export type RepositoryNote = z.infer<typeof RepositoryNote>;
/** `last`: numbers only grow, so that a late tap meets the note that it was shown. */
const StoredNotes = z
  .strictObject({ last: z.int().nonnegative(), notes: z.array(RepositoryNote) })
  .catch({ last: 0, notes: [] });
type StoredNotes = z.infer<typeof StoredNotes>;
const Names = z.array(z.string()).catch([]);

type Reads = { query: Pick<Ledger['query'], 'setting'> };
type Writes = Pick<Ledger, 'changeSetting'>;

const INDEX_KEY = 'repository_notes';
const keyOf = (repo: string): string => `${INDEX_KEY}:${repo.toLowerCase()}`;
const parseNotes = (text: string | null): StoredNotes => StoredNotes.parse(JSON.parse(text ?? '{}'));
const parseNames = (text: string | null): string[] => Names.parse(JSON.parse(text ?? '[]'));

export const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** One line, as an approver reads it: no secret, nothing invisible. Empty where nothing is left. */
const toNoteText = (text: string): string => toOneLine(redactSecrets(showInvisible(text)));

export const readNotes = async ({ query }: Reads, repo: string): Promise<RepositoryNote[]> =>
  parseNotes(await query.setting(keyOf(repo))).notes;

export const listNotedRepositories = async (ledger: Reads): Promise<string[]> => {
  const noted: string[] = [];
  for (const repo of parseNames(await ledger.query.setting(INDEX_KEY)))
    if ((await readNotes(ledger, repo)).length > 0) noted.push(repo);
  return noted;
};

const nameRepository = (ledger: Writes, repo: string): Promise<void> =>
  ledger.changeSetting(INDEX_KEY, (before) => {
    const names = parseNames(before);
    const isKnown = names.some((one) => one.toLowerCase() === repo.toLowerCase());
    return { to: isKnown ? null : JSON.stringify([...names, repo].sort()), answer: undefined };
  });

type NoteOutcome = 'kept' | 'known' | 'full' | 'unknown' | 'unfit';
const changeNotesOf = (
  ledger: Writes,
  { repo, by }: { repo: string; by: Person },
  change: (stored: StoredNotes) => StoredNotes | Exclude<NoteOutcome, 'kept'>,
): Promise<NoteOutcome> =>
  ledger.changeSetting<NoteOutcome>(
    keyOf(repo),
    (before) => {
      const made = change(parseNotes(before));
      return typeof made === 'string'
        ? { to: null, answer: made }
        : { to: JSON.stringify(made), answer: 'kept' };
    },
    by,
  );

const isFit = (text: string): boolean => text !== '' && text.length <= MAX_NOTE_LENGTH;

/** Handled again after a crash, it keeps nothing twice. */
export const addNote = async (
  ledger: Writes,
  { repo, text, by, at }: { repo: string; text: string; by: Person; at: number },
): Promise<NoteOutcome> => {
  const fit = toNoteText(text);
  if (!isFit(fit)) return 'unfit';
  await nameRepository(ledger, repo);
  return changeNotesOf(ledger, { repo, by }, ({ last, notes }) => {
    if (notes.some((one) => one.text === fit)) return 'known';
    if (notes.length >= MAX_NOTES) return 'full';
    const no = last + 1;
    return { last: no, notes: [...notes, { no, text: fit, by: by.name, at }] };
  });
};

export const changeNote = async (
  ledger: Writes,
  { repo, no, text, by, at }: { repo: string; no: number; text: string; by: Person; at: number },
): Promise<NoteOutcome> => {
  const fit = toNoteText(text);
  if (!isFit(fit)) return 'unfit';
  return changeNotesOf(ledger, { repo, by }, ({ last, notes }) => {
    if (!notes.some((one) => one.no === no)) return 'unknown';
    return { last, notes: notes.map((one) => (one.no === no ? { no, text: fit, by: by.name, at } : one)) };
  });
};

export const forgetNote = async (
  ledger: Writes,
  { repo, no, by }: { repo: string; no: number; by: Person },
): Promise<NoteOutcome> =>
  changeNotesOf(ledger, { repo, by }, ({ last, notes }) => {
    const left = notes.filter((one) => one.no !== no);
    return left.length === notes.length ? 'unknown' : { last, notes: left };
  });
