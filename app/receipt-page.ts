/** G9: the page for maintainers that receipts link to, one page of plain HTML in their language. */
import { LANGUAGE_TEXTS } from '../bot/language/languages.ts';
import { escapeHtml } from '../bot/text/telegram-html.ts';

const KEYS_PATH = '/.well-known/agentpr.json';
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}dt{font-weight:600}pre{overflow:auto}@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#8cf}}';

const isChinese = (acceptLanguage: string): boolean => /^\s*zh\b/i.test(acceptLanguage);

export const receiptPageHtml = (acceptLanguage: string, publicUrl: string | null): string => {
  const code = isChinese(acceptLanguage) ? 'zh' : 'en';
  const { receiptPage: t } = LANGUAGE_TEXTS[code];
  const origin = publicUrl === null ? '' : new URL(publicUrl).origin;
  const command = `npx agentpr verify https://github.com/OWNER/NAME/pull/NUMBER --keys ${origin || 'KEYS.json'}`;
  const rows = Object.entries(t.says).map(
    ([term, about]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(about)}</dd>`,
  );
  return [
    `<!doctype html><html lang="${code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(t.title)}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${escapeHtml(t.title)}</h1><p>${escapeHtml(t.lead)}</p>`,
    `<h2>${escapeHtml(t.saysTitle)}</h2><dl>${rows.join('')}</dl>`,
    `<h2>${escapeHtml(t.notTitle)}</h2><p>${escapeHtml(t.not)}</p>`,
    `<h2>${escapeHtml(t.checkTitle)}</h2><p>${escapeHtml(t.check)}</p><pre><code>${escapeHtml(command)}</code></pre>`,
    `<p>${escapeHtml(t.keys)} <a href="${KEYS_PATH}">${escapeHtml(t.theirs)}</a></p>`,
    '</main></body></html>\n',
  ].join('\n');
};
