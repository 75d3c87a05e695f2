/**
 * `node cli/agentpr.js` on a Node that is too old: it goes on with the one of its packages,
 * wherever they were installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '#process';

const ROOT = join(import.meta.dirname, '../../..');
const CLI = join(ROOT, 'cli/agentpr.js');
const NODE = `node-${process.platform}-${process.arch}`;

/** This Node, which takes itself for an older one. The one that it starts does not. */
const claims = (version: string): string[] => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
];
const put = (file: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
};

let place: string;
beforeEach(() => {
  // A blank and a letter beyond ASCII, as in the names of people's folders.
  place = join(makeTemporaryDirectory('agentpr-own-'), 'Ana’s packages');
});
afterEach(() => rmSync(dirname(place), { recursive: true, force: true }));

/** What npm unpacks of ours; instead of the command, something that says who runs it. */
const install = (at: string): string => {
  put(join(at, 'package.json'), '{"name":"agentpr","version":"0.1.0","type":"module"}');
  put(
    join(at, 'bundle/cli/main.js'),
    'export const main = async (argv) => { console.log(JSON.stringify([process.versions.node, argv])); process.exitCode = 3; };',
  );
  mkdirSync(join(at, 'cli'));
  copyFileSync(CLI, join(at, 'cli/agentpr.js'));
  return join(at, 'cli/agentpr.js');
};
const installNode = (at: string): void => {
  put(join(at, 'package.json'), `{"name":"${NODE}","version":"24.0.0"}`);
  put(join(at, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755);
};
const installLink = (at: string): void => {
  put(join(at, 'package.json'), `{"name":"${NODE}","version":"20.0.0"}`);
  mkdirSync(join(at, 'bin'));
  symlinkSync(process.execPath, join(at, 'bin/node'));
};
const start = (file: string, version = '20.20.2', args: string[] = ['run', 'create', 'a b', "it's"]) =>
  spawnSync(process.execPath, [...claims(version), file, ...args], { encoding: 'utf8', cwd: '/' });

const LAYOUTS: Readonly<Record<string, (at: string) => string>> = {
  'beside ours, as npm hoists them': (at) => {
    installNode(join(at, 'node_modules', NODE));
    return install(join(at, 'node_modules/agentpr'));
  },
  'below ours, as in a global installation': (at) => {
    const cli = install(join(at, 'lib/node_modules/agentpr'));
    installNode(join(at, 'lib/node_modules/agentpr/node_modules', NODE));
    return cli;
  },
  'two folders up, as in a workspace': (at) => {
    installNode(join(at, 'node_modules', NODE));
    return install(join(at, 'apps/bot/node_modules/agentpr'));
  },
  'behind links, as with pnpm': (at) => {
    const store = join(at, 'node_modules/.pnpm');
    installNode(join(store, `${NODE}@24.0.0/node_modules`, NODE));
    install(join(store, 'agentpr@0.1.0/node_modules/agentpr'));
    symlinkSync(
      join(store, `${NODE}@24.0.0/node_modules`, NODE),
      join(store, 'agentpr@0.1.0/node_modules', NODE),
    );
    symlinkSync(join(store, 'agentpr@0.1.0/node_modules/agentpr'), join(at, 'node_modules/agentpr'));
    return join(at, 'node_modules/agentpr/cli/agentpr.js');
  },
  'beside ours, and we are started by a link on PATH': (at) => {
    installNode(join(at, 'lib/node_modules', NODE));
    const cli = install(join(at, 'lib/node_modules/agentpr'));
    mkdirSync(join(at, 'bin'));
    symlinkSync(cli, join(at, 'bin/agentpr'));
    return join(at, 'bin/agentpr');
  },
};

describe('the Node of the packages', () => {
  it.each(Object.entries(LAYOUTS))('O2: is found %s', (_, lay) => {
    const { stdout, stderr, status } = start(lay(place));
    expect({ stderr, status }).toEqual({ stderr: '', status: 3 });
    expect(JSON.parse(stdout)).toEqual([process.versions.node, ['run', 'create', 'a b', "it's"]]);
  });

  it.each(['0.10.48', '12.22.12', '18.20.8', '20.20.2', '22.17.9'])(
    'O2: is what a Node %s goes on with',
    (version) => {
      installNode(join(place, 'node_modules', NODE));
      const { stdout } = start(install(join(place, 'node_modules/agentpr')), version);
      expect(JSON.parse(stdout)).toMatchObject([process.versions.node, {}]);
    },
  );

  it.each([
    ['is missing', () => {}],
    [
      'is for another machine',
      (at: string) => {
        installNode(at);
        // What the kernel says of a program whose loader is not here.
        put(join(at, 'bin/node'), '#!/nonexistent/ld.so\n', 0o755);
      },
    ],
    ['is a folder', (at: string) => mkdirSync(join(at, 'bin/node'), { recursive: true })],
    ['is itself too old', (at: string) => installLink(at)],
  ])('O2: is asked for in a sentence when it %s', (_, spoil) => {
    spoil(join(place, 'node_modules', NODE));
    const { stderr, status } = start(install(join(place, 'node_modules/agentpr')));
    expect(status).toBe(69);
    expect(stderr).toMatch(/^AgentPR needs Node 22\.18 or newer; this is 20\.20\.2\. [^\n]+\n$/);
  });

  it('O2: ends with us: whoever stops us stops it, and its end is ours', async () => {
    installNode(join(place, 'node_modules', NODE));
    const cli = install(join(place, 'node_modules/agentpr'));
    put(
      join(place, 'node_modules/agentpr/bundle/cli/main.js'),
      `export const main = async () => { process.on('SIGTERM', () => process.exit(41)); setInterval(() => {}, 1000); console.log('up'); };`,
    );
    const child = spawn(process.execPath, [...claims('20.20.2'), cli], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([41, null]);
  });
});

/** Old ones that this machine happens to have. */
const old = (process.env.PATH ?? '')
  .split(':')
  .map((folder) => join(folder, 'node'))
  .flatMap((node) => {
    const version =
      spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return major >= 16 && (major < 22 || (major === 22 && minor < 18)) ? [{ node, version }] : [];
  })
  .slice(0, 1);

it.skipIf(old.length === 0)('O2: an old Node that is really here runs this very checkout', () => {
  for (const { node } of old) {
    const { stdout, stderr } = spawnSync(node, [CLI, '--version'], { encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect({ stdout, stderr }).toEqual({ stdout: `${version}\n`, stderr: '' });
  }
});

it('O2: what is started first asks nothing of Node by name that Node 16 does not have', () => {
  const named = [...readFileSync(CLI, 'utf8').matchAll(/^import \{([^}]+)\} from 'node:([^']+)';$/gm)];
  expect(named.length).toBeGreaterThan(3);
  const known = new Set([
    'spawn',
    'existsSync',
    'realpathSync',
    'constants',
    'dirname',
    'join',
    'fileURLToPath',
    'pathToFileURL',
    'setFlagsFromString',
  ]);
  for (const [, names = '', from = ''] of named) {
    expect(builtinModules).toContain(from);
    expect(
      names
        .split(',')
        .map((n) => n.trim())
        .filter((n) => !known.has(n)),
    ).toEqual([]);
  }
});
