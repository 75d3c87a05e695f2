/** File names at the edge of each rule of the path policies. */
const lines = (text: string): string[] => text.trim().split(/\s+/);

export const PATHS: readonly string[] = [
  ...lines(`
    test/a tests/a __tests__/a spec/a specs/a e2e/a testing/a xtests/a a/tests/b test_a.py a/test_b.py atest_a.py test_a.pyc
    a_test.go a_test.py a_test.rs a_test.ex a_test.exs a_test.js a.test.ts a.spec.js a-test.js a_spec.rb a.tests.ts ATest.java
    ATests.java ASpec.kt ATest.cs ATest.php ATest.txt conftest.py a/conftest.py xconftest.py latest/a contest.java`),
  ...lines(`
    package-lock.json a/package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb poetry.lock uv.lock
    pdm.lock Pipfile.lock Cargo.lock go.sum go.work.sum Gemfile.lock composer.lock gradle.lockfile flake.lock mix.lock
    pubspec.lock deno.lock Package.resolved package.lock xyarn.lock yarn.lockx package.json pnpm-workspace.yaml pyproject.toml
    Pipfile Cargo.toml go.mod go.work Gemfile composer.json build.gradle build.gradle.kts flake.nix mix.exs pubspec.yaml
    deno.json Package.swift pom.xml setup.py setup.cfg requirements.txt requirements-dev.in constraints.txt Gopkg.toml
    requirements.md xpom.xml`),
  ...lines(`
    .github/workflows/a .github/actions/a/b .circleci/a .buildkite/a .gitlab/ci/a .woodpecker/a .teamcity/a a/.circleci/b
    .gitlab-ci.yml a/.gitlab-ci-x.yaml .travis.yml azure-pipelines.yml Jenkinsfile jenkinsfile.x .drone.yml .drone.star
    bitbucket-pipelines.yml appveyor.yml .appveyor.yml .cirrus.yml .cirrus.star action.yml action.yaml codefresh.yml
    .semaphore/a .github/dependabot.yml .github/renovate.json .github/renovate.json5 .github/x.yml xaction.yml a.travis.yml`),
  ...lines(`
    .claude/a .opencode .codex/b .gemini/a .cursor/a .aider/a .windsurf/a .continue/a .roo/a .agent/a .agents/a a/.claude/b
    .agentpr.json .mcp.json mcp.json opencode.json opencode.jsonc AGENTS.md agents.x.md CLAUDE.md claude.local.md GEMINI.md
    .cursorrules .windsurfrules .clinerules .aider.conf.yml .github/copilot-instructions.md x.claude/a agents.txt xmcp.json`),
  ...lines(`
    .npmrc a/.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.js pip.conf .pypirc .condarc .gitmodules .gitconfig .envrc
    sitecustomize.py usercustomize.py a.pth settings.xml .bazelrc lefthook.yml lefthook.yaml .pre-commit-config.yaml
    .pre-commit-hooks.yaml .husky/a .githooks/a .cargo/a .devcontainer/a .vscode/a .yarn/a .git .git/a a/.git/b .gitignore
    x.npmrc .npmrcx .gitattributes a/.gitattributes x.gitattributes`),
  ...lines(`
    build.rs Makefile GNUmakefile a.mk CMakeLists.txt a.gradle a.gradle.kts gradlew gradlew.bat mvnw mvnw.cmd binding.gyp
    Rakefile a.gemspec Dockerfile Dockerfile.x Containerfile docker-compose.yml docker-compose.x.yaml noxfile.py tox.ini
    configure configure.ac justfile Taskfile.yml WORKSPACE MODULE.bazel BUILD.bazel gradle/wrapper/a .mvn/wrapper/a xMakefile
    Makefilex gradle/wrapperx/a`),
  ...lines(`
    dist/a build/a out/a vendor/a third_party/a node_modules/a generated/a __generated__/a __pycache__/a target/a a/dist/b
    a.min.js a.min.css a.map a.pb.go a.pyc a.class a.snap a_pb2.py a_pb2_grpc.pyi a.generated.ts .DS_Store xdist/a a.mapx`),
  ...lines(`
    .env .env.local .env.prod .env.production .env.live .env.stage .env.staging .env.secret .env.secrets .env.private .env.vault
    .env.me .env.keys .env.production.local .env.bak .env.1 .env~ .env_x .env-x .env.x a.env.local .netrc netrc _netrc .pgpass
    pgpass.conf .my.cnf .mylogin.cnf .git-credentials .htpasswd .vault-token .vault_pass .vaultpassword .s3cfg .boto .dockercfg
    .dockerconfigjson .vercel_token id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_xmss id_rsa.pub a.ppk a.kdb
    a.kdbx a.agekey a.pfx a.p12 a.tfvars.secret .aws/credentials .docker/config.json .kube/config .config/gh/hosts.yml
    .config/gcloud/a .ssh/a .ssh/a.pub .gnupg/a application_default_credentials.json .env.example .env.sample .env.template
    .env.tmpl .env.tpl .env.dist .env.default .env.defaults .env.schema .env.example.txt`),
  ...lines(`
    a.env credentials credential.json secrets.yml app-secrets.toml my.secret.enc secretsx kubeconfig kubeconfig.x a-kubeconfig.yaml
    service-account.json serviceaccount-x.json client_secret.json client_secret_1.json a.pem a.key a.keystore a.jks a.bks a.der
    a.p8 a.pkcs12 a.asc a.gpg a.ovpn a.tfstate a.tfstate.backup a.tfvars a.mobileprovision a.keytab a.cred a.passwd master.key
    auth.json wp-config.php local.settings.json .terraformrc terraformrc .credentials.json a_rsa a_ed25519 a.pemx`),
  ...lines(`
    .env.backup .env.old .env.orig .env.original .env.save .env.saved .env.copy .env.swp .env.swo .env.tmp .env.txt .env.prev
    .env.new .env.20260101 id_rsa.bak id_rsa~ id_rsa# id_rsa(1) id_rsa.old.bak.1.2 id_rsa.a .#id_rsa #id_rsa copy-of-id_rsa
    copy_of_id_rsa .id_rsa.swp xcopy_of_id_rsa ..id_rsa.swp`),
  ...['id_rsa (1)', 'copy of id_rsa', 'id_rsa copy', 'a b/.env bak'],
  ...[
    '../a',
    '/a',
    '~/a',
    'C:/a',
    'a/../b',
    'a\\..\\b',
    'a/.GIT/b',
    '..',
    'a..b',
    'CC:/a',
    'a/~',
    'a\\xffb',
    'a\\xfgb',
    'a\\XFFb',
  ],
  ...['a ', 'a /b', ' a', 'a\u00a0', 'a\u200b', 'a\u202eb', 'a\tb', 'a.', 'é', '漢字', `${'d/'.repeat(80)}a`],
  ...[
    'LICENSE',
    'LICENSE.md',
    'COPYING',
    'CODEOWNERS',
    'docs/SECURITY.md',
    'README.md',
    'src/a.ts',
    'CHANGELOG',
  ],
];
