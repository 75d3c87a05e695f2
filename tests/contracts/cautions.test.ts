/**
 * What the gate card says of a change besides its lines: what is hidden, left out, and what kind of
 * change a file is.
 */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { LANGUAGE_CODES } from '../../bot/language/languages.ts';
import { stripMarkup } from '#chat-text';
import { showPath } from '../../bot/text/telegram-html.ts';
import { naturesOf } from '#views';
import type { Run } from '#run';
import { cautionLine, naturesIn } from '../../bot/views/cautions.ts';
import type { Finding } from '#model/change';
import { aRun } from '../support/ledger.ts';
import { file, someCommit, someDiff, someProposal } from '../support/ready-run.ts';

const found = (kind: Finding['kind'], path: string, count?: number): Finding => ({
  kind,
  path,
  line: 0,
  note: { kind: 'looks_same' },
  ...(count === undefined ? {} : { count }),
});
const runWith = (diff: Parameters<typeof someDiff>[0]): Run =>
  patchRun(aRun('r7k2', 0), {
    agent: { containment: 'bwrap' },
    change: { commit: someCommit(someDiff(diff)) },
  });
const said = (findings: Finding[], language: 'en' | 'zh' = 'en'): string =>
  stripMarkup(cautionLine(runWith({ findings }), LANGUAGE_TEXTS[language]));

describe('the cautions of a card', () => {
  it('G8: count the lines that are hidden, of all files and of every kind of line', () => {
    expect(said([found('hidden_line', 'a', 3), found('hidden_line', 'b')])).toBe(
      '⚠ 4 lines hidden as secret',
    );
    expect(said([found('hidden_line', 'a')])).toBe('⚠ 1 line hidden as secret');
    expect(said([])).toBe('');
  });

  it.each([
    ['en', '⚠ main takes only signed commits; this one is not signed'],
    ['zh', '⚠ main 只接受已签名的提交；这个提交没有签名'],
  ] as const)('G8: say that the base takes only signed commits, where ours is not, in %s', (code, says) => {
    const run = patchRun(runWith({}), {
      target: { base: { ref: 'main', sha: '', repoId: '1' }, requiresSignedCommits: true },
    });
    expect(stripMarkup(cautionLine(run, LANGUAGE_TEXTS[code]))).toBe(says);
    const signed = { ...run, gate: { ...run.gate, proposal: someProposal({ signer: 'SHA256:x' }) } };
    expect(stripMarkup(cautionLine(signed, LANGUAGE_TEXTS[code]))).toBe('');
  });

  it('G8: count files that are left out, not findings, and call nothing so that is published', () => {
    const left = [
      found('bad_name', 'x'),
      found('too_large', 'big.bin'),
      found('hard_link', 'big.bin'),
      found('skipped_ignored', '', 5),
    ];
    expect(said(left)).toBe(
      '⚠ 7 files left out: linked from outside, bad name, too large, ignored by the repository',
    );
    expect(said([found('not_read', 'a'), found('symlink_escape', 'b'), found('hidden_text', 'c')])).toBe('');
  });

  it('C4: say what the agent did with the Git of its workspace', () => {
    const note = { kind: 'agent_stashed', count: 1 } as const;
    expect(said([{ kind: 'agent_git', path: '', line: 0, note }])).toBe(
      '⚠ the agent put changes into a stash, and they are left out',
    );
  });

  it('C2: name what many files are, each kind with its number', () => {
    const files = ['a', 'b', 'c', 'd'].map((path) => ({ ...file(path, 0, 0), newMode: '100755' }));
    const run = runWith({
      files,
      findings: [found('line_endings_only', 'a'), found('whitespace_only', 'b')],
    });
    expect(naturesIn(run, LANGUAGE_TEXTS.en)).toBe(
      '4 made executable, 1 line endings only, 1 whitespace only',
    );
  });

  it.each(LANGUAGE_CODES)('C8: have a word for every nature and for all that is left out, in %s', (code) => {
    const { card } = LANGUAGE_TEXTS[code];
    for (const word of [...Object.values(card.natures), ...Object.values(card.leftOut)])
      expect(word).not.toBe('');
    expect(said([found('hidden_line', 'a', 2)], code)).toContain('2');
  });

  it('C2: tell mode bits, new names and line ends apart', () => {
    const diff = someDiff({ findings: [found('line_endings_only', 'a'), found('lfs_raw', 'a')] });
    const of = (changes: object): string => naturesOf(diff, { ...file('a', 0, 0), ...changes }).join();
    expect(of({})).toBe('lineEndings,lfsRaw');
    expect(of({ newMode: '100755' })).toContain('executable');
    expect(of({ oldMode: '100755' })).toContain('notExecutable');
    expect(of({ oldPath: 'z', status: 'renamed' })).toContain('renamed');
    expect(of({ newMode: '120000' })).toContain('link');
  });

  it('G8: show the blanks of a name that could be missed', () => {
    expect(showPath('src/a.js ', 40)).toBe('src/a.js\\u{20}');
    expect(showPath('src/a\nb.js', 40)).toBe('src/a\\u{a}b.js');
  });
});
