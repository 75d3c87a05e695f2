/** Classifies paths by name: tests, lockfiles, workflows, agent configuration, generated files. */
import type { DiffFacts, FileChange, Finding } from '#model/change';

const toLower = (path: string): string => path.toLowerCase();
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const dirName = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A rename touches its old path, too. */
export const pathsOf = (file: FileChange): string[] =>
  file.oldPath !== null && file.oldPath !== file.path ? [file.path, file.oldPath] : [file.path];

/** Names by which links lead to a file count as its own. */
export const selectTouchedPaths = (diff: DiffFacts, is: (path: string) => boolean): string[] => [
  ...new Set(diff.files.flatMap((file) => [...pathsOf(file), ...(file.linkedNames ?? [])]).filter(is)),
];

export const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing)\/|(?:^|\/)test_[^/]*\.py$|[._-](?:test|spec)\.[a-z]+$|(?:^|\/)tests?\.(?:[cm]?[jt]sx?|py|rs|rb|go|lua|php|pl|sh|c|cc|cpp)$|[._-]tests\.[a-z]+$|[._-]test-d\.[cm]?tsx?$|\.bats$|(?:^|\/)t\/(?:[^/]+\/)*[^/]+\.t$|(?:tests?|spec)\.(?:java|kt|cs|php)$|(?:^|\/)conftest\.py$/i.test(
    path,
  );

export const isTestRemoved = (file: FileChange): boolean =>
  (file.status === 'deleted' && isTest(file.path)) ||
  (file.oldPath !== null && isTest(file.oldPath) && !isTest(file.path)) ||
  (file.status === 'modified' && isTest(file.path) && file.deleted > 0 && file.added === 0);

/** A shrinking test may have lost its assertions. */
export const isTestShrunk = (file: FileChange): boolean =>
  file.status === 'modified' && isTest(file.path) && file.deleted > 0 && file.deleted >= file.added;

const PROSE = /\.(?:md|markdown|rst|adoc|txt)$|(?:^|\/)(?:readme|license|authors|changelog|contributing)$/i;
const BUILD_INPUT = /(?:^|\/)(?:requirements[^/]*|cmakelists|constraints[^/]*|manifest)\.txt$/i;
export const isProse = (path: string): boolean => PROSE.test(path) && !BUILD_INPUT.test(path);

const CODE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kts?|cs|fs|swift|exs?|erl|[ch]|cc|cxx|[ch]pp|hh|m|mm|lua|zig|dart|hs|mli?|jl|r|scala|clj[cs]?|p[lm]|nim|cr|nix|f90)$/i;
export const isCode = (path: string): boolean => CODE.test(path);
const SCRIPTS = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i;
/** Runners of one language never see a test file of another; scripts of a shell are anybody’s. */
const RUNNERS: readonly (readonly [program: RegExp, tests: RegExp])[] = [
  [/^(?:npm|npx|pnpm|yarn|bunx?|deno|node)\s/, SCRIPTS],
  [/^(?:python3?|pytest|tox|nox|uvx?|poetry|hatch|pdm|pipenv)\b/, /\.py$/i],
  [/^cargo\s/, /\.rs$/i],
  [/^go\s/, /\.go$/i],
  [/^mix\s/, /\.exs?$/i],
];
export const canRunnerFindTests = (command: string, paths: readonly string[]): boolean => {
  const own = RUNNERS.find(([program]) => program.test(command))?.[1];
  return own === undefined || paths.some((path) => own.test(path) || !CODE.test(path));
};

/** Programs that run what their file lists; runners of a language find new tests by themselves. */
const LIST_RUNNERS = /^(?:g?make|cmake|ninja|just|task|(?:ba)?sh|\.{0,2}\/)/;
/** A pass counts for new tests once the output names one of them, where they are not found by themselves. */
export const hasRunTests = (command: string, output: string, paths: readonly string[]): boolean => {
  const isNamed = (path: string): boolean => {
    const name = baseName(path);
    const stem = name.replace(/\.[^]*$/, '');
    return output.includes(name) || (!/^(?:tests?|specs?|main|index)?$/i.test(stem) && output.includes(stem));
  };
  // guard: E19-listed-tests-seen
  return !LIST_RUNNERS.test(command) || paths.some(isNamed);
};

const MANIFESTS: readonly [lock: RegExp, manifests: readonly string[]][] = [
  [
    /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/,
    ['package.json', 'pnpm-workspace.yaml'],
  ],
  [/^(?:poetry\.lock|uv\.lock|pdm\.lock)$/, ['pyproject.toml']],
  [/^pipfile\.lock$/, ['pipfile']],
  [/^cargo\.lock$/, ['cargo.toml']],
  [/^go\.(?:sum|work\.sum)$/, ['go.mod', 'go.work']],
  [/^gemfile\.lock$/, ['gemfile']],
  [/^composer\.lock$/, ['composer.json']],
  [/^gradle\.lockfile$/, ['build.gradle', 'build.gradle.kts']],
  [
    /^(?:flake|mix|pubspec|deno|package)\.(?:lock|resolved)$/,
    ['flake.nix', 'mix.exs', 'pubspec.yaml', 'deno.json', 'package.swift'],
  ],
];

export const isLockfile = (path: string): boolean =>
  MANIFESTS.some(([lock]) => lock.test(toLower(baseName(path))));

export const isManifest = (path: string): boolean => {
  const name = toLower(baseName(path));
  return (
    MANIFESTS.some(([, manifests]) => manifests.includes(name)) ||
    /^(?:pom\.xml|setup\.(?:py|cfg)|requirements[^/]*\.(?:txt|in)|constraints\.txt|gopkg\.toml)$/.test(name)
  );
};

export const lockfilesWithoutManifest = (diff: DiffFacts): string[] =>
  selectTouchedPaths(diff, isLockfile).filter((path) => {
    const row = MANIFESTS.find(([lock]) => lock.test(toLower(baseName(path))));
    const dir = dirName(path);
    const isUnder = (other: string): boolean => dir === '' || other.startsWith(`${dir}/`);
    return (
      selectTouchedPaths(diff, (p) => isUnder(p) && (row?.[1].includes(toLower(baseName(p))) ?? false))
        .length === 0
    );
  });

export const isCi = (path: string): boolean =>
  /^\.(?:github\/(?:workflows|actions)|circleci|buildkite|gitlab\/ci|woodpecker|teamcity)\/|(?:^|\/)(?:\.gitlab-ci[^/]*\.ya?ml|\.travis\.yml|azure-pipelines[^/]*\.ya?ml|jenkinsfile[^/]*|\.drone\.(?:yml|star)|bitbucket-pipelines\.yml|\.?appveyor\.yml|\.cirrus\.(?:yml|star)|action\.ya?ml|codefresh\.yml|\.semaphore\/[^/]*)$|^\.github\/(?:dependabot\.ya?ml|renovate\.json5?)$/i.test(
    path,
  );

/** E11: files that steer a coding agent. */
export const isAgentConfig = (path: string): boolean =>
  /(?:^|\/)\.(?:claude|opencode|codex|gemini|qwen|copilot|cursor|aider|windsurf|clinerules|continue|roo|kiro|amazonq|junie|trae|augment|factory|crush|goose|agents?)(?:\/|$)|(?:^|\/)(?:\.agentpr\.json|\.mcp\.json|mcp\.json|opencode\.jsonc?|agents(?:\.[\w-]+)?\.md|(?:claude|gemini|qwen|crush)(?:\.[\w-]+)?\.md|\.?crush\.json|\.goosehints|\.cursorrules|\.windsurfrules|\.roorules|\.aider[^/]*|copilot-instructions\.md)$|(?:^|\/)\.github\/(?:agents|chatmodes|copilot|extensions|hooks|instructions|plugin|prompts|skills)\/|(?:^|\/)\.github\/(?:mcp|lsp)\.json$/i.test(
    path,
  );

/** Files that select package sources, or what git and hooks run. */
export const isTrustRoot = (path: string): boolean =>
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.[cm]?js|\.pnp\.[cm]?js|bunfig\.toml|pip\.(?:conf|ini)|uv\.toml|\.pypirc|\.condarc|nuget\.config|\.gemrc|\.rprofile|\.gitmodules|\.gitconfig|\.envrc|sitecustomize\.py|usercustomize\.py|[^/]*\.pth|settings\.xml|\.bazelrc|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.pre-commit-(?:config|hooks)\.ya?ml|\.?simple-git-hooks\.(?:[cm]?js|json)|\.overcommit\.yml|\.?mise(?:\.[\w-]+)?\.toml|\.mvn\/(?:maven\.config|jvm\.config|extensions\.xml))$|(?:^|\/)\.(?:husky|githooks|bundle|cargo|devcontainer|mise|vscode|yarn)\/|(?:^|\/)\.git(?:\/|$)/i.test(
    path,
  );

export const isInstallTime = (path: string): boolean =>
  /(?:^|\/)(?:package\.json|setup\.(?:py|cfg)|pyproject\.toml|build\.rs|(?:gnu)?makefile|[^/]*\.mk|cmakelists\.txt|[^/]*\.gradle(?:\.kts)?|pom\.xml|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|binding\.gyp|gemfile|rakefile|[^/]*\.gemspec|composer\.json|(?:docker|container)file[^/]*|docker-compose[^/]*\.ya?ml|conftest\.py|noxfile\.py|tox\.ini|configure(?:\.ac)?|justfile|taskfile\.ya?ml|workspace|module\.bazel|build\.bazel|requirements[^/]*\.txt)$|(?:^|\/)(?:gradle\/wrapper|\.mvn\/wrapper)\//i.test(
    path,
  ) || isTrustRoot(path);

export const isGenerated = (path: string): boolean =>
  /(?:^|\/)(?:dist|build|out|vendor|third_party|node_modules|generated|__generated__|__pycache__|target)\/|\.(?:min\.(?:js|css)|map|pb\.go|pyc|class|snap)$|_pb2(?:_grpc)?\.pyi?$|\.generated\.|(?:^|\/)\.ds_store$/i.test(
    path,
  );

/** Templates name keys without values. */
const TEMPLATE = /[._-](?:example|sample|template|tmpl|tpl|dist|defaults?|schema)(?:\.[a-z]{1,5})?$/;
const KEY_FILE =
  /(?:^|\/)(?:\.env(?:\.(?:local|prod|production|live|stag(?:e|ing)|secrets?|private|vault|me|keys))?(?:\.(?:local|bak|backup|old|orig|save|swp|\d+))?|\.env[~_-][^/]*|[^/]+\.env\.local|\.?netrc|_netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.git-credentials|\.pypirc|\.htpasswd|\.vault[-_]?(?:token|pass(?:word)?)|\.s3cfg|\.boto|\.dockercfg|\.dockerconfigjson|\.vercel_token|id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk|xmss)|[^/]+\.(?:ppk|kdbx?|agekey|pfx|p12|tfvars\.secret)|\.aws\/credentials|\.docker\/config\.json|\.kube\/config|\.config\/gh\/hosts\.yml|\.config\/gcloud\/.+|\.ssh\/[^/]*(?<!\.pub)|\.gnupg\/.+|application_default_credentials\.json|\.(?:bash|zsh|sh|ksh|python|node_repl|psql|mysql|sqlite|rediscli|mongo|irb)_history|\.dbshell|\.xauthority|cookies\.sqlite|wallet\.dat|\.databrickscfg|\.snowsql\/config|(?:\.config\/rclone\/|\.)?rclone\.conf|\.msmtprc|sftp-config\.json|\.ftpconfig|credentials\.tfrc\.json|\.config\/hub|\.cargo\/credentials(?:\.toml)?|\.gem\/credentials)$/;
const LIKELY_KEY_FILE =
  /(?:^|\/)(?:\.env[^/]*|[^/]+\.env|\.npmrc|\.yarnrc(?:\.yml)?|(?:[^/]*[._-])?(?:credentials?|secrets?)(?:\.(?:ya?ml|json|toml|env|ini|properties|xml|csv|txt|enc|bak))?|kubeconfig[^/]*|[^/]*kubeconfig\.ya?ml|service[-_]?account[^/]*\.json|client_secret[^/]*\.json|[^/]+\.(?:pem|key|keystore|jks|bks|der|p8|pkcs12|asc|gpg|ovpn|tfstate|tfstate\.backup|tfvars|mobileprovision|keytab|cred|passwd)|master\.key|auth\.json|wp-config\.php|local\.settings\.json|\.?terraformrc|\.credentials\.json|[^/]*_(?:rsa|dsa|ecdsa|ed25519)|id_(?:rsa|dsa|ecdsa|ed25519)[._-](?!pub\b)[^/]*(?<!\.pub)|\.dev\.vars(?:\.[\w-]+)?|\.flaskenv|\.secrets?\/.+|secrets?\/[^/]+\.(?:ya?ml|json|env|txt|ini|properties)|\.aws\/config|[^/]+[._-]key\.json|settings-security\.xml|\.m2\/settings\.xml|\.?(?:ansible[_-])?vault[_-]?pass(?:word)?(?:\.txt)?|(?:filezilla|recentservers|sitemanager)\.xml|cookies\.txt|\.wgetrc)$/;

/** Affixes that people and editors add to copies. */
const COPY_END =
  /(?:[._ -](?:bak|backup|old|orig(?:inal)?|save|saved|copy|sw[op]|tmp|txt|prev|new|\d{1,14})|~|#| ?\(\d{1,3}\))$/;
const COPY_START = /(^|\/)(?:copy[ _-]of[ _-]|\.?#|(?=\.[^\n]{0,255}\.sw[op]$)\.(?=\.))/;
const MOST_ENDS = 4;
const stripCopyMarks = (name: string): string => {
  let from = name.replace(COPY_START, '$1');
  for (let i = 0; i < MOST_ENDS; i += 1) from = from.replace(COPY_END, '');
  return from;
};

export const keyFileLikelihood = (path: string): 'sure' | 'likely' | null => {
  const names = [toLower(path), stripCopyMarks(toLower(path))];
  if (names.some((name) => TEMPLATE.test(baseName(name)))) return null;
  if (names.some((name) => KEY_FILE.test(name))) return 'sure';
  return names.some((name) => LIKELY_KEY_FILE.test(name)) ? 'likely' : null;
};

/** Invalid UTF-8 in a path was written as `\xNN`. */
export const isUnreadable = (path: string): boolean => /\\x[0-9a-f]{2}/i.test(path) || path === '';

export const isOutsideWorkspace = (path: string): boolean =>
  /^(?:[/~]|[a-z]:)/i.test(path) || path.split(/[/\\]/).some((s) => s === '..' || toLower(s) === '.git');

export const findingLocation = ({ path, line }: Pick<Finding, 'path' | 'line'>): string =>
  line > 0 ? `${path}:${line}` : path;

/** Device names of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;
const failsOnWindows = (path: string): boolean =>
  path.split('/').some((part) => DEVICE.test(part) || /[<>:"|?*]/.test(part));

/** New names that break a clone on Windows. Trailing blanks and dots count as unseen text. */
export const newNamesFailingOnWindows = (diff: DiffFacts): string[] =>
  diff.files
    .filter(({ status, oldPath }) => status === 'added' || (status !== 'deleted' && oldPath !== null))
    .map(({ path }) => path)
    .filter(failsOnWindows);
