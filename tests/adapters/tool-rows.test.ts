/** O3: an operator adds rows of tools by a folder, and is told what is wrong with one. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import { readSettings } from '../../app/settings-schema.ts';
import { findPurpose } from '#tools';
import { addToolRows, toolRows } from '../../tools/tool-rows.ts';

const XMAKE =
  "names: xmake\nlanguage: cpp\ncommands:\n  - for: test\n    behind: ' test\\b'\n    example: xmake test\n";
const folderWith = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};
const take = (toolRows: string): void => void readSettings(JSON.stringify({ toolRows }));
const refusalOf = (folder: string): string => {
  try {
    take(folder);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

const takeAway = addToolRows([]);
afterEach(takeAway);

describe('a folder of rows', () => {
  it('O3: adds a tool that nobody knows', () => {
    expect(findPurpose('xmake test')).toBeNull();
    take(folderWith({ 'xmake.yaml': XMAKE }));
    expect(findPurpose('xmake test')).toMatchObject({ purpose: 'test', language: 'cpp' });
  });

  it('O3: takes the place of our row by the name of its file', () => {
    const before = toolRows().length;
    take(
      folderWith({
        'ant.yaml': "names: ant\ncommands: [{ for: lint, behind: ' look\\b', example: ant look }]\n",
      }),
    );
    expect(findPurpose('ant look')?.purpose).toBe('lint');
    expect(findPurpose('ant test')).toBeNull();
    expect(toolRows()).toHaveLength(before);
  });

  it('O3: says a registry that the settings may then name', () => {
    const row = 'registry: { name: xrepo, path: xrepo, base: "https://xrepo.example" }\n';
    const settings = { toolRows: folderWith({ 'xrepo.yaml': row }), network: { registries: ['xrepo'] } };
    expect(readSettings(JSON.stringify(settings)).network.registries).toEqual(['xrepo']);
  });

  it('O3: holds in threads that begin later', async () => {
    take(folderWith({ 'xmake.yaml': XMAKE }));
    const tools = pathToFileURL(join(import.meta.dirname, '../../tools/index.ts')).href;
    const asks = `import { parentPort } from 'node:worker_threads'; import { findPurpose } from '${tools}'; parentPort.postMessage(findPurpose('xmake test')?.purpose);`;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(asks)}`));
    const said = await new Promise((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
    });
    await thread.terminate();
    expect(said).toBe('test');
  });
});

describe('a row that says what none may say', () => {
  it.each([
    ['a key that nobody knows', { 'xmake.yaml': `${XMAKE}list: {}\n` }, /xmake\.yaml, line 7: .*list/],
    [
      'a pattern that is none',
      { 'xmake.yaml': XMAKE.replace('test\\b', '(') },
      /xmake\.yaml, line 5: .*regular expression \(commands\.0\.behind\)/,
    ],
    [
      'flags before a pattern that is a part of ours',
      { 'xmake.yaml': `${XMAKE}harmless:\n  options: (?i)-q\n` },
      /xmake\.yaml, line 8: takes no flags in front \(harmless\.options\)/,
    ],
    [
      'flags before one that is a key',
      { 'xmake.yaml': `${XMAKE}settingsFiles:\n  (?i)xmake\\.lua: xmake.lua\n` },
      /xmake\.yaml, line \d+: takes no flags in front \(settingsFiles\./,
    ],
    [
      'flags before words of a task',
      { 'xmake.yaml': `${XMAKE}formatsWith:\n  (?i)xmake f: xmake f\n` },
      /xmake\.yaml, line \d+: takes no flags in front \(formatsWith\./,
    ],
    ['no YAML', { 'xmake.yaml': `${XMAKE}a: [\n` }, /xmake\.yaml, line [78]: /],
    [
      'a name that another row tells of',
      { 'mine.yaml': 'names: pytest\n' },
      /mine\.yaml, line 1: names pytest, which pytest\.yaml tells of already/,
    ],
    [
      'a name told twice',
      { 'a.yaml': 'names: xmake\n', 'b.yaml': 'names: xmake\n' },
      /b\.yaml, line 1: names xmake, which a\.yaml/,
    ],
    ['no rows', { 'xmake.yml': XMAKE }, /holds no \.yaml file/],
  ])('O3: is refused with its place: %s', (_, files, says) => {
    const rows = toolRows();
    expect(refusalOf(folderWith(files))).toMatch(says);
    expect(toolRows()).toBe(rows);
  });

  it('O3: is refused where the folder is not there', () => {
    expect(refusalOf('/nowhere/tools')).toMatch(
      /toolRows names \/nowhere\/tools, which cannot be read: ENOENT/,
    );
  });
});
