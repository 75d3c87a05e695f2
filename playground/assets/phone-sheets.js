/** What comes over the chat: short notes, alerts, and choices. */
import { el, icon } from './phone-text.js';

const NOTE_MS = 3600;
const LEAVE_MS = 200;

export function createSheets({ toasts, sheet, title, text, acts }) {
  function toast(words, kind = '') {
    const node = el('div', { class: `toast ${kind}`.trim() }, words);
    toasts.replaceChildren(node);
    setTimeout(() => node.classList.add('leaves'), NOTE_MS);
    setTimeout(() => node.remove(), NOTE_MS + LEAVE_MS);
  }

  /** `choices`: { text, icon, style, href, act }. */
  function ask(heading, words, choices) {
    title.textContent = heading;
    title.hidden = heading === '';
    text.textContent = words;
    text.hidden = words === '';
    acts.replaceChildren(
      ...choices.map((choice) => {
        const look = { class: `sheet-act ${choice.style ?? ''}`.trim() };
        const mark = choice.icon ? icon(choice.icon) : null;
        if (choice.href) {
          const link = { href: choice.href, target: '_blank', rel: 'noopener noreferrer' };
          return el('a', { ...look, ...link, click: () => sheet.close() }, mark, choice.text);
        }
        const click = () => {
          sheet.close();
          choice.act?.();
        };
        return el('button', { type: 'button', ...look, click }, mark, choice.text);
      }),
    );
    if (!sheet.open) sheet.showModal();
  }
  // A tap beside the sheet closes it.
  sheet.addEventListener('click', (event) => event.target === sheet && sheet.close());

  return {
    toast,
    ask,
    alert: (words) => ask('', words, [{ text: 'OK', style: 'primary' }]),
    /** An address is only opened by a second tap, on its full text. */
    link(url) {
      if (!/^https?:\/\//i.test(url)) return toast('Only addresses of the web can be opened.', 'bad');
      ask('Open this page?', url, [
        { text: 'Open', style: 'primary', href: url },
        { text: 'Copy', act: () => copy(url) },
        { text: 'Back' },
      ]);
    },
    copy,
  };

  async function copy(words) {
    try {
      await navigator.clipboard.writeText(words);
      toast('Copied');
    } catch {
      toast('This browser does not let the page copy.', 'bad');
    }
  }
}
