/**
 * C9: a hundred cards that are not the usual one. Each is a question that can be read at once, fits
 * a message, names nothing of the installation, and leads to every fact by a tap.
 */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { LANGUAGE_CODES } from '../../bot/language/languages.ts';
import { MESSAGE_LIMIT } from '../../bot/text/telegram-html.ts';
import { stripMarkup } from '#chat-text';
import { showInvisible } from '../../text-safety/index.ts';
import { renderDetail } from '../../bot/views/run-detail.ts';
import { reasonsAgainst } from '../../bot/views/evidence-lines.ts';
import { selectMainObjections } from '../../bot/views/policy-lines.ts';
import { renderCluster } from '../../bot/views/cluster-card.ts';
import { renderView } from '../../bot/views/render-view.ts';
import { publicParts } from '../../bot/views/public-text.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { objectionsOf } from '#model/assessment';
import { parseHtml } from '#playground';
import { file, oddCards, sceneOf, waveOf } from '../support/odd-cards.ts';

const GATE = { view: 'gate', approvalId: 'a', armedBy: null, armedUntil: null } as const;
/** Words of the installation, which a reader of the card would have to look up. */
const BANNED = [
  ...['PASS', 'FAIL', 'NEEDS REVIEW', 'sealed', 'seal ', 'READY', 'script ', 'checks 1/1', 'r7k2'],
  ...['explicit-allow', 'small-change', 'no-workflow-edit-without-human', 'max-diff-size', 'p1'],
  ...['d4e5f6', '9f3c1e', 'merge base', 'NaN', 'undefined', 'null', '[object'],
];
const cards = oddCards();
const headOf = (html: string): string[] => stripMarkup(html.replace(/\n<blockquote[^]*$/, '')).split('\n');

describe.each(LANGUAGE_CODES)('a card, in %s', (code) => {
  const words = LANGUAGE_TEXTS[code];

  it.each(cards.map((card) => [card.name, card] as const))('C9: %s', (_, card) => {
    const scene = sceneOf(card);
    const { html, buttons } = renderView(GATE, scene, words);
    expect(html.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(parseHtml(html)).not.toHaveProperty('complaint');
    const lines = headOf(html);
    expect(lines.length).toBeLessThanOrEqual(28);
    expect(lines.join('\n').length).toBeLessThanOrEqual(1_600);
    // What is asked, where; tested how; how large and how risky.
    expect(lines[0]).toMatch(/[?？]$/);
    expect(lines[0]).toMatch(/acme\/patient|n{9}/);
    const evidence = lines.filter((line) => /^[✓✗⚠] /.test(line));
    expect(evidence.length).toBeGreaterThan(0);
    expect(lines.join('\n')).toContain(
      words.card.risk(scene.run.gate.proposal?.fields.assessment.risk ?? 'high').slice(1),
    );
    // Lines are not counted where there are none: a picture, a mode, a name.
    const { added = 0, deleted = 0 } = scene.run.change.commit?.diff ?? {};
    const size = added + deleted === 0 ? /\d+ files?|\d+ 个文件/ : /\+\d+ −\d+/;
    expect(lines.join('\n')).toMatch(size);
    expect(lines.join('\n')).not.toContain('+0 −0');
    // Why it is risky; each path once, and what git writes at the head of a hunk not at all.
    const { run } = scene;
    const fields = run.gate.proposal?.fields;
    if (fields && fields.assessment.risk !== 'low' && reasonsAgainst(run, fields).length === 0)
      expect(lines.join('\n')).toContain(
        words.card[(card.checks ?? [0]).length === 0 ? 'riskUntested' : 'riskByChecks'](
          fields.assessment.risk,
        ).slice(1),
      );
    for (const { path } of run.change.commit?.diff.files.filter((f) => f.oldMode === f.newMode) ?? [])
      expect(lines.filter((line) => line.split(/[ ,、：]+/).includes(path)).length, path).toBeLessThanOrEqual(
        1,
      );
    expect(stripMarkup(html)).not.toMatch(/^@@ /m);
    expect(lines.join('\n')).toContain(words.card.undecided);
    const text = lines.slice(2).join('\n');
    for (const word of BANNED) expect(text, word).not.toContain(word);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u0007]/);
    expect(html.replace(/<code>[^]*?<\/code>/g, '')).not.toMatch(/@ana|\/cancel|evil\.example/);
    // One row decides, one row shows.
    const rows = buttons.map((row) => row.map(({ verb }) => verb).join());
    expect(rows).toContain(rows.includes('arm') ? 'update,changes,deny' : 'arm,changes,deny');
    expect(rows).toContain('diff,text,detail');
    for (const { text: label } of buttons.flat()) expect(label).not.toMatch(/[0-9a-f]{6}/);
  });

  it.each(cards.map((card) => [card.name, card] as const))('C9: More has the rest of %s', (_, card) => {
    const scene = sceneOf(card);
    const { run } = scene;
    const { html } = renderDetail(scene, words);
    expect(html.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
    expect(parseHtml(html)).not.toHaveProperty('complaint');
    const said = stripMarkup(html);
    const fields = run.gate.proposal?.fields;
    for (const fact of [run.id, 'main 9f3c1e → d4e5f6', run.gate.proposal?.digest.slice(0, 12) ?? '', 'Ana'])
      expect(said).toContain(fact);
    // Each policy that has something against it, by the id that an operator looks for.
    const against = fields ? objectionsOf(fields.assessment) : [];
    for (const { policy } of selectMainObjections(against).slice(0, 8)) expect(said).toContain(policy);
    for (const { command } of run.change.evaluation?.checks.slice(0, 8) ?? [])
      expect(said).toContain(command.split(' ').at(-1));
    // The whole title, whatever the card had room for.
    const text = publicParts(run, [], words)
      .map(([, part]) => part)
      .join('\n');
    expect(showInvisible(text).length).toBeGreaterThanOrEqual(run.change.commit?.message.trim().length ?? 0);
    if (fields) expect(reasonsAgainst(run, fields).length).toBeLessThanOrEqual(40);
  });
});

it('C9: there are a hundred of them, and no two of one name', () => {
  expect(new Set(cards.map(({ name }) => name)).size).toBe(100);
});

it.each([
  [[], 'must approve this'],
  [['Ana'], '1 of 3 approvals: Ana · yours makes it 2 of 3'],
  [['Ana', 'Bo'], '2 of 3 approvals: Ana, Bo · yours is the last'],
])('G3: says what an approval adds to those of %j', (signed, says) => {
  const card = { title: 'Wait longer', files: [file('a.js', 1, 1)], needed: 3, signed };
  expect(stripMarkup(renderView(GATE, sceneOf(card), LANGUAGE_TEXTS.en).html)).toContain(says);
});

it('C2: more cautions lead to the one place where they are read', () => {
  const card = oddCards().find(({ name }) => name === 'three risks');
  const { html } = renderView(GATE, sceneOf(card ?? { title: '', files: [] }), LANGUAGE_TEXTS.en);
  expect(stripMarkup(html)).toContain('more cautions: see Review risks');
});

it.each(LANGUAGE_CODES)(
  'C9: a card of many says how they were tested, and ids where each is shown, in %s',
  (code) => {
    const words = LANGUAGE_TEXTS[code];
    const { view, scene } = waveOf(['acme/api', 'acme/web', 'acme/docs']);
    const card = stripMarkup(renderCluster(view, scene, words).html);
    expect(card.split('\n')[3]).toMatch(/^✓ .*npm test/);
    expect(card).not.toMatch(/[0-9a-f]{6} →|w1abc/);
    const each = { ...view, lists: { for: 'each', page: 0 } } as const;
    expect(stripMarkup(renderCluster(each, scene, words).html)).toMatch(
      /w1abc · main [0-9a-f]{6} → [0-9a-f]{6}/,
    );
    // Where they differ, how many passed.
    const [first, ...others] = scene.members;
    const red = first?.run && patchRun(first.run, { change: { evaluation: null } });
    if (!first || !red) throw new Error('no member');
    const mixed = stripMarkup(
      renderCluster(view, { ...scene, members: [{ ...first, run: red }, ...others] }, words).html,
    );
    expect(mixed.split('\n')[3]).toBe(`⚠ ${words.cluster.passed(2, 3)}`);
  },
);
