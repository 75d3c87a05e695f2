// `npm run release -- --dry-run` checks everything that a release needs and publishes nothing; without it, the package is published.
// Writes the SBOM and the package into release/. Both say which version of each package runs: the one that was tested.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runtimeLock } from './pack.js';

const dry = process.argv.includes('--dry-run');
const runIn = (cwd, command, ...args) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const run = (...command) => runIn('.', ...command);
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
/** What stops a release, and what only stops publishing. */
const wrong = [];
const before = [];
const check = (list, ok, yes, no) => {
  console.log(`${ok ? '✔' : list === wrong ? '✘' : '!'} ${ok ? yes : no}`);
  if (!ok) list.push(no);
};

const { version, repository } = json('package.json');
const playground = json('playground/package.json').version;
check(wrong, /^\d+\.\d+\.\d+$/.test(version), `version ${version}`, `${version} is no version`);
check(wrong, playground === version, 'the playground has the same', `the playground has ${playground}`);
check(
  wrong,
  json('package-lock.json').version === version,
  'the lockfile too',
  'the lockfile has another version: npm install',
);

const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} — (.+)$`, 'm').exec(
  readFileSync('CHANGELOG.md', 'utf8'),
)?.[1];
check(
  wrong,
  heading !== undefined,
  'CHANGELOG.md has its heading',
  `CHANGELOG.md has no "## ${version} — <date>"`,
);
check(
  before,
  /^\d{4}-\d{2}-\d{2}$/.test(heading ?? ''),
  `dated ${heading}`,
  'CHANGELOG.md says no date of it yet',
);
const ledgers = `tests/fixtures/ledgers/${version}`;
check(
  wrong,
  existsSync(ledgers) && readdirSync(ledgers).length > 0,
  'a ledger of it is kept',
  `${ledgers} holds no ledger of it (docs/contributing.md)`,
);
check(
  before,
  run('git', 'status', '--porcelain') === '',
  'nothing is uncommitted',
  'there are uncommitted changes',
);
const isTagged = run('git', 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`);
check(before, isTagged, `tagged v${version}`, `HEAD is not tagged v${version}`);
check(
  wrong,
  isTagged || run('git', 'tag', '--list', `v${version}`) === '',
  'no other commit is this version',
  `v${version} is the tag of another commit: raise the version`,
);
const tested = 'node_modules/.cache/agentpr/tested.json';
check(
  before,
  existsSync(tested) && json(tested).tree === run('git', 'rev-parse', 'HEAD^{tree}').trim(),
  'every test has passed on this commit',
  'npm run test:all has not passed on this commit',
);
check(
  before,
  repository !== undefined,
  'package.json names its repository',
  'package.json names no repository, which npm wants for provenance',
);

rmSync('release', { recursive: true, force: true });
mkdirSync('release');
const sbom = `release/agentpr-${version}.cdx.json`;
// Of what a consumer gets, by itself: `--omit dev` also leaves out what runs and development needs as well.
const { manifest, lock } = runtimeLock();
mkdirSync('release/runs');
writeFileSync('release/runs/package.json', JSON.stringify(manifest));
writeFileSync('release/runs/package-lock.json', JSON.stringify(lock));
const bill = runIn('release/runs', 'npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
rmSync('release/runs', { recursive: true });
writeFileSync(sbom, bill);
const { bomFormat, specVersion, components } = JSON.parse(bill);
/** One that lies in two places is one. */
const pinned = new Set(
  Object.entries(lock.packages).map(
    ([path, { version: of }]) => `${path.split('node_modules/').at(-1)}@${of}`,
  ),
);
check(
  wrong,
  bomFormat === 'CycloneDX' && components.length === pinned.size - 1,
  `${sbom}: CycloneDX ${specVersion}, ${components.length} packages`,
  'npm made no SBOM',
);

/** Licences under which we may ship; of a choice (`A OR B`) one suffices. */
const MAY = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'PSF-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]);
const allowed = ({ licenses = [] }) =>
  licenses.length > 0 &&
  licenses.every(({ license, expression }) =>
    (expression ?? license?.id ?? license?.name ?? '')
      .replace(/[()]/g, '')
      .split(/ OR /)
      .some((one) => MAY.has(one.trim())),
  );
const strange = components.filter((one) => !allowed(one)).map(({ name }) => name);
check(
  wrong,
  strange.length === 0,
  'every licence is one that we may ship under',
  `licences to look at: ${strange.join(', ')}`,
);

run('npm', 'run', '-s', 'build');
const [packed] = JSON.parse(run('npm', 'pack', './dist', '--json', '--pack-destination', 'release'));
const ours =
  /^(bundle|docs)\/|^(LICENSE|THIRD-PARTY-LICENSES\.txt|README\.md|package\.json|npm-shrinkwrap\.json|\.env\.example|cli\/agentpr\.js)$/;
const other = packed.files.map(({ path }) => path).filter((path) => !ours.test(path));
check(
  wrong,
  packed.files.some(({ path }) => path === 'npm-shrinkwrap.json'),
  'it pins the versions of what it needs',
  'the package pins no versions',
);
check(
  wrong,
  other.length === 0,
  `release/${packed.filename}: ${packed.files.length} files, ${(packed.size / 1e6).toFixed(1)} MB`,
  `the package holds ${other.join(', ')}`,
);

const publish = ['publish', `release/${packed.filename}`, '--provenance', '--access', 'public'];
if (wrong.length > 0) process.exitCode = 1;
else if (dry)
  console.log(
    `\nWould run: npm ${publish.join(' ')}${before.length > 0 ? `\nBefore that: ${before.join('; ')}.` : ''}`,
  );
else if (before.length > 0) {
  console.error(`\nNot published: ${before.join('; ')}.`);
  process.exitCode = 1;
} else console.log(run('npm', ...publish));
