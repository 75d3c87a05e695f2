/**
 * G7, L5: the ledger as a file: whole with its key, chained without it, and enough to check a
 * receipt offline.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { loadDerivedKeys } from '../../../app/derived-keys.ts';
import type { Input } from '#inputs';
import { createSubmitInput } from '#runtime';
import { withReceipt } from '../../../pull-text/receipt.ts';
import { createReceipt } from '../../../orchestrator/receipts/pull-receipt.ts';
import { runCommandHere } from '../../support/command-here.ts';
import { anOrder, temporaryDirectory } from '../../support/ledger.ts';
import { inputsToCard } from '../../support/ready-run.ts';

const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');
const place = temporaryDirectory();
const data = join(place.dir, 'data');
const [whole, one, hidden, body] = ['whole', 'one', 'hidden', 'body'].map((name) =>
  join(place.dir, name),
) as [string, string, string, string];

const agentpr = (...args: string[]) =>
  runCommandHere(args, { cwd: place.dir, env: { PATH: process.env.PATH } });
/** As a process of its own, which others write beside. */
const agentprBeside = async (...args: string[]): Promise<string> => {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: place.dir, env: { PATH: process.env.PATH } });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await once(child, 'close');
  return out;
};
/** The export with one line changed. */
const forged = (change: (line: string) => string | null, of = whole): string => {
  const file = join(place.dir, 'forged');
  const lines = readFileSync(of, 'utf8').trimEnd().split('\n');
  writeFileSync(file, `${lines.flatMap((line) => change(line) ?? []).join('\n')}\n`);
  return file;
};

beforeAll(async () => {
  let now = 1_800_000_000_000;
  const ledger = await openLedger({ dataDir: data, now: () => now });
  const ids = { runId: () => 'r', nonce: () => `nonce${now}`.padEnd(20, 'x') };
  const submit = createSubmitInput({ ledger, clock: { now: () => (now += 1) }, ids });
  const offer = async (runId: string, input: Input): Promise<void> => {
    const [row] = await ledger.receive([{ source: 'chat', key: `${now}`, body: null }], now);
    const effectEpoch = (await ledger.query.run(runId))?.lifecycle.epoch ?? null;
    const said = await submit({
      runId,
      input,
      key: `chat:${now}`,
      cause: { kind: 'inbox', id: row?.id ?? -1 },
      effectEpoch,
    });
    if (said.kind !== 'written') throw new Error(`${input.type}: ${JSON.stringify(said)}`);
  };
  for (const runId of ['r1', 'r2']) {
    await offer(runId, {
      type: 'command.run.create',
      runId,
      order: anOrder({ requester: { id: '424242', name: 'Ana' } }),
    });
    for (const input of inputsToCard()) await offer(runId, input);
  }
  const run = await ledger.query.run('r1');
  if (!run?.gate.approval || !run.gate.proposal) throw new Error('no card waits');
  const { digest, fields } = run.gate.proposal;
  await offer('r1', {
    type: 'command.pr.approve',
    by: { id: '424242', name: 'Ana' },
    approvalId: run.gate.approval.id,
    digest,
  });
  await ledger.setUser({ id: '424242', name: 'Ana', role: 'approver' }, null);
  await ledger.close();
  const { policyVersion } = fields;
  const receipt = createReceipt(loadDerivedKeys(data, { mayMake: true }).receipts, {
    run: 'r1',
    digest,
    policyVersion,
    approver: 'Ana',
  });
  writeFileSync(body, withReceipt(fields.body, receipt));
  for (const [file, ...more] of [[whole], [one, '--run', 'r1'], [hidden, '--redact']] as const) {
    const { code, err } = await agentpr('audit', 'export', '--data', data, '-o', file, ...more);
    expect(err).toBe('');
    expect(code).toBe(0);
  }
});
afterAll(() => place.remove());

describe('an export', () => {
  it('L5: is verified whole with the key, of all runs and of one', async () => {
    for (const file of [whole, one]) {
      const { code, out } = await agentpr('audit', 'verify', file, '--data', data, '--json');
      expect(JSON.parse(out)).toMatchObject({ ok: true, checked: 'everything', findings: [] });
      expect(code).toBe(0);
    }
    expect(readFileSync(one, 'utf8')).not.toContain('"r2"');
  });

  it('L5: is verified by its chains without the key, and says so', async () => {
    const { code, out } = await agentpr('audit', 'verify', whole, '--data', join(place.dir, 'elsewhere'));
    expect(out).toContain('the hash chains hold. Without the key nobody can say who wrote them');
    expect(code).toBe(0);
  });

  it('L5: is read to its own line ends, whatever others are in the words', async () => {
    const [dir, file] = [join(place.dir, 'ends'), join(place.dir, 'ends.jsonl')];
    const ledger = await openLedger({ dataDir: dir, now: () => 0 });
    await ledger.setSetting('words', 'one\u2028two\u2029three\u0085four\rfive');
    await ledger.close();
    await agentpr('audit', 'export', '--data', dir, '-o', file);
    const { out, err, code } = await agentpr('audit', 'verify', file, '--data', dir);
    expect([err, out]).toEqual(['', expect.stringContaining('every chain, row MAC and decision holds')]);
    expect(code).toBe(0);
  });

  it('calls nobody a forger for a file that is no key', async () => {
    const { out, err, code } = await agentpr('audit', 'verify', whole, '--key', body);
    expect(err).toContain(`${body} is damaged, or is not a key`);
    expect([out, code]).toEqual(['', 1]);
  });

  it('says where it could not be written', async () => {
    const { code, err } = await agentpr(
      'audit',
      'export',
      '--data',
      data,
      '-o',
      join(place.dir, 'no', 'such'),
    );
    expect({ code, lines: err.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(err).toContain('ENOENT');
  });

  it('ends quietly when whoever reads it has read enough', async () => {
    const child = spawn(process.execPath, [CLI, 'audit', 'export', '--data', data], { cwd: place.dir });
    child.stdout.destroy();
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await once(child, 'close');
    expect({ err, code: child.exitCode }).toEqual({ err: '', code: 0 });
  });

  it('takes the place of no other file when there is no such run', async () => {
    const file = join(place.dir, 'kept');
    copyFileSync(whole, file);
    const { code } = await agentpr('audit', 'export', '--data', data, '--run', 'none', '-o', file);
    expect(code).toBe(4);
    expect(readFileSync(file)).toEqual(readFileSync(whole));
  });

  const wrongs: [string, (line: string) => string | null, RegExp][] = [
    [
      'a changed event',
      (l) => (l.includes('"table":"events"') ? l.replace('Mend the test', 'Mend the best') : l),
      /is not what was logged|not as it was written/,
    ],
    [
      'a missing row',
      (l) => (l.includes('"table":"installation_events"') ? null : l),
      /not as it was written/,
    ],
    ['a cut end', (l) => (l.startsWith('{"trailer"') ? null : l), /is not a complete export/],
    [
      'a line that is none',
      (l) => (l.includes('"table":"installation"') ? '{"x":1}' : l),
      /is not a row of an export/,
    ],
  ];
  it.each(wrongs)('L5: with %s is refused, with the key and without', async (_, change, says) => {
    for (const where of [data, join(place.dir, 'elsewhere')]) {
      const { code, out, err } = await agentpr('audit', 'verify', forged(change), '--data', where);
      expect(out + err).toMatch(says);
      expect(code).toBe(5);
    }
  });

  it('L5: that somebody else signed anew is found by the key', async () => {
    const { createHash } = await import('node:crypto');
    const lines = readFileSync(whole, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((l) => l.replace('\\"approver\\"', '\\"admin\\"'));
    const sha256 = createHash('sha256')
      .update(`${lines.join('\n')}\n`)
      .digest('hex');
    const trailer = {
      version: 1,
      run: null,
      redacted: false,
      rows: lines.length,
      sha256,
      mac: '0'.repeat(64),
    };
    const file = join(place.dir, 'anew');
    writeFileSync(file, `${[...lines, JSON.stringify({ trailer })].join('\n')}\n`);
    const { out, code } = await agentpr('audit', 'verify', file, '--data', data);
    expect(out).toContain('the file was not signed by this ledger');
    expect(out).toContain('installation 1 was changed or put in by somebody else');
    expect(code).toBe(5);
  });

  it('C5: redacted names no person and no chat, and is verified as a file only', async () => {
    const text = readFileSync(hidden, 'utf8');
    expect([...text.matchAll(/.{40}(?:424242|\bAna\b|chat:7)/g)].map(String)).toEqual([]);
    expect(readFileSync(whole, 'utf8')).toMatch(/424242/);
    const { out, code } = await agentpr('audit', 'verify', hidden, '--data', data);
    expect(out).toContain('the file is as it was signed; its rows are redacted');
    expect(code).toBe(0);
  });
});

describe('a receipt', () => {
  it('G7: is checked against an export without the ledger', async () => {
    const ledger = join(data, 'ledger.db');
    renameSync(ledger, `${ledger}.away`);
    try {
      for (const file of [whole, one]) {
        const { out, err, code } = await agentpr('verify-receipt', body, '--data', data, '--export', file);
        expect(err).toBe('');
        expect(out).toMatch(/^✔ Run r1: approver-[0-9a-f]{8} approved exactly [0-9a-f]{64}/);
        expect(code).toBe(0);
      }
      const { err, code } = await agentpr(
        'verify-receipt',
        body,
        '--data',
        data,
        '--export',
        forged((l) => l.replace('Ana', 'Bo')),
      );
      expect(err).toContain('The export cannot be relied on');
      expect(code).toBe(5);
    } finally {
      renameSync(`${ledger}.away`, ledger);
    }
  });

  it('G7: is checked by whoever has an export and no key, who is told what that leaves open', async () => {
    const elsewhere = ['--data', join(place.dir, 'nowhere'), '--export', whole];
    const { out, code } = await agentpr('verify-receipt', body, ...elsewhere);
    expect(out).toMatch(/^✔ Run r1: .*\n {2}The export says so\. Only the data directory/);
    expect(code).toBe(0);
    const altered = join(place.dir, 'altered');
    writeFileSync(altered, readFileSync(body, 'utf8').replace(/\w/, 'X'));
    const no = await agentpr('verify-receipt', altered, ...elsewhere);
    expect(no.out).toContain(
      '✘ That run was approved, but the text before the receipt is not what was approved.',
    );
    expect(no.code).toBe(5);
  });

  it('G7: that the ledger has forgotten, because an older copy was put back, is not confirmed', async () => {
    const older = join(place.dir, 'older');
    const ledger = await openLedger({ dataDir: older, now: () => 1 });
    await ledger.close();
    rmSync(join(older, 'keys', 'ledger.key'));
    for (const name of ['ledger.key', 'seal.key'])
      copyFileSync(join(data, 'keys', name), join(older, 'keys', name));
    const { out, code } = await agentpr('verify-receipt', body, '--data', older);
    expect(out).toContain('This ledger knows no approval of');
    expect(code).toBe(5);
  });
});

describe('replay beside a running agentpr', () => {
  it('L5: judges one moment, while steps are written all the time', async () => {
    const busy = join(place.dir, 'busy');
    const ledger = await openLedger({ dataDir: busy, now: () => 1 });
    let written = 0;
    let going = true;
    const writing = (async () => {
      for (; going; written += 1) {
        await ledger.setSetting(`s${written % 50}`, String(written));
        await ledger.receive([{ source: 'cli', key: `${written}`, body: 1 }], 1);
      }
    })();
    const said: unknown = JSON.parse(await agentprBeside('replay', '--all', '--json', '--data', busy));
    going = false;
    await writing;
    await ledger.close();
    expect(written).toBeGreaterThan(50);
    expect(said).toMatchObject({ findings: [] });
  });
});
