/** The systemd unit that `agentpr service` writes, judged by systemd itself where it is installed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '#process';

const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');
const SETTINGS = 'TELEGRAM_BOT_TOKEN=1:x\nTELEGRAM_ADMIN_IDS=1\nGITHUB_TOKEN=x\nAGENTPR_HTTP_PORT=1\n';
/** Signs that mean something to systemd. */
const ODD = 'Ana’s 100% $HOME "it"';

let folder: string;
beforeEach(() => {
  folder = join(makeTemporaryDirectory('agentpr-service-'), ODD);
  mkdirSync(folder);
  writeFileSync(join(folder, '.env'), SETTINGS);
});
afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }));

const agentpr = (...args: string[]) => {
  const env = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'service', ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, out: stdout, err: stderr };
};
const printed = (...args: string[]): string => agentpr('install', '--print', ...args).out;
const installed = (): string => join(folder, 'config/systemd/user/agentpr.service');
const put = (text: string): void => {
  mkdirSync(dirname(installed()), { recursive: true });
  writeFileSync(installed(), text);
};

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
const isHere = analyze('--version').status === 0;

it.skipIf(!isHere)('O1: systemd finds nothing wrong with either unit, in a folder of any name', () => {
  for (const [scope, ...more] of [['system', '--as', 'daemon'], ['user']] as const) {
    const file = join(dirname(folder), 'agentpr.service');
    writeFileSync(file, printed(`--${scope}`, ...more));
    const { status, stdout, stderr } = analyze('verify', '--man=no', file);
    const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(file));
    expect({ status, ours }).toEqual({ status: 0, ours: [] });
    // 10 is a service that is not confined at all, as one is that says nothing.
    const judged = analyze('security', '--offline=true', '--threshold=40', file);
    if (scope === 'system') expect(judged.stdout).toMatch(/exposure level for agentpr.service: [0-3]\.\d OK/);
  }
});

it('O1: what would keep boxes from being built is not asked for', () => {
  const unit = printed('--user');
  expect(unit).not.toMatch(/ProtectHostname|ProcSubset|ProtectProc|ProtectKernelTunables|MemoryDenyWrite/);
  for (const name of ['user', 'mnt', 'pid', 'net', 'ipc', 'uts'])
    expect(unit).toMatch(new RegExp(`^RestrictNamespaces=.*\\b${name}\\b`, 'm'));
  expect(unit).toContain(`WorkingDirectory=${folder.replaceAll('%', '%%')}\n`);
});

it('O1: no secret is in it; and a role goes to the command', () => {
  expect(printed('--user')).not.toMatch(/TOKEN|1:x/);
  expect(printed('--user', '--role', 'worker')).toMatch(/^ExecStart=.* "start" "--role" "worker"$/m);
});

it.each([
  [['install', '--system'], 2, 'Say which account it runs as: --as <account>'],
  [['install', '--system', '--as', 'nobody-of-that-name'], 4, 'There is no account nobody-of-that-name'],
  [['install', '--system', '--as', 'x; reboot'], 4, 'There is no account'],
  [['install', '--user', '--as', 'root'], 2, '--as is for a system service'],
  [['install', '--user', '--system'], 2, 'Choose one'],
  [['install', '--user', '--role', 'boss'], 2, 'Allowed choices are all, control, worker'],
  [['uninstall', '--user'], 4, 'There is no '],
])('O1: `service %s` is refused with %i', (args, status, says) => {
  const said = agentpr(...args);
  expect(said.status).toBe(status);
  expect(said.err).toContain(says);
});

it('O1: without settings that a start could use, no unit is written', () => {
  writeFileSync(join(folder, '.env'), '');
  expect(agentpr('install', '--print', '--user')).toMatchObject({ status: 78, out: '' });
});

it('O1: status says that a unit was edited, starts what is gone, or is not ours; and uninstall leaves others alone', () => {
  put(printed('--user'));
  expect(agentpr('status', '--user').out).toContain(`✔ unit      ${installed()}`);
  put(printed('--user').replace('RestartSec=10', 'RestartSec=1'));
  expect(agentpr('status', '--user').out).toContain('was edited since it was written');
  put(printed('--user').replace('cli/agentpr.js', 'cli/gone.js'));
  expect(agentpr('status', '--user').out).toMatch(/it starts \S+gone.js, which is not there any more/);
  const other = '[Service]\nExecStart=/bin/true\n';
  put(other);
  expect(agentpr('status', '--user').out).toContain('was not written by agentpr');
  expect(agentpr('uninstall', '--user')).toMatchObject({ status: 3 });
  expect(readFileSync(installed(), 'utf8')).toBe(other);
});

const isManaged = existsSync('/run/systemd/system');
it.skipIf(isManaged)('O1: where systemd does not run, a unit is printed and none is installed', () => {
  const said = agentpr('install', '--user');
  expect(said).toMatchObject({ status: 69 });
  expect(said.err).toContain('systemd does not run this machine. `--print` prints the unit');
  expect(existsSync(installed())).toBe(false);
});
