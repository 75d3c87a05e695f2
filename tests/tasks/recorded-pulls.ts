/** What was published for each order when a person last read and graded it, without any of the repository's code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlayedOrder } from './play-order.ts';

const FOLDER = path.join(import.meta.dirname, 'pulls');
const fileOf = (repo: string): string => path.join(FOLDER, `${repo.replace('/', '+')}.md`);

/** The run's name, its hours and what follows the question of the card differ each time. */
export const pullText = ({ pull, run, card }: PlayedOrder): string => {
  if (pull === null) return 'No pull request.\n';
  const plain = (text: string): string =>
    run === null ? text : text.replaceAll(run.id, 'RUN').replace(/\b\d\d:\d\d UTC\b/g, '00:00 UTC');
  const asked = plain(card).split(/^(?:Decide\b|Tap Confirm\b|决定截止|点“确认”)/m)[0] ?? '';
  const [described = ''] = plain(pull.body).split('<details>');
  return [
    `# ${pull.title}\n\nbranch: ${plain(pull.branch)}`,
    `## Card\n\n${asked.trim()}`,
    `## Description\n\n${described.trim()}\n`,
  ].join('\n\n');
};

export type RecordState = 'new' | 'same' | 'other';
/** A record is replaced only when it is asked for: its grade would no longer be of this text. */
export const compareRecord = (repo: string, text: string, { record }: { record: boolean }): RecordState => {
  const file = fileOf(repo);
  const known = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (record && known !== text) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, text);
  }
  return known === null ? 'new' : known === text ? 'same' : 'other';
};
