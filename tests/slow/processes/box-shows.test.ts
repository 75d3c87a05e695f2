/** E3: a box shows what is named, and nothing else. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listBoxMounts } from '../../../executors/sandbox/box-layout.ts';
import { createSandbox, type CommandSandbox } from '../../../executors/sandbox/create-sandbox.ts';
import { childEnvironment } from '#process';
import { dataDirectory, inBox, lacking, type Level } from '../../support/contained.ts';

const BOXES = ['bwrap', 'unshare'] as const;
const reasons = new Map(
  await Promise.all(BOXES.map(async (level) => [level, await lacking(level)] as const)),
);

const shows = async (
  level: Level,
  dataDir: string,
  more: { readable?: string[]; tools?: string[] },
): Promise<CommandSandbox> => {
  const outcome = await createSandbox({ setting: level, dataDir, ...more });
  if (outcome.kind === 'refused') throw new Error(outcome.weaknesses.join(' '));
  return outcome.sandbox;
};

/** A directory of the operator's that no rule names, with a secret in it. */
const theirs = (below: string, name = 'their own'): string => {
  const place = mkdtempSync(path.join(below, `agentpr ${name} `));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  writeFileSync(path.join(place, 'secret'), 'found\n');
  mkdirSync(path.join(place, 'bin'));
  writeFileSync(path.join(place, 'bin/tool'), `#!/bin/sh\ncat '${place}/lib'\n`, { mode: 0o755 });
  chmodSync(path.join(place, 'bin/tool'), 0o755);
  writeFileSync(path.join(place, 'lib'), 'ran\n');
  return place;
};
const isOursToWrite = (place: string): boolean => {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false; // It is not there, or we are an ordinary user.
  }
};
const project = path.resolve('.');
const cache = path.resolve('node_modules/.cache');

for (const level of BOXES) {
  const reason = reasons.get(level) ?? null;
  describe.skipIf(reason !== null)(
    `what a box by ${level} shows${reason === null ? '' : ` (${reason})`}`,
    () => {
      it('E3: hides every place that is not named: other projects and data directories, /srv, /opt, /mnt, homes', async () => {
        const at = dataDirectory();
        const other = dataDirectory();
        mkdirSync(path.join(other.dataDir, 'keys'));
        writeFileSync(path.join(other.dataDir, 'keys/seal.key'), 'found');
        const backup = path.join(project, `.env.bak-${process.pid}-${level}`);
        writeFileSync(backup, 'GITHUB_TOKEN=found');
        onTestFinished(() => rmSync(backup));
        // Empty ones show nothing in any case.
        const shared = ['/srv', '/opt', '/mnt', '/media', '/var/lib', '/var/log'].filter(isOursToWrite);
        const places = [cache, homedir(), ...shared]
          .map((below) => theirs(below))
          .map((place) => `'${place}/secret'`);
        const text = `
        cat '${other.dataDir}/keys/seal.key' '${other.dataDir}/ledger.db' '${backup}' '${project}/package.json' ${places.join(' ')} 2>/dev/null
        cat /etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/* /etc/environment /etc/npmrc 2>/dev/null
        for d in /srv /opt /mnt /media /home /root /boot /var/lib /var/log /var/spool /run /sys; do ls -A $d 2>/dev/null; done
        find / -xdev -name '*.key' -not -path '/usr/*' -not -path '/proc/*' 2>/dev/null; echo end`;
        const { stdout } = await inBox(await shows(level, at.dataDir, {}), at, text);
        const ways = ['/root', '/home', '/srv', '/opt', '/mnt'].filter((top) =>
          at.dataDir.startsWith(`${top}/`),
        );
        const way = ways.map((top) => `${path.relative(top, at.dataDir).split('/')[0] ?? ''}\n`).join('');
        expect(stdout).toBe(`${way}end\n`);
      });

      it('shows what `readable` names, also below a home whose path has a blank, and through links, to read only', async () => {
        const at = dataDirectory();
        const [place, elsewhere] = [theirs(homedir(), 'my src'), theirs(cache)];
        const link = path.join(elsewhere, 'link');
        symlinkSync(place, link);
        const sandbox = await shows(level, at.dataDir, { readable: [link] });
        const text = `cat '${place}/secret' '${link}/secret'; (echo x >'${place}/secret') 2>/dev/null || echo refused
        cat '${elsewhere}/secret' 2>/dev/null; '${place}/bin/tool'`;
        expect((await inBox(sandbox, at, text)).stdout).toBe('found\nfound\nrefused\nran\n');
      });

      it('finds the programs of `tools`, with what is installed around them, but not around one in a home', async () => {
        const at = dataDirectory();
        const [place, home] = [theirs(path.resolve('/var/tmp')), theirs(homedir())];
        const tools = [path.join(place, 'bin'), path.join(home, 'bin')];
        const env = { env: childEnvironment({ home: at.home, tools: tools.slice(0, 1) }) };
        const text = `tool; cat '${home}/secret' 2>/dev/null; ls '${home}/bin'`;
        const { stdout } = await inBox(await shows(level, at.dataDir, { tools }), at, text, { wrap: env });
        expect(stdout).toBe('ran\ntool\n');
      });

      it('shows the certificates that the operator’s environment names', async () => {
        const at = dataDirectory();
        const place = theirs(cache);
        const pass = { NODE_EXTRA_CA_CERTS: `${place}/secret`, LANG: 'C' };
        const env = { env: childEnvironment({ home: at.home, pass }) };
        const text = `cat "$NODE_EXTRA_CA_CERTS"; cat '${place}/lib' 2>/dev/null; echo end`;
        const { stdout } = await inBox(await shows(level, at.dataDir, {}), at, text, { wrap: env });
        expect(stdout).toBe('found\nend\n');
      });

      it('leaves what programs need: names, addresses, certificates, time zones, libraries, languages', async () => {
        const at = dataDirectory();
        const text = `getent hosts localhost >/dev/null && echo hosts; id -un >/dev/null && echo names
        TZ=Asia/Shanghai date +%Z; git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m m && echo git
        [ ! -e /usr/bin/perl ] || perl -e 'use POSIX; print "perl\\n"'; cmp /etc/resolv.conf /etc/resolv.conf && echo resolver
        node -e 'require("tls").createSecureContext(); console.log("tls")'; [ ! -d /usr/share/ca-certificates ] || ls /etc/ssl/certs/*.pem >/dev/null && echo certificates`;
        const { stdout } = await inBox(await shows(level, at.dataDir, {}), at, text);
        expect(stdout).toBe('hosts\nnames\nCST\ngit\nperl\nresolver\ntls\ncertificates\n');
      });
    },
  );
}

it('makes what it shows of /etc once, and never shows what others may not read', async () => {
  const at = dataDirectory();
  const level = BOXES.find((one) => reasons.get(one) === null);
  if (level === undefined) return;
  // The one that tests share may be of several states of /etc.
  rmSync(path.join(at.dataDir, 'box'));
  for (let i = 0; i < 2; i += 1) await inBox(await shows(level, at.dataDir, {}), at, 'true');
  const made = readdirSync(path.join(at.dataDir, 'box'));
  expect(made).toHaveLength(1);
  const names = readdirSync(path.join(at.dataDir, 'box', made[0] ?? ''));
  expect(names).toContain('hosts');
  for (const secret of ['shadow', 'gshadow', 'sudoers', 'ssh', 'environment'])
    expect(names).not.toContain(secret);
});

/** As root only: settings of this machine for everybody, and one for its owner alone. */
const isOurs = process.getuid?.() === 0 && existsSync('/etc/profile.d');
it.skipIf(!isOurs)(
  'E3: shows no password in settings for everybody, and nothing that is for its owner alone',
  async () => {
    const at = dataDirectory();
    const level = BOXES.find((one) => reasons.get(one) === null);
    if (level === undefined) return;
    const settings = {
      plain: ['export http_proxy=http://proxy.example:3128\n', 0o644],
      proxy: ['export http_proxy=http://ana:hunter2@proxy.example:3128\n', 0o644],
      index: [
        'export PIP_INDEX_URL="https://__token__:glpat-a1b2c3d4e5f6g7h8i9j0@gitlab.example/simple"\n',
        0o644,
      ],
      key: [`export API_KEY=${'sk-'}proj-a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6\n`, 0o644],
      pem: ['-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n', 0o644],
      own: ['umask 077\n', 0o600],
    } as const;
    const name = (of: string): string => `agentpr-${process.pid}-${of}.sh`;
    for (const [of, [text, mode]] of Object.entries(settings)) {
      const place = path.join('/etc/profile.d', name(of));
      writeFileSync(place, text);
      chmodSync(place, mode);
      onTestFinished(() => rmSync(place));
    }
    const { stdout } = await inBox(await shows(level, at.dataDir, {}), at, 'ls /etc/profile.d');
    expect(stdout.split('\n').filter((one) => one.startsWith(`agentpr-${process.pid}-`))).toEqual([
      name('plain'),
    ]);
  },
);

it('names each place once, refines a parent by what lies in it, and shows no parent of what it hides', () => {
  const at = dataDirectory();
  const places = listBoxMounts({
    hidden: [at.dataDir],
    writable: [at.workspace, at.home],
    readable: ['/usr/bin', '/'],
  });
  const paths = places.map((place) => place.path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual([...paths].sort());
  // Whoever asks for everything gets it, but for what is hidden.
  expect(places[0]).toEqual({ kind: 'read', path: '/' });
  expect(places).toContainEqual({ kind: 'hide', path: at.dataDir, file: false });
});
