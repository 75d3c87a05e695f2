/**
 * F9: what a pull request says over the shapes of real templates: facts, and words that the diff
 * bears out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { parseSections } from '../../pull-text/template-sections.ts';
import { isDoc, selectSupportedSentences } from '../../pull-text/supported-claims.ts';
import { removeAgentInstructions } from '../../pull-text/order-sentences.ts';
import { listRequiredHeadings } from '../../pull-text/fill-template.ts';
import { isTest } from '#model/paths';
import { contract } from '../support/core-samples.ts';
import { ran, rendered, SAMPLES, type Sample } from '../support/change-samples.ts';

const dir = new URL('../fixtures/templates/', import.meta.url);
const TEMPLATES = readdirSync(dir).map(
  (name) => [name.replace('.md', ''), readFileSync(new URL(name, dir), 'utf8')] as const,
);
const template = (name: string): string => TEMPLATES.find(([one]) => one === name)?.[1] ?? '';
const sample = (name: string): Sample => {
  const found = SAMPLES[name];
  if (!found) throw new Error(`no sample ${name}`);
  return found;
};
const body = (name: string, change: string): string => rendered(sample(change), template(name)).body;
/** The lines under a title, up to the next. */
const under = (text: string, title: string): string => {
  const lines = text.split('\n');
  const at = lines.indexOf(title);
  const end = lines.findIndex(
    (line, i) => i > at && (/^#+ |^\*\*[^*]+\*\*$/.test(line) || line === '<details>'),
  );
  return at < 0
    ? ''
    : lines
        .slice(at + 1, end)
        .join('\n')
        .trim();
};

describe('the words of a template', () => {
  const wrapped =
    '## What\n\n## Policy\n\nBy submitting this, I confirm that it was made by\ncode agents.\nI agree to the licence.\n\n- [ ] I agree.\n';
  const { body: made } = rendered(sample('fix'), wrapped);

  it('F9: a sentence over two lines stays one, and the next one stands by itself', () => {
    expect(made).toContain('it was made by\ncode agents.\n\nI agree to the licence.');
  });

  it.each([
    'Add a flag --json\nIt should print JSON.',
    'Login crashes on an expired token. Fix the refresh logic.',
    'Make these changes:\n- add a flag\n- remove the alias',
    'Rename foo to bar. Remove the alias.',
    'Fix the parser. But it works on Linux. Note that only Windows is affected.',
    'Fix the read\nand fails with ENOENT',
    '修复登录\n它会崩溃',
  ])('F9: an order that says what is wrong and what to do is left whole: %j', (goal) => {
    expect(removeAgentInstructions(goal)).toBe(goal);
  });

  it.each([
    ['The port says "the the daemon". Fix it.', 'The port says "the the daemon".'],
    ['The retry forgets its delay. Please correct this', 'The retry forgets its delay.'],
    ['Keep the delay. Fix it.', 'Keep the delay.'],
    ['Fix it.', 'Fix it.'],
    ['Say what to do. Then fix it in the parser.', 'Say what to do. Then fix it in the parser.'],
  ])('F9: a bare order behind the problem is for the agent alone: %s', (goal, left) => {
    expect(removeAgentInstructions(goal)).toBe(left);
  });

  it('F9: of an order, what tells the agent how to work is not published', () => {
    const goal =
      'Keep the last delay. It is lost on Windows. Say so in the docs. Add a line to the changelog.';
    const fix = { ...sample('fix'), said: {}, goal };
    const { body: text } = rendered(fix, '');
    expect(text).toMatch(/^This keeps the last delay\. It is lost on Windows\.\n/);
    expect(text).not.toMatch(/Say so|Add a line/);
    const why = 'It is lost on Windows.';
    const explained = rendered({ ...fix, said: { ...fix.said, what: 'Keeps the last delay' } }, '').body;
    expect(explained).toContain(why);
    expect(explained).not.toMatch(/Say so|Add a line/);
  });

  it('F9: a goal written as a commit’s subject becomes a sentence without its type', () => {
    const fix = sample('fix');
    const said = { ...fix, said: {}, goal: "fix(retry): don't lose the last delay. It was reset." };
    expect(rendered(said, '').body).toMatch(/^This no longer loses the last delay\. It was reset\.\n/);
    expect(rendered({ ...said, goal: 'fix: `retry()` keeps: the last. It does.' }, '').body).toMatch(
      /^`retry\(\)` keeps: the last\. It does\./,
    );
  });

  it('F9: what was run has a name where the template has no place for it', () => {
    expect(made).toMatch(/\*\*Checks\*\*\n\n[^#]*Run on exactly/);
  });
});

it.each([
  ['表里没有 retry。现在保留 retry。', '表里没有 retry。现在保留 retry。'],
  ['表里没有 retry。 现在保留 retry！所有测试通过', '表里没有 retry。现在保留 retry！'],
  ['The retry waits. It keeps the delay.', 'The retry waits. It keeps the delay.'],
  ['表里没有 retry。The retry waits.', '表里没有 retry。The retry waits.'],
])('F9: no blank stands between sentences that have none: %s', (told, kept) => {
  const grounds = { files: [], patch: '+ retry delay waits', checks: [], asked: '' };
  expect(selectSupportedSentences(told, grounds, 'change')).toBe(kept);
});

describe('templates', () => {
  it.each(TEMPLATES)('F9: %s keeps its titles, and holds no filler', (_, text) => {
    for (const change of Object.keys(SAMPLES)) {
      const { body: made } = rendered(sample(change), text);
      const lines = new Set(made.split('\n').map((l) => l.trim()));
      for (const title of listRequiredHeadings(text)) expect(lines, change).toContain(title);
      expect(made).not.toMatch(
        /Nothing to add|\bplease (?:describe\b(?!:)|include|delete|add)\b|undefined|\[object/i,
      );
      expect(made).toContain('Made by a coding agent');
      expect(made).not.toMatch(/The request does not say|None known|Graded|What AgentPR saw/);
    }
  });

  it.each(TEMPLATES)('F9: %s says what changed once, and never as a list of files', (_, text) => {
    const { title, body: made } = rendered(sample('fix'), text);
    expect(title).toBe('Keep the last delay of a retry');
    expect(made).toContain('It is now read first.');
    expect(made.split('Keep the last delay of a retry.').length - 1).toBeLessThanOrEqual(1);
    expect(made).not.toMatch(/Keep the last delay of a retry\.\n\nThe delay was reset/);
    expect(made).not.toMatch(/modified, \+/);
  });

  it('F9: bold questions are titles', () => {
    expect(under(body('jellyfin', 'fix'), '**Changes**')).toMatch(/^The delay was reset/);
    expect(under(body('jellyfin', 'fix'), '**Issues**')).toMatch(/^Fix #4821$/m);
    expect(under(body('jest', 'docs'), '**Test plan**')).toBe(
      'No check was run: none was found in this repository for this change.',
    );
    expect(body('grafana', 'fix')).not.toContain('Who is this feature for?');
  });

  it('F9: where comments alone say what is asked for, they are answered', () => {
    const made = body('flask', 'fix');
    expect(made.startsWith('The delay was reset')).toBe(true);
    expect(made).toContain('- fixes #4821\n');
    expect(body('flask', 'docs')).not.toContain('fixes #');
  });

  it('F9: a fenced release note is filled, and NONE where users notice nothing', () => {
    expect(body('kubernetes', 'fix')).toContain('```release-note\nRetries wait longer each time again.\n```');
    expect(body('kubernetes-old', 'docs')).toContain('```release-note\nNONE\n```');
    expect(body('kubernetes', 'breaking')).toContain(
      '```release-note\nConfigurations that set `legacyMode` are refused.\n```',
    );
    expect(under(body('kubernetes', 'fix'), '#### What type of PR is this?')).toBe('/kind bug');
  });

  it('F9: what a bot reads between its markers is filled', () => {
    const sympy =
      '#### Brief description of what is fixed or changed\n\n#### Release Notes\n\n<!-- BEGIN RELEASE NOTES -->\n\n<!-- END RELEASE NOTES -->\n';
    const of = (change: string): string => rendered(sample(change), sympy).body;
    expect(of('fix')).toContain(
      '<!-- BEGIN RELEASE NOTES -->\n* retry\n  * Retries wait longer each time again.\n<!-- END RELEASE NOTES -->',
    );
    expect(of('docs')).toContain('<!-- BEGIN RELEASE NOTES -->\nNO ENTRY\n<!-- END RELEASE NOTES -->');
  });

  it('F9: rows of a table are answered', () => {
    expect(body('ant-design', 'fix')).toContain('| 🇺🇸 English | Retries wait longer each time again. |');
    const symfony =
      '| Q             | A\n| ------------- | ---\n| Branch?       | 7.4\n| Bug fix?      | yes/no\n| New feature?  | yes/no\n| Issues        | Fix #...\n| License       | MIT\n';
    const made = rendered(sample('fix'), symfony).body;
    for (const row of [
      '| Bug fix? | yes |',
      '| New feature? | no |',
      '| Issues | Fix #4821 |',
      '| License | MIT |',
      '| Branch? | main |',
    ])
      expect(made).toContain(row);
  });

  it('F9: one type is ticked, by the files and the request', () => {
    const ticked = (text: string): string[] =>
      text
        .split('\n')
        .filter((l) => /^\W*\[x\]/.test(l))
        .map((l) => l.replace(/^\W*\[x\] /, ''));
    expect(ticked(body('mem0', 'docs'))).toEqual([
      'Documentation update',
      'I have made corresponding changes to the documentation',
    ]);
    expect(ticked(body('eslint', 'docs'))).toEqual(['Documentation update']);
    expect(ticked(body('eslint', 'fix'))[0]).toMatch(/^Bug fix/);
    expect(ticked(body('home-assistant', 'breaking'))[0]).toMatch(/^Breaking change/);
    expect(body('mem0', 'feature')).not.toContain('Bug fix');
  });

  it('F9: boxes are ticked for facts alone', () => {
    const angular = body('angular', 'feature');
    expect(angular).toContain('- [x] Tests for the changes have been added');
    expect(angular).toContain('- [x] Docs have been added / updated');
    expect(angular).toContain('- [ ] The commit message follows our guidelines');
    expect(body('angular', 'fix')).toContain('- [ ] Docs have been added');
    // It has the entry, and links no issue.
    expect(body('flask', 'feature')).toContain('- [ ] Add an entry in `CHANGES.rst`');
    expect(body('flask', 'feature')).toContain('- [ ] Run `pytest` and `tox`');
    expect(body('mem0', 'fix')).toContain('- [x] New and existing unit tests pass locally');
    expect(body('mem0', 'fix')).toContain('- [ ] I have performed a self-review');
    const red = { ...sample('fix'), checks: [ran('test', 'npm test', 'failed')] };
    expect(rendered(red, template('mem0')).body).toContain('- [ ] New and existing unit tests pass locally');
    const none = { ...sample('fix'), checks: [] };
    expect(rendered(none, template('mem0')).body).not.toMatch(/\[x\].*tests/i);
    expect(body('django', 'feature')).toContain('- [x] This PR targets the `main` branch.');
    expect(body('django', 'feature')).toContain('- [ ] **If AI tools were used**');
    expect(body('mem0', 'fix')).toContain('- [ ] Made sure Checks passed');
  });

  it('F9: a template that only gives advice is not copied', () => {
    for (const name of ['gin', 'go', 'bitcoin']) {
      expect(body(name, 'fix').startsWith('The delay was reset'), name).toBe(true);
      expect(body(name, 'fix'), name).not.toMatch(/Open your pull request|No Markdown|AI_POLICY/);
    }
  });

  it('F9: a reference that a person wrote stays alive, and an agent’s does not', () => {
    expect(body('axios', 'fix')).toMatch(/^Fix #4821/m);
    const theirs = {
      ...sample('docs'),
      said: { what: 'Correct the install command, see #99', why: 'The package was renamed. Fixes #98.' },
    };
    const made = rendered(theirs, null);
    expect(made.title).toBe('Correct the install command, see # 99');
    expect(made.body).not.toMatch(/#\d/);
  });

  it('F9: the issue that an order names by its address stands below, when its title says the rest', () => {
    const address = 'https://github.com/acme/told/issues/2';
    const goal = `Mend the greeting (${address})`;
    const { title, body: made } = rendered({ ...sample('fix'), goal, said: {} }, null);
    expect(title).toBe('Mend the greeting');
    expect(made).toContain(address);
  });

  it('F9: words of a person stand in place of the agent’s, as they were written', () => {
    const words = 'I hit this while polling. The delay was lost, so I asked for the smallest mend.';
    const made = rendered({ ...sample('fix'), answers: { words } }, template('axios')).body;
    expect(under(made, '### Summary')).toBe(words);
    expect(made).not.toContain('Keep the last delay');
    expect(made).toContain('a person wrote this description and approved exactly this content');
  });

  it('F9: a box never comes ticked from the template', () => {
    expect(parseSections('- [x] I am human\n').flatMap((s) => s.parts.map((p) => p.kind))).toEqual(['box']);
    expect(rendered(sample('docs'), '## Checklist\n- [x] I am human\n').body).toContain('- [ ] I am human');
  });
});

describe('claims', () => {
  const known = (more: Partial<Parameters<typeof selectSupportedSentences>[1]> = {}) => ({
    files: [
      {
        path: 'src/retry.ts',
        oldPath: null,
        status: 'modified',
        oldMode: '100644',
        newMode: '100644',
        added: 4,
        deleted: 2,
        binary: false,
      } as const,
    ],
    patch: '+export const retry = (limit) => { nextDelay(limit); }',
    checks: [],
    asked: 'Retry twice',
    ...more,
  });

  it.each([
    'Adds tests for the retry.',
    'The retry is covered by new test cases in test/retry.test.ts.',
    'All tests pass with the new retry.',
    'The retry was verified manually.',
    'Makes the retry 40% faster.',
    'Updates the README about the retry.',
    'Changes `resetDelay` in the retry.',
    'Calls resetDelay() before each retry.',
    'Moves the retry into src/backoff.ts.',
    'Adds a changelog entry for the retry.',
    'Bumps a dependency for the retry.',
    'No breaking changes to the retry.',
    'The retry stays fully backwards compatible.',
    'Nothing else in the retry changes.',
    'Limiting the retry breaks nothing.',
    'All callers of retry are adapted.',
    'Fixes #99 in the retry.',
    'The maintainers agreed on the retry.',
    'Rewrites the scheduler.',
    '为 retry 添加了测试。',
    'Se agregaron pruebas para retry.',
  ])('F9: “%s” is left out where nothing shows it', (claim) => {
    expect(selectSupportedSentences(claim, known(), 'change')).toBe('');
    expect(selectSupportedSentences(`Limits the retry. ${claim}`, known(), 'change')).toBe(
      'Limits the retry.',
    );
  });

  it('F9: what the diff shows may be said', () => {
    for (const claim of [
      'Limits the retry.',
      'Calls nextDelay() in `retry`.',
      'Changes src/retry.ts.',
      'Passes the limit to `nextDelay`.',
      'Nothing is retried beyond the limit.',
      '现在先读 `=> {`。',
    ])
      expect(selectSupportedSentences(claim, known(), 'change'), claim).toBe(claim);
    const withTest = known({
      files: [...known().files, { ...known().files[0], path: 'test/retry.test.ts', added: 9 }] as never,
    });
    expect(selectSupportedSentences('Adds tests for the retry.', withTest, 'change')).toBe(
      'Adds tests for the retry.',
    );
  });

  const FALSE = [
    ...[
      'Adds unit tests.',
      'All tests pass.',
      'Everything works locally.',
      'I verified it by hand.',
      'Coverage is 100% now.',
    ],
    ...[
      'Speeds it up by 3x.',
      'Documents it in docs/zebra.md.',
      'Adds `zebraMode` for zebras.',
      'Calls zebra() first.',
      'See lib/zebra.py.',
    ],
    ...[
      'Approved by the core team.',
      'No side effects.',
      'Every call site is updated.',
      'Closes #31337.',
      'Fixes CVE-2026-31337.',
    ],
  ];
  const claims = fc
    .array(fc.constantFrom(...FALSE), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(' '));

  it('F9: of a hundred bodies none holds a claim that diff and evidence lack', () => {
    const untested = Object.entries(SAMPLES).map(([, one]) => ({
      ...one,
      files: one.files.filter(([path]) => !isTest(path) && (!isDoc(path) || one.files.length === 1)),
      patch: one.patch
        .split('\n')
        .filter((line) => !/tests?\b/i.test(line))
        .join('\n'),
    }));
    let bodies = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...untested),
        fc.constantFrom(...TEMPLATES),
        claims,
        claims,
        (one, [, text], lie, other) => {
          const said = {
            ...one.said,
            what: `${one.said.what}. ${lie}`.slice(0, 200),
            why: `${other} ${one.said.why}`,
            tested: lie,
            note: other,
            breaking: lie,
          };
          const red = one.checks.map((c) => ({ ...c, outcome: 'failed' as const, exitCode: 1 }));
          const { title, body: made } = rendered({ ...one, said, checks: red }, text, {
            contract: contract({ template: text }),
          });
          bodies += 1;
          for (const claim of FALSE) expect(`${title}\n${made}`).not.toContain(claim.replace(/\.$/, ''));
          expect(made).not.toMatch(/zebra|31337/i);
          expect(made).not.toMatch(/\[x\][^\n]*\b(?:tests? (?:pass|have|for)|unit tests|lint)\b/i);
        },
      ),
      { numRuns: 200 },
    );
    expect(bodies).toBeGreaterThanOrEqual(100);
  });
});
