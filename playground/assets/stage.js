/** The hint follows the run; on a narrow screen one of the two pages is shown at a time. */
const hint = document.getElementById('hint');
const buttons = [...document.querySelectorAll('nav button')];

for (const button of buttons)
  button.addEventListener('click', () => {
    document.body.dataset.shown = button.dataset.page;
    for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
  });

let last = hint.textContent;
new EventSource('/events').addEventListener('message', async () => {
  const answer = await fetch('/hint');
  if (!answer.ok) return;
  const { hint: words } = await answer.json();
  if (words === last) return;
  last = words;
  hint.textContent = words;
});
