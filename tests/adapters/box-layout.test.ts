/** E3: which places a box shows, hides and lets be written to, before any box is made. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBwrapCommand, createUnshareCommand } from '../../executors/sandbox/box-commands.ts';
import { listBoxMounts, type BoxMount } from '../../executors/sandbox/box-layout.ts';
import { createCommandWrapper } from '../../executors/sandbox/wrap-command.ts';

/** Below no home. */
const folder = (...names: string[]): string => {
  const place = realpathSync(mkdtempSync('/var/tmp/agentpr-test-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  for (const name of names) mkdirSync(path.join(place, name), { recursive: true });
  return place;
};
const layout = (more: Partial<Parameters<typeof listBoxMounts>[0]>): BoxMount[] =>
  listBoxMounts({ hidden: [], writable: [], readable: [], ...more });

it('E3: settings of the working directory are hidden, also where the directory itself is shown', () => {
  const place = folder();
  const before = process.cwd();
  process.chdir(place);
  onTestFinished(() => process.chdir(before));
  const names = ['.env', 'agentpr.config.json'];
  for (const name of [...names, 'plain.txt']) writeFileSync(path.join(place, name), 'GITHUB_TOKEN=x');
  const shown = layout({ readable: [place] }).filter((one) => one.path.startsWith(place));
  expect(shown).toEqual([
    { kind: 'read', path: place },
    ...names.map((name) => ({ kind: 'hide', path: path.join(place, name), file: true })),
  ]);
});

it('E3: a folder of programs shows what is installed around it, but no home, above or below', () => {
  const place = folder('jdk/bin', 'people/ana/bin', 'people/ana/.tools/bin', 'people/bin');
  const at = (name: string): string => path.join(place, name);
  const before = process.env['HOME'];
  process.env['HOME'] = at('people/ana');
  onTestFinished(() => {
    if (before === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before;
  });
  const shownWith = (tool: string): string[] =>
    layout({ tools: [at(tool)] }).flatMap((one) => (one.path.startsWith(place) ? [one.path] : []));
  const inHomes = ['people/ana/bin', 'people/ana/.tools/bin', 'people/bin'];
  expect([shownWith('jdk/bin'), ...inHomes.map(shownWith)]).toEqual([
    [at('jdk')],
    ...inHomes.map((tool) => [at(tool)]),
  ]);
});

describe('the command of a box', () => {
  const places: BoxMount[] = [
    { kind: 'hide', path: '/data', file: false },
    { kind: 'write', path: '/data/ws' },
    { kind: 'hide', path: '/data/ws/.env', file: true },
  ];
  const input = {
    argv: ['true'],
    cwd: '/data/ws',
    places,
    network: false,
    scratchMb: 1,
    filter: null,
  } as const;

  it.each([true, false])('E3: by bwrap closes what it made, after everything is there', (ownProc) => {
    const { inherit } = createBwrapCommand({ ...input, ownProc });
    const options = String(inherit[0]?.content ?? '')
      .split('\0')
      .slice(0, -1);
    const hidden = options.lastIndexOf('/data/ws/.env');
    expect(options.slice(hidden + 1)).toEqual([
      ...['--remount-ro', '/data'],
      ...['--remount-ro', '/'],
      ...['--chdir', '/data/ws'],
    ]);
  });

  it('E3: by bwrap gives it namespaces, a session and no rights of ours', () => {
    const { inherit } = createBwrapCommand({ ...input, ownProc: true });
    const options = String(inherit[0]?.content ?? '').split('\0');
    for (const [name, ...values] of [
      ...[['--unshare-all'], ['--new-session'], ['--die-with-parent'], ['--cap-drop', 'ALL']],
    ])
      expect(options.slice(options.indexOf(name ?? '')).slice(0, 1 + values.length)).toEqual([
        name,
        ...values,
      ]);
    expect(options).not.toContain('--share-net');
  });

  it('E22: has its filter of system calls, by bwrap in a descriptor and by unshare as a word', () => {
    const filter = { program: new Uint8Array([6, 0, 0, 0, 0, 0, 255, 127]), prctl: 157 };
    const { inherit } = createBwrapCommand({ ...input, ownProc: true, filter });
    const options = String(inherit[0]?.content ?? '').split('\0');
    expect(options.slice(options.indexOf('--seccomp')).slice(0, 2)).toEqual(['--seccomp', '4']);
    expect(inherit[1]).toEqual({ fd: 4, content: filter.program });
    const { argv } = createUnshareCommand({ ...input, ownProc: true, filter });
    expect(argv).toContain('060000000000ff7f');
    expect(createBwrapCommand({ ...input, ownProc: true }).inherit).toHaveLength(1);
  });

  it.each([true, false])(
    'E3: by bwrap shows devices, the kernel and what is read for reading alone',
    (ownProc) => {
      const shown: BoxMount[] = [...places, { kind: 'read', path: '/tool' }];
      const { inherit } = createBwrapCommand({ ...input, places: shown, ownProc });
      const options = String(inherit[0]?.content ?? '').split('\0');
      const isGiven = (...words: string[]): boolean =>
        options.some((_, from) => words.every((word, no) => options[from + no] === word));
      expect(isGiven('--remount-ro', '/dev')).toBe(true);
      expect(isGiven('--ro-bind', '/tool', '/tool')).toBe(true);
      const kernel = ownProc ? '/proc/sys' : '/proc';
      expect(isGiven('--ro-bind', kernel, kernel)).toBe(true);
      expect(options.filter((word) => word === '--bind')).toHaveLength(1);
    },
  );

  it('E3: hides the data directory and what the operator hides, below what is shown', () => {
    const place = folder('shown/data/runs/r1/ws', 'shown/keys');
    const around = `${place}/shown`;
    const [data, keys, ws] = [`${around}/data`, `${around}/keys`, `${around}/data/runs/r1/ws`];
    const wrap = createCommandWrapper(
      { kind: 'bwrap', ownProc: true, filter: null },
      { dataDir: data, hidden: [keys], readable: [around], tools: [] },
      { tags: [], capsFor: null, scratchMb: 1, etc: null },
    );
    const { inherit } = wrap({
      runId: 'r1',
      argv: ['true'],
      cwd: ws,
      writable: [ws],
      network: 'none',
      env: {},
    });
    const options = String(inherit[0]?.content ?? '');
    for (const words of [
      ['--ro-bind', around, around],
      ['--tmpfs', data],
      ['--tmpfs', keys],
      ['--bind', ws, ws],
    ])
      expect(options).toContain(`${words.join('\0')}\0`);
  });

  it('E3: by unshare has namespaces of its own, and ends with whoever started it', () => {
    const { argv } = createUnshareCommand({ ...input, ownProc: true });
    const before = argv.slice(0, argv.indexOf('/bin/sh'));
    expect(before.slice(0, 4)).toEqual(['setpriv', '--pdeathsig', 'SIGKILL', '--']);
    for (const one of [
      '--user',
      '--mount',
      '--pid',
      '--ipc',
      '--uts',
      '--cgroup',
      '--net',
      '--kill-child=SIGKILL',
    ])
      expect(before).toContain(one);
    expect(createUnshareCommand({ ...input, network: true, ownProc: true }).argv).not.toContain('--net');
  });

  // A box that writes where it may not is refused at the start, and what runs it is then skipped.
  it('E3: by unshare makes the root, the kernel and what is read read-only', () => {
    const { argv } = createUnshareCommand({ ...input, ownProc: true });
    const script = argv[argv.indexOf('-c') + 1]?.split('\n').map((line) => line.trim());
    expect(script).toEqual(
      expect.arrayContaining([
        'mount -n -o remount,bind,ro,nosuid,nodev /',
        '[ ! -e proc/$name ] || echo "/proc/$name $box/proc/$name none bind,ro 0 0"',
        'mount -n -o "remount,bind,ro${flags#rw}" "$point"',
      ]),
    );
  });

  it('E3: by unshare closes what it hid', () => {
    const { argv } = createUnshareCommand({ ...input, ownProc: true });
    expect(argv.slice(argv.indexOf('/data/ws/.env') + 2)).toEqual(['--', '/data', '--', 'true']);
  });
});
