/** L6, O2: a migration killed between statements, broken pages, and data directories nobody can use. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger, checkStoredLedger } from '../../../db/directory/open-ledger.ts';
import type { Ledger } from '#ports/ledger';
import { temporaryDirectory, write } from '../../support/ledger.ts';
import { writeLedger } from '../../support/told-ledger.ts';

const VICTIM = join(import.meta.dirname, '../../support/weather-victim.ts');
const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');
const root = process.getuid?.() === 0;
const NOBODY = 65_534;

type Said = { opened?: boolean; refused?: string; ddl?: number };
/** Opens a ledger in another process; it is held until `release`. */
const opens = (dir: string, { dieAt, uid }: { dieAt?: number; uid?: number } = {}) => {
  const argv = [VICTIM, dir, ...(dieAt === undefined ? [] : [String(dieAt)])];
  const child = spawn(process.execPath, argv, {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close');
  return {
    opened: async (): Promise<Said> => {
      if (out === '') await Promise.race([once(child.stdout, 'data'), ended]);
      return said(out, err);
    },
    release: () => void child.stdin.end(),
    ended: async (): Promise<Said & { signal: NodeJS.Signals | null }> => {
      child.stdin.end();
      await ended;
      return { ...said(out, child.signalCode ? '' : err), signal: child.signalCode };
    },
  };
};
const said = (out: string, err: string): Said => {
  if (out === '' && err !== '') throw new Error(err);
  return out === '' ? {} : (JSON.parse(out) as Said);
};

let place: ReturnType<typeof temporaryDirectory>;
let opened: Ledger[] = [];
const open = async (dataDir = place.dir, now: () => number = () => 0): Promise<Ledger> => {
  const ledger = await openLedger({ dataDir, now });
  opened.push(ledger);
  return ledger;
};
const close = async (): Promise<void> => {
  for (const ledger of opened.splice(0)) await ledger.close();
};
beforeEach(() => {
  place = temporaryDirectory();
  opened = [];
});
afterEach(async () => {
  try {
    await close();
  } finally {
    place.remove();
  }
});

describe('damage', () => {
  it('O2: a broken page stops the start with a sentence, and doctor says it, too', async () => {
    await writeLedger(place.dir);
    expect(checkStoredLedger(place.dir)).toBeNull();
    const file = join(place.dir, 'ledger.db');
    const pages = statSync(file).size / 8_192;
    const fd = openSync(file, 'r+');
    writeSync(fd, Buffer.alloc(8_192, 0xa5), 0, 8_192, Math.floor(pages / 2) * 8_192);
    closeSync(fd);
    const sentence = 'The ledger file is damaged. Stop agentpr, keep a copy of the data directory';
    await expect(open()).rejects.toThrow(sentence);
    expect(checkStoredLedger(place.dir)?.message).toContain(sentence);
    const env = {
      PATH: process.env.PATH,
      HOME: place.dir,
      AGENTPR_DATA_DIR: place.dir,
      TELEGRAM_BOT_TOKEN: '1:x',
      TELEGRAM_ADMIN_IDS: '1',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:1',
      GITHUB_TOKEN: 'x',
      GITHUB_API_URL: 'http://127.0.0.1:1',
    };
    const doctor = spawn(process.execPath, [CLI, 'doctor'], { cwd: place.dir, env });
    let out = '';
    doctor.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await once(doctor, 'close');
    expect(out).toMatch(/✘ ledger +The ledger file is damaged/);
    expect(out).toContain('→ Restore the data directory from a backup');
    const start = spawnSync(process.execPath, [CLI, 'start'], {
      cwd: place.dir,
      env: { ...env, LANG: 'zh_CN.UTF-8' },
      encoding: 'utf8',
    });
    expect(start.stderr).toMatch(/^账本文件已损坏。/);
  });
});

describe('a migration', () => {
  it('L6: of an empty directory that is killed between any two statements has happened whole or not at all', async () => {
    const deaths: number[] = [];
    for (let dieAt = 1; ; dieAt += 4) {
      const dir = join(place.dir, String(dieAt));
      const { signal, opened: whole } = await opens(dir, { dieAt }).ended();
      if (whole) break;
      expect(signal).toBe('SIGKILL');
      deaths.push(dieAt);
      const ledger = await open(dir);
      expect(await ledger.query.runs({ live: false, limit: 9 })).toEqual([]);
      expect((await write(ledger, 'next')).kind).toBe('written');
      await close();
      rmSync(dir, { recursive: true });
    }
    expect(deaths.length).toBeGreaterThan(7);
  });
});

describe('a data directory', () => {
  /** Where an ordinary user can reach it. */
  const forNobody = (mode: number): void => {
    chownSync(place.dir, NOBODY, NOBODY);
    for (const path of [
      join(place.dir, 'keys'),
      join(place.dir, 'ledger.db'),
      join(place.dir, 'keys/ledger.key'),
      join(place.dir, 'lock.db'),
    ])
      if (existsSync(path)) chownSync(path, NOBODY, NOBODY);
    chmodSync(place.dir, mode);
  };

  it('that is read-only is refused with a sentence', async () => {
    await writeLedger(place.dir);
    if (root) forNobody(0o555);
    else chmodSync(place.dir, 0o555);
    for (const name of ['ledger.db', 'lock.db']) chmodSync(join(place.dir, name), 0o444);
    const { refused } = await opens(place.dir, root ? { uid: NOBODY } : {}).ended();
    chmodSync(place.dir, 0o755);
    expect(refused).toMatch(/The ledger cannot be (written|opened).*(right to write|may read and write)/);
  });

  it('that can never be made is refused with a sentence', async (context) => {
    if (!existsSync('/proc/self')) return context.skip('no /proc here');
    const { refused } = await opens('/proc/agentpr/data').ended();
    expect(refused).toMatch(/^The data directory \/proc\/agentpr\/data cannot be made .*Choose one/);
  });

  it.each(['ledger.db', 'lock.db', 'keys/ledger.key', 'keys/ledger.anchor'])(
    'with a folder in place of %s is refused with a sentence',
    async (name) => {
      await writeLedger(place.dir);
      rmSync(join(place.dir, name), { force: true });
      mkdirSync(join(place.dir, name), { mode: 0o700 });
      const { refused } = await opens(place.dir).ended();
      expect(refused).toMatch(/^(In the data directory there is a folder|The ledger cannot be opened)/);
    },
  );

  it('of another user is refused with a sentence', async (context) => {
    if (!root) return context.skip('only root can give a directory to another user');
    await writeLedger(place.dir);
    chmodSync(place.dir, 0o777);
    const { refused } = await opens(place.dir, { uid: NOBODY }).ended();
    expect(refused).toContain(
      `The data directory ${place.dir} belongs to another user (id 0, and this is ${NOBODY})`,
    );
  });
});
