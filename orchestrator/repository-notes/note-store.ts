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
const Notes = z.array(RepositoryNote).catch([]);
const Names = z.array(z.string()).catch([]);

type Reads = { query: Pick<Ledger['query'], 'setting'> };
type Writes = Reads & Pick<Ledger, 'setSetting'>;

const INDEX_KEY = 'repository_notes';
const keyOf = (repo: string): string => `${INDEX_KEY}:${repo.toLowerCase()}`;
const jsonIn = (text: string | null): unknown => JSON.parse(text === null || text === '' ? '[]' : text);

export const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** One line, as an approver reads it: no secret, nothing invisible. Empty where nothing is left. */
const toNoteText = (text: string): string => toOneLine(redactSecrets(showInvisible(text)));

export const readNotes = async ({ query }: Reads, repo: string): Promise<RepositoryNote[]> =>
  Notes.parse(jsonIn(await query.setting(keyOf(repo))));

export const listNotedRepositories = async ({ query }: Reads): Promise<string[]> =>
  Names.parse(jsonIn(await query.setting(INDEX_KEY)));

const writeNotes = async (
  ledger: Writes,
  repo: string,
  notes: readonly RepositoryNote[],
  by: Person,
): Promise<void> => {
  await ledger.setSetting(keyOf(repo), JSON.stringify(notes), by);
  const named = await listNotedRepositories(ledger);
  const others = named.filter((one) => one.toLowerCase() !== repo.toLowerCase());
  const now = notes.length === 0 ? others : [...others, repo].sort();
  if (now.length !== named.length) await ledger.setSetting(INDEX_KEY, JSON.stringify(now), by);
};

type NoteOutcome = 'kept' | 'known' | 'full' | 'unknown' | 'unfit';

const isFit = (text: string): boolean => text !== '' && text.length <= MAX_NOTE_LENGTH;

/** Handled again after a crash, it keeps nothing twice. */
export const addNote = async (
  ledger: Writes,
  { repo, text, by, at }: { repo: string; text: string; by: Person; at: number },
): Promise<NoteOutcome> => {
  const fit = toNoteText(text);
  if (!isFit(fit)) return 'unfit';
  const notes = await readNotes(ledger, repo);
  if (notes.some((one) => one.text === fit)) return 'known';
  if (notes.length >= MAX_NOTES) return 'full';
  const no = Math.max(0, ...notes.map((one) => one.no)) + 1;
  await writeNotes(ledger, repo, [...notes, { no, text: fit, by: by.name, at }], by);
  return 'kept';
};

export const changeNote = async (
  ledger: Writes,
  { repo, no, text, by, at }: { repo: string; no: number; text: string; by: Person; at: number },
): Promise<NoteOutcome> => {
  const fit = toNoteText(text);
  if (!isFit(fit)) return 'unfit';
  const notes = await readNotes(ledger, repo);
  if (!notes.some((one) => one.no === no)) return 'unknown';
  const changed = notes.map((one) => (one.no === no ? { no, text: fit, by: by.name, at } : one));
  await writeNotes(ledger, repo, changed, by);
  return 'kept';
};

export const forgetNote = async (
  ledger: Writes,
  { repo, no, by }: { repo: string; no: number; by: Person },
): Promise<NoteOutcome> => {
  const notes = await readNotes(ledger, repo);
  const left = notes.filter((one) => one.no !== no);
  if (left.length === notes.length) return 'unknown';
  await writeNotes(ledger, repo, left, by);
  return 'kept';
};
