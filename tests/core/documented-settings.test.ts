/** The settings and campaign files that the documentation shows are taken as they stand there. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isWrongArgument } from '#model/chat';
import { readCampaignFile } from '#orders';
import { FileSettings, readSettings } from '../../app/settings-schema.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const blocksIn = (page: string, language: string): string[] =>
  [...readFileSync(join(DOCS, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(
    ([, named, text = '']) => (named === language ? [text] : []),
  );
const KEYS = new Set([...Object.keys(FileSettings.in.shape), 'maxParallelRunsPerDay']);
/** Rows of tools of one's own are files, which the pages have not. */
const isSettings = (text: string): boolean =>
  !text.includes('"toolRows"') &&
  text.trim().startsWith('{') &&
  Object.keys(JSON.parse(text) as object).every((key) => KEYS.has(key));

const pages = globSync('*.md', { cwd: DOCS });
const settings = pages.flatMap((page) =>
  blocksIn(page, 'json')
    .filter(isSettings)
    .map((text, no) => [page, no + 1, text] as const),
);
const campaigns = blocksIn('campaigns.md', 'yaml').filter((text) => text.includes('name:'));

it.each(settings)('the settings in %s, example %i, start AgentPR', (_, __, text) => {
  expect(() => readSettings(text)).not.toThrow();
});

it.each(campaigns)('the campaign file is one: %s', (text) => {
  const read = readCampaignFile(text);
  expect(isWrongArgument(read) ? read : null).toBeNull();
});

it('five wishes of a team stand in one example', () => {
  const [first = '{}'] = blocksIn('policies.md', 'json').filter((text) => text.includes('"openings"'));
  expect(readSettings(first)).toMatchObject({
    policies: {
      custom: [
        { when: { paths: ['*.sql'] }, approvals: 2 },
        { approvers: ['@dba', '@lead'], after: '2h' },
      ],
    },
    openings: { hours: expect.anything() as unknown },
    caps: { openPerOwner: 5 },
    budgets: { month: { costUsd: 100 }, campaign: { costUsd: 20 } },
    pull: { draft: true, labels: ['automated'], teams: ['acme/platform'] },
  });
  expect(settings.length).toBeGreaterThan(10);
  expect(campaigns.length).toBeGreaterThan(1);
});
