/** Where a person writes: grows with the text, offers the bot's commands, answers or edits a message. */
import { el } from './phone-text.js';
import { lineOf } from './phone-chats.js';

/**
 * `send({ text, replyTo, edit })` resolves to whether it was taken; `attach({ text, replyTo, done })`
 * asks what goes with the words.
 */
export function createComposer(parts, send, attach) {
  const {
    form,
    words,
    button,
    slash,
    attach: plus,
    menu,
    context,
    contextIcon,
    contextTitle,
    contextText,
    contextClose,
  } = parts;
  const drafts = new Map();
  let roomId = null;
  let commands = [];
  let choice = 0;
  let target = null;

  function grow() {
    words.style.height = 'auto';
    words.style.height = `${Math.min(words.scrollHeight, 148)}px`;
    words.style.overflowY = words.scrollHeight > 148 ? 'auto' : 'hidden';
    button.disabled = words.value.trim() === '';
  }

  const fitting = () => {
    const typed = /^\/(\w*)$/.exec(words.value)?.[1];
    return typed === undefined ? [] : commands.filter((one) => one.command.startsWith(typed.toLowerCase()));
  };
  function showMenu(list) {
    menu.hidden = list.length === 0;
    slash.setAttribute('aria-expanded', String(!menu.hidden));
    choice = Math.min(choice, Math.max(0, list.length - 1));
    menu.replaceChildren(
      ...list.map((one, index) =>
        el(
          'button',
          {
            type: 'button',
            role: 'option',
            class: 'command',
            tabindex: -1,
            id: `command-${index}`,
            'aria-selected': String(index === choice),
            click: () => take(one),
          },
          el('span', { class: 'command-name' }, `/${one.command}`),
          el('span', { class: 'command-does' }, one.description),
        ),
      ),
    );
    if (menu.hidden) words.removeAttribute('aria-activedescendant');
    else words.setAttribute('aria-activedescendant', `command-${choice}`);
    menu.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }
  function take(one) {
    words.value = `/${one.command} `;
    close();
    words.focus();
    grow();
  }
  const close = () => showMenu([]);

  function setTarget(next) {
    if (target?.kind === 'edit' && next?.kind !== 'edit') words.value = '';
    target = next;
    context.hidden = !target;
    if (target) {
      contextIcon.setAttribute('href', target.kind === 'edit' ? '#i-edit' : '#i-reply');
      contextTitle.textContent = target.kind === 'edit' ? 'Edit your message' : `Reply to ${target.name}`;
      contextText.textContent = lineOf(target.message);
      if (target.kind === 'edit') words.value = target.message.text;
      words.focus();
    }
    grow();
  }

  async function submit() {
    const text = words.value.trim();
    if (text === '') return;
    const wish = {
      text,
      replyTo: target?.kind === 'reply' ? target.message.id : null,
      edit: target?.kind === 'edit' ? target.message.id : null,
    };
    const [value, before] = [words.value, target];
    words.value = '';
    setTarget(null);
    close();
    if (await send(wish)) return;
    // Nothing that was written is lost.
    if (before) setTarget(before);
    words.value = value;
    grow();
  }

  words.addEventListener('input', () => {
    grow();
    choice = 0;
    showMenu(fitting());
  });
  words.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const list = menu.hidden ? [] : shownCommands();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (list.length > 0 && step !== 0) {
      choice = (choice + step + list.length) % list.length;
      showMenu(list);
    } else if (list.length > 0 && (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey))) {
      const chosen = list[choice];
      // A command that is written out is sent; only a part of one is completed.
      if (event.key === 'Enter' && words.value === `/${chosen.command}`) submit();
      else take(chosen);
    } else if (event.key === 'Escape' && (list.length > 0 || target)) {
      if (list.length > 0) close();
      else setTarget(null);
    } else if (event.key === 'Enter' && !event.shiftKey) submit();
    else return;
    event.preventDefault();
  });
  const shownCommands = () => {
    const list = fitting();
    return list.length > 0 ? list : commands;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
    words.focus();
  });
  plus.addEventListener('click', () =>
    attach({
      text: words.value.trim(),
      replyTo: target?.kind === 'reply' ? target.message.id : null,
      done: (what) => {
        // Nothing is written below a sticker.
        if (what !== 'sticker') words.value = '';
        setTarget(null);
        grow();
      },
    }),
  );
  slash.addEventListener('click', () => {
    choice = 0;
    showMenu(menu.hidden ? commands : []);
    words.focus();
  });
  contextClose.addEventListener('click', () => setTarget(null));
  document.addEventListener('pointerdown', (event) => {
    if (!menu.hidden && !menu.contains(event.target) && !slash.contains(event.target)) close();
  });

  return {
    show(room) {
      commands = room.commands;
      slash.hidden = commands.length === 0;
      if (room.id === roomId) return;
      drafts.set(roomId, target?.kind === 'edit' ? '' : words.value);
      roomId = room.id;
      setTarget(null);
      words.value = drafts.get(roomId) ?? '';
      close();
      grow();
    },
    reply: (message, name) => setTarget({ kind: 'reply', message, name }),
    edit: (message) => setTarget({ kind: 'edit', message }),
    isAnswering: () => target !== null,
  };
}
