/** The operator's rules in words: as `doctor`, `policy list` and the chat tell them. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { CustomPolicy } from '#model/settings';
import { FileSettings } from '../../app/settings-schema.ts';
import { readRulesInForce } from '../../app/runtime-settings.ts';
import { nextOpeningText, ruleLines } from '../../bot/views/rule-lines.ts';

const NOW = Date.parse('2026-11-30T12:00Z');
const linesOf = async (
  settings: object,
  language: 'en' | 'zh' = 'en',
  stored: Record<string, string> = {},
) => {
  const query = { setting: async (key: string) => stored[key] ?? null };
  const rules = await readRulesInForce({ engine: 'script', file: FileSettings.parse(settings) }, { query });
  return ruleLines(rules, NOW, LANGUAGE_TEXTS[language]);
};

describe('rules in force', () => {
  it('G10: are one line each, with what admins set in the chat', async () => {
    const settings = {
      policies: {
        groups: { dba: [1, 2] },
        custom: [
          {
            id: 'sql',
            when: { paths: ['*.sql'], minAdded: 5 },
            verdict: 'escalate',
            reason: 'Read it',
            approvals: 2,
            approvers: ['@dba', 'admin'],
            after: '2h',
          },
        ],
      },
      openings: {
        hours: 'mon-thu 09:00-17:00 Europe/Berlin',
        except: ['2026-12-24/2027-01-02'],
        repositories: { 'acme/shop-*': { hours: 'tue 09:00-17:00 Europe/Berlin' } },
      },
      caps: { openPerOwner: 5 },
      budgets: { month: { costUsd: 100, tokens: 500_000 }, repositories: [{ match: 'acme/*', day: 5 }] },
      pull: { draft: true, labels: ['a & b'], teams: ['acme/platform'] },
    };
    const stored = { 'set:ownercap': '3', 'set:campaignbudget': '20' };
    expect(await linesOf(settings, 'en', stored)).toEqual([
      'custom:sql: asks a person when *.sql changes and 5 or more lines are added (2 approvals of @dba, admin · published 2 hours after the last approval)',
      'Pull requests open mon-thu 09:00-17:00 Europe/Berlin except on 2026-12-24/2027-01-02; open until 17:00 Europe/Berlin',
      'In acme/shop-*: Pull requests open tue 09:00-17:00 Europe/Berlin except on 2026-12-24/2027-01-02; closed now: opens Tue 09:00 Europe/Berlin',
      'Opens as a draft · labels a & b · review by acme/platform',
      'Open with one owner: 3 pull requests',
      'Budget of a month: $100 · 500,000 tokens',
      'Budget of each campaign: $20',
      'In repositories of strangers: 3 open with one owner, 2 in one repository, 10 opened per hour, 30 per day',
      'Budget of acme/*, today: $5.00',
    ]);
    expect((await linesOf(settings, 'zh')).join('\n')).toContain('mon-thu 09:00-17:00 Europe/Berlin');
  });

  it('G10: nothing is told of what was not set', async () => {
    expect(await linesOf({})).toEqual([
      'In repositories of strangers: 3 open with one owner, 2 in one repository, 10 opened per hour, 30 per day',
    ]);
  });

  it('P1: every condition of a policy is told in words, in each language', () => {
    const policy = CustomPolicy.parse({
      id: 'all',
      when: {
        actions: ['push', 'reply'],
        paths: ['*.sql'],
        minAdded: 3,
        repos: ['acme/*'],
        authors: ['Ana'],
        minRisk: 'high',
      },
      verdict: 'deny',
      reason: 'No',
    });
    expect(LANGUAGE_TEXTS.en.describeOwnPolicy(policy).denies).toBe(
      '*.sql changes and the repository is acme/* and it is a push, an answer to a review and 3 or more lines are added and it was asked for by Ana and the risk is high',
    );
    expect(LANGUAGE_TEXTS.zh.describeOwnPolicy(policy).denies).toContain('acme/*');
  });

  it('G10: a card says when it opens, in the time zone of the hours', () => {
    const windows = [{ hours: 'tue 00:00-24:00 Europe/Berlin' }];
    expect(nextOpeningText(windows, NOW, LANGUAGE_TEXTS.en)).toBe(
      'closed now: opens Tue 00:00 Europe/Berlin',
    );
    expect(nextOpeningText(windows, Date.parse('2026-12-01T12:00Z'), LANGUAGE_TEXTS.en)).toBe('');
    expect(nextOpeningText([], NOW, LANGUAGE_TEXTS.en)).toBe('');
  });
});
