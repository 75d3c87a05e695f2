/** How a pull request opens: options joined, words read, and what the machine asks for after the opening. */
import { describe, expect, it } from 'vitest';
import { splitOpeningWords } from '../../bot/phrases/pull-phrases.ts';
import { joinPullEdits, joinPullOptions, pullOpeningOf, type PullSetup } from '#model/opening';
import { changesBetween, type PullShown } from '#model/pull';
import { parseTypedOrder } from '#orders';
import { isWrongArgument } from '#model/chat';
import type { Effect } from '#effects';
import { HOUR } from '#model/values';
import {
  act,
  check,
  confirm,
  given,
  later,
  looked,
  opened,
  pause,
  proposal,
  resume,
  setUpPull,
  sha,
  ways,
  BRANCH,
  type Story,
} from '../support/core.ts';

describe('what is said about the opening', () => {
  it('F13: an order replaces the draft and extends the lists of settings', () => {
    const joined = joinPullOptions(
      { draft: true, labels: ['automated'], milestone: '1.0' },
      { labels: ['Automated', 'docs'], teams: ['acme/platform'] },
      { draft: 'until_green' },
    );
    expect(pullOpeningOf(joined, { mayPush: true })).toEqual({
      draft: true,
      setup: {
        readyWhenGreen: true,
        labels: ['automated', 'docs'],
        reviewers: [],
        teams: ['acme/platform'],
        assignees: [],
        milestone: '1.0',
      },
    });
  });

  it('F13: leaves labels and people alone in a repository of strangers', () => {
    const options = { draft: true, labels: ['automated'], reviewers: ['kim'], milestone: '1.0' };
    expect(pullOpeningOf(options, { mayPush: false })).toEqual({ draft: true });
  });

  it('F13: in a repository of strangers sets what a rule of theirs asks for, and nothing else', () => {
    const options = { draft: true, labels: ['automated'], reviewers: ['kim'] };
    const theirs = { labels: ['needs triage'] };
    expect(pullOpeningOf(options, { mayPush: false, theirs })).toMatchObject({
      setup: { labels: ['needs triage'], reviewers: [], milestone: null },
    });
    expect(pullOpeningOf(options, { mayPush: true, theirs })).toMatchObject({
      setup: { labels: ['needs triage', 'automated'], reviewers: ['kim'] },
    });
  });

  it('F13: at the card a person takes off what a rule of the repository asks for', () => {
    const theirs = {
      labels: ['Needs Triage', 'docs'],
      reviewers: ['kim'],
      teams: ['acme/all'],
      milestone: '2',
    };
    const opens = (
      mayPush: boolean,
      ...without: { field: 'labels' | 'reviewers' | 'milestone'; name?: string }[]
    ) => pullOpeningOf({ reviewers: ['lee'], without }, { mayPush, theirs }).setup;
    for (const mayPush of [true, false])
      expect(
        opens(
          mayPush,
          { field: 'labels', name: 'needs triage' },
          { field: 'reviewers' },
          { field: 'milestone' },
        ),
      ).toMatchObject({ labels: ['docs'], reviewers: [], teams: ['acme/all'], milestone: null });
    expect(opens(false, { field: 'reviewers', name: 'kim' })).toMatchObject({
      reviewers: [],
      milestone: '2',
    });
  });

  it('F13: what was said last at the card counts, name by name', () => {
    const first = joinPullEdits({ labels: ['a', 'b'] }, { without: [{ field: 'labels', name: 'A' }] });
    expect(first).toMatchObject({ labels: ['b'], without: [{ field: 'labels', name: 'A' }] });
    expect(joinPullEdits(first, { labels: ['a'] })).toMatchObject({ labels: ['b', 'a'] });
    expect(joinPullEdits(first, { labels: ['a'] })).not.toHaveProperty('without');
    const none = joinPullEdits(first, { without: [{ field: 'labels' }] });
    expect(pullOpeningOf(none, { mayPush: true, theirs: { labels: ['c'] } })).toEqual({ draft: false });
    const again = joinPullEdits(none, { labels: ['c'] });
    expect(pullOpeningOf(again, { mayPush: true, theirs: { labels: ['d'] } }).setup?.labels).toContain('c');
  });

  it('F13: nothing said changes nothing of the seal', () => {
    expect(pullOpeningOf({}, { mayPush: true })).toEqual({ draft: false });
  });

  it('F13: options of an order are read, teams by their slash', () => {
    const read = parseTypedOrder(
      'acme/widget Fix it draft=until_green label=automated label="needs review" reviewer=@kim reviewer=@acme/platform assignee=lee milestone="Spring 1"',
    );
    expect(isWrongArgument(read) ? read : read.value).toMatchObject({
      goal: 'Fix it',
      pull: {
        draft: 'until_green',
        labels: ['automated', 'needs review'],
        reviewers: ['kim'],
        teams: ['acme/platform'],
        assignees: ['lee'],
        milestone: 'Spring 1',
      },
    });
    expect(parseTypedOrder('acme/widget Fix it draft=maybe')).toMatchObject({ problem: { kind: 'draft' } });
    expect(parseTypedOrder('acme/widget Fix it reviewer=a//b')).toMatchObject({
      problem: { kind: 'account' },
    });
  });

  it.each([
    ['open it as a draft with label automated', '', { draft: true, labels: ['automated'] }],
    ['Open it as a draft until checks are green.', '', { draft: 'until_green' }],
    [
      'fix the typo in acme/widget and open it as a draft with labels automated, docs and reviewers @kim and @acme/platform',
      'fix the typo in acme/widget',
      { draft: true, labels: ['automated', 'docs'], reviewers: ['kim'], teams: ['acme/platform'] },
    ],
    [
      'Fix the typo in acme/widget. Open the PR assigned to @lee, milestone "Spring 1"',
      'Fix the typo in acme/widget',
      { assignees: ['lee'], milestone: 'Spring 1' },
    ],
    ['以草稿打开，标签 automated', '', { draft: true, labels: ['automated'] }],
    [
      '修正 acme/widget 的拼写，并以草稿打开，评审人 @kim',
      '修正 acme/widget 的拼写',
      { draft: true, reviewers: ['kim'] },
    ],
    ['open it not as a draft', '', { draft: false }],
    [
      'open it as a draft without label needs-triage, with label docs',
      '',
      { draft: true, labels: ['docs'], without: [{ field: 'labels', name: 'needs-triage' }] },
    ],
    [
      'open it without reviewers @kim and @acme/all',
      '',
      {
        without: [
          { field: 'reviewers', name: 'kim' },
          { field: 'teams', name: 'acme/all' },
        ],
      },
    ],
    ['open it without reviewers', '', { without: [{ field: 'reviewers' }, { field: 'teams' }] }],
    ['打开它，去掉标签 automated', '', { without: [{ field: 'labels', name: 'automated' }] }],
    ['open it without draft', '', { draft: false }],
    ['open the PR without a draft and with label docs', '', { draft: false, labels: ['docs'] }],
    ['打开拉取请求不要草稿', '', { draft: false }],
    ['打开它，不带草稿', '', { draft: false }],
    [
      'open it without labels and reviewers',
      '',
      { without: [{ field: 'labels' }, { field: 'reviewers' }, { field: 'teams' }] },
    ],
    ['open it without draft and milestone', '', { draft: false, without: [{ field: 'milestone' }] }],
    [
      'open it without label docs and reviewer kim',
      '',
      {
        without: [
          { field: 'labels', name: 'docs' },
          { field: 'reviewers', name: 'kim' },
        ],
      },
    ],
    [
      'open it without label docs, reviewer kim',
      '',
      { without: [{ field: 'labels', name: 'docs' }], reviewers: ['kim'] },
    ],
    [
      '打开它，不要标签和评审人',
      '',
      { without: [{ field: 'labels' }, { field: 'reviewers' }, { field: 'teams' }] },
    ],
    ['open it without labels, ready for review', '', { draft: false, without: [{ field: 'labels' }] }],
  ])('F13: reads “%s”', (text, rest, options) => {
    expect(splitOpeningWords(text)).toEqual({ rest, options });
  });

  it.each([
    'acme/web add a button to open a PR with label bug',
    'acme/cli add a flag to create the pull request as a draft',
    'In acme/x fix the typo, do not open it as a draft',
    'add a button with label automated',
    'open the settings page in a new tab',
    'open it',
    'open it not ready for review',
    'open it without ready',
    'open it without labels and as a draft or not',
    'write the announcement as a draft',
    'create a pull request template with the label bug in the header of acme/widget',
  ])('F13: “%s” says nothing about the opening', (text) => {
    expect(splitOpeningWords(text)).toBeNull();
  });
});

const SETUP: PullSetup = {
  readyWhenGreen: true,
  labels: ['automated'],
  reviewers: [],
  teams: ['acme/platform'],
  assignees: [],
  milestone: null,
};

const signedOpening = (setup: PullSetup): Story =>
  given(
    {},
    ...ways.LOCAL_VALIDATING,
    ...ways.PUSHED.slice(ways.LOCAL_VALIDATING.length, -1),
    act({
      type: 'worker.push.completed',
      branch: BRANCH,
      sha: sha('a'),
      proposal: proposal('open_pr', sha('a'), { draft: setup.readyWhenGreen, setup }),
    }),
    confirm(),
  );
const asked = ({ effects }: Pick<Story, 'effects'>): string[] =>
  effects.flatMap(({ do: work }) => (work.kind === 'set_up_pull' ? [`${work.pull} ${work.what}`] : []));
const notesOf = (effects: readonly Effect[]) =>
  effects.flatMap(({ do: work }) =>
    work.kind === 'chat_message' && work.content.view === 'note' ? [work.content.note] : [],
  );
const passes = (story: Story): Story => story.when(check(), later(30_000, looked));

describe('a pull request that opened as signed', () => {
  it('F13: asks for its labels at once, and again in the next state until they are set', () => {
    const open = signedOpening(SETUP).when(opened());
    expect(asked(open)).toEqual(['#7 fields']);
    expect(asked(passes(open))).toContain('#7 fields');
    expect(asked(passes(open.when(setUpPull('fields'))))).toEqual(['#7 ready']);
  });

  it('F13: turns ready by itself once checks are green, when the card said so', () => {
    const green = passes(signedOpening(SETUP).when(opened()));
    expect(green.run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(asked(green)).toContain('#7 ready');
    const plain = signedOpening({ ...SETUP, readyWhenGreen: false }).when(opened());
    expect(asked(passes(plain))).toEqual(['#7 fields']);
  });

  it('F13: turns ready after a pause, and when checks appear late', () => {
    const green = passes(signedOpening(SETUP).when(opened(), setUpPull('fields')));
    expect(asked(green.when(pause, resume()))).toEqual(['#7 ready']);
    const none = signedOpening(SETUP).when(opened(), setUpPull('fields'), looked, later(HOUR, looked));
    expect(none.run.lifecycle).toMatchObject({ state: 'REVIEW_WAIT', reason: { verdict: 'NO_CI' } });
    expect(asked(none)).toEqual([]);
    const late = none.when(pause, check(), later(30_000, looked), resume());
    expect(late.run.lifecycle.state).toBe('REVIEW_WAIT');
    expect(asked(late)).toEqual(['#7 ready']);
    expect(asked(late.when(setUpPull('ready'), pause, resume()))).toEqual([]);
  });

  it('F13: tells once what the host refused, and stays open', () => {
    const refused = [{ field: 'label', value: 'automated', why: 'missing', says: '' } as const];
    const told = signedOpening(SETUP).when(opened(), setUpPull('fields', refused));
    expect(notesOf(told.effects)).toEqual([
      expect.objectContaining({ kind: 'pull_setup_refused', pull: '#7', refused }),
    ]);
    expect(told.run.lifecycle.state).toBe('CI_WAIT');
    expect(notesOf(told.when(setUpPull('fields', refused)).effects)).toEqual([]);
  });

  it('F8: what we set ourselves is not told as somebody’s change', () => {
    const shown: PullShown = {
      at: 1,
      title: 'T',
      bodyDigest: '',
      base: 'main',
      draft: true,
      locked: false,
      autoMerge: null,
      labels: [],
      reviewers: [],
    };
    const after = { ...shown, labels: ['Automated', 'theirs'], reviewers: ['platform', 'kim'] };
    const ours = { bodies: [], reviewed: ['acme/platform'], labels: ['automated'] };
    expect(changesBetween(shown, after, ours)).toEqual([
      { what: 'labels', added: ['theirs'], removed: [] },
      { what: 'reviewers', added: ['kim'] },
    ]);
  });
});
