/** L9: how often the process stopped at something, over its starts. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWatchdog, type OpenHandlingWatch } from '../../app/watchdog.ts';

let place: string;
let opened: OpenHandlingWatch | undefined;
beforeEach(() => void (place = mkdtempSync(join(tmpdir(), 'agentpr-watch-'))));
afterEach(() => {
  opened?.end();
  rmSync(place, { recursive: true, force: true });
});
const start = (stoppedAt?: string): OpenHandlingWatch => {
  opened?.end();
  if (stoppedAt !== undefined) writeFileSync(join(place, 'stopped-at'), stoppedAt);
  return (opened = createWatchdog(place, { error: () => {} }));
};
const stops = (): unknown => JSON.parse(readFileSync(join(place, 'stops.json'), 'utf8'));

it('L9: counts over restarts, each stop once', () => {
  expect(start('a').stopped()).toEqual(['a']);
  expect(start().stopsAt('a')).toBe(1);
  expect(start('b').stopsAt('a')).toBe(1);
  const third = start('a');
  expect([third.stopsAt('a'), third.stopsAt('b'), third.stopped()]).toEqual([2, 1, ['a', 'b']]);
});

it('L9: what is handled after all is harmless', async () => {
  const watch = start('a');
  await watch.within('a', async () => {});
  expect(watch.stopsAt('a')).toBe(0);
  expect(existsSync(join(place, 'stops.json'))).toBe(false);
});

it('L9: what fails keeps its count, since it may not have come so far', async () => {
  const watch = start('a');
  await watch.within('a', async () => Promise.reject(new Error('away'))).catch(() => {});
  expect(stops()).toEqual({ a: 1 });
});

it('L9: a torn file counts nothing, and stops no start', () => {
  writeFileSync(join(place, 'stops.json'), '{"a":');
  expect(start().stopped()).toEqual([]);
});

it('L9: two workers count their own stops at one step, and none sets aside what the other stopped at', () => {
  const other = join(place, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'stopped-at'), 'effect 7 push');
  const here = start('effect 7 push');
  const there = createWatchdog(other, { error: () => {} });
  expect([here.stopsAt('effect 7 push'), there.stopsAt('effect 7 push')]).toEqual([1, 1]);
  here.forget('effect 7 push');
  expect([here.stopsAt('effect 7 push'), there.stopsAt('effect 7 push')]).toEqual([0, 1]);
  there.end();
});
