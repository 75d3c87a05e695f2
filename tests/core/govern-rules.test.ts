import { describe, expect, it } from 'vitest';
import { assessAction } from '../../governor/assess-action.ts';
import type { GovernedAction } from '../../governor/governed-action.ts';
import type { PolicyContext } from '../../governor/policy-types.ts';
import { type IssueFacts, findNamedIssue, issueStanding } from '#model/requirements';
import type { ContributionRule } from '#model/contract';
import { comment, context, contract, file, pull, push } from '../support/actions.ts';

const PLACE = { quote: 'As it says.', file: 'CONTRIBUTING.md', line: 4 };
const asking = (
  rule: Pick<ContributionRule, 'kind' | 'value' | 'by' | 'appliesTo'>,
  more: Partial<PolicyContext> = {},
): PolicyContext => ({
  ...context,
  contract: { ...contract, rules: [{ ...rule, ...PLACE }] },
  ...more,
});
const said = (action: GovernedAction, around: PolicyContext): string =>
  assessAction(action, around)
    .reasons.filter((r) => r.policy === 'contribution-rules')
    .map((r) => `${r.verdict} ${r.reason.kind}`)
    .join(', ');

const issue = (more: Partial<IssueFacts> = {}): IssueFacts => ({
  id: '#7',
  state: 'open',
  assignees: [],
  ours: false,
  labels: [],
  ...more,
});

describe('what follows from a rule', () => {
  it('P3: a ban denies, also words under an issue; overruled by an approver it asks, at high risk, and names them', () => {
    const ban = { kind: 'ai_ban' } as const;
    for (const action of [push(), pull(), comment('Done.')]) {
      expect(assessAction(action, asking(ban)).decision).toBe('deny');
      const overruled = [{ ...PLACE, by: 'Ana', why: 'it is about the chat' }];
      const now = assessAction(action, asking(ban, { overruled }));
      expect([now.decision, now.risk]).toEqual(['escalate', 'high']);
      expect(now.reasons.map((r) => r.reason)).toContainEqual({
        kind: 'ban_overruled',
        by: 'Ana',
        why: 'it is about the chat',
        ...PLACE,
      });
    }
  });

  it('P3: an overruled ban is bound to its words: other words of the same file deny again', () => {
    const overruled = [{ ...PLACE, quote: 'As it said.', by: 'Ana', why: 'x' }];
    expect(assessAction(pull(), asking({ kind: 'ai_ban' }, { overruled })).decision).toBe('deny');
  });

  it.each<
    [
      string,
      Pick<ContributionRule, 'kind' | 'value' | 'appliesTo'>,
      GovernedAction,
      Partial<PolicyContext>,
      string,
    ]
  >([
    ['media, none touched', { kind: 'ai_limited', value: 'media' }, pull(), {}, 'note rule_followed'],
    [
      'media touched',
      { kind: 'ai_limited', value: 'media' },
      pull({ files: [file('a/logo.png')] }),
      {},
      'escalate rule',
    ],
    ['issues, a change', { kind: 'ai_limited', value: 'issues' }, pull(), {}, 'note rule_followed'],
    ['issues, a comment', { kind: 'ai_limited', value: 'issues' }, comment('Hi.'), {}, 'escalate rule'],
    ['own words', { kind: 'human_words' }, pull(), { ownWords: true }, 'note rule_followed'],
    ['our words', { kind: 'human_words' }, pull(), {}, 'escalate rule'],
    ['no issue', { kind: 'issue_first', value: 'open' }, pull(), {}, 'escalate rule'],
    [
      'no issue, which features alone need, for a fix',
      { kind: 'issue_first', value: 'open', appliesTo: 'feat' },
      pull({ title: 'Fix the crash on empty input' }),
      {},
      '',
    ],
    [
      'no issue, which features alone need, for a feature',
      { kind: 'issue_first', value: 'open', appliesTo: 'feat' },
      pull({ title: 'Add a flag for colours' }),
      {},
      'escalate rule',
    ],
    [
      'no issue, which features alone need, for who knows what',
      { kind: 'issue_first', value: 'open', appliesTo: 'feat' },
      pull({ title: 'Colours' }),
      {},
      'escalate rule',
    ],
    ['open issue', { kind: 'issue_first', value: 'open' }, pull(), { issue: issue() }, 'note rule_followed'],
    [
      'not accepted',
      { kind: 'issue_first', value: 'accepted' },
      pull(),
      { issue: issue({ labels: ['needs triage'] }) },
      'escalate rule',
    ],
    [
      'accepted',
      { kind: 'issue_first', value: 'accepted' },
      pull(),
      { issue: issue({ labels: ['accepted'] }) },
      'note rule_followed',
    ],
    [
      'theirs',
      { kind: 'issue_first', value: 'assigned' },
      pull(),
      { issue: issue({ assignees: ['bo'] }) },
      'escalate rule, escalate issue',
    ],
    [
      'a label that is barred',
      { kind: 'label_barred', value: 'good first issue' },
      pull(),
      { issue: issue({ labels: ['Good First Issues'] }) },
      'escalate rule',
    ],
    [
      'another label',
      { kind: 'label_barred', value: 'good first issue' },
      pull(),
      { issue: issue({ labels: ['bug'] }) },
      'note rule_followed',
    ],
    ['no changelog', { kind: 'changelog', value: 'file' }, pull(), {}, 'escalate rule'],
    [
      'a fragment',
      { kind: 'changelog', value: 'fragment' },
      pull({ files: [file('changes/12.bugfix.md')] }),
      {},
      'note rule_followed',
    ],
    ['another base', { kind: 'base_branch', value: 'develop' }, pull(), {}, 'escalate rule'],
    ['that base', { kind: 'base_branch', value: 'trunk' }, pull(), {}, 'note rule_followed'],
    ['co-author', { kind: 'trailer', value: 'no_co_author' }, pull(), {}, 'note rule_followed'],
    [
      'co-author all the same',
      { kind: 'trailer', value: 'no_co_author' },
      push({ message: 'x\n\nCo-authored-by: A <a@b.c>\n' }),
      {},
      'note rule',
    ],
    ['too large', { kind: 'size', value: '3' }, pull(), {}, 'escalate rule'],
    ['small enough', { kind: 'size', value: '150' }, pull(), {}, 'note rule_followed'],
    [
      'Chinese',
      { kind: 'language', value: 'English' },
      pull({ title: '修复四舍五入的问题，并且加上测试' }),
      {},
      'escalate rule',
    ],
    ['English', { kind: 'language', value: 'English' }, pull({ title: 'Round π' }), {}, 'note rule_followed'],
    [
      'a type',
      { kind: 'commit_style', value: 'not_conventional' },
      pull({ title: 'fix: x' }),
      {},
      'escalate rule',
    ],
    ['listed', { kind: 'vouch', value: 'listed' }, pull(), {}, 'note rule_followed'],
    ['not listed', { kind: 'vouch' }, pull(), {}, 'escalate rule'],
    ['sent elsewhere', { kind: 'elsewhere', value: 'gerrit' }, pull(), {}, 'escalate rule'],
    ['denounced', { kind: 'vouch', value: 'denounced' }, pull(), {}, 'deny rule'],
    ['a person', { kind: 'human_author' }, push(), {}, 'note rule'],
  ])('P3: %s', (_, rule, action, more, expected) => {
    expect(said(action, asking(rule, more))).toBe(expected);
  });

  it('E7: a form of titles that only an agent read is kept by a title that shows it, or asked about', () => {
    const style = (value: string, title: string): string =>
      said(pull({ title }), asking({ kind: 'commit_style', value, by: 'agent' }));
    expect(style('conventional', 'fix: round up')).toBe('note rule_followed');
    expect(style('component', 'parser: round up')).toBe('note rule_followed');
    expect(style('not_conventional', 'Round up')).toBe('note rule_followed');
    for (const value of ['conventional', 'component', 'other']) {
      expect(style(value, 'Round up'), value).toBe('escalate rule');
      expect(said(pull(), asking({ kind: 'commit_style', value })), value).toBe('note rule_followed');
    }
  });

  it('P3: an issue that is closed, gone or somebody else’s is told, whatever the rules say', () => {
    for (const one of [issue({ state: 'closed' }), issue({ state: 'missing' }), issue({ assignees: ['bo'] })])
      expect(said(pull(), { ...context, issue: one })).toBe('escalate issue');
    expect(said(pull(), { ...context, issue: issue() })).toBe('');
  });
});

describe('the issue that an order names', () => {
  it.each([
    ['Fix #12 please', '#12'],
    ['closes #7, see #8', '#7'],
    ['https://github.com/ana/app/issues/31', '#31'],
    ['see bo/lib#4', null],
    ['ana/app#5', '#5'],
    ['Use issue templates', null],
    ['color #ff0000 and &#35;', null],
    ['https://github.com/bo/lib/issues/31', null],
  ])('P3: “%s”', (goal, id) => {
    expect(findNamedIssue(goal, 'ana/app')).toBe(id);
  });

  it('P3: what is assigned to us is accepted by that', () => {
    expect(issueStanding(issue({ ours: true, assignees: ['us'] }), 'accepted')).toBe('fine');
    expect(issueStanding(issue(), 'assigned')).toBe('unassigned');
    expect(issueStanding(issue({ locked: true }), null)).toBe('locked');
    expect(issueStanding(issue({ locked: true }), 'open')).toBe('fine');
    expect(issueStanding(issue({ labels: ['unconfirmed', 'needs-triage'] }), 'accepted')).toBe(
      'not_accepted',
    );
  });
});
