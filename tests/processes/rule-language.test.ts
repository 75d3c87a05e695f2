/** E7: a translator adds a language of rules by one YAML file. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../rules/product.ts';

const CZECH = String.raw`classes:
  bans:
    model:
      whole: true
      words: { 'uměl\p{L}+ inteligenc\p{L}+': umělé inteligence }
      not: [inteligence]
    made:
      whole: true
      words: { '(?:vytvoř|generova|vygenerova|napsan)\p{L}*': vytvořený, 'kód\p{L}*|příspěv\p{L}*': příspěvky }
      not: [odpověď]
    refuses:
      whole: true
      words: { 'nepřijím\p{L}+|zakázán\p{L}+|odmít\p{L}+': nepřijímáme }
      not: [přijímáme]
    unless:
      whole: true
      plain: bez pokud kromě
      not: [ale]
`;

describe('a language of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('E7: is one YAML file: a ban in Czech is asked about before, and stops a run after', () => {
    for (const part of ['discovery', 'governor', 'model', 'text-safety', 'tools', 'package.json'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const ban = 'Příspěvky vytvořené pomocí umělé inteligence nepřijímáme.';
    const limited = 'Příspěvky vytvořené pomocí umělé inteligence bez testů nepřijímáme.';
    const program = `import { readContributionRules } from './discovery/contribution-rules.ts';
      const says = (text) => readContributionRules([{ path: 'CONTRIBUTING.md', text }]).rules.map(({ kind }) => kind);
      console.log(JSON.stringify([${JSON.stringify(ban)}, ${JSON.stringify(limited)}].map(says)));`;
    const readBoth = (): unknown => {
      const options = { cwd: folder, encoding: 'utf8' } as const;
      return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], options));
    };
    expect(readBoth()).toEqual([['other'], ['other']]);
    writeFileSync(join(folder, 'discovery/rules/cs.yaml'), CZECH);
    expect(readBoth()).toEqual([['ai_ban'], ['other']]);
  });
});
