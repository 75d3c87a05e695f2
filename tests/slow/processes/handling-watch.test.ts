/** L9: which row is at fault when a real process hangs, crashes or is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../support/contained.ts';

const WATCH = join(import.meta.dirname, '../../../app/handling-watch.ts');
/** What a bystander and the culprit do; both are in hand all the time. */
const program = (place: string, act: string): string => `
import { setTimeout as after } from 'node:timers/promises';
import { createHandlingWatch } from ${JSON.stringify(WATCH)};
const watch = createHandlingWatch(${JSON.stringify(place)}, { error: () => {} });
watch.within('bystander', () => after(60_000));
watch.within('culprit', async () => {
  await after(10);
  console.log('begun ' + watch.stopsAt('culprit') + watch.stopsAt('bystander') + watch.setAside.length);
  ${act}
});`;

let place: string;
beforeEach(() => void (place = mkdtempSync(join(tmpdir(), 'agentpr-watch-'))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** Returns what the process said when it began. */
const run = async (act: string, until: () => boolean): Promise<string> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program(place, act)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'exit');
  await eventually(() => (said !== '' && until()) || child.exitCode !== null, 20_000);
  child.kill('SIGKILL');
  await ended;
  return said.trim();
};
const mark = (): string => readFileSync(join(place, 'stopped-at'), 'utf8');
const isMarked = (): boolean => existsSync(join(place, 'stopped-at')) && mark() !== '';
const HANGS = "/^(a+)+$/.test('a'.repeat(60) + 'b');";

it('L9: an expression that hangs is found out while it hangs, the second time is proof, and nothing beside it is accused', async () => {
  expect(await run(HANGS, isMarked)).toBe('begun 000');
  expect(mark()).toBe('culprit');
  expect(await run(HANGS, isMarked)).toBe('begun 100');
  expect(await run('', () => true)).toBe('begun 201');
});

it('L9: a crash is the fault of what threw', async () => {
  await run("setTimeout(() => { throw new Error('late') }, 5);", () => false);
  expect(mark()).toBe('culprit');
});

it('L9: a kill from outside is nobody’s fault, and a stall that ends is forgotten', async () => {
  await run('await after(60_000)', () => true);
  expect(existsSync(join(place, 'stopped-at'))).toBe(false);
  const stall =
    "for (const end = Date.now() + 6_000; Date.now() < end;); console.log('over'); await after(60_000)";
  let was = false;
  await run(stall, () => (was ||= isMarked()) && !existsSync(join(place, 'stopped-at')));
  expect(was).toBe(true);
  expect(existsSync(join(place, 'stopped-at'))).toBe(false);
});
