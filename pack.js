// `npm run build` lays the npm package out in dist/: the bundle, what starts it, its documents, and the licences of everything that
// went into the bundle. Whoever installs it needs better-sqlite3 and the grammars, in the versions that were tested.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleAction, bundleInto } from './build.js';

const PACKAGE = 'dist';
const FILES = ['cli/agentpr.js', 'README.md', 'LICENSE', '.env.example'];
/** Documents for people who work on AgentPR: the checkout has them. */
const FOR_DEVELOPERS = [
  ...['adding-an-engine.md', 'architecture.md', 'baseline.md', 'bench.md', 'contributing.md', 'decisions'],
  ...['glossary.md', 'images', 'invariants.md', 'mutants.md', 'translating.md', 'walks.md'],
].map((name) => join('docs', name));
/** Packages that are installed beside the bundle. */
const BESIDE = ['better-sqlite3', '@vscode/tree-sitter-wasm'];
/** Fields of package.json that hold for the checkout only. */
const CHECKOUT_ONLY = ['devDependencies', 'workspaces', 'scripts', 'imports', 'private', 'allowScripts'];

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const without = (object, names) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** package.json and the lockfile of all that runs, bundled or not: what the SBOM lists. */
export const runtimeLock = () => {
  const manifest = without(json('package.json'), CHECKOUT_ONLY);
  const { packages, ...lock } = json('package-lock.json');
  const runs = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  );
  const root = without(packages[''], CHECKOUT_ONLY);
  return { manifest, lock: { ...lock, packages: { '': root, ...Object.fromEntries(runs) } } };
};

/** Of the lockfile, only what is installed beside the bundle. */
const installedLock = () => {
  const { manifest, lock } = runtimeLock();
  const dependencies = Object.fromEntries(BESIDE.map((name) => [name, manifest.dependencies[name]]));
  const installed = new Set();
  const add = (name) => {
    const entry = lock.packages[`node_modules/${name}`];
    if (entry === undefined || installed.has(name)) return;
    installed.add(name);
    for (const next of Object.keys(entry.dependencies ?? {})) add(next);
  };
  for (const name of [...Object.keys(dependencies), ...Object.keys(manifest.optionalDependencies ?? {})])
    add(name);
  const packages = Object.fromEntries(
    [...installed].map((name) => [`node_modules/${name}`, lock.packages[`node_modules/${name}`]]),
  );
  return {
    // Nothing that is overridden is installed beside the bundle.
    manifest: { ...without(manifest, ['overrides']), dependencies },
    lock: { ...lock, packages: { '': { ...lock.packages[''], dependencies }, ...packages } },
  };
};

/** Everything of the package but the bundle and the licences. */
export const writeManifest = () => {
  rmSync(PACKAGE, { recursive: true, force: true });
  mkdirSync(join(PACKAGE, 'cli'), { recursive: true });
  for (const file of FILES) cpSync(file, join(PACKAGE, file));
  cpSync('docs', join(PACKAGE, 'docs'), {
    recursive: true,
    filter: (path) => !FOR_DEVELOPERS.includes(path),
  });
  const { manifest, lock } = installedLock();
  writeFileSync(join(PACKAGE, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(PACKAGE, 'npm-shrinkwrap.json'), `${JSON.stringify(lock, null, 2)}\n`);
};

/** The folder of the npm package that a module belongs to; null for a module of ours. */
const packageOf = (module) => {
  const at = module.lastIndexOf('node_modules/');
  if (at < 0) return null;
  const [scope, name] = module.slice(at + 'node_modules/'.length).split('/');
  return module.slice(0, at) + join('node_modules', scope.startsWith('@') ? join(scope, name) : scope);
};

/** Name, version and licence of each bundled package, with the texts that come with it. */
const licencesOf = (modules) => {
  const folders = [...new Set(modules.map(packageOf))]
    .filter((folder) => folder !== null && existsSync(folder))
    .sort();
  return folders
    .map((folder) => {
      const { name, version, license } = json(join(folder, 'package.json'));
      const texts = readdirSync(folder)
        .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8').trim());
      return [`${name} ${version} (${license ?? 'see its text'})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
};

const writePackage = async () => {
  writeManifest();
  const modules = await bundleInto(join(PACKAGE, 'bundle'), { sourcemap: false });
  writeFileSync(join(PACKAGE, 'THIRD-PARTY-LICENSES.txt'), `${licencesOf(modules)}\n`);
};

/** The folder of the GitHub Action that `action.yml` names. */
export const writeAction = async (folder) => {
  const modules = await bundleAction(join(folder, 'verify.js'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), `${licencesOf(modules)}\n`);
};

const [, program, wanted, folder = 'action'] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  process.chdir(dirname(fileURLToPath(import.meta.url)));
  if (wanted === 'action') await writeAction(folder);
  else await writePackage();
}
