// Plays a run back: one step at a time, by the slider, buttons, keys or the address. Without it all steps are listed.
const film = document.getElementById('film');
const frames = [...document.querySelectorAll('#frames > .frame')];
const slider = document.getElementById('film-at');
const where = document.getElementById('film-where');
const marks = [...(film?.querySelectorAll('.strip > i') ?? [])];
let at = 0;

const showStep = (step) => {
  at = Math.min(frames.length - 1, Math.max(0, step));
  frames.forEach((frame, i) => frame.toggleAttribute('hidden', i !== at));
  marks.forEach((mark, i) => mark.classList.toggle('here', i === at));
  slider.value = String(at + 1);
  where.textContent = film.dataset.where.replace('#', String(at + 1));
  slider.setAttribute('aria-valuetext', where.textContent);
  history.replaceState(null, '', `#step-${at + 1}`);
};

const KEYS = { ArrowLeft: -1, ArrowRight: 1, j: 1, k: -1, Home: -Infinity, End: Infinity };
if (film && frames.length > 0) {
  film.hidden = false;
  document.getElementById('frames').classList.add('playing');
  slider.addEventListener('input', () => showStep(Number(slider.value) - 1));
  film.addEventListener('click', ({ target }) => {
    const button = target.closest('button[data-film]');
    if (button) showStep(at + Number(button.dataset.film));
  });
  document.addEventListener('keydown', (event) => {
    const by = KEYS[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    showStep(at + by);
  });
  showStep(Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? 1) - 1);
}
