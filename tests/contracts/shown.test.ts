/**
 * G8: from the card a person reaches all that a tap would make public: the diff, and every word
 * beside it.
 */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import type { Finding } from '#model/change';
import type { SealFields } from '#model/seal';
import { LANGUAGE_TEXTS } from '#language';
import { renderView } from '../../bot/views/render-view.ts';
import type { ViewScene } from '../../bot/views/scene.ts';
import { stripMarkup } from '#chat-text';
import { own } from '../support/actions.ts';
import { anOrder, aRun } from '../support/ledger.ts';
import { ANA, createChatWorld, VIC } from '../support/chat-world.ts';
import { file, someAssessment, someCommit, someDiff, someProposal } from '../support/ready-run.ts';

const NOW = Date.UTC(2026, 0, 5, 12, 0);
const gate = { view: 'gate', approvalId: 'a', armedBy: null, armedUntil: null } as const;

/** A card of so many files of one added line each. */
const cardOf = (
  names: readonly string[],
  lines: readonly string[],
  words = LANGUAGE_TEXTS.en,
  {
    findings = [],
    fields = {},
    omitted = 0,
  }: { findings?: Finding[]; fields?: Partial<SealFields>; omitted?: number } = {},
): string => {
  const text = names
    .map(
      (name) =>
        `diff --git a/${name} b/${name}\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((l) => `+${l}\n`).join('')}`,
    )
    .join('');
  const proposal = someProposal(fields);
  const diff = someDiff({ files: names.map((name) => file(name, lines.length, 0)), findings });
  const approval = {
    id: 'a',
    kind: 'open_pr' as const,
    digest: proposal.digest,
    expiresAt: NOW + 9e6,
    needed: 1,
  };
  const scene: ViewScene = {
    run: patchRun(aRun('r7k2', NOW), {
      lifecycle: { state: 'PUSHED' },
      change: { commit: someCommit(diff) },
      gate: { proposal, approval: { ...approval, signatures: [] } },
    }),
    approval: {
      ...approval,
      runId: 'r7k2',
      state: 'open',
      reason: null,
      consumedBy: null,
      passedTo: null,
      openedAt: NOW,
      closedAt: null,
    },
    attempts: [],
    patch: { text, omitted },
    now: NOW,
  };
  return stripMarkup(renderView(gate, scene, words).html);
};

const newestCard = (w: Awaited<ReturnType<typeof createChatWorld>>): string =>
  w.messages.findLast((m) => m.buttons.flat().some((b) => b.text === 'PR text'))?.text ?? '';

describe('the card', () => {
  it('G8: counts the lines and files that its quote leaves out, and says nothing where it has all', () => {
    const [all, cut] = [['a', 'b'], Array.from({ length: 60 }, (_, i) => `src/file-${i}.ts`)];
    expect(cardOf(all, ['x'])).not.toMatch(/Diff|more line/);
    const card = cardOf(cut, ['x'.repeat(40)]);
    const shown = card.match(/^\+x{40}$/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(5);
    expect(card).toContain(`… ${60 - shown} more lines in ${60 - shown} files: Diff shows all of it`);
    const chinese = cardOf(cut, ['x'.repeat(40)], LANGUAGE_TEXTS.zh);
    const left = 60 - (chinese.match(/^\+x{40}$/gm)?.length ?? 0);
    expect(chinese).toContain(`另有 ${left} 个文件中的 ${left} 行`);
  });

  it('G8: counts a line that is longer than the card as left out', () => {
    expect(cardOf(['a'], ['y'.repeat(9_000)])).toContain('… 1 more line in 1 file: Diff shows all of it');
    expect(cardOf(['a', 'b'], ['y'.repeat(2_000), 'z'.repeat(2_000)])).toContain('… 3 more lines in 2 files');
  });

  it('G8: counts the bytes that no file has', () => {
    expect(cardOf(['a'], ['x'], LANGUAGE_TEXTS.en, { omitted: 7_654 })).toContain('7654 bytes');
    expect(cardOf(['a'], ['x'])).not.toContain('bytes');
  });

  it('C9: has the title alone; what the commit says is a tap away', async () => {
    const w = await createChatWorld();
    await w.readyRun({ fields: { title: 'Another title' } });
    expect(newestCard(w)).toMatch(/^Open this pull request in acme\/api\?\nAnother title\n\n/);
    await w.taps('PR text');
    expect(w.messages.at(-1)?.text).toContain('Commit message\nFix flaky retry in webhook worker\n');
  });
});

const LONG = `Why:\n\n${Array.from({ length: 400 }, (_, i) => `- reason ${i} \u202e`).join('\n')}\n\nThe end.`;

describe('what a person must read', () => {
  const finding = (kind: Finding['kind'], path: string, count: number): Finding => ({
    kind,
    path,
    line: 0,
    note: { kind: 'looks_same' },
    count,
  });
  it.each(['&', '"', '<', '⟦', '\u2800', '𝕏', 'a'])(
    'G8: names of %s push neither the risk nor what is hidden or left out off the card',
    (sign) => {
      const names = Array.from({ length: 5 }, (_, i) => `${sign.repeat(60)}${i}`);
      const [path = ''] = names;
      const findings = [finding('hidden_line', path, 7), finding('too_large', 'b', 3)];
      const reasons = [{ policy: 'protected-paths', verdict: 'escalate' as const, reason: own(path) }];
      const assessment = someAssessment({ risk: 'high', reasons });
      const fields = { assessment, title: sign.repeat(90) };
      const card = cardOf(names, ['x'], LANGUAGE_TEXTS.en, { findings, fields });
      expect(card).toMatch(/⚠ High risk · .+\n⚠ .+/);
      expect(card).toContain('7 lines hidden as secret');
      expect(card).toContain('3 files left out');
      expect(card).toContain('Decide ');
    },
  );
});

describe('the text behind the card', () => {
  it('G8: has branch, author, commit message, title and description of a pull request', async () => {
    const w = await createChatWorld();
    await w.readyRun({ fields: { title: 'A title', body: 'Line one.  \n\n<b>two</b> \u200b' } });
    expect(await w.taps('PR text')).not.toMatch(/refused|not/i);
    const { html = '', text = '' } = w.messages.at(-1) ?? {};
    expect(text).toContain('Branch\nfeature/agentpr-x\n');
    expect(text).toContain('Author\nana <ana@example.com>\n');
    expect(text).toContain('Commit message\nFix flaky retry in webhook worker\n');
    expect(text).toContain('Title of the pull request\nA title\n');
    expect(text).toContain('Description of the pull request\nLine one.  \n\n<b>two</b> ⟦U+200B⟧\n');
    expect(text).toContain('who approves; for you, a code that stands for you');
    expect(html).not.toContain('<b>two</b>');
  });

  it('G7: says by which public name a tap would be told of, and records it with the tap', async () => {
    const w = await createChatWorld({ publicNames: { [ANA]: 'Ana Lim' } });
    const { id } = await w.readyRun();
    await w.taps('PR text');
    expect(w.messages.at(-1)?.text).toContain('who approves; for you, the name Ana Lim');
    await w.taps('Open PR');
    await w.taps('Confirm');
    const { consumedApproval } = (await w.run(id)).gate;
    expect(consumedApproval).toMatchObject({
      by: 'P7',
      signers: [{ name: 'P7', publicName: 'Ana Lim' }],
    });
    const plain = await createChatWorld();
    const other = await plain.readyRun();
    await plain.taps('Open PR');
    await plain.taps('Confirm');
    expect((await plain.run(other.id)).gate.consumedApproval).not.toHaveProperty('signers');
  });

  it('C9, P5: reads as a text, with every character of it, and nothing of it can be tapped', async () => {
    const w = await createChatWorld();
    const body =
      '## What\n\nAsks @ana, see `x.js` and https://evil.example.\n\n**Checks**\n\n- [x] /cancel r1';
    await w.readyRun({ fields: { body } });
    await w.taps('PR text');
    const { html = '', text = '' } = w.messages.at(-1) ?? {};
    expect(text).toContain(body);
    expect(html).toContain('<b>## What</b>');
    expect(html.replace(/<code>[^]*?<\/code>/g, '')).not.toMatch(/@ana|evil\.example|\/cancel|x\.js/);
    expect(html).toContain('Asks <code>@ana,</code> see ');
  });

  it('G8: is a file when it is longer than a message', async () => {
    const w = await createChatWorld();
    const run = await w.readyRun({ fields: { body: LONG } });
    await w.taps('PR text');
    const sent = w.documents.at(-1);
    expect(sent?.name).toBe(`run-${run.id}-text.txt`);
    expect(sent?.content).toContain(LONG.replaceAll('\u202e', '⟦U+202E⟧'));
  });

  it('G8: of a push has branch and commit message, and no description that is not published', async () => {
    const w = await createChatWorld();
    await w.readyRun({
      assessment: { decision: 'escalate', risk: 'medium', reasons: [], factors: [], policyVersion: 'p' },
    });
    expect(newestCard(w)).toMatch(/^Push this/);
    await w.taps('PR text');
    const text = w.messages.at(-1)?.text ?? '';
    expect(text).toContain('feature/agentpr-x');
    expect(text).toContain('Fix flaky retry in webhook worker');
    expect(text).not.toContain('Description');
  });

  it('G8: every commit message is there when several become public, as git has them', async () => {
    const w = await createChatWorld({ messages: ['First\n\n\udcffodd\r\n', 'Second\n'] });
    await w.readyRun();
    await w.taps('PR text');
    const text = w.messages.at(-1)?.text ?? '';
    expect(text).toContain('Commit message 1 of 2\nFirst\n\n⟦ff⟧odd⟦0d⟧\n');
    expect(text).toContain('Commit message 2 of 2\nSecond\n');
  });

  it('is open to whoever may read, and hides secrets', async () => {
    const w = await createChatWorld();
    await w.readyRun({ fields: { body: `token ghp_${'a1'.repeat(18)}` }, order: anOrder({ chat: '-5' }) });
    await w.taps('PR text', { by: VIC, chat: '-5' });
    expect(w.messages.at(-1)?.text).toContain('token [secret] ⟦hidden⟧');
    expect(JSON.stringify(w.messages)).not.toContain('ghp_');
  });
});

describe('the diff behind the card', () => {
  it('G8: shows bytes that are no text, and says what its signs mean and how many lines are hidden', async () => {
    const key = `ghp_${'a1'.repeat(18)}`;
    const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n+caf\udce9 \n+${key}\n+a\u202eb\r\n`;
    const w = await createChatWorld({ patch: text });
    await w.readyRun();
    await w.taps('Diff');
    expect(w.documents.at(-1)?.content).toBe(
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n+caf⟦e9⟧⟦20⟧\n+[secret] ⟦hidden⟧\n+a⟦U+202E⟧b⟦0d⟧\n',
    );
    expect(w.documents.at(-1)?.caption).toContain('1 line has a secret hidden and ends with ⟦hidden⟧');
    expect(w.documents.at(-1)?.caption).toContain('⟦…⟧ marks what you could not see');
    expect(w.documents.at(-1)?.caption).toContain('d4e5f6');
  });

  it('G8: a line that looks like the head of a file behind an end of line that is none is a line', async () => {
    const ends = ['\r', '\u2028', '\u2029', '\v', '\u0085'];
    const added = ends.map((end) => `+a${end}diff --git a/x b/x`);
    const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,9 @@\n${added.join('\n')}\n+a \n`;
    const w = await createChatWorld({ patch: text });
    await w.readyRun();
    await w.taps('Diff');
    expect(w.documents.at(-1)?.content).toContain('⟦0d⟧diff --git');
    expect(w.documents.at(-1)?.content).toContain('+a⟦20⟧\n');
  });

  it('says so when there is nothing to read any more', async () => {
    const w = await createChatWorld({ patch: null });
    const { id } = await w.readyRun();
    await w.taps('Diff');
    expect(w.documents).toEqual([]);
    expect(w.messages.at(-1)?.text).toBe(`Run ${id} has no change to show yet.`);
  });
});
