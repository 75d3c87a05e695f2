// Bundles the product into a few files: `node build.js <folder>`. `cli/agentpr.js` asks for one where it stands in a checkout, and
// `pack.js` puts one into the package. better-sqlite3 stays outside, because it is native.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.url));
const SOURCES = [
  'app',
  'board',
  'bot',
  'cli',
  'db',
  'discovery',
  'executors',
  'forge',
  'governor',
  'model',
  'orchestrator',
  'playground',
  'pull-text',
  'skills',
  'slack',
  'text-safety',
  'tools',
  'webhooks',
];
const SINGLE_SOURCES = ['build.js', 'package-lock.json', 'package.json'];
/** Folders that are read at run time, by the name under which `imports` gives them. */
const FOLDERS = {
  '#skills': 'skills',
  '#sentences': 'bot/sentences',
  '#assets': 'playground/assets',
  '#board-assets': 'board/assets',
  '#sample': 'playground/sample',
};
/** Files of packages that are sent to browsers as they are. */
const PACKAGE_FILES = {
  '#idiomorph': 'node_modules/idiomorph/dist/idiomorph.esm.js',
  '#webauthn': 'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js',
  '#tree-sitter': 'node_modules/web-tree-sitter/web-tree-sitter.wasm',
};
const fileNameOf = (key, file) => `${key.slice(1)}${file.slice(file.lastIndexOf('.'))}`;
/** Grammars are installed beside the bundle: together they are larger than it. */
const GRAMMARS = '@vscode/tree-sitter-wasm/wasm/*';
const EXTERNAL = ['better-sqlite3', 'pg-native'];
const REPLAY_WORKER = '#programs/replay-worker';
const MAX_BUNDLES = 6;
/** What `agentpr start` loads, a file a stage: what every command needs, what it receives with, what it handles with. */
const STAGES = {
  main: ['cli/main.ts'],
  intake: ['cli/start.ts', 'cli/apply-proxy-settings.ts', 'app/start-app.ts', 'bot/telegram-adapter.ts'],
  handling: ['app/start-handling.ts', 'app/probes/rules.ts'],
};

const json = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/** The programs and threads that the product starts by their file: the `#programs/…` of package.json. */
const programs = () =>
  Object.entries(json('package.json').imports).filter(([name]) => name.startsWith('#programs/'));

/** None of ours does anything by being loaded, but for a program's entry. */
const OWN_MODULES = new RegExp(`^${ROOT.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!node_modules/)`);

/** zod's own messages exist in fifty languages; ours are sentences of our own, over its English ones. */
const englishOnly = {
  name: 'english-only',
  load: {
    filter: { id: /node_modules\/zod\/v4\/locales\/index\.js$/ },
    handler: () => `export { default as en } from './en.js';`,
  },
};

/** Our own data as JSON, which is read a hundred times sooner than YAML. */
const readDataAsJson = async () => {
  const { loadRows, loadWords, WORD_FOLDERS } = await import('./tools/load-data.ts');
  const files = new Map([['rows', JSON.stringify(loadRows())]]);
  for (const folder of Object.keys(WORD_FOLDERS))
    files.set(folder.replaceAll('/', '-'), JSON.stringify(loadWords(folder)));
  return { files, folders: WORD_FOLDERS };
};

/** A file is read when it is asked for; a program that is one file has them inside. */
const dataAsJson = (data, isInside) => ({
  name: 'data-as-json',
  load: {
    filter: { id: /\/tools\/load-data\.ts$/ },
    handler: () => {
      const texts = isInside
        ? `const texts = ${JSON.stringify(Object.fromEntries(data.files))};
const readText = (name) => texts[name];`
        : `import { readFileSync } from 'node:fs';
const readText = (name) => readFileSync(new URL(import.meta.resolve(\`#data/\${name}.json\`)), 'utf8');`;
      const code = `${texts}
export const WORD_FOLDERS = ${JSON.stringify(data.folders)};
export const loadRows = () => JSON.parse(readText('rows'));
export const loadWords = (folder) => JSON.parse(readText(folder.replaceAll('/', '-')));`;
      return { code, moduleType: 'js' };
    },
  },
});

/** Prices of the few who make models, of a package that lists every reseller. */
const pricesAsJson = {
  name: 'prices-as-json',
  load: {
    filter: { id: /\/executors\/gateway\/load-maker-prices\.ts$/ },
    handler: async () => {
      const { loadMakerPrices } = await import('./executors/gateway/load-maker-prices.ts');
      const text = JSON.stringify(JSON.stringify(loadMakerPrices()));
      return { code: `export const loadMakerPrices = () => JSON.parse(${text});`, moduleType: 'js' };
    },
  },
};

/** What the GitHub Action says, and no file beside it. */
const SAID_BY_ACTION = /^(?:commandLine-(?:verify-doubts|action)-|listSeparator)/;
const sentencesOfAction = {
  name: 'sentences-of-action',
  load: {
    filter: { id: /\/bot\/language\/(?:read-sentence-file\.ts|sentence-parameters\.json)$/ },
    handler: (id) => {
      if (id.endsWith('.json')) {
        const said = Object.entries(JSON.parse(readFileSync(id, 'utf8')));
        const few = Object.fromEntries(said.filter(([name]) => SAID_BY_ACTION.test(name)));
        return { code: JSON.stringify(few), moduleType: 'json' };
      }
      const messages = readFileSync(join(ROOT, 'bot/sentences/en.ftl'), 'utf8').split(
        /^(?=[A-Za-z][\w-]* *=)/m,
      );
      const text = messages.filter((one) => SAID_BY_ACTION.test(one)).join('');
      return { code: `export const readSentenceFile = () => ${JSON.stringify(text)};`, moduleType: 'js' };
    },
  },
};
/** Of the library that reads what keys sign, the one function that judges a signature. */
const webauthnOfAction = {
  name: 'webauthn-of-action',
  load: {
    filter: { id: /\/orchestrator\/passkeys\/load-webauthn\.ts$/ },
    handler: () => ({
      code: `import { verifyAuthenticationResponse } from '@simplewebauthn/server';
export const loadWebauthn = async () => ({ verifyAuthenticationResponse });
export const loadWebauthnHelpers = loadWebauthn;`,
      moduleType: 'js',
    }),
  },
};
const ACTION_ENTRY = 'agentpr:action';
const actionEntry = {
  name: 'action-entry',
  resolveId: { filter: { id: /^agentpr:action$/ }, handler: () => `\0${ACTION_ENTRY}` },
  load: {
    filter: { id: /^\0agentpr:action$/ },
    handler: () =>
      `import { reportReceiptGitHubAction } from ${JSON.stringify(join(ROOT, 'cli/receipt-github-action.ts'))}; await reportReceiptGitHubAction();`,
  },
};

/** Writes the GitHub Action as one file; it is committed, because an action is run from its repository. */
export const bundleAction = async (file) => {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: ROOT,
    input: ACTION_ENTRY,
    platform: 'node',
    logLevel: 'warn',
    plugins: [englishOnly, sentencesOfAction, webauthnOfAction, actionEntry],
    treeshake: {
      moduleSideEffects: [
        { test: OWN_MODULES, sideEffects: false },
        { test: /node_modules\/@simplewebauthn\//, sideEffects: false },
      ],
    },
  });
  const made = await build.write({
    file,
    format: 'esm',
    minify: true,
    keepNames: true,
    codeSplitting: false,
  });
  await build.close();
  return made.output.flatMap(({ moduleIds }) => moduleIds ?? []);
};

/** Puts each module into the first stage that loads it: two hundred files would be found, read and linked one by one. */
const stageGroups = (output) => {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loadedBy = (fileName, seen) => {
    if (!chunks.has(fileName) || seen.has(fileName)) return seen;
    seen.add(fileName);
    for (const other of chunks.get(fileName).imports) loadedBy(other, seen);
    return seen;
  };
  const stageOf = new Map();
  for (const [stage, files] of Object.entries(STAGES))
    for (const file of files) {
      const entry = output.find(({ facadeModuleId }) => facadeModuleId === join(ROOT, file));
      for (const fileName of loadedBy(entry.fileName, new Set()))
        for (const module of chunks.get(fileName).moduleIds)
          if (!stageOf.has(module)) stageOf.set(module, stage);
    }
  return Object.keys(STAGES).map((name) => ({ name, test: (module) => stageOf.get(module) === name }));
};

/**
 * Writes a bundle into a new folder. Returns the modules that went into it, as paths. Source maps would double the package; who needs
 * them has the checkout.
 */
export const bundleInto = async (folder, { sourcemap = true } = {}) => {
  const { rolldown } = await import('rolldown');
  const modules = new Set();
  const data = await readDataAsJson();
  const write = async (input, { isOneFile }) => {
    const build = await rolldown({
      cwd: ROOT,
      input,
      platform: 'node',
      external: EXTERNAL,
      logLevel: 'warn',
      // A loader of web-tree-sitter has one, for code of our own grammars.
      checks: { eval: false },
      resolve: { alias: { '#playground': join(ROOT, 'playground/index.ts') } },
      plugins: [englishOnly, dataAsJson(data, isOneFile), pricesAsJson],
      // A door gives many modules, and whoever comes by it takes the ones that it asked for.
      treeshake: { moduleSideEffects: [{ test: OWN_MODULES, sideEffects: false }] },
    });
    const made = await build.write({
      dir: folder,
      format: 'esm',
      minify: true,
      keepNames: true,
      sourcemap,
      sourcemapExcludeSources: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: isOneFile ? false : { groups: stageGroups((await build.generate()).output) },
    });
    await build.close();
    for (const { fileName } of made.output)
      if (fileName.endsWith('.js')) await narrow(join(folder, fileName));
    for (const chunk of made.output) for (const module of chunk.moduleIds ?? []) modules.add(module);
  };
  // The thread of replay is as large as the command that starts it, and shares what that has loaded. Readers of strangers' text load
  // nothing but themselves, and what runs in a box is one file, because a box shows nothing else.
  await write(
    { 'cli/main': 'cli/main.ts', [fileOf(REPLAY_WORKER)]: json('package.json').imports[REPLAY_WORKER] },
    { isOneFile: false },
  );
  for (const [name, file] of programs())
    if (name !== REPLAY_WORKER) await write({ [fileOf(name)]: file }, { isOneFile: true });

  mkdirSync(join(folder, 'data'), { recursive: true });
  for (const [name, text] of data.files) writeFileSync(join(folder, 'data', `${name}.json`), text);
  for (const from of Object.values(FOLDERS))
    cpSync(join(ROOT, from), join(folder, from), { recursive: true });
  for (const [key, file] of Object.entries(PACKAGE_FILES)) {
    cpSync(join(ROOT, file), join(folder, fileNameOf(key, file)));
    modules.add(join(ROOT, file));
  }
  // Their prices are in the bundle, though no module of theirs is.
  modules.add(join(ROOT, 'node_modules/@pydantic/genai-prices/dist/index.js'));
  const { name, version, type } = json('package.json');
  const imports = {
    '#package': './package.json',
    ...Object.fromEntries(Object.entries(FOLDERS).map(([key, from]) => [key, `./${from}`])),
    ...Object.fromEntries(
      Object.keys(PACKAGE_FILES).map((key) => [key, `./${fileNameOf(key, PACKAGE_FILES[key])}`]),
    ),
    '#data/*': './data/*',
    '#grammars/*': GRAMMARS,
    ...Object.fromEntries(programs().map(([key]) => [key, `./${fileOf(key)}.js`])),
  };
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, type, imports }, null, 2)}\n`,
  );
  return [...modules];
};
const WIDE = /[^\0-\x7f]/g;
const ESCAPE_LENGTH = '\\u1234'.length;
/**
 * Writes the few characters of a file that are not ASCII as escapes, where that makes it smaller in memory: V8 keeps the text of a module,
 * and Node gives it two bytes for each character of a large one as soon as one of them is not ASCII. Its source map moves along.
 */
const narrow = async (file) => {
  const text = readFileSync(file, 'utf8');
  const wide = text.match(WIDE)?.length ?? 0;
  // After a backslash, an escape would mean something else.
  if (wide === 0 || wide * (ESCAPE_LENGTH - 1) > text.length || /\\[^\0-\x7f]/.test(text)) return;
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, text.replace(WIDE, escaped));
  if (existsSync(`${file}.map`)) await moveMap(`${file}.map`, text);
};

/** Columns of a source map count what stands before them, and an escape is longer than its character. */
const moveMap = async (file, text) => {
  const { decode, encode } = await import('@jridgewell/sourcemap-codec');
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const lines = text.split('\n');
  const moved = decode(map.mappings).map((segments, line) => {
    const places = [...(lines[line] ?? '').matchAll(WIDE)].map(({ index }) => index);
    let before = 0;
    return segments.map(([column, ...rest]) => {
      while (before < places.length && places[before] < column) before += 1;
      return [column + before * (ESCAPE_LENGTH - 1), ...rest];
    });
  });
  writeFileSync(file, JSON.stringify({ ...map, mappings: encode(moved) }));
};

/** A folder for each, because a box shows the folder above the program. */
const fileOf = (name) => `${name.slice(1)}/main`;

/** A digest over path, size and time of change of each file that a bundle is made of. */
const sourcesDigest = () => {
  let text = process.version;
  const add = (path) => {
    const { size, mtimeMs } = statSync(`${ROOT}/${path}`);
    text += `${path}\0${size}\0${mtimeMs}\n`;
  };
  // Each start of a checkout does this, and Node's own recursion takes twice as long.
  const addFolder = (folder) => {
    for (const entry of readdirSync(`${ROOT}/${folder}`, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) add(path);
      else if (entry.isDirectory() && path !== 'playground/tests') addFolder(path);
    }
  };
  for (const folder of SOURCES) addFolder(folder);
  for (const file of SINGLE_SOURCES) add(file);
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
};

/**
 * The main module of a bundle of this checkout as it is now: built by the first process that asks, in a process of its own, since the
 * builder takes memory. Null where none can be built (no development packages, a read-only folder): sources run then.
 */
export const currentBundle = () => {
  const bundles = join(ROOT, 'node_modules/.cache/agentpr/bundles');
  const folder = join(bundles, sourcesDigest());
  const main = join(folder, 'cli/main.js');
  if (existsSync(main)) return main;
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    const { status } = spawnSync(process.execPath, ['--no-warnings', fileURLToPath(import.meta.url), draft], {
      stdio: 'ignore',
    });
    if (status !== 0) throw new Error('not built');
    renameSync(draft, folder);
    removeOld(bundles);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
  // Another process may have been first: its rename made ours fail, and its bundle is as good.
  return existsSync(main) ? main : null;
};

/** Older bundles may still serve a process that was started from them, so the newest few are kept. */
const removeOld = (bundles) => {
  const byAge = readdirSync(bundles)
    .map((name) => ({ name, at: statSync(join(bundles, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(MAX_BUNDLES))
    rmSync(join(bundles, name), { recursive: true, force: true });
};

const [, program, folder] = process.argv;
if (program === fileURLToPath(import.meta.url) && folder !== undefined) await bundleInto(folder);
