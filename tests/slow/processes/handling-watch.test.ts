/** L9: which row is at fault when a real process hangs, crashes or is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const WATCH = join(import.meta.dirname, '../../../app/watchdog.ts');
/** What a bystander and the culprit do; both are in hand all the time. */
const program = (place: string, act: string, maxTurnMs: number): string => `
import { setTimeout as after } from 'node:timers/promises';
import { createHandlingWatch } from ${JSON.stringify(WATCH)};
const watch = createHandlingWatch(${JSON.stringify(place)}, { error: () => {} }, ${maxTurnMs});
const spin = (ms) => {
  for (const end = process.threadCpuUsage().user + ms * 1_000; process.threadCpuUsage().user < end;);
};
watch.within('bystander', () => after(60_000)).catch(() => {});
watch.within('culprit', async () => {
  await after(10);
  console.log('begun ' + watch.stopsAt('culprit') + watch.stopsAt('bystander'));
  ${act}
}).catch(() => {});`;

let place: string;
beforeEach(() => void (place = mkdtempSync(join(tmpdir(), 'agentpr-watch-'))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

type End = { said: string; signal: NodeJS.Signals | null; err: string };
/** Ends by itself, or is killed once it has said that. */
const run = async (act: string, killedAt?: string, maxTurnMs = 2_000): Promise<End> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(place, act, maxTurnMs)]);
  const end: End = { said: '', signal: null, err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    end.said += chunk.toString();
    if (killedAt !== undefined && end.said.includes(killedAt)) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => (end.err += chunk.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { ...end, said: end.said.trim(), signal };
};
const mark = (): string | null =>
  existsSync(join(place, 'stopped-at')) ? readFileSync(join(place, 'stopped-at'), 'utf8') : null;
const HANGS = "/^(a+)+$/.test('a'.repeat(60) + 'b');";

it('L9: an expression that hangs ends the process, which names it, and nothing beside it is accused', async () => {
  const { said, signal, err } = await run(HANGS);
  expect([said, signal, mark()]).toEqual(['begun 00', 'SIGKILL', 'culprit']);
  expect(err).toContain('"at":"culprit","msg":"the process hangs, and ends itself"}\n');
  expect((await run("console.log('over')", 'over')).said).toBe('begun 10\nover');
});

it('L9: a crash is the fault of what threw, and so is a rejection that nobody took', async () => {
  await run("setTimeout(() => { throw new Error('late') }, 5); await after(60_000);");
  expect(mark()).toBe('culprit');
  await run("void Promise.reject(new Error('forgotten')); await after(60_000);");
  expect(mark()).toBe('culprit');
});

it('L9: a kill from outside is nobody’s fault, however long it has stood still by then', async () => {
  await run('await after(60_000)', 'begun');
  expect(mark()).toBe(null);
  // Longer than any stall may take, but it waits, as for a disk.
  const WAITS = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);';
  await run(`${WAITS} console.log('over'); await after(60_000);`, 'over');
  expect(mark()).toBe(null);
  await run("spin(4_500); console.log('stands'); spin(60_000);", 'stands', 60_000);
  expect(mark()).toBe(null);
});
