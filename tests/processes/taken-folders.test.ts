/** E20: what comes back from another machine is the archive of a stranger. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { downloadFolders, uploadFolders } from '../../executors/sandbox/hosts/transfer-folders.ts';
import { DEFAULT_LIMITS } from '../../executors/sandbox/box-settings.ts';

type Entry = { name: string; type?: string; to?: string; text?: string; mode?: number };
const BLOCK = 512;

const tarEntry = ({ name, type = '0', to = '', text = '', mode = 0o644 }: Entry): Buffer => {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  head.write(name, 0);
  head.write(octal(mode, 8) + octal(0, 8) + octal(0, 8), 100);
  head.write(octal(text.length, 12) + octal(1_700_000_000, 12) + '        ' + type, 124);
  head.write(to, 157);
  head.write('ustar\u000000', 257);
  head.write(octal(1, 8) + octal(3, 8), 329);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  const body = Buffer.alloc(Math.ceil(text.length / BLOCK) * BLOCK);
  body.write(text);
  return Buffer.concat([head, body]);
};
const folderEntry = (name: string): Entry => ({ name: `${name}/`, type: '5', mode: 0o755 });
const HONEST = [folderEntry('box'), folderEntry('box/tree'), folderEntry('box/home')];

/** A machine that answers with an archive of its choice, and keeps what it was sent. */
const machineWith = (
  entries: readonly Entry[],
  { ends = 0, cut = 0 }: { ends?: number; cut?: number } = {},
) => {
  const dir = mkdtempSync(path.join(tmpdir(), 'taken-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [tree, home, staging] = [
    path.join(dir, 'run/tree'),
    path.join(dir, 'run/home'),
    path.join(dir, 'staging'),
  ];
  for (const folder of [tree, home, path.join(staging, 'start')]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(tree, 'mine'), 'mine');
  const archive = Buffer.concat([...entries.map(tarEntry), Buffer.alloc(2 * BLOCK)]);
  writeFileSync(path.join(dir, 'archive'), archive.subarray(0, archive.length - cut));
  const program = path.join(dir, 'docker');
  const script = `#!/bin/sh
if [ "$3" = - ]; then cat ${dir}/archive; exit ${ends}; fi
cat >${dir}/sent`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  const engine = {
    ...({ name: 'docker', file: program, env: { PATH: process.env['PATH'] ?? '' }, version: '28' } as const),
    isRootless: false,
    mapsUsers: false,
    host: 'ssh://there',
    arch: process.arch,
    root: null,
    controllers: [],
    isDrained: false,
  };
  const transfer = { engine, holder: 'holder', staging, signal: new AbortController().signal };
  const folders = { tree, home };
  return {
    dir,
    tree,
    home,
    take: () => uploadFolders(transfer, folders, 'start'),
    bring: (limits = DEFAULT_LIMITS) => downloadFolders(transfer, folders, limits),
    sent: path.join(dir, 'sent'),
  };
};

it('brings files, links and modes back, in place of what went there', async () => {
  const at = machineWith([
    ...HONEST,
    { name: 'box/tree/run', text: 'one', mode: 0o755 },
    { name: 'box/tree/same', type: '1', to: 'box/tree/run' },
    { name: 'box/tree/link', type: '2', to: 'run' },
    { name: 'box/home/.cache', text: 'two' },
  ]);
  expect(await at.bring()).toBeNull();
  expect(readdirSync(at.tree).sort()).toEqual(['link', 'run', 'same']);
  expect(statSync(path.join(at.tree, 'run')).mode & 0o777).toBe(0o755);
  expect(statSync(path.join(at.tree, 'same')).nlink).toBe(2);
  expect(readFileSync(path.join(at.home, '.cache'), 'utf8')).toBe('two');
  expect(readdirSync(path.dirname(at.tree)).sort()).toEqual(['home', 'tree']);
});

it.each<[string, Entry[]]>([
  ['a name that leads up', [{ name: 'box/tree/../../../../evil', text: 'x' }]],
  ['a whole name', [{ name: '/tmp/agentpr-evil', text: 'x' }]],
  [
    'a name behind a link',
    [
      { name: 'box/tree/out', type: '2', to: '../../../' },
      { name: 'box/tree/out/evil', text: 'x' },
    ],
  ],
  ['a hard link to a file of ours', [{ name: 'box/tree/stolen', type: '1', to: '../../../archive' }]],
  ['a device', [{ name: 'box/tree/null', type: '3', mode: 0o666 }]],
  ['no folder at all', [{ name: 'box/tree', text: 'x' }]],
])('E20: writes nothing elsewhere for %s', async (_, entries) => {
  const at = machineWith([...(entries[0]?.name === 'box/tree' ? HONEST.slice(0, 1) : HONEST), ...entries]);
  await at.bring();
  expect(existsSync(path.join(at.dir, 'evil')) || existsSync(path.join(at.dir, 'run/evil'))).toBe(false);
  expect(existsSync('/tmp/agentpr-evil') || existsSync(path.join(at.dir, '../evil'))).toBe(false);
  expect(statSync(path.join(at.dir, 'archive')).nlink).toBe(1);
  const device = lstatSync(path.join(at.tree, 'null'), { throwIfNoEntry: false });
  expect(device?.isCharacterDevice() ?? false).toBe(false);
  expect(readdirSync(path.dirname(at.tree)).sort()).toEqual(['home', 'tree']);
});

it('E20: gives no program the rights of its owner', async () => {
  const at = machineWith([...HONEST, { name: 'box/tree/su', text: 'x', mode: 0o4755 }]);
  expect(await at.bring()).toBeNull();
  expect(statSync(path.join(at.tree, 'su')).mode & 0o7000).toBe(0);
});

it.each([
  ['is cut in the middle', { cut: 1_400 }],
  ['ends well, but its sender did not', { ends: 1 }],
])('E20: changes nothing here where the archive %s', async (_, how) => {
  const at = machineWith([...HONEST, { name: 'box/tree/theirs', text: 'x'.repeat(600) }], how);
  expect((await at.bring())?.excess).toMatchObject({ limit: 'lost' });
  expect(readdirSync(at.tree)).toEqual(['mine']);
  expect(readdirSync(path.dirname(at.tree)).sort()).toEqual(['home', 'tree']);
});

it('E20: takes no more than a run may write', async () => {
  const at = machineWith([...HONEST, { name: 'box/tree/big', text: 'x'.repeat(3_000_000) }]);
  expect((await at.bring({ ...DEFAULT_LIMITS, diskMb: 1 }))?.excess).toBeDefined();
  expect(readdirSync(at.tree)).toEqual(['mine']);
});
