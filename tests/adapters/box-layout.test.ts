/** E3: which places a box shows, hides and lets be written to, before any box is made. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { boxLayout, type BoxMount } from '../../executors/sandbox/box-layout.ts';

/** Below no home. */
const folder = (...names: string[]): string => {
  const place = realpathSync(mkdtempSync('/var/tmp/agentpr-test-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  for (const name of names) mkdirSync(path.join(place, name), { recursive: true });
  return place;
};
const layout = (more: Partial<Parameters<typeof boxLayout>[0]>): BoxMount[] =>
  boxLayout({ hidden: [], writable: [], readable: [], ...more });

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
  expect(shownWith('jdk/bin')).toEqual([at('jdk')]);
  for (const tool of ['people/ana/bin', 'people/ana/.tools/bin', 'people/bin'])
    expect(shownWith(tool)).toEqual([at(tool)]);
});
