/** O3: an unknown key is refused wherever it stands in a file, with the nearest known one. */
import { expect, describe, it } from 'vitest';
import { FileSettings, readSettings } from '../../app/settings-schema.ts';
import { ConfigError } from '../../app/config-error.ts';
import { CampaignFile } from '../../orchestrator/orders/campaign-file-schema.ts';
import { readCampaignFile } from '../../orchestrator/orders/campaign-file.ts';
import { readRepositoryFile, RepositoryFile } from '../../governor/repository-policies.ts';
import { LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { objectsIn, type SchemaObject } from '../support/schema-objects.ts';

const refusedSettings = (value: unknown): string => {
  try {
    readSettings(JSON.stringify(value));
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};
const refusedCampaign = (value: unknown): string => {
  const read = readCampaignFile(JSON.stringify(value));
  return 'problem' in read && read.problem ? sayRecord(LANGUAGE_TEXTS.en.problems, read.problem) : '';
};
const refusedRepository = (value: unknown): string => {
  const read = readRepositoryFile(JSON.stringify(value));
  return 'problem' in read ? read.problem : '';
};

const FILES: [string, readonly SchemaObject[], (value: unknown) => string][] = [
  ['agentpr.config.json', objectsIn(FileSettings), refusedSettings],
  ['a campaign file', objectsIn(CampaignFile), refusedCampaign],
  ['.agentpr.json', objectsIn(RepositoryFile), refusedRepository],
];

describe.each(FILES)('%s', (_, objects, refused) => {
  it.each(objects.map((one): [string, SchemaObject] => [one.path || 'the file itself', one]))(
    'O3: an unknown key in %s is refused, with its place',
    (__, { path, plant }) => {
      const said = refused(plant('qqqqqq'));
      expect(said).toMatch(/qqqqqq/);
      expect(said).toContain(path);
    },
  );

  it.each(objects.map((one): [string, SchemaObject] => [one.path || 'the file itself', one]))(
    'O3: in %s, a slip of the finger is told with the right key',
    (__, { keys, plant }) => {
      for (const key of keys.filter(({ length }) => length > 3))
        expect(refused(plant(key.replace(/.(.)/, '$&$1')))).toContain(`Did you mean ${key}?`);
    },
  );
});

it('O3: the walk reaches every section, and what is deep inside', () => {
  const paths = (objects: readonly SchemaObject[]) => objects.map(({ path }) => path);
  expect(paths(objectsIn(FileSettings))).toEqual(
    expect.arrayContaining(['', 'bounds', 'sandboxLimits', 'chat.model', 'policies.custom #1.when']),
  );
  expect(paths(objectsIn(FileSettings))).toContain('policies.repositories.acme/api');
  expect(paths(objectsIn(CampaignFile))).toContain('repositories #1.after #1');
});

it('O3: says of several unknown keys which are meant, and of one that is like none what there is', () => {
  const bounds = { aprovals: 2, pushh: 'after_approval', maxCostUSD: 2, max_tokens: 5 };
  expect(refusedSettings({ bounds })).toBe(
    [
      'agentpr.config.json:1: bounds: there is no aprovals. Did you mean approvals?',
      'agentpr.config.json:1: bounds: there is no pushh. Did you mean push?',
      'agentpr.config.json:1: bounds: there is no maxCostUSD. Did you mean maxCostUsd?',
      'agentpr.config.json:1: bounds: there is no max_tokens. Did you mean maxTokens?',
    ].join('\n'),
  );
  expect(refusedSettings({ mirrors: { cost: 1 } })).toBe(
    'agentpr.config.json:1: mirrors: there is no cost. There are: keepDays, diskMb.',
  );
});
