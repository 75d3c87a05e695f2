/** E3: what executes repository bytes sees and writes only what it may, and nobody gets away. */
import { LANGUAGE_TEXTS } from '#language';
import { childEnvironment, passableEnvironment } from '#process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainBoxFault } from '../../app/sandbox-setup.ts';
import type { BoxFault } from '../../executors/sandbox/box-faults.ts';
import { listBoxMounts } from '../../executors/sandbox/box-layout.ts';
import {
  describeBox,
  describeContainment,
  plantSecret,
  SECRET,
  type LevelUnderTest,
} from '../support/containment-contract.ts';
import { killProcessTree, listProcessTree, markPrefix } from '../../executors/process/process-tree.ts';
import { dataDirectory, eventually, inBox, lacking, LEVELS, sandboxOf } from '../support/contained.ts';

plantSecret();

const reasons = new Map(
  await Promise.all(LEVELS.map(async (level) => [level, await lacking(level)] as const)),
);

for (const level of LEVELS) {
  const isBox = level !== 'group';
  const underTest: LevelUnderTest = {
    name: level,
    isBox,
    system: 'host',
    start: { setting: level },
    reason: reasons.get(level) ?? null,
    sandboxOf: (dataDir, hidden) => sandboxOf(level, dataDir, hidden),
  };
  describeContainment(underTest);
  if (isBox) describeBox(underTest);
}

describe.each(['bwrap', 'unshare'] as const)('a box by %s', (level) => {
  it.skipIf(reasons.get(level) !== null).each([
    ['without a way out', []],
    ['with a way out', ['out']],
  ])(
    'L6: %s ends with AgentPR, at whichever moment of its opening that dies, and whoever its parent is',
    async (_, sockets) => {
      const at = dataDirectory();
      const script = fileURLToPath(new URL('../support/opens-boxes.ts', import.meta.url));
      const args = [level, at.dataDir, ...sockets.map((name) => path.join(at.dataDir, name))];
      const mark = markPrefix(at.dataDir, 'r1');
      const left = () => listProcessTree({ root: null, start: 0, mark }, new Map());
      onTestFinished(async () => void (await killProcessTree({ root: null, start: 0, mark })));
      const { signal } = await execa(process.execPath, [script, ...args], { reject: false });
      expect(signal).toBe('SIGKILL');
      expect(await eventually(() => left().length === 0, 10_000)).toBe(true);
    },
  );
});

it.skipIf(reasons.get('bwrap') !== null)(
  'E3: a box by bwrap has a session of its own, so that it reaches no terminal outside',
  async () => {
    const at = dataDirectory();
    const text = `cut -d' ' -f6 /proc/self/stat; : </dev/tty`;
    const { stdout, stderr } = await inBox(await sandboxOf('bwrap', at.dataDir), at, text);
    // A session outside has no number inside.
    expect(stdout).toMatch(/^[1-9]\d*\n$/);
    expect(stderr).toContain('/dev/tty');
  },
);

describe('the choice of a level', () => {
  it.skipIf(reasons.get('unshare') !== null)(
    'E3: refuses with a sentence when the box that was asked for does not work, and never falls back silently',
    async () => {
      const at = dataDirectory();
      const script = `
      const { createSandbox } = await import(${JSON.stringify(fileURLToPath(new URL('../../executors/sandbox/create-sandbox.ts', import.meta.url)))});
      const strict = await createSandbox({ setting: 'bwrap', dataDir: process.argv[1] });
      const auto = await createSandbox({ setting: 'auto', dataDir: process.argv[1] });
      console.log(JSON.stringify([strict, { kind: auto.kind, level: auto.sandbox.level, weaknesses: auto.sandbox.weaknesses }]));`;
      // Inside a user namespace that may make no further ones, no box can be built.
      const inner = `echo 0 >/proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"`;
      const args = [
        '--user',
        '--map-root-user',
        'sh',
        '-c',
        inner,
        'sh',
        '--',
        process.execPath,
        '-e',
        script,
      ];
      const { stdout } = await execa('unshare', [...args, at.dataDir]);
      const [strict, auto] = JSON.parse(stdout) as [
        { kind: string; fault: BoxFault },
        { level: string; weaknesses: string[] },
      ];
      expect(strict.kind).toBe('refused');
      expect(explainBoxFault(LANGUAGE_TEXTS.en, strict.fault)).toMatch(
        /no more user namespaces; bwrap says “.+”\. Run: sysctl -w user\.max_user_namespaces=15000\. .*AGENTPR_SANDBOX=auto\.$/,
      );
      expect(auto.level).toBe('group');
      expect(auto.weaknesses.join(' ')).toMatch(/unshare does not work here/);
    },
  );

  it('cannot promise a cut network without a box, and says so', async () => {
    const at = dataDirectory();
    const sandbox = await sandboxOf('group', at.dataDir);
    expect(() => inBox(sandbox, at, 'true', { wrap: { network: 'none' } })).toThrow(/cannot cut the network/);
  });
});

describe('what is shown', () => {
  it('orders parents before what lies in them, and leaves out what a hidden parent covers', () => {
    const at = dataDirectory();
    const places = listBoxMounts({
      hidden: [at.dataDir, at.other],
      writable: [at.workspace, at.home],
      readable: [],
    });
    const mine = places.filter(({ path: place }) => place.startsWith(at.dataDir));
    expect(mine.map((place) => [place.kind, path.relative(at.dataDir, place.path)])).toEqual(
      expect.arrayContaining([
        ['write', 'runs/r1/home'],
        ['write', 'runs/r1/ws'],
      ]),
    );
    expect(mine.some((place) => place.path === at.other)).toBe(false);
    expect(places.map(({ path: place }) => place)).toEqual(places.map(({ path: place }) => place).sort());
  });

  it('refuses to show what is to be hidden', () => {
    const at = dataDirectory();
    expect(() => listBoxMounts({ hidden: [at.dataDir], writable: [at.dataDir], readable: [] })).toThrow(
      /both hidden/,
    );
  });

  it('E3: lets no token and no address with a password pass from the operator', () => {
    const passed = passableEnvironment({
      GITHUB_TOKEN: SECRET,
      ANTHROPIC_API_KEY: SECRET,
      HTTPS_PROXY: `http://me:${SECRET}@proxy:1`,
      NO_PROXY: 'localhost',
      TZ: 'Asia/Shanghai',
    });
    expect(passed).toEqual({ NO_PROXY: 'localhost', TZ: 'Asia/Shanghai' });
    expect(
      passableEnvironment({ GOPROXY: 'file:///srv/go', npm_config_registry: 'http://r:1', GOROOT: '/x' }),
    ).toEqual({
      GOPROXY: 'file:///srv/go',
      npm_config_registry: 'http://r:1',
    });
    const env = childEnvironment({ home: '/h', pass: { ...passed, PATH: '/evil', HOME: '/evil' } });
    expect(env).toMatchObject({ HOME: '/h', TZ: 'Asia/Shanghai', CI: 'true', TERM: 'dumb' });
    expect(env['PATH']?.split(':')).toContain(path.dirname(process.execPath));
    expect(env['PATH']).not.toContain('evil');
  });
});
