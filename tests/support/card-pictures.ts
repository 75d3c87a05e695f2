/**
 * `npm run cards [folder] [name …]`: renders cards at 390 px. Needs Chromium; for Chinese,
 * fonts-noto-cjk.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from 'grammy/web';
import type { InlineKeyboardButton } from 'grammy/types';
import { startTelegram } from '#playground';
import { LANGUAGE_TEXTS, type LanguageTexts } from '#language';
import { renderCluster } from '../../bot/views/cluster-card.ts';
import { renderView } from '../../bot/views/render-view.ts';
import { findChromium, openChromium, PHONE } from './browser.ts';
import { oddCards, sceneOf, waveOf } from './odd-cards.ts';

const [into = '/tmp/agentpr-cards', ...only] = process.argv.slice(2);
const language: LanguageTexts['code'] = process.env.CARDS_LANGUAGE === 'zh' ? 'zh' : 'en';
const ANA = 1001;

const chromium = findChromium();
if ('missing' in chromium) throw new Error(`No pictures: ${chromium.missing}`);
mkdirSync(into, { recursive: true });
const telegram = await startTelegram({ token: '42:cards', botName: 'agentpr_bot', limits: null });
telegram.person(ANA, 'Ana');
const api = new Api(telegram.token, { apiRoot: telegram.url });
const browser = await openChromium(chromium.path);
try {
  const cards = oddCards().filter(({ name }) => only.length === 0 || only.includes(name));
  const { page } = await browser.open(`${telegram.phoneUrl}#${ANA}`, { ...PHONE, deviceScaleFactor: 2 });
  const words = LANGUAGE_TEXTS[language];
  const view = { view: 'gate', approvalId: 'a', armedBy: null, armedUntil: null } as const;
  const messages = cards.map((card) => ({
    name: card.name,
    ...renderView(view, sceneOf(card, Date.now()), words),
  }));
  if (only.length === 0 || only.includes('wave')) {
    const wave = waveOf(['acme/api', 'acme/web', 'acme/docs'], Date.now());
    messages.push({ name: 'wave', ...renderCluster(wave.view, wave.scene, words) });
  }
  for (const [no, { name, html, buttons }] of messages.entries()) {
    const keyboard = buttons.map((row, y) =>
      row.map(({ text, style }, x): InlineKeyboardButton => ({
        text,
        callback_data: `${no}:${y}:${x}`,
        ...(style ? { style } : {}),
      })),
    );
    const sent = await api.sendMessage(ANA, html, {
      parse_mode: 'HTML',
      reply_markup: { inline_keyboard: keyboard },
    });
    await page.getByRole('log').getByRole('listitem').last().waitFor();
    await page.waitForTimeout(300);
    await page
      .getByRole('log')
      .getByRole('listitem')
      .last()
      .screenshot({
        path: join(into, `${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.png`),
        animations: 'disabled',
      });
    await api.deleteMessage(ANA, sent.message_id);
  }
} finally {
  await browser.close();
  await telegram.stop();
}
