/** Files that test runners, builds and hooks read by convention (E13). */
import { toolFiles } from '#tools';
import { baseName } from '#model/paths';

const BOOTSTRAP = /(?:^|\/)tests?\/bootstrap\.php$/i;

/** Python imports from the tests' and the start folder first, so these shadow its own modules. */
const MODULE_FILE = /^(?:tests?\/)?([\w.]+?)(?:\.(?:py|pyc|so)|\/__(?:init|main)__\.py)$/;
const STANDARD_LIBRARY: ReadonlySet<string> = new Set(
  'doctest abc argparse ast asyncio atexit bdb builtins codecs collections contextlib copy dataclasses difflib enum errno fnmatch functools gc getpass glob importlib inspect io itertools json linecache locale logging math operator os pathlib pdb pickle platform pprint queue random re reprlib runpy shlex shutil signal site string struct subprocess sys tempfile textwrap threading time tokenize traceback types typing uuid warnings weakref xml zipfile'.split(
    ' ',
  ),
);
const shadowsModule = (path: string): boolean => {
  const name = MODULE_FILE.exec(path)?.[1] ?? '';
  return STANDARD_LIBRARY.has(name) || toolFiles().modules.has(name);
};

/** Test data and vendored code configure nothing. */
const GIVEN = /(?:^|\/)(?:__fixtures__|fixtures?|testdata|test-data|node_modules|vendor|third_party)\//i;

/** `package.json` is read in part; see `manifest-fields.ts`. */
export const isRunnerFile = (path: string): boolean =>
  !GIVEN.test(path) &&
  (toolFiles().settings.test(baseName(path)) ||
    toolFiles().settingsFolder.test(path) ||
    BOOTSTRAP.test(path) ||
    shadowsModule(path));

/** Test files change with the code, and have findings of their own. */
export const isTestFile = (path: string): boolean =>
  /^test_[^/]*\.py$|[._-](?:test|spec)\.[a-z]+$|(?:tests?|spec)\.(?:java|kt|cs|php|scala)$/i.test(
    baseName(path),
  );
