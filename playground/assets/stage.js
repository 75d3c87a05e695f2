/** The hint follows the run; on a narrow screen one of the two pages is shown at a time. */
const hint = document.getElementById('hint');
const buttons = [...document.querySelectorAll('nav button')];

for (const button of buttons)
  button.addEventListener('click', () => {
    document.body.dataset.shown = button.dataset.page;
    delete button.dataset.news;
    for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
  });

const forge = document.querySelector('iframe[name="agentpr-forge"]');
const forgeButton = document.querySelector('[data-page="forge"]');
let last = hint.textContent;
let page = forge.src;
new EventSource('/events').addEventListener('message', async () => {
  const answer = await fetch('/hint');
  if (!answer.ok) return;
  const { hint: words, forge: next } = await answer.json();
  if (next !== page) {
    page = next;
    forge.src = next;
    if (document.body.dataset.shown !== 'forge') forgeButton.dataset.news = '';
  }
  if (words === last) return;
  last = words;
  hint.textContent = words;
});
