/** The page of one check run: result, annotations and log. */
import type { CheckRun, Repo } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html, type Html, type Part } from '../html.ts';
import { lookOfRun } from './checks-list.ts';
import { icon } from './icons.ts';
import { markdown } from './markdown.ts';
import {
  form,
  frame,
  lasted,
  pathOf,
  plural,
  pullPath,
  repoCrumbs,
  shaLink,
  when,
  type View,
} from './view.ts';

const MOST_LINES = 5_000;
const LONGEST_LINE = 2_000;

export function checkPage(view: View, repo: Repo, id: number): Answer | null {
  const run = repo.runs.find((one) => one.id === id);
  if (!run) return null;
  const look = lookOfRun(run);
  const pulls = repo.pulls.filter((pull) => pull.head.sha === run.suite.sha);
  const text = run.log ?? run.output.text;
  const ended = run.completedAt ?? view.state.now();
  const body = html`<header class="pull-head plain">
      <h1>
        <span class="mark ${look.tone}">${icon(look.name, look.name === 'spin' ? 'spinning' : '')}</span
        ><bdi>${run.name}</bdi>
      </h1>
      <p class="pull-line">
        <span class="pill ${look.tone}">${look.words}</span>
        <span>${run.status === 'queued' ? 'waiting' : lasted(ended - run.startedAt)}</span>
        <span class="quiet"
          >${run.suite.app} on ${shaLink(repo, run.suite.sha)} ${when(view, run.startedAt)}</span
        >
        ${pulls.map((pull) => html`<a href="${pullPath(pull)}">#${pull.number} <bdi>${pull.title}</bdi></a>`)}
      </p>
    </header>
    <div class="stack">
      ${said(run)} ${annotations(run)} ${text === null || text === '' ? silence(run) : log(text)}
      ${rerun(view, repo, run)}
    </div>`;
  const crumbs = [...repoCrumbs(repo), html`<span>Checks</span>`, html`<bdi>${run.name}</bdi>`];
  return frame(view, { title: `${run.name}: ${look.words}`, crumbs, here: 'repositories', body });
}

const said = ({ output }: CheckRun): Part =>
  (output.title !== null || output.summary !== null) &&
  html`<section class="card pad">
    ${output.title !== null && html`<h2 class="in-card"><bdi>${output.title}</bdi></h2>`}
    ${output.summary !== null && markdown(output.summary)}
  </section>`;

const annotations = ({ annotations: list }: CheckRun): Part =>
  list.length > 0 &&
  html`<section class="card" id="annotations">
    <header>
      <h2>What it says of lines</h2>
      <span class="count">${list.length}</span>
    </header>
    <ul class="rows">
      ${list.slice(0, 100).map(
        (one) =>
          html`<li class="row">
            <span class="sign ${one.level === 'failure' ? 'bad' : one.level === 'warning' ? 'busy' : 'idle'}"
              >${icon(one.level === 'failure' ? 'cross' : 'dot')}</span
            >
            <span class="grow"
              ><code><bdi>${one.path}</bdi>:${one.line}</code>
              <span class="quiet"><bdi>${one.message}</bdi></span></span
            >
          </li>`,
      )}
    </ul>
  </section>`;

/** The reason for a failure is at the end, so the beginning is cut. */
function log(text: string): Html {
  const lines = text.replace(/\n$/, '').split('\n');
  const skipped = Math.max(lines.length - MOST_LINES, 0);
  return html`<section class="card log" id="log">
    <header>
      <h2>Log</h2>
      <span class="quiet">${plural(lines.length, 'line')}</span>
    </header>
    ${skipped > 0 && html`<p class="cut-off">${plural(skipped, 'line')} before these not shown</p>`}
    <div class="code-scroll" tabindex="0">
      <table class="code">
        <tbody>
          ${lines.slice(skipped).map((line, at) => logLine(line, skipped + at + 1))}
        </tbody>
      </table>
    </div>
  </section>`;
}

const COLOURS = /\u001b\[[0-9;]{0,20}[A-Za-z]/g;
const TIME = /^\d{4}-\d\d-\d\dT(?<time>\d\d:\d\d:\d\d)(?:\.\d+)?Z /;
const HOT = /^\s*(?:not ok\b|✖|✗|FAIL\b|\w*Error:|npm error)/;
const MARKER = /^##\[(?<kind>\w+)\]/;

function logLine(line: string, number: number): Html {
  const time = TIME.exec(line);
  const words = line
    .slice(time?.[0].length ?? 0)
    .replace(COLOURS, '')
    .replace(/\r$/, '');
  const marker = MARKER.exec(words);
  const kind = marker?.groups?.kind ?? (HOT.test(words) ? 'hot' : '');
  const text = words.slice(marker?.[0].length ?? 0);
  const rest = text.length - LONGEST_LINE;
  const more = rest > 0 && html`<span class="more"> … ${plural(rest, 'more character')}</span>`;
  return html`<tr class="${/^[a-z]+$/.test(kind) && `log-${kind}`}" id="L${number}">
    <td class="n"><a href="#L${number}">${number}</a></td>
    <td class="n time">${time?.groups?.time}</td>
    <td class="c">${[text.slice(0, LONGEST_LINE), more]}</td>
  </tr>`;
}

const silence = (run: CheckRun): Html =>
  html`<p class="empty">
    ${icon('file')}<span
      >${run.status === 'completed' ? 'It left no log.' : 'Nothing has been printed yet.'}</span
    >
  </p>`;

const rerun = (view: View, repo: Repo, run: CheckRun): Part => {
  const newest = repo.workflows.at(-1);
  const ours = newest?.status === 'completed' && newest.jobs.some((job) => job.run === run);
  return (
    ours &&
    form(
      view,
      `${pathOf(repo)}/rerun`,
      html`<button name="verb" value="failed">${icon('again')}Run the failed jobs again</button
        ><button name="verb" value="all">Run all again</button>`,
      'actions',
    )
  );
};
