/** English texts for findings in a change. */
import type { Finding, FindingNote, FindingNoteOf } from '../../../orchestrator/model/finding-records.ts';
import type { SecretName } from '../../../orchestrator/model/secret-names.ts';
import { sayRecord, type SentenceCatalogue } from '../../text/catalogue.ts';

const nouns: Record<SecretName['noun'], string> = {
  access_key: 'access key',
  access_token: 'access token',
  address_password: 'password in an address',
  api_key: 'API key',
  bot_token: 'bot token',
  client_secret: 'client secret',
  header_credential: 'credential of a header',
  key: 'key',
  named_secret: 'secret with its name',
  password: 'password',
  private_key: 'private key',
  refresh_token: 'refresh token',
  registry_credential: 'credential of a registry',
  registry_token: 'token of a registry',
  secret_key: 'secret key',
  signed_address: 'signed address',
  signed_token: 'signed token',
  storage_key: 'storage key',
  token: 'token',
  webhook: 'webhook',
  webhook_secret: 'webhook secret',
};

/** Follows the pronunciation: an npm token, an AWS key. */
const article = (name: string): string => (/^(?:[aeio]|npm|xAI|NVIDIA)/i.test(name) ? 'an' : 'a');
export const enSecretName = ({ noun, of }: SecretName): string => {
  const name = [of, nouns[noun]].filter(Boolean).join(' ');
  return `${article(name)} ${name}`;
};

export const enFindings: Record<Finding['kind'], string> = {
  secret: 'secret',
  lent_key: 'lent key',
  likely_secret: 'likely secret',
  hidden_line: 'hidden line',
  bidi_text: 'bidi text',
  hidden_text: 'hidden text',
  mixed_script: 'mixed script',
  look_alike: 'look-alike',
  long_line: 'long line',
  line_endings_only: 'line endings only',
  blanks_only: 'whitespace only',
  unseen_change: 'unseen change',
  test_removed: 'test removed',
  test_skipped: 'test skipped',
  test_weakened: 'test weakened',
  nested_repository: 'nested repository',
  special_file: 'special file',
  hard_link: 'hard link',
  bad_name: 'bad name',
  too_large: 'too large',
  not_read: 'not read',
  symlink_escape: 'symlink escape',
  lfs_pointer: 'lfs pointer',
  lfs_raw: 'lfs raw',
  filter_raw: 'not filtered',
  skipped_ignored: 'skipped ignored',
};

const special: Record<FindingNoteOf<'special'>['is'], string> = {
  pipe: 'a named pipe',
  socket: 'a socket',
  device: 'a device or another special file',
};

export const enFindingNotes: SentenceCatalogue<FindingNote> = {
  not_text: () => 'bytes that are not UTF-8 text',
  scripts_mixed: () => 'one word mixes letters that look alike',
  scripts_mixed_in_name: () => 'one word of its name mixes letters that look alike',
  stored_elsewhere: () => 'the content itself is stored elsewhere',
  own_bytes: () => 'its own bytes, not a pointer',
  test_file_deleted: () => 'a test file is deleted',
  only_line_ends: () => 'only the line endings change',
  only_blanks: () => 'only whitespace changes',
  looks_same: () => 'lines look the same before and after',
  as_plain_files: () => 'its files are committed as plain files',
  worktree_left_out: () => 'a second working copy of the repository is left out',
  submodule_left_out: () => 'what was put into a submodule is left out',
  linked_from_outside: () => 'it is the same file as one outside the change, so it is left out',
  name_not_text: () => 'the name is not valid UTF-8',
  name_like_git: () => 'the name passes for .git on some systems',
  name_modules_link: () => '.gitmodules may not be a symbolic link',
  name_unseen: () => 'the name has control or invisible characters',
  name_backslash: () => 'the name has a backslash, which is a folder on some systems',
  looks_like: ({ secret }) => `it looks like ${enSecretName(secret)}`,
  lent: ({ names }) => names.join(', '),
  character: ({ code }) => `an invisible or control character, ${code}`,
  reads_as: ({ as, characters }) => `it reads as “${as}” and is written with ${characters.join(', ')}`,
  characters: ({ count }) => `the line has ${count} characters`,
  bytes: ({ bytes, leftOut }) => `it has ${bytes} bytes${leftOut ? ', so it is left out' : ''}`,
  test_cases: ({ was, is }) => `${was} test cases before, ${is} now`,
  skipped_tests: ({ was, is }) => `${was} skipped before, ${is} now`,
  assertions: ({ was, is }) => `${was} assertions before, ${is} now`,
  hidden_in: ({ added, removed, other }) =>
    `hidden in ${added} added, ${removed} removed and ${other} other lines`,
  leads_to: ({ target }) => `it leads to ${target}`,
  same_name: (n) => `on some systems it is the same name as ${n.as}; rename one of them`,
  special: ({ is }) => `it is ${special[is]}; remove it`,
  too_deep: ({ limit }) => `folders are nested deeper than ${limit}; remove them`,
  too_many: ({ limit }) => `there are more than ${limit} new files; remove what is not part of the change`,
  unreadable: ({ code }) => `a file or folder cannot be read (${code}); remove it`,
  ignored: ({ count }) => `${count} files or folders that the repository ignores were left out`,
};

export const enFindingNote = ({ note, more = 0 }: Pick<Finding, 'note' | 'more'>): string =>
  `${sayRecord(enFindingNotes, note)}${more > 0 ? ` (and ${more} more like these)` : ''}`;
