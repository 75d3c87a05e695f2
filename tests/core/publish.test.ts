import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { en } from '../../bot/language/en/en.ts';
import type { Feedback } from '../../orchestrator/core/feedback.ts';
import { applyRule, keepsRule } from '../../orchestrator/core/branches.ts';
import { Bounds } from '../../orchestrator/core/bounds.ts';
import type { CheckResult, Commit, Contract, FileChange } from '../../orchestrator/core/facts.ts';
import { BranchName, Order } from '../../orchestrator/core/order.ts';
import {
  branchFor,
  commitMessage,
  pullBody,
  pullTitle,
  readReceipt,
  renamed,
  withoutReceipt,
  withReceipt,
  type Receipt,
} from '../../orchestrator/core/publish/publish.ts';
import { hidden } from '../../orchestrator/core/invisible.ts';
import { code, inert, inertPlain, neutral, quoted, signals } from '../../orchestrator/core/public-text.ts';
import { headings } from '../../orchestrator/core/publish/template.ts';
import { words } from '../support/english.ts';

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
  requester: { id: 1, name: 'Ana' },
  decider: null,
  chat: 1,
  mode: 'push_only',
  bounds: Bounds.parse({}),
});
/** Any code point, lone surrogates too; fast-check's own unit for that takes seconds to set up. */
const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c));

const contract: Contract = {
  ecosystems: ['node'],
  packageManager: 'npm',
  install: null,
  checks: [],
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
    document: 100,
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
    judgement: en.judgement,
    ...more,
  });

/** Texts made of exactly the pieces that are dangerous, and of anything else. */
const PIECES = [
  '@', 'ana', '`', '``', '```', '\\', '<', '<!--', '-->', '&#64;', '&commat;', '[skip ci]', '[ci skip]', '[', ']',
  'skip ci', 'Fixes', 'closes:', ' ', '\n', '\r\n', '#12', 'o/r#3', 'GH-4', 'https://github.com/o/r/issues/5',
  '/merge', '/', 'bors', 'r+', 'recheck', '> ', '- ', '1. ', '1.', '*', '(', ')', ',', '.', ':', 'Signed-off-by:',
  'Co-authored-by', 'skip-checks: true', '***NO_CI***', '\u202e', '\u200b', '\u2028', '\u00a0', '!', '_', '[x]', '-',
]; // prettier-ignore
const nasty = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((p) => p.join('')),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

describe('words made harmless', () => {
  it('P2: no words act on anybody once they are neutral, whatever they were', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(signals(neutral(text))).toEqual([]);
        expect(hidden(neutral(text))).toBeNull();
      }),
      { numRuns: 5_000 },
    );
  });

  it('P2: quotations never act, tick a box or end themselves', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const out = quoted(text, 200);
        expect(signals(out)).toEqual([]);
        expect(out.split('\n').every((l) => l.startsWith('>'))).toBe(true);
        expect(out).not.toMatch(/\[x\]|<!--/i);
      }),
      { numRuns: 1_000 },
    );
  });

  it('uses code for names and references, and no invisible character', () => {
    expect(neutral('Thanks @ana, see @types/node.')).toBe('Thanks `@ana`, see `@types/node`.');
    expect(neutral('Fixes #12 and (closes o/r#3)')).toBe('Fixes `#12` and (closes `o/r#3`)');
    expect(neutral('[skip ci] please')).toBe('(skip ci) please');
    expect(neutral('/merge\nbors r+')).toBe('`/merge`\n`bors` r+');
    expect(neutral('Signed-off-by: Ana <a@b.c>')).toBe('Signed-off-by – Ana < `a@b.c>`');
    expect(neutral('&#64;ana &commat;ana')).toBe('& `#64;ana` & commat;ana');
    expect(neutral('plain words, and/or Map<string>!')).toBe('plain words, and/or Map< string>!');
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
    expect(signals(text).map((s) => s.kind)).toContain(kind);
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
    expect(signals(text)).toEqual([]);
  });

  /** Outside of code spans. */
  const open = (markdown: string): string => markdown.replace(/`[^`\n]*`/g, '');
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
      expect(open(inert(text))).not.toMatch(LEADS);
      expect(inertPlain(text)).not.toMatch(LEADS);
      expect(open(quoted(text, 300, inert))).not.toMatch(LEADS);
    }
  });

  it('G8: no words of an agent act or lead anywhere, whatever they were', () => {
    const words = fc
      .array(fc.oneof(nasty, fc.constantFrom(...LINKS, ' ', '\n')), { maxLength: 5 })
      .map((w) => w.join(''));
    fc.assert(
      fc.property(words, (text) => {
        for (const made of [inert(text), inertPlain(text)]) expect(signals(made)).toEqual([]);
        expect(open(inert(text))).not.toMatch(LEADS);
        expect(inertPlain(text)).not.toMatch(LEADS);
      }),
      { numRuns: 1_000 },
    );
  });

  it('G8: they can still be read', () => {
    expect(inert('See https://e.x/a (or #12) and [this](docs/x).')).toBe(
      'See `https://e.x/a` (or `#12`) and [this] (docs/x).',
    );
    expect(inertPlain('See https://e.x/a (or #12), 0123abcd by @ana.')).toBe(
      'See https: //e.x/a (or # 12), 0123ab cd by @ ana.',
    );
    expect(inertPlain('Rounds 10000000 half up; costs a fix.')).toBe('Rounds 10000000 half up; costs a fix.');
  });

  it('keeps a code span closed, whatever is in it', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const span = code(text);
        expect(span === '(empty)' || /^`[^`\n\\<]+`$/.test(span)).toBe(true);
      }),
    );
  });

  it('takes an emoji for what it is', () => {
    expect(hidden('✨️ 👩‍💻 3️⃣')).toBeNull();
    expect(hidden('a\u200db')).toBe('invisible');
    expect(hidden('a\u202eb')).toBe('bidi');
    expect(hidden('a\u0007b')).toBe('invisible');
  });
});

describe('branches', () => {
  it('E14: takes the ordered branch, else the rule of the repository, else our own', () => {
    const ruled = { ...contract, branchRule: 'feature|fix/<slug>' };
    expect(branchFor({ ...order, branch: 'my/branch' }, ruled, 'r7')).toBe('my/branch');
    expect(branchFor(order, ruled, 'r7')).toBe('fix/fix-the-rounding-of-totals-it-is-off-by-r7');
    expect(branchFor(order, contract, 'r7')).toBe('feature/agentpr-r7');
    expect(branchFor(order, null, 'R_7')).toBe('feature/agentpr-r-7');
    const issue = { ...contract, branchRule: 'fix/<issue>-<slug>' };
    expect(branchFor({ ...order, goal: 'Fix #12: sums' }, issue, 'r7')).toBe('fix/12-fix-12-sums-r7');
    expect(branchFor(order, issue, 'r7')).toBe('feature/agentpr-r7');
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
        const branch = branchFor({ ...order, goal }, { ...contract, branchRule }, run);
        expect(BranchName.safeParse(branch).success).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 250 }), (branch) => {
        expect(BranchName.safeParse(renamed(branch)).success).toBe(true);
        expect(renamed(branch)).not.toBe(branch);
      }),
    );
  });

  it('E14: the other name keeps no slash, since a branch of that prefix may be in its way', () => {
    expect(renamed('feature/agentpr-r7')).toBe('feature-agentpr-r7-2');
  });

  it('E14: a name made by a rule keeps it, and others are told apart', () => {
    for (const rule of ['fix/<slug>', '<type>/<slug>', 'feature|docs/<slug>']) {
      const name = applyRule(rule, 'Add a thing', 'r7') ?? '';
      expect(keepsRule(name, rule)).toBe(true);
    }
    expect(keepsRule('feature/agentpr-r7', 'fix/<slug>')).toBe(false);
    expect(keepsRule('fixes/x', 'fix/<slug>')).toBe(false);
    expect(keepsRule('x/fix/y', 'fix/<slug>')).toBe(false);
    expect(keepsRule('hotfix/y', 'feature|fix/<slug>')).toBe(false);
  });
});

describe('commit and title', () => {
  it('says the goal in one line, conventionally where that is asked', () => {
    expect(pullTitle(order, contract)).toBe('Fix the rounding of totals');
    const conventional = { ...contract, titleRule: 'conventional' as const };
    expect(pullTitle(order, conventional)).toBe('fix: fix the rounding of totals');
    expect(pullTitle({ ...order, goal: 'docs: mend the readme' }, conventional)).toBe(
      'docs: mend the readme',
    );
    expect(pullTitle({ ...order, title: 'Mine' }, conventional)).toBe('Mine');
    expect(pullTitle({ ...order, goal: 'a '.repeat(500) }, contract).length).toBeLessThanOrEqual(100);
  });

  it('E14: a given title is kept, on one line', () => {
    expect(commitMessage({ ...order, title: 'Mine\nand more' }, contract, '')).toBe('Mine and more\n');
  });

  it('E14: a fix has a subject of its own, from what it was asked for', () => {
    const red = (...checks: string[]): Feedback => ({ kind: 'red', checks });
    const of = (asked: readonly Feedback[], no = 1, of = contract): string =>
      commitMessage(order, of, 'Did it.', { no, asked }).split('\n')[0] ?? '';
    expect(of([red('lint', 'unit')])).toBe('Mend failing checks: lint, unit (fix 1)');
    expect(of([{ kind: 'review', reviewer: 'mia', body: 'Use salut.' }, red('unit')], 2)).toBe(
      'Do what the review asks for (fix 2)',
    );
    expect(of(words('CI is red: lint'), 3)).toBe('Do what was asked for (fix 3)');
    expect(of([red('@ana [skip ci]')])).toBe('Mend failing checks: @ ana (skip ci) (fix 1)');
    const rule = { ...contract, titleRule: 'conventional' as const };
    expect(of([red('unit')], 1, rule)).toBe('fix: mend failing checks: unit (fix 1)');
    expect(of([red('x'.repeat(200))]).length).toBeLessThanOrEqual(72);
  });

  it('P2: neither goal nor summary make a commit message or a title act on anybody', () => {
    fc.assert(
      fc.property(nasty, nasty, (goal, summary) => {
        const asked = { ...order, goal };
        expect(signals(commitMessage(asked, contract, summary))).toEqual([]);
        expect(signals(pullTitle(asked, contract))).toEqual([]);
        expect(pullTitle(asked, contract)).toMatch(/^\S[^\n]*$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('description', () => {
  it('says goal, files with sizes, checks with outcomes, and that an agent made it', () => {
    const failed: CheckResult = {
      ...green,
      name: 'lint',
      command: 'npm run lint',
      exitCode: null,
      outcome: 'not_run',
    };
    const body = bodyOf({ checks: [green, failed] });
    expect(body).toContain('> Fix the rounding of totals.');
    expect(body).toContain('2 files, +6 −2 lines.');
    expect(body).toContain('- `src/sum.ts`: modified, +3 −1');
    expect(body).toContain('- `npm test`: passed (exit 0)');
    expect(body).toContain('- `npm run lint`: could not be run');
    expect(body).toContain('made by a coding agent (`codex`, run by AgentPR)');
    expect(body).toContain('The agent says:\n\n> Rounds half up.');
    expect(bodyOf({ checks: [] })).toContain('No check of this repository could be run.');
  });

  it('G8: leads nowhere by the words of an agent, and keeps what a person wrote', () => {
    const summary = 'See https://evil.example and [here](docs/y), done in 0123abc.';
    const asked = { ...order, goal: 'Do what https://github.com/ana/lib/wiki says' };
    const body = bodyOf({ order: asked, summary });
    expect(body).toContain('> Do what https://github.com/ana/lib/wiki says');
    expect(body).toContain('> See `https://evil.example` and [here] (docs/y), done in `0123abc`.');
    const message = commitMessage(asked, contract, summary);
    expect(message).toContain('See https: //evil.example and [here] (docs/y), done in 0123ab c.');
    expect(message.split('\n')[0]).toBe('Do what https://github.com/ana/lib/wiki says');
  });

  it('is the same for the same facts, however long the checks took', () => {
    expect(bodyOf({ checks: [{ ...green, ms: 999, tail: 'x' }] })).toBe(bodyOf());
  });

  it('counts what it leaves out', () => {
    const many = Array.from({ length: 60 }, (_, i) => file(`src/${i}.ts`));
    expect(bodyOf({ commit: commitOf(many) })).toContain('- and 10 more');
    expect(bodyOf({ summary: 'x'.repeat(2_500) })).toContain('(500 characters left out)');
  });

  it('keeps the headings of a template, fills them, and ticks no box', () => {
    const template =
      '<!-- hello @ana -->\n## What does this change?\nPlease describe.\n\n## How was it tested?\n\n## Checklist\n- [x] I am human\n- [ ] I tested it\n\n## Screenshots\n';
    const body = bodyOf({ contract: { ...contract, template } });
    const lines = body.split('\n');
    for (const h of headings(template)) expect(lines).toContain(h);
    expect(headings(template)).toHaveLength(4);
    expect(body).toMatch(/## What does this change\?\n\n2 files/);
    expect(body).toMatch(/## How was it tested\?\n\nRun on exactly/);
    expect(body).toContain('- [ ] I am human\n- [ ] I tested it');
    expect(body).toContain('## Screenshots\n\nNothing to add.');
    expect(body).toContain('## Disclosure');
    expect(body).not.toMatch(/\[x\]|Please describe|@ana/);
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
          judgement: en.judgement,
        });
        expect(signals(body)).toEqual([]);
        expect(hidden(body)).toBeNull();
        expect(body).not.toMatch(/^[\s>]*[-*+] \[x\]/im);
        expect(body).not.toContain('<!--');
        expect(readReceipt(body)).toBeNull();
        expect(body).toContain('coding agent');
      }),
      { numRuns: 1_000 },
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
    expect(whole.split('\n').at(-1)).toBe(
      `AgentPR receipt: run \`r7\`, digest \`${receipt.digest}\`, policies \`builtin-1\`, approved by \`ana\``,
    );
    expect(signals(withReceipt('Body', { ...receipt, approver: '@ana' }))).toEqual([]);
  });

  it('G7: the alias of the approver cannot end the comment, and is never a Telegram id', () => {
    const whole = withReceipt('Body', { ...receipt, approver: 'a --> <b> @c' });
    expect(whole.split('\n').at(-2)?.match(/--|@/g)).toEqual(['--', '--']);
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
