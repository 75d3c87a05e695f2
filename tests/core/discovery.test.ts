import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchPattern } from '../../orchestrator/core/discovery/rules.ts';
import { discover, wantedFiles } from '../../orchestrator/core/discovery/discover.ts';
import { Contract } from '../../orchestrator/core/facts.ts';

const learn = (files: Record<string, string>, more: string[] = []): Contract =>
  discover([...Object.keys(files), ...more], (path) => files[path] ?? null);

const checks = (c: Contract): string[] => c.checks.map((k) => `${k.name}: ${k.command}`);

const kindsIn = (path: string, text: string): string[] => learn({ [path]: text }).rules.map((r) => r.kind);
const said = (text: string): string[] => kindsIn('CONTRIBUTING.md', `# Contributing\n\n${text}\n`);

it('costs what the length of the files costs, whoever wrote them', () => {
  const hostile: [string, string][] = [
    ['CONTRIBUTING.md', 'A.\n'.repeat(60_000)],
    ['go.mod', '\n'.repeat(200_000)],
    ['Cargo.toml', `[dependencies]${'\n'.repeat(200_000)}`],
    ['pyproject.toml', `dependencies = [${'\n'.repeat(200_000)}`],
    ['pyproject.toml', '\n'.repeat(200_000)],
  ];
  for (const [path, text] of hostile) {
    const learned: unknown = runInNewContext(
      'learn({ [path]: text }).checks.length',
      { learn, path, text },
      { timeout: 5_000 },
    );
    expect(learned, path).toBeTypeOf('number');
  }
});

describe('checks of a repository', () => {
  it('E7: reads the scripts of a Node repository and installs by its lockfile', () => {
    const c = learn({
      'package.json': JSON.stringify({
        scripts: {
          test: 'vitest run',
          lint: 'eslint .',
          build: 'tsc',
          'type-check': 'tsc',
          deploy: 'rm -rf /',
        },
        devDependencies: { vitest: '1' },
      }),
      'package-lock.json': '{}',
    });
    expect(c.ecosystems).toEqual(['node']);
    expect(c.packageManager).toBe('npm');
    expect(c.install).toBe('npm ci');
    expect(checks(c)).toEqual([
      'lint: npm run lint',
      'typecheck: npm run type-check',
      'test: npm test',
      'build: npm run build',
    ]);
    expect(Contract.safeParse(c).success).toBe(true);
  });

  it.each([
    ['pnpm-lock.yaml', 'pnpm', 'pnpm install --frozen-lockfile', 'pnpm test'],
    ['yarn.lock', 'yarn', 'yarn install --frozen-lockfile', 'yarn test'],
    ['bun.lock', 'bun', 'bun install --frozen-lockfile', 'bun run test'],
  ])('takes the package manager from %s', (lock, manager, install, test) => {
    const json = JSON.stringify({ scripts: { test: 'x' }, dependencies: { a: '1' } });
    const c = learn({ 'package.json': json, [lock]: '' });
    expect([c.packageManager, c.install, c.checks[0]?.command]).toEqual([manager, install, test]);
  });

  it('believes packageManager before a lockfile, and installs modern Yarn immutably', () => {
    const json = { scripts: { test: 'x' }, dependencies: { a: '1' }, packageManager: 'yarn@4.1.0' };
    const c = learn({ 'package.json': JSON.stringify(json), 'yarn.lock': '', 'package-lock.json': '' });
    expect(c.install).toBe('yarn install --immutable');
  });

  it('installs nothing where nothing is needed, and skips the placeholder test of npm', () => {
    const test = 'echo "Error: no test specified" && exit 1';
    const c = learn({ 'package.json': JSON.stringify({ scripts: { test } }) });
    expect([c.install, checks(c)]).toEqual([null, []]);
    expect(c.riskFlags).toContain('no checks were found');
    expect(learn({ 'package.json': JSON.stringify({ dependencies: {} }) }).install).toBeNull();
  });

  it('survives a package.json that is not what it should be', () => {
    for (const text of ['{', '[]', 'null', '{"scripts":["a"]}', '{"scripts":{"test":3},"dependencies":"x"}'])
      expect(checks(learn({ 'package.json': text }))).toEqual([]);
    expect(checks(learn({ 'package.json': '\uFEFF{"scripts":{"test":"x"}}' }))).toEqual(['test: npm test']);
  });

  it('E7: runs pytest where it is configured, in an environment of its own', () => {
    const c = learn({
      'pyproject.toml':
        '[project]\ndependencies = [\n "requests"]\n[project.optional-dependencies]\ntest = ["pytest"]\n[tool.ruff]\n[tool.mypy]\n',
      'tests/test_a.py': '',
    });
    expect(c.ecosystems).toEqual(['python']);
    expect(c.install).toBe("python3 -m venv .venv && .venv/bin/python -m pip install --quiet -e '.[test]'");
    expect(checks(c)).toEqual([
      'lint: .venv/bin/python -m ruff check .',
      'typecheck: .venv/bin/python -m mypy .',
      'test: .venv/bin/python -m pytest -q',
    ]);
  });

  it('runs unittest where nothing else is configured', () => {
    const c = learn({ 'setup.py': 'from setuptools import setup', 'tests/test_a.py': '' });
    expect([c.install, checks(c)]).toEqual([null, ['test: python3 -m unittest discover -s tests']]);
  });

  it.each([
    ['uv.lock', 'uv sync --locked', 'uv run --locked python -m pytest -q'],
    ['poetry.lock', 'poetry install --no-interaction', 'poetry run python -m pytest -q'],
  ])('uses the manager of %s', (lock, install, test) => {
    const c = learn({ 'pyproject.toml': '[tool.pytest.ini_options]', [lock]: '' });
    expect([c.install, checks(c)[0]]).toEqual([install, `test: ${test}`]);
  });

  it('takes requirements that say something', () => {
    const c = learn({
      'requirements.txt': 'flask\n',
      'requirements-dev.txt': '# nothing\n',
      'test_a.py': '',
    });
    expect(c.install).toContain('-r requirements.txt');
    expect(c.install).not.toContain('dev');
    expect(checks(c)).toEqual(['test: .venv/bin/python -m unittest discover']);
  });

  it('E7: knows Go, Rust, Java and Make', () => {
    const go = learn({ 'go.mod': 'module x\n\nrequire (\n a v1\n)\n', 'a_test.go': '' });
    expect([go.install, checks(go)[1]]).toEqual(['go mod download', 'test: go test ./...']);
    const rust = learn({
      'Cargo.toml': '[package]\nname="x"\n[dependencies]\nserde = "1"\n',
      'Cargo.lock': '',
    });
    expect([rust.install, checks(rust)[0]]).toEqual(['cargo fetch --locked', 'test: cargo test --locked']);
    expect(learn({ 'Cargo.toml': '[package]\n[dependencies]\n\n[profile.dev]\n' }).install).toBeNull();
    expect(checks(learn({ 'pom.xml': '' }))).toEqual(['test: mvn -q -B test']);
    expect(checks(learn({ 'build.gradle.kts': '', gradlew: '' }))).toEqual(['test: sh ./gradlew -q test']);
    const made = learn({ Makefile: 'CC := x\ntest: all\n\t./t\ncheck: test\nlint:\n\tx\n' });
    expect([made.ecosystems, checks(made)]).toEqual([['make'], ['lint: make lint', 'test: make test']]);
  });

  it('puts two ecosystems together, and lets a Makefile only fill gaps', () => {
    const c = learn({
      'package.json': JSON.stringify({ scripts: { test: 'x' } }),
      'go.mod': 'module x',
      Makefile: 'test:\n\tx\ncheck:\n\ty\n',
    });
    expect(c.ecosystems).toEqual(['node', 'go']);
    expect(c.checks.map((k) => k.name)).toEqual(['test', 'lint', 'go test', 'build']);
  });

  it('is content without an ecosystem', () => {
    const c = learn({ 'README.md': 'hello' });
    expect(c).toMatchObject({ ecosystems: [], packageManager: null, install: null, checks: [], rules: [] });
    expect(discover([], () => null).checks).toEqual([]);
  });

  it('flags large files, submodules, size and missing tests', () => {
    const c = learn({ '.gitattributes': '*.bin filter=lfs', '.gitmodules': '' });
    expect(c.riskFlags.join(' ')).toMatch(/LFS.*submodules.*no tests.*no checks/);
    const many = Array.from({ length: 20_001 }, (_, i) => `src/${i}.ts`);
    expect(learn({}, many).riskFlags.join()).toMatch(/very large: 20001 files/);
  });
});

describe('files to load', () => {
  it('wants at most sixty, the root first, and never a rule file less for them', () => {
    const many = Array.from({ length: 100 }, (_, i) => `requirements${i}.txt`);
    const wanted = wantedFiles([
      ...many,
      'src/package.json',
      '.github/CONTRIBUTING.md',
      'AI_POLICY.md',
      'package.json',
    ]);
    expect(wanted).toHaveLength(60);
    expect(wanted).toEqual(
      expect.arrayContaining(['.github/CONTRIBUTING.md', 'AI_POLICY.md', 'package.json']),
    );
    expect(wanted).not.toContain('src/package.json');
    expect(wanted.at(-1)).toBe('.github/CONTRIBUTING.md');
  });
});

describe('rules of contribution', () => {
  it('E7: reads any text without falling over, and what it says is a contract with lines that exist', () => {
    const words = [
      'AI-generated',
      'branch',
      'named',
      '`fix/x`',
      'not',
      'accepted',
      'DCO',
      '.',
      ' ',
      '\n',
      '#',
      '```',
      '|',
      '<',
      '[x]',
      '-',
      '/',
      '\\',
      '(',
      '*',
    ];
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((w) => w.join(' ')),
    );
    fc.assert(
      fc.property(text, text, (guide, manifest) => {
        const files = {
          'CONTRIBUTING.md': guide,
          'package.json': manifest,
          'pyproject.toml': manifest,
          'Cargo.toml': manifest,
          Makefile: manifest,
          '.github/pull_request_template.md': guide,
        };
        const c = Contract.parse(learn(files));
        const lines = guide.split(/\r?\n/).length;
        expect(c.rules.every((r) => r.line >= 1 && r.line <= lines)).toBe(true);
      }),
    );
  });

  it('E7: quotes a ban with its file and line, across broken lines', () => {
    const text =
      '# Hello\n\nBe kind.\n\nPlease note that\n**AI-generated** contributions are\n*not* accepted here. Thanks.\n';
    const [rule] = learn({ 'docs/contributing.md': text }).rules;
    expect(rule).toEqual({
      kind: 'ai_ban',
      quote: 'Please note that **AI-generated** contributions are *not* accepted here.',
      file: 'docs/contributing.md',
      line: 5,
    });
    const second = learn({ 'CONTRIBUTING.md': 'One thing.\nAnother is this. No AI-generated code.\n' })
      .rules[0];
    expect(second).toMatchObject({ kind: 'ai_ban', line: 2, quote: 'No AI-generated code.' });
  });

  it.each([
    'AI-generated contributions are not accepted.',
    'We do not accept AI-generated pull requests.',
    'We don’t accept code written by LLMs.',
    'Contributions made with the help of ChatGPT will be closed.',
    'Please do not submit code generated by AI.',
    'No AI-generated code.',
    '## No LLM contributions',
    'The use of generative AI is strictly prohibited.',
    'Use of Copilot or other AI tools is forbidden.',
    'This project bans AI-generated patches.',
    'LLM-generated content will be rejected without review.'.replace(' without review', ''),
    'You must not use AI tools to write your contribution.',
    'We have a zero tolerance policy for AI slop.',
    'Pull requests created by coding agents are not welcome.',
    'All code must be written by humans; contributions generated with AI are refused.',
    'Fully AI-generated PRs will be closed.',
    'Contributions must not include content generated by large language models.',
    'AI generated content is not permitted.',
    'We cannot accept contributions that were produced using AI.',
    'No AI pull requests are accepted.',
    'We have a strict no-AI policy.',
    'We only accept code written by humans.',
    'AI is banned.',
    'Do not use Windsurf or Devin to write patches.',
    'Agentic contributions are not permitted.',
    'Generative-AI output has unclear copyright and cannot be merged.',
    'PRs by coding agents will be closed without comment.',
    'Use of generative tools for contributions is strictly forbidden.',
    'KI-generierte Beiträge werden nicht akzeptiert.',
    'Wir akzeptieren keine von KI erzeugten Pull Requests.',
    "Le code généré par une intelligence artificielle n'est pas accepté.",
    'Les contributions générées par IA sont refusées.',
    'No se aceptan contribuciones generadas por IA.',
    'Contribuições geradas por IA não são aceitas.',
    'Non accettiamo codice generato da IA.',
    'Kod wygenerowany przez AI nie jest akceptowany.',
    'Код, сгенерированный ИИ, не принимается.',
    '不接受 AI 生成的代码。',
    '欢迎参与。请勿使用 ChatGPT 提交 PR。谢谢！',
    'AIによって生成されたコードの提出は禁止です。',
    'AI로 생성된 코드는 허용되지 않습니다.',
  ])('E7: reads a ban in “%s”', (text) => {
    expect(said(text)).toContain('ai_ban');
  });

  it.each([
    'We do not accept pull requests without tests.',
    'AI-generated contributions are welcome.',
    'Contributions that do not pass the linter will be closed.',
    'AI-generated code is not prohibited, but it must be disclosed.',
    'Our AI features do not accept images.',
    'We do not accept new LLM providers at the moment.',
    'Do not submit API keys of AI providers.',
    'We do not accept AI-generated contributions that you have not reviewed.',
    'AI-generated pull requests without tests will be closed.',
    'Do not submit AI-generated code unless you understand it.',
    'The agent must not write outside its directory.',
    'Stale pull requests will be closed by bots.',
    'AI-assisted changes are fine, but we do not accept changes that break the build.',
    'It is said that wait() is not accepted by the compiler.',
    'Please do not use tabs.',
    'Our parser is tested on GPT and Claude answers, and changes that break it will be rejected.',
    'You are welcome to use AI tools.',
    'No AI knowledge is needed.',
    'The changelog is only written by people.',
    'IA generada es bienvenida.',
    'El módulo de IA no está soportado en Windows.',
    'KI-Modelle werden nicht im Repository gespeichert.',
    'Wir nehmen keine KI-generierten Beiträge an, die ohne Prüfung eingereicht werden.',
    "IA64 n'est pas supporté.",
    '我们欢迎 AI 生成的代码，但请说明。',
    '使用 AI 时请勿泄露密钥。',
    '```\nAI-generated contributions are not accepted.\n```',
  ])('E7: reads no ban in “%s”', (text) => {
    expect(said(text)).not.toContain('ai_ban');
  });

  it.each([
    'If you used AI, please disclose it in the pull request.',
    'Contributors must declare any use of AI tools.',
    'Usage of LLMs must be stated in the description.',
    'AI-generated code is not prohibited, but it must be disclosed.',
    'Please let us know if Copilot assisted you.',
  ])('reads a duty to disclose in “%s”', (text) => {
    expect(said(text)).toContain('ai_disclosure');
  });

  it('leaves a ban with a condition, and a box that denies AI, to a person', () => {
    expect(said('We do not accept AI-generated contributions that you have not reviewed.')).toEqual([
      'other',
    ]);
    expect(said('- [ ] I did not use AI to write this code')).toEqual(['other']);
    expect(said('Nous refusons les contributions générées par IA sans relecture.')).toEqual(['other']);
  });

  it.each([
    'Any PR that looks like it was written by an LLM gets the author blocked.',
    'AI-generated PRs go straight to /dev/null.',
    'Bots are not allowed to open pull requests.',
    'Autonomous agents may not contribute.',
    'Please do not send us patches that a chatbot wrote.',
  ])('leaves to a person what sounds like a refusal: “%s”', (text) => {
    expect(said(text)).toEqual(['other']);
    // What is written for agents speaks of them and of what they must not do in every sentence.
    expect(kindsIn('AGENTS.md', text.replace('Bots', 'Agents'))).toEqual([]);
  });

  it('leaves to a person what a README says, and rules that cannot be read', () => {
    expect(kindsIn('README.md', 'A tool.\n\nAI-generated contributions are not accepted.')).toEqual([
      'other',
    ]);
    expect(kindsIn('README.md', 'It signs a CLA. Sign off with `git commit -s`.')).toEqual([]);
    expect(learn({}, ['CONTRIBUTING.md', 'CONTRIBUTING.pdf']).rules).toMatchObject([
      { kind: 'other', file: 'CONTRIBUTING.md', line: 1 },
    ]);
    expect(said('Be kind.\n\n'.repeat(20_100))).toEqual(['other']);
  });

  it('reads policies, templates and agent files, and nothing else', () => {
    const ban = 'AI-generated contributions are not accepted.';
    for (const path of [
      'AI_POLICY.md',
      'docs/AI-POLICY.md',
      'AGENTS.md',
      '.github/contributing.rst',
      'CONTRIBUTING',
      'docs/contributing/index.md',
      'HACKING.md',
      'NO_AI.md',
    ])
      expect(kindsIn(path, ban)).toContain('ai_ban');
    expect(kindsIn('.github/PULL_REQUEST_TEMPLATE.md', `<!-- ${ban} -->`)).toEqual(['ai_ban', 'template']);
    expect(kindsIn('.github/PULL_REQUEST_TEMPLATE/feature.md', ban)).toContain('ai_ban');
    expect(kindsIn('src/contributing.ts', ban)).toEqual([]);
  });

  it.each([
    ['All commits must carry a Signed-off-by line.', 'dco'],
    ['Sign your work with `git commit -s`.', 'dco'],
    ['You need to sign the CLA first.', 'cla'],
    ['We need a Contributor License Agreement.', 'cla'],
    ['We follow [Conventional Commits](https://www.conventionalcommits.org).', 'commit_style'],
  ])('reads “%s” as %s', (text, kind) => {
    expect(said(text)).toContain(kind);
  });

  it.each([
    'We do not require a DCO.',
    'There is no CLA to sign.',
    'A CLA is not required.',
    'Conventional commits are not required.',
    'Please declare clauses and classes clearly.',
  ])('reads no such rule in “%s”', (text) => {
    expect(said(text)).toEqual([]);
  });

  it('finds rules that are files: DCO, commit linting, the template', () => {
    const c = learn({
      '.github/dco.yml': 'require:\n  members: false\n',
      'commitlint.config.js': '',
      'docs/pull_request_template.md': '## Docs',
      '.github/pull_request_template.md': '## What\n',
      '.github/PULL_REQUEST_TEMPLATE/a.md': '## A',
    });
    expect(c.rules.map((r) => [r.kind, r.file, r.line])).toEqual([
      ['template', '.github/pull_request_template.md', 1],
      ['dco', '.github/dco.yml', 1],
      ['commit_style', 'commitlint.config.js', 1],
    ]);
    expect([c.template, c.titleRule]).toEqual(['## What\n', 'conventional']);
  });

  it.each([
    ['Branches must be named `fix/…`.', 'fix/<slug>'],
    ['Branches must be named fix/….', 'fix/<slug>'],
    ['Branch names should follow the pattern `<type>/<short-description>`.', '<type>/<slug>'],
    ['Name your branch `feature/my-thing` or `fix/my-bug`.', 'feature|fix/<slug>'],
    ['Prefix the branch with `hotfix/`.', 'hotfix/<slug>'],
    ['The branch format is `feature/<issue-number>-<slug>`.', 'feature/<issue>-<slug>'],
    ['A branch should start with "docs/".', 'docs/<slug>'],
  ])('E14: reads a branch rule in “%s”', (text, pattern) => {
    expect(learn({ 'CONTRIBUTING.md': text }).branchRule).toBe(pattern);
  });

  it.each([
    'Create your feature branch (`git checkout -b feature/AmazingFeature`).',
    'Branch off origin/main and follow the format in docs/style.md.',
    'Give the branch a short name.',
    'See https://example.org/branch/naming for the branch format.',
  ])('reads no branch rule in “%s”', (text) => {
    expect(branchPattern({ plain: text, quote: text })).toBeNull();
  });
});
