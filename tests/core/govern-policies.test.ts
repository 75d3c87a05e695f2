import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Action, Context } from '../../orchestrator/core/govern/action.ts';
import { CATALOGUE, type About } from '../../orchestrator/core/govern/catalogue.ts';
import { assess, BUILT_IN, POLICY_VERSION } from '../../orchestrator/core/govern/index.ts';
import { PolicySettings } from '../../orchestrator/core/govern/settings.ts';
import { RANK } from '../../orchestrator/core/govern/policy.ts';
import { risk } from '../../orchestrator/core/govern/risk.ts';
import {
  check,
  command,
  comment,
  context,
  contract,
  file,
  finding,
  gone,
  link,
  mended,
  move,
  pull,
  push,
  reply,
  says,
  templated,
  withRule,
  with_,
} from '../support/actions.ts';

type Row = [policy: string, verdict: 'allow' | 'escalate' | 'deny', action: Action, around?: Context];
const KEY = `ghp_${'a1'.repeat(18)}`;
const weak: Context = { ...context, containment: 'group' };

/** Each policy with each verdict that it can give. */
const ROWS: Row[] = [
  ['no-secrets', 'deny', push({ findings: [finding('secret')] })],
  ['no-secrets', 'escalate', push({ findings: [finding('password_in_address')] })],
  ['no-write-outside-workspace', 'deny', push({ findings: [finding('outside_write')] })],
  ['no-write-outside-workspace', 'deny', push({ files: [file('../a')] })],
  ['no-write-outside-workspace', 'deny', push({ files: [file('a/.GIT/config')] })],
  ['no-write-outside-workspace', 'deny', push({ files: [move('/etc/passwd', 'a')] })],
  ['no-write-outside-workspace', 'deny', command('echo x > /etc/passwd')],
  ['no-write-outside-workspace', 'deny', command('cat ~/.ssh/id_rsa')],
  ['no-workflow-edit-without-human', 'escalate', push({ files: [file('.github/workflows/ci.yml')] })],
  ['no-workflow-edit-without-human', 'escalate', push({ files: [move('.gitlab-ci.yml', 'old.yml')] })],
  ['no-workflow-edit-without-human', 'escalate', push({ files: [file('.GitHub/Workflows/ci.yml')] })],
  ['no-push-to-default-branch', 'deny', push({ branch: 'trunk' })],
  ['no-push-to-default-branch', 'deny', push({ branch: 'refs/heads/Trunk' })],
  ['no-push-to-default-branch', 'deny', push({ branch: 'release', baseRef: 'release' })],
  ['no-push-to-default-branch', 'deny', push({ branch: 'master' })],
  ['max-diff-size', 'escalate', push(), with_({ maxFiles: 1 })],
  ['max-diff-size', 'escalate', push(), with_({ maxLines: 11 })],
  ['max-diff-size', 'escalate', push(), with_({ maxBytes: 899 })],
  ['forbidden-paths', 'deny', push(), with_({ forbiddenPaths: ['src/**'] })],
  [
    'forbidden-paths',
    'deny',
    push({ files: [move('src/SUM.ts', 'b.ts')] }),
    with_({ forbiddenPaths: ['sum.*'] }),
  ],
  ['forbidden-paths', 'deny', push({ files: [file('a/b/c.ts')] }), with_({ forbiddenPaths: ['a/'] })],
  ['protected-paths', 'escalate', push({ files: [file('LICENSE.md')] })],
  ['protected-paths', 'escalate', push({ files: [move('docs/CODEOWNERS', 'x')] })],
  ['lockfile-needs-manifest', 'escalate', push({ files: [file('package-lock.json')] })],
  ['lockfile-needs-manifest', 'escalate', push({ files: [file('a/Cargo.lock'), file('b/Cargo.toml')] })],
  ['no-binary', 'escalate', push({ files: [file('logo.png', { binary: true })] })],
  ['no-binary', 'escalate', push({ findings: [finding('lfs_pointer')] })],
  ['no-symlink-escape', 'deny', push({ findings: [finding('symlink_escape')] })],
  ['no-gitlinks', 'deny', push({ files: [link('vendor/x')] })],
  ['no-gitlinks', 'escalate', push({ files: [link('vendor/x', '160000', '000000')] })],
  ['no-test-deletion', 'escalate', push({ findings: [finding('test_removed')] })],
  ['no-test-deletion', 'escalate', push({ findings: [finding('test_skipped')] })],
  ['no-test-deletion', 'escalate', push({ findings: [finding('test_weakened')] })],
  ['no-test-deletion', 'escalate', push({ files: [gone('tests/a.test.ts')] })],
  ['no-test-deletion', 'escalate', push({ files: [move('tests/a.test.ts', 'old/a.txt')] })],
  ['no-test-deletion', 'escalate', push({ files: [file('pkg/a_test.go', { added: 0, deleted: 5 })] })],
  ['no-test-deletion', 'escalate', push({ files: [file('test/a.test.js', { added: 1, deleted: 1 })] })],
  ['checks-must-pass', 'deny', push({ passed: false })],
  ['checks-must-pass', 'deny', push({ checks: [check('passed'), check('failed')] })],
  ['checks-must-pass', 'deny', push({ checks: [check('timed_out')] })],
  ['checks-must-pass', 'escalate', push({ checks: [] })],
  ['checks-must-pass', 'escalate', push({ checks: [check('not_run')] })],
  [
    'hidden-text',
    'deny',
    push({ findings: [finding('hidden_text', 'an invisible or control character, U+202E')] }),
  ],
  ['hidden-text', 'deny', push({ files: [file('a\u202eb.ts')] })],
  ['hidden-text', 'deny', pull({ title: 'a\u2066b' })],
  ['hidden-text', 'escalate', push({ findings: [finding('hidden_text', 'U+200B')] })],
  ['hidden-text', 'escalate', push({ findings: [finding('mixed_script')] })],
  ['hidden-text', 'escalate', push({ message: 'a\u200bb' })],
  ['hidden-text', 'escalate', command('ls \u200b')],
  ['hidden-text', 'deny', command('ls \u202e')],
  ['no-odd-files', 'escalate', push({ findings: [finding('nested_repository')] })],
  ['no-odd-files', 'escalate', push({ findings: [finding('special_file')] })],
  ...[
    '.claude/settings.json',
    '.mcp.json',
    '.opencode/x',
    'opencode.json',
    '.codex/config.toml',
    '.gemini/x',
    'AGENTS.md',
    'sub/CLAUDE.md',
  ].map((path): Row => ['agent-config-changed', 'escalate', push({ files: [file(path)] })]),
  ['trust-roots-changed', 'escalate', push({ files: [file('.npmrc')] })],
  ['trust-roots-changed', 'escalate', push({ files: [file('.husky/pre-commit')] })],
  ['contribution-rules', 'deny', push(), withRule('ai_ban')],
  ['contribution-rules', 'escalate', pull({ body: 'Nothing said.' }), withRule('ai_disclosure')],
  ['contribution-rules', 'escalate', pull(), withRule('dco')],
  ['contribution-rules', 'escalate', pull(), withRule('cla')],
  ['contribution-rules', 'escalate', push(), withRule('other')],
  ['contribution-rules', 'escalate', push(), { ...context, contract: null }],
  [
    'contribution-rules',
    'escalate',
    push(),
    { ...context, contract: { ...contract, branchRule: 'fix/<slug>' } },
  ],
  [
    'contribution-rules',
    'escalate',
    push(),
    { ...context, contract: { ...contract, titleRule: 'conventional' } },
  ],
  ['contribution-rules', 'escalate', pull({ body: mended }), templated],
  ['open-pr-limit', 'escalate', pull(), { ...context, openPrs: 3 }],
  ['open-pr-limit', 'escalate', pull(), { ...context, openPrs: null }],
  ['public-text', 'escalate', pull({ title: 'Thanks @ana' })],
  ['public-text', 'escalate', pull({ body: 'Fixes #12' })],
  ['public-text', 'escalate', push({ message: 'x [skip ci]' })],
  ['public-text', 'escalate', pull({ body: '/merge' })],
  ['public-text', 'escalate', pull({ body: '@dependabot merge' })],
  ['public-text', 'escalate', push({ message: 'x\n\nSigned-off-by: Ana <a@b.c>\n' })],
  ['no-high-risk-command', 'escalate', command('rm -rf build')],
  ['no-high-risk-command', 'deny', command('rm -rf /')],
  ['no-network-without-human', 'escalate', command('curl https://example.org')],
  ['no-secrets', 'deny', comment(`the key is ${KEY}`)],
  ['no-secrets', 'deny', reply(KEY)],
  ['no-secrets', 'deny', pull({ body: KEY })],
  ['no-secrets', 'deny', push({ message: KEY })],
  ['no-secrets', 'allow', comment('the key is in the safe')],
  ['hidden-text', 'deny', comment('a\u202eb')],
  ['hidden-text', 'escalate', reply('a\u200bb')],
  ['public-text', 'escalate', comment('Thanks @ana')],
  ['public-text', 'escalate', reply('Fixes #12')],
  ['public-text', 'escalate', comment('x [skip ci]')],
  ['public-text', 'deny', comment('/merge')],
  ['public-text', 'deny', reply('Fine.\n> bors r+')],
  ['public-text', 'deny', comment('@dependabot please merge')],
  ['public-text', 'allow', comment('See `@ana` and #12; I will not merge it.')],
  ['comment-length', 'deny', comment(' \n')],
  ['comment-length', 'deny', comment('a'.repeat(65_537))],
  ['comment-length', 'escalate', reply('a'.repeat(4_001))],
  ['comment-length', 'escalate', reply('abc'), with_({ maxCommentLength: 2 })],
  ['comment-length', 'allow', comment('a'.repeat(4_000))],
  ['comment-needs-human', 'escalate', comment('Done.')],
  ['comment-needs-human', 'escalate', reply('Done.')],
  ['comment-needs-human', 'allow', pull()],
  ['contribution-rules', 'deny', comment('Done.'), withRule('ai_ban')],
  ['contribution-rules', 'escalate', reply('Done.'), withRule('ai_disclosure')],
  ['contribution-rules', 'allow', reply('A coding agent wrote this.'), withRule('ai_disclosure')],
  ['contribution-rules', 'escalate', comment('Done.'), { ...context, contract: null }],
  ['contribution-rules', 'allow', comment('Done.'), withRule('dco')],
  ['no-gitlinks', 'allow', push({ files: [file('vendor/x')] })],
  ['no-binary', 'allow', push({ files: [file('logo.svg')] })],
  ['no-odd-files', 'allow', push({ findings: [finding('skipped_ignored')] })],
  ['trust-roots-changed', 'allow', push({ files: [file('docs/npmrc.md')] })],
  ['checks-must-pass', 'allow', push({ checks: [check('passed'), check('not_run')] })],
  ['known-command', 'allow', command('ls')],
  ['small-change', 'allow', push()],
  ['high-risk-needs-human', 'escalate', push({ findings: [finding('too_large')] })],
  ['high-risk-needs-human', 'escalate', push({ iteration: true }), weak],
  ['high-risk-needs-human', 'allow', push(), weak],
  ['no-secrets', 'allow', push({ findings: [finding('skipped_ignored')] })],
  [
    'no-write-outside-workspace',
    'allow',
    push({ files: [file('src/..a.ts'), file('.gitignore'), file('a/git/b')] }),
  ],
  ['no-write-outside-workspace', 'allow', command('echo x > out.txt')],
  ['no-workflow-edit-without-human', 'allow', push({ files: [file('docs/github/workflows.md')] })],
  ['no-push-to-default-branch', 'allow', push({ branch: 'feature/trunk' })],
  ['max-diff-size', 'allow', push(), with_({ maxFiles: 2, maxLines: 12, maxBytes: 900 })],
  ['forbidden-paths', 'allow', push(), with_({ forbiddenPaths: ['srcs/**', '*.js', 'src/*.txt'] })],
  ['protected-paths', 'allow', push({ files: [file('src/relicense.ts')] })],
  [
    'lockfile-needs-manifest',
    'allow',
    push({ files: [file('package-lock.json'), file('packages/a/package.json')] }),
  ],
  ['no-symlink-escape', 'allow', push({ files: [file('a', { newMode: '120000' })] })],
  [
    'no-test-deletion',
    'allow',
    push({
      files: [file('tests/a.test.ts', { added: 5, deleted: 1 }), move('tests/a.test.ts', 'tests/b.test.ts')],
    }),
  ],
  ['hidden-text', 'allow', pull({ title: 'Done ✨️' })],
  ['agent-config-changed', 'allow', push({ files: [file('src/claude/client.ts'), file('codex.md')] })],
  [
    'contribution-rules',
    'allow',
    push(),
    { ...context, contract: { ...contract, branchRule: '<type>/<slug>' } },
  ],
  [
    'contribution-rules',
    'allow',
    push({ message: 'fix: x' }),
    { ...context, contract: { ...contract, titleRule: 'conventional' } },
  ],
  ['contribution-rules', 'allow', pull({ body: `${mended}\n## Why\n` }), templated],
  ['open-pr-limit', 'allow', pull(), { ...context, openPrs: 2 }],
  ['open-pr-limit', 'allow', push(), { ...context, openPrs: null }],
  ['public-text', 'allow', pull({ body: 'See `@ana` and #12; mail a@b.c' })],
  ['no-high-risk-command', 'allow', command('git status && npm test')],
  ['no-network-without-human', 'allow', command('grep -r curl src | wc -l')],
];

/** The built-in policies of the version; whoever changes the list raises it. */
const KNOWN = {
  'builtin-4': [
    'no-secrets no-write-outside-workspace no-symlink-escape no-gitlinks no-binary hidden-text no-odd-files',
    'no-workflow-edit-without-human agent-config-changed trust-roots-changed forbidden-paths',
    'protected-paths lockfile-needs-manifest no-test-deletion max-diff-size no-push-to-default-branch',
    'open-pr-limit public-text comment-length comment-needs-human contribution-rules checks-must-pass',
    'no-high-risk-command no-network-without-human known-command high-risk-needs-human small-change',
  ].join(' '),
};

type Verdict = Row[1];
/** What the catalogue says a policy can do; whatever it is, there are cases in which it has no objection. */
const possible = ({ denies, escalates }: About): Verdict[] => [
  'allow',
  ...(escalates === null ? [] : (['escalate'] as const)),
  ...(denies === null ? [] : (['deny'] as const)),
];

describe('built-in policies', () => {
  it.each(ROWS.filter(([, verdict]) => verdict !== 'allow'))(
    'P3: %s says %s',
    (policy, verdict, action, around) => {
      expect(says(policy, action, around)).toBe(verdict);
      const whole = assess(action, around ?? context).decision;
      expect(RANK[whole]).toBeGreaterThanOrEqual(RANK[verdict]);
    },
  );

  it.each(ROWS.filter(([, verdict]) => verdict === 'allow'))(
    'P3: %s has no objection: %s',
    (policy, _, action, around) => {
      const says_ = says(policy, action, around);
      if (CATALOGUE[policy]?.allows) expect(says_).toBe('allow');
      else expect(says_ ?? 'allow').toBe('allow');
    },
  );

  it('P3: no policy is without its cases: one for each verdict that it can give', () => {
    expect(Object.keys(CATALOGUE).sort()).toEqual(BUILT_IN.map((p) => p.id).sort());
    for (const { id } of BUILT_IN) {
      const about = CATALOGUE[id];
      const tested = new Set(ROWS.filter(([policy]) => policy === id).map(([, verdict]) => verdict));
      expect([id, [...tested].sort()]).toEqual([id, possible(about ?? expect.fail(id)).sort()]);
    }
  });

  it('P3: no policy objects to a small change to plain files with green checks', () => {
    for (const action of [push(), push({ iteration: true }), pull()])
      for (const policy of BUILT_IN) {
        const said = policy.judge(action, context, risk(action, context)).map((j) => j.verdict);
        expect([policy.id, said.filter((v) => v === 'deny' || v === 'escalate')]).toEqual([policy.id, []]);
      }
  });

  it('P3: no policy gives a verdict that its entry in the catalogue does not tell of', () => {
    for (const [, , action, around = context] of ROWS)
      for (const policy of BUILT_IN)
        for (const { verdict } of policy.judge(action, around, risk(action, around))) {
          const about = CATALOGUE[policy.id] ?? expect.fail(policy.id);
          const told = { allow: about.allows, escalate: about.escalates, deny: about.denies, note: '' }[
            verdict
          ];
          expect([policy.id, verdict, told]).not.toEqual([policy.id, verdict, null]);
        }
  });

  it('P3: the documentation names every policy and every setting', () => {
    const text = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');
    for (const name of [...Object.keys(CATALOGUE), ...Object.keys(PolicySettings.shape)])
      expect(text).toContain(`\`${name}\``);
  });

  it('P1: another list of policies has another version', () => {
    const ids = BUILT_IN.map((p) => p.id).join(' ');
    expect({ [POLICY_VERSION]: ids }).toEqual(KNOWN);
  });

  it('G6: a comment or reply always waits for a person, and is never better than that', () => {
    for (const say of [comment, reply])
      for (const around of [context, withRule('ai_disclosure'), with_({ maxCommentLength: 65_536 })])
        expect(assess(say('Done by a coding agent.'), around)).toMatchObject({
          decision: 'escalate',
          risk: 'low',
        });
  });

  it('P3: DCO, CLA and disclosure are noted on a push, which reaches nobody yet', () => {
    for (const kind of ['dco', 'cla', 'ai_disclosure'] as const) {
      expect(says('contribution-rules', push(), withRule(kind))).toBe('allow');
      expect(assess(push(), withRule(kind)).decision).toBe('allow');
    }
    expect(assess(pull(), withRule('ai_disclosure')).decision).toBe('allow');
  });
});
