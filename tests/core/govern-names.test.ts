/** P3: what a file is by its name alone, and what is no such file although it looks like one. */
import { describe, expect, it } from 'vitest';
import {
  isCi,
  isAgentConfig,
  isGenerated,
  isInstallTime,
  isManifest,
  isTest,
  isTrustRoot,
  isUnreadable,
  keyFileLikelihood,
  isOutsideWorkspace,
  lockfilesWithoutManifest,
  newNamesFailingOnWindows,
  pathsOf,
} from '#model/paths';
import { shortenPaths } from '../../governor/shorten-paths.ts';
import { file, push } from '../support/actions.ts';

describe('the name of a file', () => {
  type Row = [string, (path: string) => boolean, yes: string[], no: string[]];
  it.each<Row>([
    [
      'a test',
      isTest,
      [
        'test/a',
        'x/tests/a',
        '__tests__/a',
        'spec/a',
        'specs/a',
        'e2e/a',
        'testing/a',
        'test_a.py',
        'x/test_a.py',
        'a_test.go',
        'a_test.py',
        'a_test.rs',
        'a_test.ex',
        'a_test.exs',
        'a.test.ts',
        'a-spec.js',
        'a_test.js',
        'ATest.java',
        'ATests.kt',
        'ASpec.cs',
        'a_test.php',
        'conftest.py',
        'x/conftest.py',
        'test.js',
        'x/tests.py',
        'src/tests.rs',
        'index.test-d.ts',
        'misc_tests.c',
        'a.bats',
      ],
      [
        'contest/a',
        'attest/a',
        'test',
        'test.yml',
        'latest.js',
        'protests.py',
        'atest_a.py',
        'test_a.pyc',
        'test_a/x.py',
        'a.test.ts2',
        'atest.ts',
        'ATest.javax',
        'aconftest.py',
        'conftest.pyc',
        'a.test.',
      ],
    ],
    [
      'a manifest',
      isManifest,
      [
        'pom.xml',
        'x/setup.py',
        'setup.cfg',
        'requirements.txt',
        'requirements-dev.in',
        'constraints.txt',
        'gopkg.toml',
        'package.json',
        'x/Cargo.toml',
      ],
      ['apom.xml', 'pom.xmlx', 'setup.pyc', 'requirements.md', 'a/requirements'],
    ],
    [
      'a workflow',
      isCi,
      [
        '.github/workflows/a',
        '.github/actions/a',
        '.circleci/a',
        '.gitlab-ci.yml',
        'x/.gitlab-ci-x.yaml',
        '.travis.yml',
        'azure-pipelines-x.yml',
        'Jenkinsfile.x',
        '.drone.star',
        'appveyor.yml',
        '.appveyor.yml',
        'action.yaml',
        '.github/dependabot.yaml',
        '.github/renovate.json5',
        '.semaphore/a.yml',
      ],
      [
        'x/.github/workflows/a',
        '.github/x',
        'a.gitlab-ci.yml',
        '.travis.ymlx',
        'x.action.yml',
        '.github/dependabot.yamlx',
        'x/.github/renovate.json',
        '.gitlab-ci/x.yml',
      ],
    ],
    [
      'what steers an agent',
      isAgentConfig,
      [
        '.claude/x',
        'x/.codex',
        '.agents/x',
        '.agent/x',
        'AGENTS.md',
        'x/AGENTS.local.md',
        'CLAUDE.md',
        '.mcp.json',
        'mcp.json',
        'opencode.jsonc',
        '.aiderignore',
        'copilot-instructions.md',
        '.agentpr.json',
        '.qwen/settings.json',
        '.github/hooks/x.json',
        'x/.github/mcp.json',
      ],
      [
        '.github/hooks.md',
        '.github/mcp.jsonc',
        'a.claude/x',
        '.claudex/x',
        'MYAGENTS.md',
        'agents.mdx',
        'xmcp.json',
        'copilot-instructions.md.txt',
        'claude',
      ],
    ],
    [
      'a root of trust',
      isTrustRoot,
      [
        '.npmrc',
        'x/.yarnrc.yml',
        '.pnpmfile.cjs',
        'pip.conf',
        'a.pth',
        '.husky/x',
        'x/.cargo/config',
        '.git/config',
        'x/.git',
        '.pre-commit-config.yaml',
        'lefthook.yml',
      ],
      ['a.npmrc', '.npmrcx', 'husky/x', '.gitx/config', 'xpip.conf', '.huskyx/a', 'lefthook.ymlx'],
    ],
    [
      'what runs at an installation',
      isInstallTime,
      [
        'package.json',
        'setup.py',
        'GNUmakefile',
        'Makefile',
        'x.mk',
        'build.gradle.kts',
        'gradlew.bat',
        'mvnw',
        'Dockerfile.dev',
        'docker-compose.x.yml',
        'requirements-x.txt',
        'gradle/wrapper/a',
        '.mvn/wrapper/a',
        'configure.ac',
        '.npmrc',
      ],
      [
        'xpackage.json',
        'package.jsonx',
        'a.mkx',
        'xmakefile',
        'mygradlew',
        'agradle/wrapper/a',
        'gradle/wrapperx/a',
        'src/a.ts',
      ],
    ],
    [
      'generated',
      isGenerated,
      [
        'dist/a',
        'x/build/a',
        'vendor/a',
        'a.min.js',
        'a.min.css',
        'a.map',
        'a.pb.go',
        'a_pb2.py',
        'a_pb2_grpc.pyi',
        'a.generated.ts',
        '.DS_Store',
        'x/.DS_Store',
      ],
      ['xdist/a', 'dist', 'a.min.jsx', 'a.mapx', 'a_pb2.pyx', 'generated.ts', 'a.DS_Storex', 'pb.go'],
    ],
    ['not to be read', isUnreadable, ['', 'a\\xff', 'a\\xFFb'], ['a', 'a\\xg0', 'xff']],
    [
      'outside',
      isOutsideWorkspace,
      ['/a', '~/a', 'c:/x', 'C:\\x', '../a', 'a/../b', 'a\\..\\b', '.git/x', 'a/.GIT'],
      ['a', 'a..b/c', '.gitx', 'a~', 'ac:/x'],
    ],
  ])('P3: is that of %s', (_, is, yes, no) => {
    expect([yes.filter((p) => !is(p)), no.filter((p) => is(p))]).toEqual([[], []]);
  });

  it('P3: of a copy is as dear as the file that was copied', () => {
    expect(keyFileLikelihood('x/copy of .env')).toBe('sure');
    expect(keyFileLikelihood('x/#.env#')).toBe('sure');
    expect(keyFileLikelihood('.env.bak.bak.bak.bak')).toBe('sure');
    expect(keyFileLikelihood('copy of .env')).toBe('sure');
  });

  it('P3: both of a rename are meant, and one of a change in place once', () => {
    expect(pathsOf(file('a', { oldPath: 'b' }))).toEqual(['a', 'b']);
    expect(pathsOf(file('a', { oldPath: 'a' }))).toEqual(['a']);
    expect(pathsOf(file('a'))).toEqual(['a']);
  });

  it('P3: a lockfile needs a manifest in its folder or below', () => {
    const lonely = (...paths: string[]): string[] =>
      lockfilesWithoutManifest({ files: paths.map((p) => file(p)), findings: [] } as unknown as Parameters<
        typeof lockfilesWithoutManifest
      >[0]);
    expect(lonely('package-lock.json', 'x/package.json')).toEqual([]);
    expect(lonely('x/package-lock.json', 'x/y/package.json')).toEqual([]);
    expect(lonely('x/package-lock.json', 'package.json', 'ax/package.json')).toEqual(['x/package-lock.json']);
    expect(lonely('x/package-lock.json', 'x/Cargo.toml')).toEqual(['x/package-lock.json']);
  });

  it('P3: many are listed as three and a number, and a long one is cut', () => {
    expect(shortenPaths(['a', 'b', 'c', 'd', 'e'])).toEqual({ at: ['a', 'b', 'c'], more: 2 });
    expect(shortenPaths(['a'])).toEqual({ at: ['a'], more: 0 });
    expect(shortenPaths(['x'.repeat(200)]).at[0]).toHaveLength(120);
  });
});

describe('a new name that Windows cannot check out', () => {
  const added = (path: string) =>
    newNamesFailingOnWindows({ ...push().commit.diff, files: [file(path, { status: 'added' })] });

  it.each([
    'nul',
    'NUL',
    'aux/con.txt',
    'src/aux.c',
    'com1',
    'LPT9.log',
    'com¹',
    'conin$',
    'nul .txt',
    'nul.tar.gz',
  ])('is a device: %s', (path) => expect(added(path)).toEqual([path]));
  it.each(['q?.md', 'a:b', 'docs/<x>', 'a*', 'a|b/c', 'say "hi".md'])(
    'has a character of its own: %s',
    (path) => expect(added(path)).toEqual([path]),
  );
  it.each([
    'null',
    'nul-1',
    'auxiliary.c',
    'com',
    'com10',
    'lpt',
    'console.ts',
    'a.nul',
    'a+b [c] {d}.md',
    'émoji-👩.md',
  ])('is none: %s', (path) => expect(added(path)).toEqual([]));
  it('is not one that the repository has already, or that goes away', () => {
    const files = [
      file('aux.c'),
      file('nul', { status: 'deleted' }),
      file('a', { oldPath: 'nul', status: 'renamed' }),
    ];
    expect(newNamesFailingOnWindows({ ...push().commit.diff, files })).toEqual([]);
    const moved = [file('prn', { oldPath: 'a', status: 'renamed' })];
    expect(newNamesFailingOnWindows({ ...push().commit.diff, files: moved })).toEqual(['prn']);
  });
});
