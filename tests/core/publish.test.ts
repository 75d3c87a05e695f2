import { selectTextBeyondTitle } from '../../pull-text/beyond-title.ts';
import { toTaskStatement } from '../../pull-text/order-sentences.ts';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { Feedback } from '#model/feedback';
import { branchNameByRule, matchesBranchRule } from '#model/pull';
import { RunBounds } from '#model/limits';
import type { Contract } from '#model/contract';
import type { CheckResult } from '#model/evidence';
import type { Commit, FileChange } from '#model/change';
import { BranchName, Order } from '#model/order';
import {
  composeBranchName,
  pullBody,
  readReceipt,
  alternativeBranch,
  withoutReceipt,
  withReceipt,
  type Receipt,
} from '../../pull-text/pull-body.ts';
import { findHiddenCharacterKind } from '../../text-safety/invisible-characters.ts';
import {
  codeSpan,
  neutraliseDescription,
  neutralisePlainText,
  neutraliseText,
  findTextSignals,
} from '../../text-safety/neutralise-text.ts';
import { words } from '../support/english.ts';
import { messageOf, pullTitle } from '../support/published.ts';

const order = Order.parse({
  repo: 'ana/lib',
  goal: 'Fix the rounding of totals. It is off by one cent.',
  base: null,
  branch: null,
  title: null,
  engine: 'codex',
  engineArgs: [],
  promptVersion: '1',
  checks: [],
  requester: { id: '1', name: 'Ana' },
  decider: null,
  chat: '1',
  bounds: RunBounds.parse({}),
});
/** Any code point, lone surrogates too; fast-check's own unit for that takes seconds to set up. */
const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c));

const contract: Contract = {
  ecosystems: ['node'],
  packageManager: 'npm',
  installs: [],
  checks: [],
  tools: [],
  branchRule: null,
  titleRule: null,
  rules: [],
  template: null,
  riskFlags: [],
};
const file = (path: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  oldPath: null,
  status: 'modified',
  oldMode: '100644',
  newMode: '100644',
  added: 3,
  deleted: 1,
  binary: false,
  ...more,
});
const commitOf = (files: FileChange[]): Commit => ({
  sha: 'a'.repeat(40),
  tree: 'b'.repeat(40),
  base: 'c'.repeat(40),
  message: 'Fix rounding\n',
  diff: {
    files,
    added: 3 * files.length,
    deleted: files.length,
    digest: 'd',
    bytes: 100,
    documentBytes: 100,
    findings: [],
  },
});
const commit = commitOf([file('src/sum.ts'), file('test/sum.test.ts')]);
const green: CheckResult = {
  name: 'test',
  command: 'npm test',
  exitCode: 0,
  outcome: 'passed',
  ms: 5,
  tail: '',
};
const bodyOf = (more: Partial<Parameters<typeof pullBody>[0]> = {}): string =>
  pullBody({
    order,
    contract,
    commit,
    checks: [green],
    summary: 'Rounds half up.',
    ...more,
  });

/** Texts made of exactly the pieces that are dangerous, and of anything else. */
const PIECES = [
  '@', 'ana', '`', '``', '```', '\\', '<', '<!--', '-->', '&#64;', '&commat;', '[skip ci]', '[ci skip]', '[', ']',
  'skip ci', 'Fixes', 'closes:', ' ', '\n', '\r\n', '#12', 'o/r#3', 'GH-4', 'https://github.com/o/r/issues/5',
  '/merge', '/', 'bors', 'r+', 'recheck', '> ', '- ', '1. ', '1.', '*', '(', ')', ',', '.', ':', 'Signed-off-by:',
  'Co-authored-by', '`a`', '`@x`', '`/m`', 'skip-checks: true', '***NO_CI***', '\u202e', '\u200b', '\u2028', '\u00a0', '!', '_', '[x]', '-',
]; // oxfmt-ignore
const nasty = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((p) => p.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

/** Outside of code spans. */
const open = (markdown: string): string => markdown.replace(/`[^`\n]*`/g, '`');

describe('words made harmless', () => {
  it('P2: no words act on anybody once they are neutral, whatever they were', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(findTextSignals(neutraliseText(text))).toEqual([]);
        expect(findHiddenCharacterKind(neutraliseText(text))).toBeNull();
      }),
      { numRuns: 5_000 },
    );
  });

  it('P2: a sign of HTML before a code span begins no tag in the word that takes it along', () => {
    expect(neutraliseText('@a<`b`')).toBe("`@a'b`");
  });

  it('uses code for names and references, and no invisible character', () => {
    expect(neutraliseText('Thanks @ana, see @types/node.')).toBe('Thanks `@ana`, see `@types/node`.');
    expect(neutraliseText('Fixes #12 and (closes o/r#3)')).toBe('Fixes `#12` and (closes `o/r#3`)');
    const linked = 'Read [it](https://a.example/guide.md#8-test).';
    expect(neutraliseText(`${linked} See #8`)).toBe(`${linked} See \`#8\``);
    expect(neutraliseText('[#8](https://a.example/guide.md#8-test)')).toContain('`');
    expect(neutraliseText('[skip ci] please')).toBe('(skip ci) please');
    expect(neutraliseText('/merge\nbors r+')).toBe('`/merge`\n`bors` r+');
    expect(neutraliseText('Signed-off-by: Ana <a@b.c>')).toBe('Signed-off-by – Ana < `a@b.c>`');
    expect(neutraliseText('&#64;ana &commat;ana')).toBe('& `#64;ana` & commat;ana');
    expect(neutraliseText('plain words, and/or Map<string>!')).toBe('plain words, and/or Map< string>!');
  });

  it.each([
    ['mention', 'hi @ana'],
    ['mention', 'a `b` `` ` @ana `` `'],
    ['mention', '\\`@ana\\`'],
    ['mention', '<a title="`">@ana`'],
    ['mention', '`a `@ana` b`'],
    ['mention', 'one `\n`@ana`'],
    ['mention', '&#64;ana'],
    ['closing_keyword', 'This fixes: #12'],
    ['closing_keyword', 'RESOLVES ana/lib#1'],
    ['closing_keyword', 'close https://github.com/o/r/issues/1'],
    ['skip_ci', '`[skip ci]`'],
    ['skip_ci', 'x [ci-skip]'],
    ['skip_ci', '[no ci]'],
    ['bot_command', 'text\n  /merge'],
    ['bot_command', '- /approve'],
    ['bot_command', 'bors r+'],
    ['trailer', 'x\n\nSigned-off-by: A <a@b.c>'],
    ['trailer', 'Co-Authored-By: A'],
  ])('P2: sees a %s in %j', (kind, text) => {
    expect(findTextSignals(text).map((s) => s.kind)).toContain(kind);
  });

  it.each([
    'mail ana@example.org',
    'see `@ana`',
    'issue #12',
    'fix the 12 bugs',
    'and/or',
    '/usr/bin is in a `/path`'.slice(17),
    'the prefix: #',
  ])('sees nothing in %j', (text) => {
    expect(findTextSignals(text)).toEqual([]);
  });

  const LEADS =
    /[a-z]:\/\/\S|\bwww\.\w|@\w|#\d|\bgh-\d|\][([:]|<[a-z!/?]|!\[|(?<!\w)(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}(?!\w)/i;
  const LINKS = [
    ...[
      'https://evil.example/a',
      'HTTP://evil.example',
      'ftp://e.x',
      'ssh://git@e.x/r',
      'www.evil.example',
      '//e.x',
    ],
    ...[
      '[here](https://evil.example)',
      '[in words](/o/r/settings)',
      '[a]: https://e.x',
      '[a][b]',
      '[^1]: note',
    ],
    ...[
      '![x](https://e.x/x.png)',
      '<https://e.x>',
      '<a href=//e.x>x</a>',
      '<img src=x>',
      '<!-- x',
      '<details>',
    ],
    ...[
      '#123',
      'o/r#1',
      'GH-7',
      '@team',
      '@o/team',
      'me@e.x',
      'o/r@0123abc',
      '0123abc',
      'deadbeef0'.repeat(4),
    ],
    ...[
      '0123abc...4567def',
      '~~~mermaid',
      '$$x$$',
      '&#35;1',
      '&lt;a',
      '(https://e.x)',
      '*https://e.x*',
      'x:https://e.x',
    ],
  ];

  it.each(LINKS)('G8: an agent’s %j leads nowhere, in a description and in a commit message', (link) => {
    for (const text of [
      link,
      `see ${link}, please`,
      `a\n${link}\nb`,
      `(${link})`,
      `- ${link}`,
      `> ${link}`,
    ]) {
      expect(open(neutraliseDescription(text))).not.toMatch(LEADS);
      expect(neutralisePlainText(text)).not.toMatch(LEADS);
    }
  });

  it('G8: no words of an agent act or lead anywhere, whatever they were', () => {
    const words = fc
      .array(fc.oneof(nasty, fc.constantFrom(...LINKS, ' ', '\n')), { maxLength: 5 })
      .map((w) => w.join(''));
    fc.assert(
      fc.property(words, (text) => {
        for (const made of [neutraliseDescription(text), neutralisePlainText(text)])
          expect(findTextSignals(made)).toEqual([]);
        expect(open(neutraliseDescription(text))).not.toMatch(LEADS);
        expect(neutralisePlainText(text)).not.toMatch(LEADS);
      }),
      { numRuns: 1_000 },
    );
  });

  it('G8: they can still be read', () => {
    expect(neutraliseDescription('See https://e.x/a (or #12) and [this](docs/x).')).toBe(
      'See `https://e.x/a` (or `#12`) and [this] (docs/x).',
    );
    expect(neutralisePlainText('See https://e.x/a (or #12), 0123abcd by @ana.')).toBe(
      'See https: //e.x/a (or # 12), 0123ab cd by @ ana.',
    );
    expect(neutralisePlainText('Rounds 10000000 half up; costs a fix.')).toBe(
      'Rounds 10000000 half up; costs a fix.',
    );
  });

  it('keeps a code span closed, whatever is in it', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const span = codeSpan(text);
        expect(span === '(empty)' || /^`[^`\n\\<]+`$/.test(span)).toBe(true);
      }),
    );
  });

  it('takes an emoji for what it is', () => {
    expect(findHiddenCharacterKind('✨️ 👩‍💻 3️⃣')).toBeNull();
    expect(findHiddenCharacterKind('a\u200db')).toBe('invisible');
    expect(findHiddenCharacterKind('a\u202eb')).toBe('bidi');
    expect(findHiddenCharacterKind('a\u0007b')).toBe('invisible');
  });
});

describe('branches', () => {
  it('E14: takes the ordered branch, else the rule of the repository, else one that says what it is', () => {
    const ruled = { ...contract, branchRule: 'feature|fix/<slug>' };
    expect(composeBranchName({ ...order, branch: 'my/branch' }, ruled, 'r7')).toBe('my/branch');
    expect(composeBranchName(order, ruled, 'r7')).toBe(
      'fix/fix-the-rounding-of-totals-it-is-off-by-one-cent-r7',
    );
    expect(composeBranchName(order, contract, 'r7')).toBe('fix/the-rounding-of-totals-r7');
    expect(composeBranchName({ ...order, title: 'docs(api): say it' }, null, 'R_7')).toBe('docs/say-it-r-7');
    expect(composeBranchName({ ...order, goal: '修复 舍入' }, null, 'r7')).toBe('feature/agentpr-r7');
    const issue = { ...contract, branchRule: 'fix/<issue>-<slug>' };
    expect(composeBranchName({ ...order, goal: 'Fix #12: sums' }, issue, 'r7')).toBe('fix/12-fix-12-sums-r7');
    expect(composeBranchName(order, issue, 'r7')).toMatch(/^fix\/the-rounding/);
    const numbered = { ...contract, branchRule: '<issue>' };
    expect(composeBranchName({ ...order, goal: 'Sums. closes #192' }, numbered, 'r7')).toBe('192');
    expect(composeBranchName(order, numbered, 'r7')).toMatch(/^fix\/the-rounding/);
  });

  it('E14: every branch is one that git accepts, and so is its other name', () => {
    const anyRule = fc.constantFrom(
      null,
      '<type>/<slug>',
      'fix/<slug>',
      '..',
      'a//<slug>',
      '<slug>.lock',
      '/',
      '',
    );
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), anyRule, (goal, run, branchRule) => {
        const branch = composeBranchName({ ...order, goal }, { ...contract, branchRule }, run);
        expect(BranchName.safeParse(branch).success).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 250 }), (branch) => {
        expect(BranchName.safeParse(alternativeBranch(branch)).success).toBe(true);
        expect(alternativeBranch(branch)).not.toBe(branch);
      }),
    );
  });

  it('E14: the other name keeps no slash, since a branch of that prefix may be in its way', () => {
    expect(alternativeBranch('feature/agentpr-r7')).toBe('feature-agentpr-r7-2');
  });

  it('E14: a name made by a rule keeps it, and others are told apart', () => {
    for (const rule of ['fix/<slug>', '<type>/<slug>', 'feature|docs/<slug>']) {
      const name = branchNameByRule(rule, 'Add a thing', 'r7') ?? '';
      expect(matchesBranchRule(name, rule)).toBe(true);
    }
    expect(matchesBranchRule('feature/agentpr-r7', 'fix/<slug>')).toBe(false);
    expect(matchesBranchRule('fixes/x', 'fix/<slug>')).toBe(false);
    expect(matchesBranchRule('x/fix/y', 'fix/<slug>')).toBe(false);
    expect(matchesBranchRule('hotfix/y', 'feature|fix/<slug>')).toBe(false);
  });
});

describe('commit and title', () => {
  it('says the goal in one line, conventionally where that is asked', () => {
    expect(pullTitle(order, contract)).toBe('Fix the rounding of totals');
    const conventional = { ...contract, titleRule: 'conventional' as const };
    expect(pullTitle(order, conventional)).toBe('fix: correct the rounding of totals');
    expect(pullTitle({ ...order, goal: 'docs: mend the readme' }, conventional)).toBe(
      'docs: mend the readme',
    );
    expect(pullTitle({ ...order, title: 'Mine' }, conventional)).toBe('Mine');
    expect(pullTitle({ ...order, goal: 'a '.repeat(500) }, contract).length).toBeLessThanOrEqual(100);
  });

  it('E14: a given title is kept, on one line', () => {
    expect(messageOf({ ...order, title: 'Mine\nand more' }, contract, '')).toBe('Mine and more\n');
  });

  it('F9: a type takes no verb off the title and says none twice, and a number that a person wrote stays', () => {
    const conventional = { ...contract, titleRule: 'conventional' as const };
    const of = (goal: string, rules: Contract = conventional): string => pullTitle({ ...order, goal }, rules);
    expect(of('Fix the first wait, with a test')).toBe('fix: correct the first wait, with a test');
    expect(of('Fix for the parser of empty input')).toBe('fix: fix for the parser of empty input');
    expect(of('Fix: handle empty input in the parser')).toBe('fix: handle empty input in the parser');
    expect(of('Feat: add a flag to the parser')).toBe('feat: add a flag to the parser');
    expect(of('Refactor the lexer into two files')).toBe('refactor: rework the lexer into two files');
    expect(of('Add a retry to the client')).toBe('feat: add a retry to the client');
    expect(of('Feature flags for the new client are read twice')).toMatch(/: feature flags for/);
    expect(of('Document the retries of the client')).toMatch(/: document the retries of the client$/);
    expect(of('Remove the old client code')).toMatch(/: remove the old client code$/);
    expect(of('Rename the retry option to tries')).toMatch(/: rename the retry option to tries$/);
    expect(of('Test that the last wait is kept')).toMatch(/: test that the last wait is kept$/);
    expect(of('Fix #12: totals are off by one', contract)).toBe('Totals are off by one (#12)');
    expect(of('Round totals half up (#12)', contract)).toBe('Round totals half up (#12)');
  });

  it.each([
    ['Fix the first wait, with a test.', 'fix: correct the first wait, with a test'],
    ['Fix the first wait, with a test.', 'bugfix(core)!: Correct the first wait, with a test'],
    ['Refactor the lexer into two files', 'refactor: rework the lexer into two files'],
  ])('F9: “%s” says nothing beyond “%s”', (goal, title) => {
    expect(selectTextBeyondTitle(toTaskStatement(goal), title)).toBe('');
  });

  const completing = 'todo: complete the actions done and undo too';
  it.each([
    ['Complete done and undo.', ''],
    ['todo: complete done and undo. Both are built in.', 'Both are built in.'],
    ['Complete undo and done.', 'Complete undo and done.'],
    ['Complete done and redo.', 'Complete done and redo.'],
    ['This completes done and undo.', 'This completes done and undo.'],
  ])('F9: of “%s”, what a longer title says already is left out', (told, left) => {
    expect(selectTextBeyondTitle(told, completing)).toBe(left);
  });

  it('F9: where components lead titles, the one that is changed does', () => {
    const component = { ...contract, titleRule: 'component' as const };
    const of = (...paths: string[]): string =>
      pullTitle(
        { ...order, goal: 'Close the socket on errors' },
        component,
        {},
        { files: paths.map((p) => file(p)), patch: '' },
      );
    expect(of('src/net/http/client.go', 'src/net/http/client_test.go')).toBe(
      'net/http: close the socket on errors',
    );
    expect(of('lib/vtls/openssl.c')).toBe('vtls: close the socket on errors');
    expect(of('lib/socket.c')).toBe('socket: close the socket on errors');
    expect(of('docs/a.md')).toBe('docs: close the socket on errors');
  });

  it('F9: a goal that cannot be a title gives way to what the diff bears out', () => {
    const goal = 'See #12.';
    const patch = '+ export const waits = last; // the last delay of a retry';
    const diff = { files: [file('src/retry.ts')], patch };
    expect(pullTitle({ ...order, goal }, contract, { what: 'Keep the last delay of a retry' }, diff)).toBe(
      'Keep the last delay of a retry',
    );
    expect(pullTitle({ ...order, goal }, contract, { what: 'Rewrite the scheduler' }, diff)).toBe('See #12');
  });

  it('F9: the subject of a commit says what it changes, also of a fix', () => {
    const red = (...checks: string[]): Feedback => ({ kind: 'red', checks });
    const patch = '-const greet = "bonjour";\n+const greet = "salut";';
    const of = (asked: readonly Feedback[], what: string | null, of = contract): string =>
      messageOf(order, of, '', { no: 1, asked }, { what }, { files: [file('src/greet.ts')], patch }).split(
        '\n',
      )[0] ?? '';
    expect(of([red('unit')], 'Greet with salut')).toBe('Greet with salut');
    expect(of([red('unit')], 'Greet with salut', { ...contract, titleRule: 'conventional' })).toBe(
      'fix: greet with salut',
    );
    expect(of([red('unit')], 'Rewrite the scheduler')).toBe('Update src/greet.ts for unit');
    expect(of([{ kind: 'review', reviewer: 'mia', body: 'Use salut. Please.' }, red('unit')], null)).toBe(
      'Update src/greet.ts for unit',
    );
    expect(of(words('CI is red: lint'), null)).toBe('Update src/greet.ts');
    expect(of([red('@ana [skip ci]')], null)).toBe('Update src/greet.ts for @ ana (skip ci)');
    expect(of([red('x'.repeat(200))], null).length).toBeLessThanOrEqual(72);
  });

  it('P2: neither goal nor summary make a commit message or a title act on anybody', () => {
    fc.assert(
      fc.property(nasty, nasty, (goal, summary) => {
        const asked = { ...order, goal };
        expect(findTextSignals(messageOf(asked, contract, summary))).toEqual([]);
        expect(findTextSignals(pullTitle(asked, contract))).toEqual([]);
        expect(pullTitle(asked, contract)).toMatch(/^\S[^\n]*$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('description', () => {
  it('F9: says what was asked, checks with outcomes, who made it and who approved it, and nothing that the code host shows', () => {
    const failed: CheckResult = {
      ...green,
      name: 'lint',
      command: 'npm run lint',
      exitCode: null,
      outcome: 'not_run',
    };
    const none: CheckResult = { ...green, name: 'e2e', command: 'npm run e2e', outcome: 'ran_no_test' };
    const body = bodyOf({ checks: [green, failed, none] });
    expect(body).toContain('This fixes the rounding of totals. It is off by one cent.');
    expect(body).not.toMatch(/src\/sum\.ts|<details>|Graded/);
    expect(body).toContain('- `npm test`: passed');
    expect(body).toContain('- `npm run lint`: could not be run');
    expect(body).toContain('- `npm run e2e`: ran no test');
    expect(body).toContain(
      'Made by a coding agent (`codex`); a person approved exactly this content before it was opened.',
    );
    expect(bodyOf({ checks: [] })).toContain(
      'No check was run: none was found in this repository for this change.',
    );
  });

  it('G8: leads nowhere by the words of an agent, and keeps what a person wrote', () => {
    const summary =
      'Rounds as `https://evil.example/rounding` says and [here](docs/rounding), done in 0123abc.';
    const patch = '+ // rounds as https://evil.example/rounding says';
    const asked = { ...order, goal: 'Do what https://github.com/ana/lib/wiki says. It is right.' };
    const body = bodyOf({ order: asked, summary, patch });
    expect(body).toContain('Do what https://github.com/ana/lib/wiki says');
    expect(open(body).replace('https://github.com/ana/lib/wiki', '')).not.toMatch(/:\/\/|\]\(|0123abc/);
    expect(messageOf(asked, contract, summary).split('\n')[0]).toBe(
      'Do what https://github.com/ana/lib/wiki says',
    );
  });

  it('F9: a place for release notes has the first sentence of a fix, and none for what nobody notices', () => {
    const asking = { ...contract, template: '## Release notes\n\n## What\n' };
    const notes = (goal: string): string =>
      /## Release notes\n+([^]*?)\n+## What/.exec(
        bodyOf({ contract: asking, order: { ...order, goal }, summary: '' }),
      )?.[1] ?? '';
    expect(notes('Fix the rounding of totals. It is off.')).toBe('Fix the rounding of totals');
    expect(notes('Refactor the rounding.')).not.toContain('Refactor');
  });

  it('F9: what a person’s own description closes is closed in their word, and ticks the box of linked issues', () => {
    const asking = { ...contract, template: '## Issue\n\n## Checklist\n\n- [ ] I linked the issue\n' };
    const own = bodyOf({ contract: asking, description: 'Rounds half up. Fixes #12' });
    expect(own).toMatch(/## Issue\n+Fixes #12\n/);
    expect(own).toContain('- [x] I linked the issue');
    expect(bodyOf({ contract: asking, description: 'Rounds half up.' })).toContain(
      '- [ ] I linked the issue',
    );
  });

  it('is the same for the same facts, however long the checks took', () => {
    expect(bodyOf({ checks: [{ ...green, ms: 999, tail: 'x' }] })).toBe(bodyOf());
  });

  it('P2: an agent ticks no box by its words', () => {
    const commit = commitOf([file('[ci skip]')]);
    expect(bodyOf({ commit, summary: '- [x][skip ci]' })).not.toMatch(/^[\s>]*[-*+] \[x\]/im);
  });

  it('P2: nothing in goal, summary, template, paths or commands acts on anybody', () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, nasty, (goal, summary, path, template) => {
        const body = pullBody({
          order: { ...order, goal },
          contract: { ...contract, template: `# ${template}\n${template}\n- [x] ${template}` },
          commit: commitOf([file(path, { oldPath: template, status: 'renamed' })]),
          checks: [{ ...green, command: path }],
          summary,
        });
        expect(findTextSignals(body).filter((s) => s.kind !== 'closing_keyword')).toEqual([]);
        if (!findTextSignals(goal).some((s) => s.kind === 'closing_keyword') && !/#\d|gh-|issues/i.test(goal))
          expect(findTextSignals(body)).toEqual([]);
        expect(findHiddenCharacterKind(body)).toBeNull();
        // A box for the issue is ticked by a person's own words alone.
        const ticked = body.match(/^[\s>]*[-*+] \[x\].*$/gim) ?? [];
        if (!/#\d|issues\/\d/i.test(goal)) expect(ticked).toEqual([]);
        for (const line of ticked) expect(line).toMatch(/#\d+$/);
        expect(readReceipt(body)).toBeNull();
        expect(body).toMatch(/coding agent|编程代理/);
      }),
      {
        numRuns: 1_000,
        examples: [
          ['', '', '', '&#64;<!--https://github.com/o/r/issues/5-->'],
          ['o/r#3', '', '', '#'],
        ],
      },
    );
  });
});

describe('receipt', () => {
  const receipt: Receipt = {
    version: 1,
    run: 'r7',
    digest: 'ab'.repeat(32),
    policyVersion: 'builtin-1',
    approver: 'ana',
    mac: 'A'.repeat(43),
  };

  it('G7: can be read back, and the body under it is unchanged', () => {
    const alias = fc
      .string({ minLength: 1, maxLength: 40 })
      .filter((s) => s.trim() !== '' && !/\d{5}/.test(s));
    fc.assert(
      fc.property(fc.oneof(nasty, fc.constant(withReceipt('x', receipt))), alias, (body, approver) => {
        const whole = withReceipt(body, { ...receipt, approver });
        expect(readReceipt(whole)).toEqual({ ...receipt, approver });
        expect(withoutReceipt(whole)).toBe(body);
        const fromWeb = whole.replace(/\r?\n/g, '\r\n') + '\r\n';
        expect(readReceipt(fromWeb)?.approver).toBe(approver);
      }),
    );
  });

  it('G7: says the same to people in one line', () => {
    const whole = withReceipt('Body', receipt);
    expect(whole.split('\n').at(-3)).toBe(
      `AgentPR receipt: run \`r7\`, digest \`${receipt.digest}\`, policies \`builtin-1\`, approved by \`ana\``,
    );
    expect(withReceipt('Body', { ...receipt, approver: 'approver-0a1b2c3d' })).toContain(
      'approved by a person whom the operator of this AgentPR knows as `approver-0a1b2c3d`',
    );
    expect(findTextSignals(withReceipt('Body', { ...receipt, approver: '@ana' }))).toEqual([]);
  });

  it('G7: the alias of the approver cannot end the comment, and is never a Telegram id', () => {
    const whole = withReceipt('Body', { ...receipt, approver: 'a --> <b> @c' });
    expect(whole.split('\n').at(-4)?.match(/--|@/g)).toEqual(['--', '--']);
    expect(readReceipt(whole)?.approver).toBe('a --> <b> @c');
    expect(() => withReceipt('Body', { ...receipt, approver: '123456789' })).toThrow(/alias/);
  });

  it('G7: an alias is no number, whatever stands around it; a name with digits in it is one', () => {
    for (const id of ['12345', ' 12345 ', '+4912345', '(123456789)', '#12345!'])
      expect(() => withReceipt('Body', { ...receipt, approver: id }), id).toThrow(/alias/);
    for (const name of ['1234', 'ana12345', '12345ana', 'a 12345', '12345 b', 'approver-12345678'])
      expect(readReceipt(withReceipt('Body', { ...receipt, approver: name }))?.approver, name).toBe(name);
  });

  it('G7: blanks that a code host adds at the end change nothing', () => {
    for (const end of [' ', '  \n', '\t', '\n\n'])
      expect(withoutReceipt(withReceipt('Body', receipt) + end), JSON.stringify(end)).toBe('Body');
  });

  it('G7: a receipt whose halves differ, that is not last, or is malformed is none', () => {
    const whole = withReceipt('Body', receipt);
    for (const wrong of [
      whole.replace('approved by `ana`', 'approved by `bob`'),
      `${whole}\nmore`,
      whole.replace('"version":1', '"version":2'),
      whole.replace('{', '{{'),
      whole.replace('"run":"r7"', '"run":"r7","extra":1'),
      'Body',
      'Body\n\n<!-- agentpr:receipt {} -->\n',
    ]) {
      expect(readReceipt(wrong)).toBeNull();
      expect(withoutReceipt(wrong)).toBe(wrong);
    }
  });
});
