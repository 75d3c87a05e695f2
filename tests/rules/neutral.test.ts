/**
 * The orchestrator and the ledger know a forge and a chat, and name nobody's: another one is an
 * adapter.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const NEUTRAL = ['db', 'discovery', 'governor', 'model', 'orchestrator', 'pull-text', 'text-safety'];

/** Names of chats, forges and their libraries, and words that only their interfaces use. */
const VENDORS =
  /telegram|slack_|grammy|bot_?father|callback_?query|update_?id|inline_?keyboard|parse_?mode|supergroup|github|gitlab|gitea|forgejo|bitbucket|octokit|(?:check|workflow)_?(?:run|suite)|pull_?request_|_pull_?request|issue_comment|node_?id/i;

/** What stands in files of others under the names of their vendors. This list only gets shorter. */
const FILES_OF_OTHERS: Record<string, RegExp> = {
  'where repositories keep what is for their code host':
    /^(?:discovery\/|orchestrator\/briefing\/repository-instructions\.ts$)/,
  'paths that run something on a code host when they change': /^model\/paths\/path-kinds\.ts$/,
  'shapes of the keys that vendors give out': /^text-safety\/secret-shapes\.json$/,
  'addresses that people paste, whichever host is connected': /^orchestrator\/orders\/repository-links\.ts$/,
};

const files = execFileSync('git', ['ls-files', '-z', ...NEUTRAL], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean);
/** `file:line text` of every line that names somebody. */
const naming = files.flatMap((file) =>
  readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .flatMap((line, i) => (VENDORS.test(line) ? [{ file, says: `${file}:${i + 1} ${line.trim()}` }] : [])),
);
const excepted = (file: string): boolean => Object.values(FILES_OF_OTHERS).some((where) => where.test(file));

it('F1: orchestrator and db name no vendor of a chat or a forge, in code or in comments', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(naming.filter(({ file }) => !excepted(file)).map(({ says }) => says)).toEqual([]);
});

it.each(Object.entries(FILES_OF_OTHERS))(
  'an exception that nothing needs any more is gone: %s',
  (_, where) => {
    expect(naming.some(({ file }) => where.test(file))).toBe(true);
  },
);

it.each([
  'callbackQuery',
  '// as GitHub says',
  'check_run',
  'update_id',
  'GitLabForge',
  'pull_request_review',
])('finds %s', (words) => {
  expect(VENDORS.test(words)).toBe(true);
});
