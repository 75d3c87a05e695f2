// Fails unless the changelog tells of what is not released yet.
import { readFileSync } from 'node:fs';

const [, unreleased = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## Unreleased$/m);
const [entries = ''] = unreleased.split(/^## /m);
if (/^- \S/m.test(entries)) {
  console.log('CHANGELOG.md has an entry under "## Unreleased".');
} else {
  console.error('CHANGELOG.md has no entry under "## Unreleased": tell users of the package what changes for them.');
  process.exitCode = 1;
}
