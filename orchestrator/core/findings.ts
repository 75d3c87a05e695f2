/** What was found in the content of a change, or met in a workspace and left out. */
import { z } from 'zod';

export const FINDING_KINDS = [
  'secret',
  'lent_key',
  /** Often enough a secret to be hidden in the chat, too seldom to stop a change by itself. */
  'likely_secret',
  /** A line of the patch that is shown otherwise than it is, because a secret in it is hidden (G8). */
  'hidden_line',
  /** Text that is reordered on screen. */
  'bidi_text',
  'hidden_text',
  'mixed_script',
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
  'skipped_ignored',
] as const;

/** Something that a person should know of; `line` is 1-based in the new file, 0 when unknown. */
export const Finding = z.object({
  kind: z.enum(FINDING_KINDS),
  path: z.string(),
  line: z.number(),
  note: z.string(),
  /** How many lines or files it stands for; absent for one. */
  count: z.number().optional(),
});
export type Finding = z.infer<typeof Finding>;
