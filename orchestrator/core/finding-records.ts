/**
 * What was found in the content of a change, or met in a workspace and left out: records, which
 * languages put into words (S9).
 */
import { z } from 'zod';
import { SecretName } from './secret-names.ts';

export const FINDING_KINDS = [
  'secret',
  'lent_key',
  /** Often enough a secret to be hidden in the chat, too seldom to stop a change by itself. */
  'likely_secret',
  /**
   * A line of the patch that is shown otherwise than it is, because a secret in it is hidden (G8).
   */
  'hidden_line',
  /** Text that is reordered on screen. */
  'bidi_text',
  'hidden_text',
  'mixed_script',
  /** A word, a sign or an address that reads as one of ASCII and is another one. */
  'look_alike',
  'long_line',
  /** Of a whole file nothing but how its lines end, or nothing but blanks. */
  'line_endings_only',
  'blanks_only',
  /** Lines that look the same before and after. */
  'unseen_change',
  'test_removed',
  'test_skipped',
  'test_weakened',
  'outside_write',
  'nested_repository',
  'special_file',
  'hard_link',
  'bad_name',
  /** Left out of the commit because of its size. */
  'too_large',
  /** In the commit, and larger than what is looked at. */
  'not_read',
  'symlink_escape',
  'lfs_pointer',
  /** The bytes themselves of a file that the repository keeps in LFS. */
  'lfs_raw',
  /** The bytes themselves of a file that the repository passes through another filter: plain text. */
  'filter_raw',
  'skipped_ignored',
] as const;

const text = z.string();
const count = z.number();

/** What there is to say of one finding besides its kind and its place. */
export const FindingNote = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum([
      'not_text',
      'scripts_mixed',
      'scripts_mixed_in_name',
      'stored_elsewhere',
      'own_bytes',
      'test_file_deleted',
      'only_line_ends',
      'only_blanks',
      'looks_same',
      'as_plain_files',
      'submodule_left_out',
      'linked_from_outside',
      'name_not_text',
      'name_like_git',
      'name_modules_link',
      'name_unseen',
      'name_backslash',
    ]),
  }),
  z.object({ kind: z.literal('looks_like'), secret: SecretName }),
  z.object({ kind: z.literal('lent'), names: z.array(text) }),
  /** As `U+200B`. */
  z.object({ kind: z.literal('character'), code: text }),
  z.object({ kind: z.literal('reads_as'), as: text, characters: z.array(text) }),
  z.object({ kind: z.literal('characters'), count }),
  z.object({ kind: z.literal('bytes'), bytes: count, leftOut: z.boolean() }),
  /** How many there were of something in tests, and are. */
  z.object({ kind: z.enum(['test_cases', 'skipped_tests', 'assertions']), was: count, is: count }),
  /** In how many lines of each kind something is hidden. */
  z.object({ kind: z.literal('hidden_in'), added: count, removed: count, other: count }),
  z.object({ kind: z.literal('leads_to'), target: text }),
  /** What some systems take for the same name. */
  z.object({ kind: z.literal('same_name'), as: text }),
  z.object({ kind: z.literal('special'), is: z.enum(['pipe', 'socket', 'device']) }),
  z.object({ kind: z.enum(['too_deep', 'too_many']), limit: count }),
  /** With the code of the system's error. */
  z.object({ kind: z.literal('unreadable'), code: text }),
  z.object({ kind: z.literal('ignored'), count }),
]);
export type FindingNote = z.infer<typeof FindingNote>;
export type FindingNoteOf<K extends FindingNote['kind']> = FindingNote & { kind: K };

/** Something that a person should know of; `line` is 1-based in the new file, 0 when unknown. */
export const Finding = z.object({
  kind: z.enum(FINDING_KINDS),
  path: z.string(),
  line: z.number(),
  note: FindingNote,
  /** How many lines or files it stands for; absent for one. */
  count: z.number().optional(),
  /** How many more findings there were, which are not listed. */
  more: z.number().optional(),
});
export type Finding = z.infer<typeof Finding>;
