/** E7: what of a repository's rules is put to a person before an agent costs anything. */
import { expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { findEscalationBeforeWork } from '../../governor/weigh-rules-before-work.ts';

const asked = (text: string): string | undefined =>
  findEscalationBeforeWork(
    discoverContract(['CONTRIBUTING.md'], () => text),
    { issue: null, base: 'main' },
  )?.kind;

it('E7: changes that an agent made alone are refused: a person says first whether ours are such', () => {
  expect(asked('Purely AI-generated contributions are not welcome.')).toBe('possible_ban');
  expect(asked('AI-generated images are not allowed.')).toBeUndefined();
  expect(asked('Contributions not following our AI policy will be closed.')).toBeUndefined();
});

it('F10: changes that go to another place are asked about before an agent costs anything', () => {
  expect(asked('# Contributing\n\nAll code changes must be submitted through Gerrit.')).toBe('rule_unmet');
  expect(asked('# Contributing\n\nPlease open a pull request.')).toBeUndefined();
});
