/** F14: what a repository's own automation refuses or closes is read from its files, and told before. */
import { describe, expect, it } from 'vitest';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';
import { composePullTitle } from '../../pull-text/commit-subjects.ts';
import { matchesTitleFormat, type Contract } from '#model/contract';
import { EMPTY_REPORT } from '#model/agent';
import { assessAction } from '../../governor/assess-action.ts';
import { findEscalationBeforeWork } from '../../governor/weigh-rules-before-work.ts';
import { context, contract, pull } from '../support/actions.ts';

const contractOf = (workflow: string): Contract => {
  const files: Record<string, string> = { 'a.ts': '', '.github/workflows/pull.yml': workflow };
  const wanted = selectContractFiles(Object.keys(files));
  return discoverContract(Object.keys(files), (path) =>
    wanted.includes(path) ? (files[path] ?? null) : null,
  );
};
const job = (steps: string, on = 'pull_request_target', condition = ''): string =>
  `on: ${on}\njobs:\n  check:\n    runs-on: ubuntu-latest\n${condition}    steps:\n${steps}`;
const rulesOf = (workflow: string): string[] =>
  contractOf(workflow)
    .rules.filter(({ kind }) => kind !== 'commit_style')
    .map(({ kind, value }) => (value === undefined ? kind : `${kind} ${value}`));

const CLOSES =
  '      - uses: actions/github-script@v7\n        with:\n          script: |\n            const pull = context.payload.pull_request;\n            await github.rest.pulls.update({ ...context.repo, pull_number: pull.number, state: "closed" });\n';

describe('a workflow for pull requests', () => {
  it.each([
    ['      - uses: nearform-actions/github-action-check-linked-issues@v1\n', 'issue_first open'],
    ['      - uses: hattan/verify-linked-issue-action@v1.1.5\n', 'issue_first open'],
    [
      '      - run: |\n          if ! echo "$PR_BODY" | grep -qE "#[0-9]+"; then echo "::error::link an issue"; exit 1; fi\n        env:\n          PR_BODY: ${{ github.event.pull_request.body }}\n',
      'issue_first open',
    ],
    [
      '      - uses: actions/github-script@v7\n        with:\n          script: |\n            const { closingIssuesReferences } = await github.graphql(query);\n            if (closingIssuesReferences.totalCount === 0) core.setFailed("no issue");\n',
      'issue_first open',
    ],
    ['      - uses: tarides/changelog-check-action@v3\n', 'changelog file'],
    ['      - uses: dangoslen/changelog-enforcer@v3\n', 'changelog file'],
    [CLOSES, 'other closer'],
    ['      - run: gh pr close ${{ github.event.number }}\n', 'other closer'],
    ['      - uses: dessant/repo-lockdown@v4\n', 'elsewhere'],
    ['      - uses: superbrothers/close-pull-request@v3\n', 'elsewhere'],
    [
      '      - uses: mheap/github-action-required-labels@v5\n        with:\n          mode: exactly\n          count: 1\n',
      'other labels',
    ],
    ['      - uses: mheap/require-checklist-action@v2\n', 'other checklist'],
    [
      '      - uses: deepakputhraya/action-branch-name@master\n        with:\n          allowed_prefixes: "feature,fix,docs"\n',
      'branch_name feature|fix|docs/<slug>',
    ],
    [
      '      - run: |\n          [[ "$GITHUB_HEAD_REF" =~ ^(feat|fix|chore)/ ]] || exit 1\n',
      'branch_name feat|fix|chore/<slug>',
    ],
    [
      '      - run: |\n          echo "${{ github.head_ref }}" | grep -E "^[A-Z]+-[0-9]+$" || exit 1\n',
      'other branch',
    ],
    [
      '      - uses: codelytv/pr-size-labeler@v1\n        with:\n          l_max_size: "400"\n          fail_if_xl: "true"\n',
      'size 400',
    ],
  ])('F14: tells what it refuses:\n%s', (steps, rule) => {
    expect(rulesOf(job(steps))).toEqual([rule]);
  });

  it.each([
    ['starts at another event', job(CLOSES, 'issues')],
    ['starts when a label is given', job(CLOSES, '\n  pull_request_target:\n    types: [labeled]')],
    [
      'is about pull requests of bots',
      job(CLOSES, 'pull_request', "    if: github.actor == 'dependabot[bot]'\n"),
    ],
    [
      'is about branches of another name',
      job(CLOSES, 'pull_request', "    if: startsWith(github.head_ref, 'release-')\n"),
    ],
    ['labels by size alone', job('      - uses: codelytv/pr-size-labeler@v1\n')],
    [
      'locks issues alone',
      job('      - uses: dessant/repo-lockdown@v4\n        with:\n          process-only: issues\n'),
    ],
    ['only reads the branch', job('      - run: echo ${{ github.head_ref }}\n')],
    [
      'checks out its branch',
      job(
        '      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.head_ref }}\n      - run: npm test || exit 1\n',
      ),
    ],
  ])('F14: tells nothing where it %s', (_, workflow) => {
    expect(rulesOf(workflow)).toEqual([]);
  });

  it.each([
    "    if: github.actor != 'dependabot[bot]'\n",
    "    if: ${{ !startsWith(github.head_ref, 'release-') }}\n",
    '    if: github.event.pull_request.draft == false\n',
    '    if: ${{ !github.event.pull_request.draft }}\n',
    "    if: ${{ github.event.pull_request.user.login != 'renovate[bot]' && !github.event.pull_request.draft }}\n",
  ])('F14: concerns ours where it only leaves others out: %s', (condition) => {
    expect(rulesOf(job(CLOSES, 'pull_request_target', condition))).toEqual(['other closer']);
  });

  it.each([
    ['pull_request_target', "github.event_name == 'pull_request_target'"],
    ['[pull_request, pull_request_target]', "github.event_name == 'pull_request_target'"],
    ['pull_request', "github.event_name == 'pull_request'"],
    ['pull_request_target', 'failure()'],
    ['pull_request_target', 'always() && failure()'],
  ])('F14: closes what started it: %s, %s', (on, condition) => {
    expect(rulesOf(job(CLOSES, on, `    if: ${condition}\n`))).toEqual(['other closer']);
  });
  it.each([
    ['pull_request_target', "github.event_name == 'pull_request'"],
    ['[pull_request, issues]', "github.event_name == 'issues'"],
  ])('F14: does not close where another event starts it: %s, %s', (on, condition) => {
    expect(rulesOf(job(CLOSES, on, `    if: ${condition}\n`))).toEqual([]);
  });

  it('F14: adds no weaker rule to that of a guide', () => {
    const files: Record<string, string> = {
      'CONTRIBUTING.md': 'Only work on issues labelled `accepted`.\n',
      '.github/workflows/pull.yml': job('      - uses: hattan/verify-linked-issue-action@v1.1.5\n'),
    };
    const { rules } = discoverContract(Object.keys(files), (path) => files[path] ?? null);
    expect(rules.filter(({ kind }) => kind === 'issue_first').map(({ value }) => value)).toEqual([
      'accepted',
    ]);
  });

  it('F14: quotes the line that says it', () => {
    const [rule] = contractOf(job(CLOSES)).rules;
    expect(rule).toMatchObject({ file: '.github/workflows/pull.yml', line: 10 });
    expect(rule?.quote).toContain('state: "closed"');
  });

  it('F14: that closes pull requests is asked about before the work, and on the card', () => {
    const { rules } = contractOf(job(CLOSES));
    expect(findEscalationBeforeWork({ rules }, { issue: null, base: 'main' })).toMatchObject({
      kind: 'rule_unmet',
      rule: 'other',
      value: 'closer',
    });
    const judged = assessAction(pull(), { ...context, contract: { ...contract, rules } });
    expect(judged.decision).toBe('escalate');
    expect(JSON.stringify(judged)).toContain('closer');
  });

  it('F14: names the branches that it lets pass, and ours is one', () => {
    const { branchRule } = contractOf(
      job(
        '      - uses: deepakputhraya/action-branch-name@master\n        with:\n          allowed_prefixes: "feature,bugfix"\n',
      ),
    );
    expect(branchRule).toBe('feature|bugfix/<slug>');
  });
});

describe('a check of titles that asks for a scope', () => {
  const semantic = (given: string): Contract['titleFormat'] =>
    contractOf(
      job(
        `      - uses: amannn/action-semantic-pull-request@v5\n        with:\n          requireScope: true\n${given}`,
      ),
    ).titleFormat;
  const titleOf = (titleFormat: Contract['titleFormat'], goal: string, path: string): string =>
    composePullTitle(
      {
        order: { title: null, goal },
        said: EMPTY_REPORT,
        files: [
          {
            path,
            oldPath: null,
            status: 'modified',
            oldMode: '',
            newMode: '',
            added: 1,
            deleted: 0,
            binary: false,
          },
        ],
        patch: '',
        checks: [],
      },
      { titleRule: 'conventional', ...(titleFormat ? { titleFormat } : {}) },
      100,
    );

  it('F14: gets one, and one of those that it lists', () => {
    const any = semantic('');
    expect(any).toMatchObject({ needsScope: true });
    expect(titleOf(any, 'Keep the last delay', 'src/retry/wait.ts')).toBe(
      'chore(retry): keep the last delay',
    );
    const listed = semantic('          scopes: |\n            core\n            cli\n');
    expect(listed).toMatchObject({ scopes: ['core', 'cli'] });
    expect(titleOf(listed, 'Keep the last delay', 'packages/core/src/wait.ts')).toBe(
      'chore(core): keep the last delay',
    );
  });

  it('F14: is told of where no scope fits', () => {
    const listed = semantic('          scopes: |\n            core\n            cli\n');
    const title = titleOf(listed, 'Keep the last delay', 'web/a.ts');
    expect(listed && matchesTitleFormat(title, listed)).toBe(false);
    const judged = assessAction(pull({ title }), {
      ...context,
      contract: { ...contract, ...(listed ? { titleFormat: listed } : {}) },
    });
    expect(JSON.stringify(judged)).toContain('type(core|cli)');
  });
});

describe('what only looks like a rule', () => {
  const script = (text: string): string =>
    `      - uses: actions/github-script@v7\n        with:\n          script: |\n${text
      .split('\n')
      .map((line) => `            ${line}`)
      .join('\n')}\n`;

  it('F14: a comment of coverage on a pull request asks for no issue', () => {
    const text =
      "const {data: cs} = await github.rest.issues.listComments({issue_number: context.issue.number});\nconst old = cs.find(c => c.body.includes('Coverage')); if (pct < 80) core.setFailed('coverage too low');";
    expect(rulesOf(job(script(text)))).toEqual([]);
  });

  it('F14: names that are refused are no rule for ours', () => {
    const text =
      '      - run: |\n          if [[ "$GITHUB_HEAD_REF" =~ ^(release|hotfix)/ ]]; then echo "::error::reserved"; exit 1; fi\n';
    expect(rulesOf(job(text))).toEqual(['other branch']);
  });
});

describe('a bot with a file of its own', () => {
  const rulesIn = (file: string, text: string): string[] => {
    const paths = ['a.ts', file];
    const wanted = selectContractFiles(paths);
    const { rules } = discoverContract(paths, (path) =>
      wanted.includes(path) && path === file ? text : null,
    );
    return rules.map(({ kind, value }) => `${kind} ${value ?? ''}`.trim());
  };
  const stale = (given: string): string =>
    `on:\n  schedule:\n    - cron: "0 0 * * *"\njobs:\n  stale:\n    steps:\n      - uses: actions/stale@v9\n        with:\n          days-before-issue-stale: 30\n${given}`;

  const mergify = (...conditions: string[]): string =>
    `pull_request_rules:\n  - name: a\n    conditions:\n${conditions.map((one) => `      - ${one}\n`).join('')}    actions:\n      close:\n`;

  it.each([
    ['.github/workflows/stale.yml', stale(''), 'other stale'],
    ['.mergify.yml', mergify('-author=@org/core'), 'other closer'],
    ['.mergify.yml', mergify('author!=@org/core'), 'other closer'],
    ['.mergify.yml', mergify('"-body~=#\\\\d+"'), 'other closer'],
    ['.mergify.yml', mergify('-title~=^feat'), 'other closer'],
    ['.mergify.yml', mergify('-label=keep', 'updated-at<30 days ago'), 'other stale'],
    ['.mergify.yml', mergify('or: [label=spam, "-body~=issue"]'), 'other closer'],
    ['.mergify.yml', mergify('and: [base=main, {not: {or: [author=ana, author=ben]}}]'), 'other closer'],
    ['.mergify.yml', mergify('or: [updated-at<30 days ago, label=spam]'), 'other stale'],
    ['.mergify.yml', mergify(...Array.from({ length: 150 }, (_, i) => `title~=${i}`)), 'other closer'],
    ['.github/stale.yml', 'daysUntilStale: 60\ndaysUntilClose: 14\n', 'other stale'],
    [
      '.mergify.yml',
      'pull_request_rules:\n  - name: old\n    conditions:\n      - updated-at<90 days ago\n    actions:\n      close:\n',
      'other stale',
    ],
    [
      '.github/mergify.yml',
      'pull_request_rules:\n  - name: wrong branch\n    conditions:\n      - base=stable\n    actions:\n      close:\n        message: Use main.\n',
      'other closer',
    ],
    [
      'Dangerfile',
      'has_app = true\nif has_app && !git.modified_files.include?("CHANGELOG.md")\n  fail("Please include a CHANGELOG entry.")\nend\n',
      'changelog file',
    ],
    ['Dangerfile', 'fail("Big PR, split it") if git.lines_of_code > 500\n', 'size 500'],
    ['Dangerfile', 'if git.lines_of_code > 500\n  # Reviewers are few.\n  fail("Big PR")\nend\n', 'size 500'],
    ['Dangerfile', "fail 'Please add labels to this PR' if github.pr_labels.empty?\n", 'other labels'],
    [
      'dangerfile.ts',
      'if (!/#\\d+/.test(danger.github.pr.body)) {\n  fail("Please link an issue.");\n}\n',
      'issue_first open',
    ],
    [
      '.asf.yaml',
      'github:\n  pull_request_creation_cap:\n    max_open_pull_requests: 3\n',
      'other open_limit',
    ],
    [
      '.asf.yaml',
      'github:\n  protected_branches:\n    main:\n      required_signatures: true\n',
      'other signed',
    ],
  ])('F14: is foreseen from %s', (file, text, rule) => {
    expect(rulesIn(file, text)).toEqual([rule]);
  });

  it.each([
    ['.github/workflows/stale.yml', stale('          days-before-pr-close: -1\n')],
    ['.github/workflows/stale.yml', stale('          only-pr-labels: waiting\n')],
    ['.github/workflows/stale.yml', stale('          only-labels: waiting\n')],
    ['.github/workflows/stale.yml', stale('          any-of-labels: waiting,asked\n')],
    ['.github/stale.yml', 'daysUntilClose: 14\nonlyLabels:\n  - waiting\n'],
    ['.mergify.yml', mergify('label=waiting', 'updated-at<30 days ago')],
    ['.mergify.yml', mergify('and: [base=main, author=ana]')],
    ['.mergify.yml', mergify('or: [label=spam, author=ana]')],
    ['.mergify.yml', mergify('not: {or: [-author=ana, base=main]}')],
    [
      'Dangerfile',
      'fail("Do not edit CHANGELOG.md by hand") if git.modified_files.include?("CHANGELOG.md")\n',
    ],
    ['Dangerfile', 'fail("Remove the WIP label") if github.pr_labels.include?("WIP")\n'],
    ['Dangerfile', 'if git.lines_of_code > 500\n  if wip\n    fail("Say what it does")\n  end\nend\n'],
    ['Dangerfile', 'warn("Big PR") if git.lines_of_code > 500\nfail("Say what it does")\n'],
    ['Dangerfile', 'if git.lines_of_code > 500\n  warn("Big PR"); fail("Please rebase")\nend\n'],
    ['.github/workflows/stale.yml', stale('          days-before-pr-stale: -1\n')],
    ['.github/stale.yml', 'only: issues\ndaysUntilClose: 14\n'],
    ['.github/stale.yml', 'daysUntilClose: false\n'],
    [
      '.mergify.yml',
      'pull_request_rules:\n  - name: merge\n    conditions:\n      - base=main\n    actions:\n      merge:\n',
    ],
    [
      '.mergify.yml',
      'pull_request_rules:\n  - name: bots\n    conditions:\n      - author=dependabot[bot]\n    actions:\n      close:\n',
    ],
    ['Dangerfile', 'warn("Big PR") if git.lines_of_code > 500\n'],
    ['Dangerfile', 'fail "Please rebase" if git.commits.any? { |c| c.message =~ /^Merge/ }\n'],
    ['.asf.yaml', 'github:\n  protected_branches:\n    main:\n      required_signatures: false\n'],
  ])('F14: nothing is told that %s does not say', (file, text) => {
    expect(rulesIn(file, text)).toEqual([]);
  });

  it('F14: conditions that name each other again and again are read to an end', () => {
    const levels = Array.from(
      { length: 20 },
      (_, i) => `a${i + 1}: &a${i + 1} {and: [${Array(9).fill(`*a${i}`).join(', ')}]}\n`,
    ).join('');
    const text = `a0: &a0 base=main\n${levels}${mergify('*a20')}`;
    expect(rulesIn('.mergify.yml', text)).toEqual(['other closer']);
  });

  it('F14: that closes what is silent is told and holds nothing back', () => {
    const rule = {
      kind: 'other',
      value: 'stale',
      quote: 'uses: actions/stale@v9',
      file: 'a.yml',
      line: 1,
    } as const;
    const judged = assessAction(pull(), { ...context, contract: { ...contract, rules: [rule] } });
    const plain = assessAction(pull(), { ...context, contract: { ...contract, rules: [] } });
    expect(judged.decision).toBe(plain.decision);
    expect(JSON.stringify(judged)).toContain('stale');
  });
});
