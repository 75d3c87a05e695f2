/**
 * F9: what a repository asks of a person is asked before an agent starts, and the answer is theirs:
 * in the log, the seal and the text.
 */
import { describe, expect, it } from 'vitest';
import { findEscalationBeforeWork } from '../../governor/weigh-rules-before-work.ts';
import { signalsIn } from '../../governor/public-texts.ts';
import { commitMessage, baseMergeMessage } from '../../pull-text/pull-body.ts';
import {
  requirementAnswers,
  parseRequirementAnswer,
  missingRequirements,
  type RecordedAnswer,
} from '#model/requirements';
import { EMPTY_REPORT } from '#model/agent';
import type { ContributionRule } from '#model/contract';
import { SignOff, requiredTrailers, withoutTrailers } from '#model/trailers';
import { file, push } from '../support/actions.ts';
import { ana, answers, at, ben, cancel, works, why, type Story } from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

const rule = (kind: ContributionRule['kind'], value?: string): ContributionRule => ({
  kind,
  quote: `about ${kind}`,
  file: 'CONTRIBUTING.md',
  line: 4,
  ...(value === undefined ? {} : { value }),
});
const DCO = { rules: [rule('dco')] };
const who = {
  signOff: 'Ana B. <ana@x.org>',
  engine: 'codex',
  model: 'gpt-5.1',
  coAuthor: 'Codex <noreply@openai.com>',
  changeId: `I${'a'.repeat(40)}`,
};
const answer = (what: RecordedAnswer['what'], text: string): RecordedAnswer => ({
  what,
  text,
  by: ana,
  at: 1,
});
const nothing = { issue: null, answers: [], trailers: [] };

describe('lines at the end of a commit', () => {
  it.each<[string, ContributionRule[], string[]]>([
    ['nothing', [], []],
    ['a sign-off', [rule('dco')], ['Signed-off-by: Ana B. <ana@x.org>']],
    ['a sign-off, and none by agents', [rule('dco'), rule('trailer', 'no_sign_off')], []],
    ['that AI is named', [rule('trailer', 'assisted_by')], ['Assisted-by: codex (AgentPR)']],
    [
      'that AI is named by a trailer of its own',
      [{ ...rule('trailer', 'assisted_by'), quote: 'Add an `AI-Generated-by:` line to your commits.' }],
      ['AI-Generated-by: codex (AgentPR)'],
    ],
    [
      'that AI is named as author',
      [rule('trailer', 'co_author')],
      ['Co-authored-by: Codex <noreply@openai.com>'],
    ],
    [
      'that AI is named with its model',
      [{ ...rule('trailer', 'assisted_by'), quote: 'Assisted-by: AGENT_NAME:MODEL_VERSION [TOOL1]' }],
      ['Assisted-by: codex:gpt-5.1'],
    ],
    [
      'that AI is named with its version, in code',
      [{ ...rule('trailer', 'assisted_by'), quote: 'End it with `Assisted-by: <name>: <version>`.' }],
      ['Assisted-by: codex:gpt-5.1'],
    ],
    ['a Change-Id', [rule('trailer', 'change_id')], [`Change-Id: I${'a'.repeat(40)}`]],
    ['that AI is not named as author', [rule('trailer', 'no_co_author')], []],
    ['both at once', [rule('trailer', 'co_author'), rule('trailer', 'no_co_author')], []],
    [
      'two of them',
      [rule('trailer', 'assisted_by'), rule('dco')],
      ['Assisted-by: codex (AgentPR)', 'Signed-off-by: Ana B. <ana@x.org>'],
    ],
  ])('F9: a repository that asks for %s gets just that', (_, rules, lines) => {
    expect(requiredTrailers({ rules }, who)).toEqual(lines);
  });

  it('F9: a model that nobody knows is not made up', () => {
    const quote = 'Assisted-by: AGENT_NAME:MODEL_VERSION';
    const rules = [{ ...rule('trailer', 'assisted_by'), quote }];
    expect(requiredTrailers({ rules }, { ...who, model: null })).toEqual(['Assisted-by: codex (AgentPR)']);
    expect(requiredTrailers({ rules }, { ...who, model: 'x\nSigned-off-by: Eve' })).toEqual([
      'Assisted-by: codex (AgentPR)',
    ]);
  });

  it('F9: nobody signs off, and nobody is a co-author, who did not say so', () => {
    expect(requiredTrailers(DCO, { ...who, signOff: null })).toEqual([]);
    expect(requiredTrailers({ rules: [rule('trailer', 'co_author')] }, { ...who, coAuthor: null })).toEqual(
      [],
    );
  });

  it('F9: they end the message of the change, of a fix and of a merge, as git reads trailers', () => {
    const trailers = requiredTrailers(DCO, who);
    const input = {
      order: { title: null, goal: 'Say hello in French' },
      shape: null,
      said: EMPTY_REPORT,
      summary: '',
      files: [],
      patch: '',
      trailers,
    };
    const end = '\n\nSigned-off-by: Ana B. <ana@x.org>\n';
    expect(commitMessage({ ...input, fix: null })).toBe(`Say hello in French${end}`);
    expect(commitMessage({ ...input, fix: { no: 1, asked: [] } }).endsWith(end)).toBe(true);
    const files = [file('README.md')];
    const same = { ...input, files, patch: '+Bonjour: hello in French', summary: 'Say hello in French.' };
    expect(commitMessage({ ...same, fix: null })).toBe(`Say hello in French${end}`);
    const typed = { ...same, shape: { titleRule: 'conventional' as const }, fix: null };
    expect(commitMessage(typed)).toMatch(/^\w+: say hello in French\n\nSigned/);
    expect(baseMergeMessage('main', 'b', { titleRule: null }, trailers)).toBe(
      `Merge branch 'main' into b${end}`,
    );
  });

  it('P2: what was asked for raises nothing; the same words anywhere else do', () => {
    const trailers = ['Signed-off-by: Ana B. <ana@x.org>'];
    const message = `Fix it\n\n${trailers[0] ?? ''}\n`;
    expect(withoutTrailers(message, trailers)).toBe('Fix it\n');
    const action = { ...push(), trailers };
    expect(signalsIn(action, 'commit_message', message)).toEqual([]);
    for (const other of ['Signed-off-by: Bo <bo@x.org>', 'Co-authored-by: Bo <bo@x.org>'])
      expect(signalsIn(action, 'commit_message', `Fix it\n\n${other}\n${message}`)).toMatchObject([
        { kind: 'trailer' },
      ]);
    expect(signalsIn(action, 'description', message)).toMatchObject([{ kind: 'trailer' }]);
    expect(signalsIn(push(), 'commit_message', message)).toMatchObject([{ kind: 'trailer' }]);
  });

  it.each(['Ana <ana@x.org>\nCc: bo', 'Ana\u202e <ana@x.org>', 'A <@>', ' <a@x>', 'Ana <a@x>>', '@bo <a@x>'])(
    'F9: %j is nobody’s sign-off',
    (text) => {
      expect(SignOff.safeParse(text).success).toBe(false);
    },
  );
});

describe('what only a person can give', () => {
  const all = { rules: [rule('issue_first', 'open'), rule('cla'), rule('human_words'), rule('dco')] };
  const kinds = (known: Partial<Parameters<typeof missingRequirements>[0]>): string[] =>
    missingRequirements({ contract: all, ...nothing, work: 'chore', ...known }).map((m) => m.what);

  it('F9: is asked for before an agent costs anything, all of it at once and with its quote', () => {
    const asked = findEscalationBeforeWork(all, { ...nothing, base: 'main' });
    expect(asked).toMatchObject({
      kind: 'answers_missing',
      missing: [{ what: 'issue' }, {}, {}, { file: 'CONTRIBUTING.md' }],
    });
    expect(findEscalationBeforeWork({ rules: [] }, { ...nothing, base: 'main' })).toBeNull();
  });

  it('F9: is no issue where features alone need one and the goal is a fix', () => {
    const rules = [{ ...rule('issue_first', 'open'), appliesTo: 'feat' as const }];
    const asked = (work: string) =>
      findEscalationBeforeWork({ rules }, { ...nothing, base: 'main', work })?.kind;
    expect(['fix', 'docs', 'test'].map(asked)).toEqual([undefined, undefined, undefined]);
    expect(['feat', 'chore', 'refactor', 'breaking'].map(asked)).toEqual(Array(4).fill('answers_missing'));
  });

  it('F9: is not asked for again once it was given', () => {
    expect(kinds({})).toEqual(['issue', 'cla', 'words', 'sign_off']);
    const issue = { id: '#3', state: 'open', assignees: [], ours: false, labels: [] } as const;
    expect(kinds({ issue: { ...issue, assignees: [], labels: [] } })).toEqual(['cla', 'words', 'sign_off']);
    expect(kinds({ issue: { ...issue, assignees: [], labels: [], state: 'closed' } })).toContain('issue');
    expect(kinds({ answers: [answer('cla', 'yes')] })).toEqual(['issue', 'words', 'sign_off']);
    expect(kinds({ trailers: ['Signed-off-by: Ana <a@x.org>'] })).toEqual(['issue', 'cla', 'words']);
    expect(kinds({ trailers: ['Assisted-by: codex (AgentPR)'] })).toContain('sign_off');
  });

  it.each<[RecordedAnswer['what'], string, string | null]>([
    ['issue', '12', '#12'],
    ['issue', 'It is #12, thanks', '#12'],
    ['issue', 'acme/lib#4', 'acme/lib#4'],
    ['issue', '#1 or #2', null],
    ['issue', 'the one about hello', null],
    ['sign_off', ' Ana B. <ana@x.org> ', 'Ana B. <ana@x.org>'],
    ['sign_off', 'yes', null],
    ['cla', 'signed', 'signed'],
    ['words', 'I saw it crash, so I fixed it.', 'I saw it crash, so I fixed it.'],
    ['words', 'ok', null],
  ])('F9: for %s, “%s” is %s', (what, reply, as) => {
    expect(parseRequirementAnswer(what, reply)).toBe(as);
  });
});

describe('an answer', () => {
  const given = (story: Story) =>
    story.run.target.requirementAnswers.map(({ what, text, by }) => [what, text, by.name]);

  it('F9: is kept with who gave it and when, and the repository is read with it before an agent starts', () => {
    const asked = at('PLAN_READY');
    const story = asked.when(answers());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'DISCOVERY' },
      target: { requirementAnswers: [{ what: 'cla', by: ana }] },
    });
    expect(story.run.target.requirementAnswers[0]?.at).toBe(story.run.lifecycle.updatedAt);
    expect(works(story)).toContain('discover');
    expect(reasonOf(story.run)).toBe('Ana answered: the agreement is signed.');
  });

  it('F9: the later of two counts, and each stays in the log with its own name', () => {
    const story = at('IMPLEMENTING').when(answers(), answers('cla', 'Signed in June.', ben));
    expect(given(story)).toEqual([['cla', 'Signed in June.', 'Ben']]);
    expect(requirementAnswers(story.run.target.requirementAnswers)).toEqual({ cla: 'Signed in June.' });
  });

  it('F9: at a card it is judged first, and changes nothing before', () => {
    const asked = at('PUSHED');
    const story = asked.when(answers());
    expect(works(story)).toEqual(['modify_proposal']);
    expect(story.run).toMatchObject({
      target: { requirementAnswers: [] },
      gate: { approval: { id: asked.run.gate.approval?.id } },
    });
  });

  it('F9: is refused where nobody asked, where it comes too late, and after the end', () => {
    expect(why(at('PLAN_READY').when(answers('words', 'In my own words, then.')))).toContain('does not ask');
    expect(why(at('CI_WAIT').when(answers()))).toContain('cannot be given an answer');
    expect(why(at('PUSHED').when(cancel, answers()))).toContain('has ended');
  });
});
