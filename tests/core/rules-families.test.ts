/** E7: kinds of rules that were misread in repositories nobody had used, each with its family. */
import { describe, expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { selectBaseRules } from '#model/contract';
import { workOfTitle } from '#model/pull';

const contractOf = (files: Readonly<Record<string, string>>, more: readonly string[] = []) =>
  discoverContract([...Object.keys(files), ...more], (path) => files[path] ?? null);
const rulesIn = (files: Readonly<Record<string, string>>) => contractOf(files).rules;
const said = (files: Readonly<Record<string, string>>): string[] =>
  rulesIn(files).map(({ kind, value }) => (value === undefined ? kind : `${kind}=${value}`));

describe('a list that begins with what to avoid', () => {
  it.each([
    'Please avoid:',
    'Do not:',
    'Please do not:',
    "We don't accept:",
    'You should avoid the following:',
  ])('E7: turns the meaning of its items: %s', (lead) => {
    const text = `# Contributing\n\n${lead}\n\n* Opening pull requests for issues marked \`needs-design\` or \`blocked\`.\n* Opening pull requests that haven't been approved for work in an issue\n`;
    expect(said({ 'CONTRIBUTING.md': text })).toEqual(
      expect.arrayContaining(['label_barred=needs-design', 'label_barred=blocked', 'issue_first=accepted']),
    );
  });
});

describe('a ban', () => {
  it.each([
    [
      'README.md',
      '# Project\n\nBy the same token, **please do *not* submit any AI-generated code or content.**\n',
    ],
    ['AGENTS.md', '# Agents\n\nAgents must not make contributions or changes.\n'],
    ['AGENTS.md', 'You may not contribute to this repository.\n'],
    ['.claude/CLAUDE.md', 'AI agents must not submit pull requests or contributions.\n'],
    ['packages/core/AGENTS.md', 'Agents must not make contributions or changes to this repository.\n'],
  ])('E7: is read where it stands: %s', (file, text) => {
    expect(said({ [file]: text })).toContain('ai_ban');
  });
  it.each([
    ['AGENTS.md', 'Agents must not make changes to generated files.\n'],
    ['AGENTS.md', 'You must not open pull requests without tests.\n'],
    ['AGENTS.md', 'Do not contribute to the flakiness of this suite.\n'],
    ['README.md', '# Project\n\nThis AI assistant does not submit your code anywhere.\n'],
    ['vendor/lib/AGENTS.md', 'Agents must not make contributions or changes.\n'],
  ])('E7: is not read into %s: %s', (file, text) => {
    expect(said({ [file]: text })).not.toContain('ai_ban');
  });
});

describe('branches by kind of change', () => {
  const text = `# Contributing

* Documentation fixes - feel free to create a PR directly against the **main** branch.
* Minor code fixes - a trivial bug fix should be made by a pull request against the **develop** branch.
`;
  it('E7: belong to the kind that is named before them', () => {
    const rules = rulesIn({ 'CONTRIBUTING.md': text });
    expect(selectBaseRules(rules, 'docs').map((r) => r.value)).toEqual(['main']);
    expect(selectBaseRules(rules, 'fix').map((r) => r.value)).toEqual(['develop']);
    expect(selectBaseRules(rules, 'chore').map((r) => r.value)).toEqual(['main', 'develop']);
  });
  it('E7: are named by version, and `stable` by the sentence that says which that is', () => {
    const rules = rulesIn({
      'CONTRIBUTING.md':
        'As a rule of thumb, bug fixes go into the stable branch while new features go into the master branch.\n\n(Where v1.x is the latest stable branch as of this writing.)\n',
    });
    expect(selectBaseRules(rules, 'fix').map((r) => r.value)).toEqual(['v1.x']);
    expect(selectBaseRules(rules, 'feat').map((r) => r.value)).toEqual(['master']);
  });
  it.each([
    ['docs: name the option', 'docs'],
    ['feat(api)!: drop the old call', 'breaking'],
    ['Fix the crash on start', 'fix'],
    ['bugfix: close the socket', 'fix'],
    ['Add a flag', 'feat'],
  ])('E7: a title tells the kind: %s', (title, work) => expect(workOfTitle(title)).toBe(work));
});

describe('CI that is not read', () => {
  it.each([
    ['.travis.yml', 'Travis CI'],
    ['.gitlab-ci.yml', 'GitLab CI'],
    ['.zuul.yaml', 'Zuul'],
    ['azure-pipelines.yml', 'Azure Pipelines'],
    ['.circleci/config.yml', 'CircleCI'],
    ['.buildkite/pipeline.yml', 'Buildkite'],
    ['.cirrus.yml', 'Cirrus CI'],
    ['appveyor.yml', 'AppVeyor'],
    ['Jenkinsfile', 'Jenkins'],
  ])('E7: %s is named', (file, name) => {
    expect(contractOf({ [file]: 'x: 1\n' }).riskFlags).toContain(`${name} is not read (${file})`);
  });
});

describe('a language without a probe', () => {
  it.each([
    ['pubspec.yaml', 'lib/a.dart', 'dart', 'Dart', 'pub'],
    ['deps.edn', 'src/a.clj', 'clojure', 'Clojure', 'clojure'],
    ['dune-project', 'src/a.ml', 'ocaml', 'OCaml', 'dune'],
    ['build.sbt', 'src/A.scala', 'scala', 'Scala', 'sbt'],
    ['main.tf', 'vpc.tf', 'terraform', 'Terraform', 'terraform'],
    ['charts/a/Chart.yaml', 'charts/a/templates/b.yaml', 'helm', 'Helm', 'helm'],
  ])('E7: %s is said', (mark, source, ecosystem, name, manager) => {
    const contract = contractOf({ [mark]: 'x' }, [source, `${source}.bak`]);
    expect(contract.ecosystems).toEqual([ecosystem]);
    expect(contract.packageManager).toBe(manager);
    expect(contract.riskFlags.join()).toContain(`${name} is not known to AgentPR`);
  });
  it('E7: helpers in C do not make it a C project', () => {
    const contract = contractOf({ 'dune-project': 'x', configure: '#!/bin/sh\n' }, [
      'a.ml',
      'b.ml',
      'c.ml',
      'stubs.c',
    ]);
    expect(contract.ecosystems).toEqual(['ocaml']);
  });
});

const workflow = (name: string, steps: string, jobs = 'test'): string => `name: ${name}
on: pull_request
jobs:
  ${jobs}:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
${steps}`;
const commandsIn = (files: Readonly<Record<string, string>>, more: readonly string[] = []): string[] => {
  const { installs, checks } = contractOf(files, more);
  return [...installs, ...checks].map((c) => `${c.dir === '' ? '' : `${c.dir}: `}${c.command}`);
};

describe('commands of CI', () => {
  it('E7: a filtered installation loses to a whole one of any job', () => {
    const ci = workflow('CI', '      - run: pnpm install --filter what-changed\n      - run: pnpm test\n');
    const whole = workflow(
      'lint',
      '      - uses: pnpm/action-setup@v4\n        with:\n          run_install: true\n      - run: pnpm lint\n',
      'lint',
    );
    const manifest = '{"name":"a","scripts":{"test":"vitest run","lint":"eslint ."}}';
    const files = {
      '.github/workflows/ci.yml': ci,
      '.github/workflows/lint.yml': whole,
      'package.json': manifest,
      'pnpm-lock.yaml': '',
    };
    const said = commandsIn(files);
    expect(said).toContain('pnpm install');
    expect(said.join()).not.toContain('--filter');
  });
  it('E7: a deno.json that only publishes asks for no check', () => {
    const files = {
      '.github/workflows/ci.yml': workflow('CI', '      - run: pnpm install\n      - run: pnpm test\n'),
      'package.json': '{"name":"a","scripts":{"test":"vitest run"}}',
      'pnpm-lock.yaml': '',
      'deno.json': '{"name":"@a/a","exports":"./mod.ts"}',
    };
    expect(contractOf(files).ecosystems).toEqual(['node']);
  });
  it('E7: a folder that workflows install for is checked, though another tool checks it there', () => {
    const files = {
      '.github/workflows/ci.yml': workflow(
        'CI',
        '      - run: pnpm install --frozen-lockfile\n        working-directory: ui\n      - run: ./gradlew check\n',
      ),
      'build.gradle': 'x',
      'ui/package.json': '{"name":"ui","scripts":{"lint":"eslint .","test":"vitest run"}}',
      'ui/pnpm-lock.yaml': '',
    };
    expect(commandsIn(files, ['src/main/java/A.java', 'gradlew'])).toEqual(
      expect.arrayContaining(['./gradlew check', 'ui: pnpm install --frozen-lockfile', 'ui: pnpm test']),
    );
  });
  it('E7: cargo told its manifest runs in that folder', () => {
    const files = {
      '.github/workflows/ci.yml': workflow(
        'CI',
        '      - run: cargo test --manifest-path=native/Cargo.toml --release\n',
      ),
      'native/Cargo.toml': '[package]\nname = "a"\n',
    };
    expect(commandsIn(files, ['native/src/lib.rs'])).toContain('native: cargo test --release');
  });
  it('E7: a multiplatform project of Kotlin has `check`, and no `test`', () => {
    const files = { 'build.gradle.kts': 'plugins { kotlin("multiplatform") }' };
    const contract = contractOf(files, ['core/src/commonMain/kotlin/A.kt', 'gradlew']);
    expect(contract.ecosystems).toEqual(['kotlin']);
    expect(contract.checks.map((c) => c.command)).toContain('./gradlew check');
  });
  it('E7: a script that installs system packages installs nothing of the project', () => {
    const files = {
      '.github/workflows/ci.yml': workflow(
        'CI',
        '      - run: ci/install-dependencies.sh\n      - run: make check\n',
      ),
      'ci/install-dependencies.sh': '#!/bin/sh\nsudo apt-get install -y gawk\n',
      'configure.ac': 'x',
    };
    expect(commandsIn(files, ['a.c']).join()).not.toContain('install-dependencies');
  });
  it('E7: a check of titles is a rule, by whatever action', () => {
    const reusable = `on: pull_request\njobs:\n  title:\n    uses: a/b/.github/workflows/semantic_pull_request.yml@v1\n`;
    expect(said({ '.github/workflows/ci-title.yml': reusable })).toContain('commit_style=conventional');
  });
});

describe('kinds that repositories of others showed', () => {
  it.each([
    ['New commits intended for the legacy core1 branch may not use AI.', 'ai_limited=the branch core1'],
    ['AI-generated contributions to the stable branch are not accepted.', 'ai_limited=the branch stable'],
  ])('E7: a ban of one branch is no ban of all: %s', (text, rule) => {
    const rules = said({ 'AI_POLICY.md': `# AI\n\n${text}\n` });
    expect(rules).toContain(rule);
    expect(rules).not.toContain('ai_ban');
  });
  it('E7: a rule for newcomers asks, and bans nobody', () => {
    const text =
      'First-time core contributors must not use any AI-generated code or tests in their first merged pull request.';
    const rules = said({ 'AI_POLICY.md': `# AI\n\n${text}\n` });
    expect(rules.join()).toContain('ai_limited');
    expect(rules).not.toContain('ai_ban');
  });
  it('E7: what a project may do itself bans nobody', () => {
    const text = 'The project uses AI. At any time we can stop using AI and keep moving forward.';
    expect(said({ 'AI_POLICY.md': `# AI\n\n${text}\n` })).not.toContain('ai_ban');
  });
  it('E7: a heading word in an agents’ file asks for disclosure where the next sentence names the agent', () => {
    const text =
      '# Guide\n\n## PRs\n\n- **Disclosure.** One plain line at the bottom: `Drafted with <agent name and version>`.\n';
    expect(said({ 'AGENTS.md': text })).toContain('ai_disclosure');
    const other = '# Guide\n\n## Security\n\n- **Disclosure.** Write to the list first.\n';
    expect(said({ 'AGENTS.md': other })).not.toContain('ai_disclosure');
  });
  it('E7: several issues in one pull request are too many', () => {
    const text = '# Please don’t\n\n- Please do not open pull requests that address **multiple issues**.\n';
    expect(said({ 'CONTRIBUTING.md': text })).toContain('size=one_change');
  });
  it('E7: a list of where to begin bars no label', () => {
    const text =
      'If you want to help, but do not know what to work on:\n\n- Check out the `start page`_, which lists open issues tagged as **good first issue**.\n';
    expect(said({ 'docs/contributing.rst': text }).join()).not.toContain('label_barred');
  });
});

describe('changes that go elsewhere', () => {
  it.each([
    ['CONTRIBUTING.md', 'Pull requests on GitHub are not monitored.', 'not here'],
    ['CONTRIBUTING.rst', 'Pull requests submitted through GitHub are not monitored.', 'not here'],
    ['CONTRIBUTING.md', 'Pull requests submitted through GitHub will be ignored.', 'not here'],
    ['CONTRIBUTING.md', 'We do not accept pull requests via GitHub.', 'not here'],
    ['CONTRIBUTING.md', 'This repository is a read-only mirror.', 'not here'],
    ['README.md', '[READ ONLY] This is a read-only split of the framework.', 'not here'],
    [
      '.github/PULL_REQUEST_TEMPLATE.md',
      'Please do not submit any Pull Requests here. They will be closed.',
      'not here',
    ],
    ['CONTRIBUTING.md', 'All code changes must be submitted through Gerrit.', 'gerrit'],
    ['Documentation/SubmittingPatches', 'Please send patches to the mailing list.', 'mailing list'],
    ['CONTRIBUTING.md', 'Please open merge requests on our GitLab.', 'gitlab'],
    [
      'README.md',
      'Report issues and send Pull Requests in the main Acme repository.',
      'main acme repository',
    ],
  ])('F10: are read in %s: %s', (file, text, where) => {
    expect(said({ [file]: `# Contributing\n\n${text}\n` })).toContain(`elsewhere=${where}`);
  });
  it('F10: are read where pull requests are refused far below, behind blank lines', () => {
    const text = `Please send patches to the mailing list.${'\n'.repeat(80)}Do not open pull requests.`;
    expect(said({ 'CONTRIBUTING.md': `# Contributing\n\n${text}\n` })).toContain('elsewhere=mailing list');
  });
  it.each([
    'Pull requests without tests will not be accepted.',
    'Pull requests will not be accepted if they are failing on GitHub Actions.',
    'Please report security issues and send patches to the security mailing list.',
    'You can also send a patch to the mailing list.',
    'Questions go to the mailing list. Open a pull request for changes.',
    'Please send patches to the mailing list.\n\nOr open a pull request; pull requests are welcome.',
    'Do not open pull requests that fix several issues.',
    'Work is in progress: code review in progress, in a pull request or directly in gerrit.',
  ])('F10: are not read into “%s”', (text) => {
    expect(said({ 'CONTRIBUTING.md': `# Contributing\n\n${text}\n` }).join()).not.toContain('elsewhere');
  });
});

describe('trailers of their own', () => {
  it.each([
    'Commits made with AI must carry a `Generated-by:` trailer that names the tool.',
    'If you use AI, add `AI-Assisted-by: <tool>` to the commit message.',
    'AI-assisted commits without an `Assisted-by` trailer will be rejected.',
    'Do not submit AI-assisted commits without an `Assisted-by` trailer.',
    'Do not use `Co-authored-by` for AI tools; use `Assisted-by` instead.',
    'Commits made with AI must have an `Assisted-by:` trailer, or they are rejected.',
    'Update or delete the next line to reflect your usage of AI. Assisted-by: <name of the AI tool>',
    'AI-generated commits must carry `Generated-by:`, and must not be signed off by the tool.',
  ])('E7: are read: %s', (text) => {
    expect(said({ 'AI_POLICY.md': `# AI\n\n${text}\n` })).toContain('trailer=assisted_by');
  });
  it.each([
    'Do not add Generated-by trailers of AI tools to commits.',
    "Listing AI tooling as a co-author, co-signing commits using an AI tool, or using the 'assisted-by', 'co-developed' or similar commit trailer is not allowed.",
    '`Assisted-by:` trailers for AI tools are not accepted.',
    'Please leave out `Assisted-by` trailers for AI tools.',
    'We strip `Generated-by:` lines of AI tools.',
  ])('E7: are kept away where they are refused: %s', (text) => {
    const found = said({ 'AI_POLICY.md': `# AI\n\n${text}\n` });
    expect(found).not.toContain('trailer=assisted_by');
    expect(found).toContain('trailer=no_co_author');
  });
  it('E7: ask for nothing where they are optional', () => {
    const text = '`Assisted-by` trailers for AI are optional.';
    expect(said({ 'AI_POLICY.md': `# AI\n\n${text}\n` })).toEqual([]);
  });
});

const readAs = (text: string): string[] => said({ 'CONTRIBUTING.md': `# Contributing\n\n${text}\n` });

describe('the form of titles', () => {
  it.each([
    ['Title your PR using Angular commit style, e.g. `feat: add new feature`.', 'conventional'],
    ['Title your pull request using the format `[mcp-server] <brief description>`.', 'other'],
    ['Title your PR `[component] short description`.', 'other'],
    ['Please title your PR as follows: `module: description` (e.g. `time: fix date format`).', 'component'],
    ['Name each pull request `[area] what it does`.', 'other'],
    ['- [ ] Commit message starts with `[Fix #issue-number]` (if there is an issue).', 'other'],
  ])('E7: is read where a verb says it: %s', (text, value) => {
    expect(readAs(text)).toEqual([`commit_style=${value}`]);
  });
  it.each([
    'Title your PR clearly.',
    'Remember to title your pull request properly.',
    'Name your branch `[a] b`.',
  ])('E7: is none in: %s', (text) => {
    expect(readAs(text)).toEqual([]);
  });
  it('E7: becomes the form of our titles', () => {
    const files = { 'CONTRIBUTING.md': 'Title your PR `[component] short description`.' };
    expect(contractOf(files).titleFormat).toMatchObject({ shape: 'bracketed' });
  });
});

describe('the branch that changes go to', () => {
  it.each([
    ['- **`development`** - Integration branch, **all PRs should target this branch**', 'development'],
    ['/develop - This is where your PRs should target!', 'develop'],
    ['The main branch is `production` (not `main`). All PRs should target this branch.', 'production'],
    ['The `master` branch is stable, and pull requests should be made against it.', 'master'],
    ['`master` is our development branch: new code is merged into it first.', 'master'],
    ['Pull requests should be submitted with master as the base branch.', 'master'],
    ['Use `main` as the base branch when creating a PR.', 'main'],
    ['**Target branch: Always `dev`**', 'dev'],
    ['Create a new branch for your pull request (from the `docs` branch).', 'docs'],
    ['Submit a pull request to the `master` branch of the main repository.', 'master'],
    ['Rebase your commits to the `main` branch (or `beta` if you target the beta version).', 'main'],
    ['PR を develop 向けに出す', 'develop'],
    ['develop ブランチからブランチを切る', 'develop'],
    ['向本项目的 `main` 分支发起 Pull Request。', 'main'],
    ['从 `main` 切出描述性分支。', 'main'],
    [
      '- [ ] The pull request targets the `dev` branch. **PRs targeting `main` will be immediately closed.**',
      'dev',
    ],
    ['Pull requests that do not target `dev` will be closed.', 'dev'],
    [
      'Always target the `master` branch; a maintainer may then cherry-pick the fix to stable branches such as `4.4`.',
      'master',
    ],
    [
      '- [ ] This PR targets the `main` branch. <!-- Backports will be evaluated and done by mergers, when necessary. -->',
      'main',
    ],
    [
      'Most changes should go to the `master` branch, but sometimes other branches should be used instead.',
      'master',
    ],
    [
      'The active branch is `jetty-12.1.x`, which is also the default: please base your work on it.',
      'jetty-12.1.x',
    ],
    ['PRs should be opened against `release/v2`.', 'release/v2'],
    ['PRs should be opened against the branch `release/v2`, unless you are told otherwise.', 'release/v2'],
    ['Security fixes for 2.x go to `2.x`, all else to `3.x`.', '3.x'],
    ['If you fix a bug in 1.x, use `1.x-maint` as your base, anything else goes to `trunk`.', 'trunk'],
    ['Backports go to `4.x`; pull requests target `main`.', 'main'],
  ])('E7: is read: %s', (text, value) => {
    expect(readAs(text)).toEqual([`base_branch=${value}`]);
  });
  it.each([
    'Rebase your branch on `main` before a release.',
    '`main` ブランチからブランチを切らないこと。',
    'This branch is protected, and nobody pushes to it.',
    'PRs targeting `main` will be closed.',
    'Pull requests against the `master` branch are rejected.',
    'The tests of the pull request run against `staging`.',
    'Open pull requests against `feature/mine`.',
  ])('E7: is none in: %s', (text) => {
    expect(readAs(text)).toEqual([]);
  });
});

describe('an issue first', () => {
  it.each([
    'Please open an issue before a Pull Request to avoid duplicated effort.',
    'Add a link to the issue (PRs without an issue will be rejected).',
    'The `link-check` job rejects PRs without an issue reference.',
    'Let us know before you start working on something!',
    'Comment before starting: leave a comment on the issue to let maintainers know.',
    'Start by posting on the list and creating an issue that says what you want.',
    'Issueを作成してからブランチを切る。',
    '新功能请先提 Issue，避免重复劳动。',
  ])('E7: is read: %s', (text) => {
    expect(readAs(text)).toEqual(['issue_first=open']);
  });
  it.each([
    'Open an issue (optional: PRs without an issue are fine).',
    'Search the issues first, to avoid duplicates.',
    'Leave no `TODO` comments without an associated issue.',
  ])('E7: is none in: %s', (text) => {
    expect(readAs(text)).toEqual([]);
  });
});

describe('an issue that is wanted first', () => {
  const scopes = (text: string): string[] =>
    rulesIn({ 'CONTRIBUTING.md': `# Contributing\n\n${text}\n` })
      .filter((r) => r.kind === 'issue_first')
      .map(({ value, appliesTo }) => `${value} for ${appliesTo ?? 'all'}`);

  it.each([
    'If you want to add a new feature, please open an issue first.',
    'Before you begin with a new feature, open an issue so that we can talk about it.',
    'Before opening a pull request for a new feature, open an issue.',
    'Before opening a pull request that adds functionality, open an issue.',
    '## How to submit a new feature?\n\nYou probably want to create an issue first to discuss the change.',
    '## New features\n\nPlease open an issue first to discuss it before you send a pull request.',
    'For a bigger change or a new feature, open an issue first.',
  ])('E7: binds features alone: %s', (text) => {
    expect(scopes(text)).toEqual(['open for feat']);
  });

  it.each([
    'Before you add a feature or fix a bug, open an issue.',
    'Before you open a pull request, open an issue to discuss the feature.',
    'Before submitting a PR or adding a feature, open an issue.',
    '## Features and bug fixes\n\nPlease open an issue first before you send a pull request.',
    '## New features\n\nBefore sending any pull request, open an issue.',
    '## Pull requests\n\nBefore sending a pull request, open an issue.',
    'Please open an issue before you work on your feature.',
  ])('E7: binds all work: %s', (text) => {
    expect(scopes(text)).toEqual(['open for all']);
  });

  it('E7: is the strictest for all work, and for features where they need more', () => {
    const all = 'Before sending a pull request, open an issue.';
    const features = 'Before you add a feature, open an issue and wait until it is approved.';
    expect(scopes(`${features}\n\n${all}`)).toEqual(['accepted for feat', 'open for all']);
    expect(scopes(`${all}\n\nBefore you add a feature, open an issue.`)).toEqual(['open for all']);
    expect(scopes(`Before you add a feature, open an issue.\n\n${all}`)).toEqual(['open for all']);
  });

  it('E7: is none where only a problem of the design needs one', () => {
    const text =
      "If you have a more deeply rooted problem with how the program is built, it's best to create an issue before you put effort into a pull request.";
    expect(scopes(text)).toEqual([]);
  });
});
