/**
 * G8: what is proposed is judged by the rules of the base branch as it is now, and the seal holds
 * them.
 */
import { describe, expect, it } from 'vitest';
import { findSealDifferences, type Proposal } from '#model/seal';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import type { Run } from '#run';
import { ENGLISH_WORDING } from '#language';
import type { EffectContext } from '#kernel';
import { gatherPullProposal } from '../../orchestrator/kernel/gate/gather-proposal.io.ts';
import { at, sha } from '../support/core.ts';
import { readerHere } from '../support/reader-here.ts';

const repo = {
  id: '1',
  name: 'ana/app',
  defaultBranch: 'main',
  archived: false,
  cloneUrl: 'x',
  mayPush: true,
  htmlUrl: 'x',
};

/** The base branch at `tip`, with one guide. */
const partsOf = (tip: string, guide: string): EffectContext =>
  ({
    texts: { wording: ENGLISH_WORDING, reader: readerHere },
    ledger: { query: { runs: async () => [] } },
    settings: { policies: DEFAULT_POLICY_SETTINGS },
    forge: { repo: async () => repo, openPulls: async () => 0, login: async () => 'bot' },
    workspaces: {
      patch: async () => ({ text: '', omitted: 0, messages: ['Change'] }),
      compare: async () => ({
        tip,
        mergeBase: sha('0'),
        tree: sha('7'),
        diff: 'd',
        conflicts: false,
        author: 'bot',
      }),
      tree: async () => ({
        paths: ['CONTRIBUTING.md'],
        read: async () => new Map([['CONTRIBUTING.md', guide]]),
      }),
    },
  }) as unknown as EffectContext;
const answered = (): Promise<Proposal> => {
  const by = { id: '7', name: 'Ana' };
  const words = 'The greeting was missing.\n\nI asked for it in #4.';
  const { run } = at('PUSHED');
  const answers: Run['target']['requirementAnswers'] = [
    { what: 'words', text: words, by, at: 5 },
    { what: 'cla', text: 'Signed in May.', by, at: 6 },
  ];
  return gatherPullProposal(partsOf(sha('0'), ''), {
    ...run,
    target: { ...run.target, requirementAnswers: answers },
  });
};
const proposed = async (tip: string, guide: string) =>
  (await gatherPullProposal(partsOf(tip, guide), at('PUSHED').run)).fields;

describe('what people answered', () => {
  it('F9: is published word for word, and who said it and when is part of the seal', async () => {
    const { fields } = await answered();
    expect(fields.body).toMatch(/^The greeting was missing\.\n\nI asked for it in #4\.\n/);
    expect(fields.body).toContain('a person wrote this description');
    expect(fields.evidence).toContainEqual({
      kind: 'answer',
      what: 'cla',
      text: 'Signed in May.',
      by: 'Ana',
      at: 6,
    });
    expect(JSON.stringify(fields.evidence)).not.toContain('"7"');
  });
});

describe('rules on the day of the opening', () => {
  it('G8: are read again once the base has moved on, and what came since moves the seal with its quote', async () => {
    const before = await proposed(sha('0'), 'We do not accept AI-generated contributions.');
    // The base is where it was when it was read: nothing is read twice.
    expect(before.rules.map((r) => r.kind)).toEqual(['cla']);
    const now = await proposed(sha('9'), 'We do not accept AI-generated contributions.');
    expect(now.rules).toMatchObject([{ kind: 'ai_ban', file: 'CONTRIBUTING.md' }]);
    expect(now.assessment.decision).toBe('deny');
    expect(findSealDifferences(before, now)).toContainEqual({
      kind: 'rules',
      added: [
        {
          kind: 'ai_ban',
          file: 'CONTRIBUTING.md',
          quote: 'We do not accept AI-generated contributions.',
        },
      ],
      removed: [{ kind: 'cla', quote: 'Sign our CLA.', file: 'CONTRIBUTING.md' }],
    });
  });

  it('F10: the repository is known by its name, today as well', async () => {
    const { repo } = at('PUSHED').run.order;
    const name = repo.split('/')[1] ?? '';
    const isElsewhere = async (who: string): Promise<boolean> =>
      (await proposed(sha('9'), `${who} is open source, not open-contribution.`)).rules.some(
        ({ kind }) => kind === 'elsewhere',
      );
    expect(await isElsewhere(name)).toBe(true);
    expect(await isElsewhere('SQLite')).toBe(false);
  });

  it('G8: lines that only moved change no seal', async () => {
    const guide = 'Please disclose the use of AI.\n';
    const one = await proposed(sha('8'), guide);
    const other = await proposed(sha('9'), `Hello.\n\n${guide}`);
    expect(findSealDifferences(one, other).filter(({ kind }) => kind === 'rules')).toEqual([]);
  });
});
