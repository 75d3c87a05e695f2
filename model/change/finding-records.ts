/** Findings in a change, or files skipped from a workspace, as records for translation (S9). */
import { z } from 'zod';
import { SecretName } from './secret-names.ts';

export const FINDING_KINDS = [
  'secret',
  'exposed_credential',
  /** Hidden in the chat, but too uncertain to stop a change. */
  'likely_secret',
  /** A line shown differently, because a secret in it is hidden (G8). */
  'hidden_line',
  'bidi_text',
  'hidden_text',
  'mixed_script',
  'look_alike',
  'long_line',
  /** Only line endings, or only blanks, of a whole file. */
  'line_endings_only',
  'whitespace_only',
  /** Lines that look the same before and after. */
  'unseen_change',
  'test_removed',
  'test_skipped',
  'test_weakened',
  'nested_repository',
  'special_file',
  'hard_link',
  'bad_name',
  'too_large',
  /** A committed file that is too large to scan. */
  'not_read',
  'symlink_escape',
  'lfs_pointer',
  'lfs_raw',
  /** Raw content of a file that the repository passes through another filter. */
  'filter_raw',
  'skipped_ignored',
  /** What the agent did with the Git of its workspace, of which nothing is ours. */
  'agent_git',
] as const;

const text = z.string();
const count = z.number();

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
      'only_whitespace',
      'looks_same',
      'as_plain_files',
      'submodule_skipped',
      'worktree_skipped',
      'linked_from_outside',
      'name_not_text',
      'name_like_git',
      'name_modules_link',
      'name_unseen',
      'name_backslash',
    ]),
  }),
  z.object({ kind: z.literal('looks_like'), secret: SecretName }),
  z.object({ kind: z.literal('exposed_credentials'), names: z.array(text) }),
  /** Format `U+200B`. */
  z.object({ kind: z.literal('character'), code: text }),
  z.object({ kind: z.literal('reads_as'), as: text, characters: z.array(text) }),
  z.object({ kind: z.literal('characters'), count }),
  z.object({ kind: z.literal('bytes'), bytes: count, skipped: z.boolean() }),
  z.object({ kind: z.enum(['test_cases', 'skipped_tests', 'assertions']), was: count, is: count }),
  z.object({ kind: z.literal('hidden_in'), added: count, removed: count, other: count }),
  z.object({ kind: z.literal('leads_to'), target: text }),
  /** Some file systems treat both names as one. */
  z.object({ kind: z.literal('same_name'), as: text }),
  z.object({ kind: z.literal('special'), is: z.enum(['pipe', 'socket', 'device']) }),
  z.object({ kind: z.enum(['too_deep', 'too_many']), limit: count }),
  z.object({ kind: z.literal('unreadable'), code: text }),
  z.object({ kind: z.literal('ignored'), count }),
  z.object({ kind: z.enum(['agent_stashed', 'agent_committed', 'agent_pushed']), count }),
]);
export type FindingNote = z.infer<typeof FindingNote>;
export type FindingNoteOf<K extends FindingNote['kind']> = FindingNote & { kind: K };

/** `line` is 1-based in the new file, 0 when unknown. */
export const Finding = z.object({
  kind: z.enum(FINDING_KINDS),
  path: z.string(),
  line: z.number(),
  note: FindingNote,
  /** Number of lines or files; absent for one. */
  count: z.number().optional(),
  more: z.number().optional(),
});
export type Finding = z.infer<typeof Finding>;
