/** G10: approvals that the people who may give them cannot complete are named before a card waits for them. */
import { expect, it } from 'vitest';
import { PolicySettings, validationIssuesOf } from '#model/settings';
import { LANGUAGE_TEXTS } from '#language';
import { findLackingApprovals } from '../../app/probes/rules.ts';
import { toProbeLine, warningResult } from '../../app/probes/host-result.ts';

const ANA = '1001';
const BO = '1002';
const policies = PolicySettings.parse({
  groups: { dba: [ANA, '1009'] },
  custom: [
    { id: 'sql-needs-two', when: { paths: ['*.sql'] }, verdict: 'escalate', reason: 'Look.', approvals: 2 },
    {
      id: 'by-dba',
      when: { paths: ['db/*'] },
      verdict: 'escalate',
      reason: 'Look.',
      approvals: 2,
      approvers: ['@dba'],
    },
    {
      id: 'by-admins',
      when: { paths: ['k8s/*'] },
      verdict: 'escalate',
      reason: 'Look.',
      approvals: 2,
      approvers: ['admin'],
    },
    { id: 'one', when: { paths: ['*'] }, verdict: 'escalate', reason: 'Look.' },
  ],
});
const asksOf = (bound: number, approvers: readonly string[], admins: readonly string[] = [ANA]) =>
  findLackingApprovals(policies, bound, { admins: new Set(admins), approvers: new Set(approvers) }).map(
    ({ asks, people }) => `${asks} ${people}`,
  );

it('G10: given one admin and nobody else, each demand for two is named with how many may approve', () => {
  expect(asksOf(2, [ANA])).toEqual([
    'bounds.approvals 1',
    'custom:sql-needs-two 1',
    'custom:by-dba 1',
    'custom:by-admins 1',
  ]);
});

it('G10: given a second approver, only demands on others are named', () => {
  expect(asksOf(2, [ANA, BO])).toEqual(['custom:by-dba 1', 'custom:by-admins 1']);
  expect(asksOf(1, [ANA, BO, '1009'], [ANA, BO])).toEqual([]);
});

it.each(['en', 'zh'] as const)('O2: the warning says what to do: %s', (language) => {
  const lacking = { kind: 'rules_lacking', asks: 'custom:sql-needs-two', approvals: 2, people: 1 } as const;
  const { says, fix, ok } = toProbeLine(LANGUAGE_TEXTS[language], warningResult('rules', lacking));
  expect(ok).toBe(true);
  expect(`${says} ${fix}`).toMatch(/custom:sql-needs-two .*2 .*1 .*\/users invite approver/);
});

it('P1: a condition that no policy has is told as such, and nothing else is missing', () => {
  const rule = { id: 'a', when: { path: ['*.sql'] }, verdict: 'deny', reason: 'No.' };
  const input = { custom: [rule] };
  const { error } = PolicySettings.safeParse(input);
  const found = error ? validationIssuesOf(PolicySettings, error, input) : [];
  expect(found).toMatchObject([{ kind: 'unknown', key: 'path', near: 'paths' }]);
  const empty = PolicySettings.safeParse({ custom: [{ ...rule, when: {} }] });
  expect(empty.error?.issues.map(({ message }) => message)).toEqual(['must say when']);
});
