/** Further kinds of changes for bodies of pull requests, and agents that fill in a template. */
import type { TemplateClaim } from '#model/agent';
import { ran, SAMPLES, type Sample } from './change-samples.ts';

export const MORE_CHANGES: Readonly<Record<string, Sample>> = {
  bump: {
    goal: 'Bump lodash from 4.17.20 to 4.17.21',
    said: {
      what: 'Bump lodash to 4.17.21',
      why: 'Version 4.17.20 lets a template inject commands.',
      type: 'dependencies',
    },
    files: [
      ['package.json', 1, 1],
      ['package-lock.json', 3, 3],
    ],
    patch:
      'diff --git a/package.json b/package.json\n-    "lodash": "4.17.20"\n+    "lodash": "4.17.21"\ndiff --git a/package-lock.json b/package-lock.json\n-      "version": "4.17.20"\n+      "version": "4.17.21"\n',
    checks: [ran('test', 'npm test')],
  },
  ci: {
    goal: 'Cache npm packages in CI',
    said: {
      what: 'Cache npm packages in the workflow',
      why: 'Every job downloads the same packages again.',
      type: 'ci',
    },
    files: [['.github/workflows/ci.yml', 2, 1]],
    patch:
      'diff --git a/.github/workflows/ci.yml b/.github/workflows/ci.yml\n-      - uses: actions/setup-node@v4\n+      - uses: actions/setup-node@v4 # with a cache of npm packages\n+        with: { cache: npm }\n',
    checks: [],
  },
  untested: {
    goal: 'The parser should accept a trailing comma',
    said: {
      what: 'Accept a trailing comma in lists',
      why: 'The parser refused a list that ends in a comma.',
      tested: 'No test was added.',
      type: 'fix',
      note: 'Lists may end in a comma.',
    },
    files: [['lib/parser.rb', 3, 1]],
    patch:
      'diff --git a/lib/parser.rb b/lib/parser.rb\n-      expect(:item) until at_end?\n+      until at_end?\n+        item_or_trailing_comma # a list may end in a comma\n+      end\n',
    checks: [ran('test', 'bundle exec rake', 'failed')],
  },
};

export const ALL_CHANGES: Readonly<Record<string, Sample>> = { ...SAMPLES, ...MORE_CHANGES };

const linesAdded = ({ patch }: Sample): { path: string; line: string }[] =>
  patch.split(/^diff --git /m).flatMap((part) => {
    const path = / b\/(.+)$/.exec(part.split('\n')[0] ?? '')?.[1] ?? '';
    return part
      .split('\n')
      .filter((one) => /^\+(?!\+)\s*\S.{7,}/.test(one))
      .map((one) => ({ path, line: one.slice(1).trim() }));
  });

const namesIn = (template: string): string[] =>
  template
    .split('\n')
    .map((line) =>
      line
        .replace(/<!--.*?-->/g, '')
        .replace(/^\s*(?:#{1,6}|[-*+]|\d+[.)])?\s*(?:\[[ xX]?\])?\s*/, '')
        .trim(),
    )
    .filter((line) => /\w/.test(line) && line.length <= 300);

/** Fills each line with every reason that exists somewhere: the proofs are real, the lines are not theirs. */
export const lyingClaims = (sample: Sample, template: string): TemplateClaim[] => {
  const added = linesAdded(sample);
  return namesIn(template).flatMap((line, at): TemplateClaim[] => {
    const hunk = added[at % Math.max(1, added.length)]?.line ?? 'nothing was added';
    const check = sample.checks[at % Math.max(1, sample.checks.length)]?.command ?? 'make';
    const fact = ['one_commit', 'signed_off', 'issue_named', 'title_kept'][at % 4] ?? '';
    return [
      { line, value: 'x', because: 'hunk', proof: hunk },
      { line, value: 'x', because: 'check', proof: check },
      { line, value: 'x', because: 'fact', proof: fact },
      { line, value: 'Reviewed by the core team, all tests pass.', because: 'hunk', proof: hunk },
    ];
  });
};

export const honestClaims = (sample: Sample, template: string): TemplateClaim[] => {
  const added = linesAdded(sample);
  const of = (is: RegExp): string | undefined => added.find(({ path }) => is.test(path))?.line;
  const test = of(/test/);
  const doc = of(/\.(?:md|rst)$/);
  return namesIn(template).flatMap((line): TemplateClaim[] => {
    const proof = /\btests?\b|测试|テスト/i.test(line) ? test : /\bdoc|文档/i.test(line) ? doc : undefined;
    return proof === undefined ? [] : [{ line, value: 'x', because: 'hunk', proof }];
  });
};
