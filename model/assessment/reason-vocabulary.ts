/** Words that reasons are made of: public places, signals in texts, traits of commands. */
import { z } from 'zod';

const PUBLIC_PLACES = [
  'commit_message',
  'branch_name',
  'title',
  'description',
  'comment',
  'reply',
  'file_name',
] as const;
export const PublicPlace = z.enum(PUBLIC_PLACES);
export type PublicPlace = z.infer<typeof PublicPlace>;

export const WORD_SIGNALS = ['mention', 'closing_keyword', 'skip_ci', 'bot_command', 'trailer'] as const;

export const COMMAND_TRAITS = [
  'leaves_workspace',
  'destroys',
  'deletes_much',
  'writes_device',
  'publishes',
  'high_risk',
  'changes_git',
  'acts_on_found',
  'runs_printed',
  'runs_unread',
  'uses_network',
  'adds_packages',
  'names_address',
  'reads',
  /** A program by a path, with unknown content. */
  'own_program',
  'unknown_option',
  'sets_environment',
  'unknown',
] as const;

export const INLINE_ACTS = [
  'network',
  'runs_programs',
  'evaluates',
  'deletes',
  'writes',
  'reads_environment',
] as const;

export const SHELL_OPACITIES = [
  'expands',
  'open_quote',
  'document',
  'subshell',
  /** Shells parse it in different ways. */
  'ambiguous',
  'too_long',
  'empty',
] as const;
