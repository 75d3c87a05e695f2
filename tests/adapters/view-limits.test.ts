/**
 * C2: whatever strangers write, Telegram takes what we send: the real sender against the local
 * Telegram, which refuses what the Bot API refuses (text, entities, buttons).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { createTelegramChat } from '../../bot/telegram-chat.ts';
import { renderPending } from '../../bot/views/waiting-list.ts';
import { renderStatus } from '../../bot/views/fleet-screen.ts';
import { renderProposal } from '../../bot/views/command-proposal.ts';
import { renderView } from '../../bot/views/render-view.ts';
import { renderDetail } from '../../bot/views/run-detail.ts';
import { startTelegram, type Telegram } from '#playground';
import { aRun } from '../support/ledger.ts';
import { file, someCommit, someDiff } from '../support/ready-run.ts';

const TOKEN = '4242:token-of-the-local-telegram';
const NOW = Date.UTC(2026, 0, 5, 12, 0);
/** At work, called for, and over: each has views of its own. */
const STATES = ['IMPLEMENTING', 'NEEDS_HUMAN_REVIEW', 'DONE'] as const;
/** As long as a token of ours: 34 bytes. */
const DATA = `a1:ok:${'x'.repeat(28)}`;
const LONG: Readonly<Record<string, string>> = {
  'plain words': 'word '.repeat(2_000),
  'one word': 'w'.repeat(10_000),
  emoji: '👩‍👩‍👧‍👦'.repeat(1_000),
  'right to left': 'שלום עולם \u202e'.repeat(1_000),
  'what cannot be seen': '\u200b\u200d\ufeff'.repeat(3_500),
  markup: '<b>&"</code><a href="tg://x">'.repeat(400),
  'half characters': '\ud83d'.repeat(10_000),
  lines: 'a\n'.repeat(5_000),
  Chinese: '中文'.repeat(5_000),
};

let telegram: Telegram;
let chat: ReturnType<typeof createTelegramChat>;
beforeAll(async () => {
  telegram = await startTelegram({ token: TOKEN, botName: 'agentpr_test_bot', limits: null });
  telegram.person(7, 'Ana').sends('hello');
  chat = createTelegramChat({ token: TOKEN, apiRoot: telegram.url, clock: { now: () => Date.now() } });
});
afterAll(() => telegram.stop());

it.each(Object.keys(LONG))('C2: 10,000 characters of %s, in both languages', async (name) => {
  const text = LONG[name] ?? '';
  for (const words of Object.values(LANGUAGE_TEXTS))
    for (const state of STATES) {
      const base = aRun('r7k2', NOW - 600_000, { repo: 'acme/api', goal: text.slice(0, 8_000) });
      const files = Array.from({ length: 40 }, (_, n) => file(`${n}/${text.slice(0, 4_000)}`, 9, 9));
      const run = {
        ...base,
        lifecycle: { ...base.lifecycle, state, reason: { kind: 'retried' as const, by: text, note: text } },
        change: { ...base.change, commit: someCommit(someDiff({ files })) },
        agent: { ...base.agent, containment: 'bwrap' as const },
      };
      const scene = { run, approval: null, attempts: [], patch: { text, omitted: 1 }, now: NOW };
      const choice = {
        command: 'fix',
        parameters: { instruction: text },
        targets: [{ run: 'r7k2', epoch: run.lifecycle.epoch, approval: null }],
      };
      const said = { by: text.slice(0, 100), text };
      const views = [
        ...(['progress', 'attention', 'ended'] as const).map((view) => renderView({ view }, scene, words)),
        renderDetail(scene, words),
        renderStatus(
          Array.from({ length: 200 }, () => run),
          { [state]: 200 },
          NOW,
          words,
        ),
        renderPending(
          Array.from({ length: 200 }, () => run),
          NOW,
          words,
        ),
        renderProposal({ view: 'command_choice', choices: [choice], modelAnswer: said }, [run], words),
      ];
      for (const { html, buttons } of views) {
        const drawn = buttons.map((line) => line.map((button) => ({ text: button.text, token: DATA })));
        // Rejects where Telegram refuses it.
        const sent = await chat.send({ chat: '7', html, buttons: drawn, silent: true });
        expect(sent.messageId).toMatch(/^\d+$/);
      }
    }
});
