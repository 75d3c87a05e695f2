/** O2: where bubblewrap cannot build a box, doctor, start and init name the cause and its remedy. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { BOX_ERRORS } from '../../support/box-errors.ts';
import { dataDirectory } from '../../support/contained.ts';

const CLI = path.resolve(import.meta.dirname, '../../../cli/agentpr.js');
const PROBE = path.resolve(import.meta.dirname, '../../../executors/sandbox/probe-containment.ts');
const BWRAP = '/usr/bin/bwrap';

/** In a namespace of its own, a program of ours stands where bubblewrap stands. */
const NAMESPACE = ['--user', '--map-root-user', '--mount', '--', 'sh', '-c'];
const COVERED = 'mount --bind "$0" /usr/bin/bwrap && exec "$@"';
const lacking = !existsSync(BWRAP)
  ? 'no bubblewrap to cover'
  : spawnSync('unshare', [...NAMESPACE, 'mount --bind /bin/true /usr/bin/bwrap']).status === 0
    ? null
    : 'no user namespaces';

const fakeBwrap = (): { dir: string; fake: string; says: string } => {
  const { workspace: dir } = dataDirectory();
  const [fake, says] = [path.join(dir, 'bwrap'), path.join(dir, 'says')];
  writeFileSync(fake, `#!/bin/sh\ncat '${says}' >&2\nexit 1\n`);
  chmodSync(fake, 0o755);
  return { dir, fake, says };
};

const run = (fake: string, argv: string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  spawnSync('unshare', [...NAMESPACE, COVERED, fake, process.execPath, ...argv], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, LANG: 'C.UTF-8', ...env },
    encoding: 'utf8',
  });

it.skipIf(lacking !== null)('O2: the probe tells each cause from what bubblewrap really prints', () => {
  const { dir, fake, says } = fakeBwrap();
  const script = `
    const { writeFileSync } = await import('node:fs');
    const { probeContainment } = await import(${JSON.stringify(PROBE)});
    const all = {};
    for (const [name, said] of Object.entries(JSON.parse(process.argv[1]))) {
      writeFileSync(${JSON.stringify(says)}, said + '\\n');
      const { level, fault } = await probeContainment('bwrap');
      all[name] = [level, fault.kind];
    }
    console.log(JSON.stringify(all));`;
  const { absent: _, ...printed } = BOX_ERRORS;
  const { stdout, stderr } = run(fake, ['-e', script, JSON.stringify(printed)], dir);
  expect(stderr).toBe('');
  const found = JSON.parse(stdout) as Record<string, [string, string]>;
  expect(Object.values(found).every(([level]) => level === 'group')).toBe(true);
  expect(Object.fromEntries(Object.entries(found).map(([name, [, kind]]) => [name, kind]))).toMatchObject({
    uidMap: 'box_apparmor',
    loopback: 'box_apparmor',
    tooMany: 'box_userns_off',
    proc: 'box_proc_covered',
    setuid: 'box_setuid',
    old: 'box_too_old',
    other: 'box_other',
  });
});

it.skipIf(lacking !== null)(
  'O2: doctor and start say cause and remedy, and not to install what is there',
  () => {
    const { dir, fake, says } = fakeBwrap();
    writeFileSync(says, `${BOX_ERRORS.uidMap}\n`);
    const env = {
      TELEGRAM_BOT_TOKEN: '1:x',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
      TELEGRAM_ADMIN_IDS: '1',
      GITHUB_TOKEN: 'x',
      GITHUB_API_URL: 'http://127.0.0.1:9',
      AGENTPR_HTTP_PORT: '0',
    };
    const doctor = run(fake, [CLI, 'doctor', '--json'], dir, env);
    const checks = JSON.parse(doctor.stdout) as { name: string; ok: boolean; says: string; fix: string }[];
    const cause = `AppArmor forbids user namespaces to bwrap, which says “${BOX_ERRORS.uidMap}”`;
    const remedy =
      'Give bwrap an AppArmor profile (docs/operating.md), or allow them to every program: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0.';
    expect(checks.find(({ name }) => name === 'sandbox')).toEqual({
      name: 'sandbox',
      ok: false,
      says: cause,
      fix: remedy,
    });
    const start = run(fake, [CLI, 'start'], dir, env);
    expect(start.status).not.toBe(0);
    expect(start.stderr).toContain(
      `${cause}. ${remedy} Or accept a weaker sandbox with AGENTPR_SANDBOX=auto.`,
    );
    expect(`${doctor.stdout}${start.stderr}`).not.toContain('apt-get install bubblewrap');
  },
);

it.skipIf(lacking !== null)(
  'O2: a bubblewrap that cannot be started is called missing, with how to get it',
  () => {
    const { dir } = fakeBwrap();
    mkdirSync(path.join(dir, 'bin'));
    const missing = path.join(dir, 'bin/bwrap');
    writeFileSync(missing, '#!/nowhere/sh\n', { mode: 0o755 });
    const script = `const { probeContainment } = await import(${JSON.stringify(PROBE)});
    console.log(JSON.stringify((await probeContainment('bwrap')).fault));`;
    const { stdout } = run(missing, ['-e', script], dir);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'box_absent', program: 'bwrap' });
  },
);
