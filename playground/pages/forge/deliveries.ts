/** The page of webhook deliveries, redelivery and weather. */
import type { Delivery } from '../../github/delivery-record.ts';
import type { Weather } from '../../github/weather.ts';
import type { Answer } from '../../server.ts';
import { html, type Html, type Part } from '../html.ts';
import type { CheckLook } from './checks-list.ts';
import { icon } from './icons.ts';
import { empty, form, frame, plural, when, type View } from './view.ts';

const MOST = 200;
const LONGEST_BODY = 200_000;

export function deliveriesPage(view: View): Answer {
  const { deliveries, hooks } = view.post;
  const newest = deliveries.slice(-MOST).toReversed();
  const body = html`<h1 class="page-title">Deliveries</h1>
    <div class="columns">
      <div class="main">
        <section class="card" id="deliveries">
          <header>
            ${icon('send')}
            <h2>Webhooks sent</h2>
            <span class="count">${deliveries.length}</span>
          </header>
          ${
            newest.length === 0
              ? empty('send', 'Nothing has been sent yet.')
              : html`<ul class="rows">
                  ${newest.map((delivery) => row(view, delivery))}
                </ul>`
          }
          ${deliveries.length > MOST && html`<p class="quiet more">and ${deliveries.length - MOST} older</p>`}
        </section>
      </div>
      <aside>
        ${weatherForm(view)}
        <section class="card" id="hooks">
          <header>
            <h2>Hooks</h2>
            <span class="count">${hooks.length}</span>
          </header>
          ${hooks.length === 0 && html`<p class="pad quiet">Nobody is told of anything.</p>`}
          <ul class="rows">
            ${hooks.map(
              (hook) =>
                html`<li class="row">
                  <span class="grow"
                    ><code class="break">${hook.url}</code>
                    <span class="quiet"
                      >${hook.repo?.fullName ?? 'every repository'} ·
                      ${hook.events.includes('*') ? 'all events' : hook.events.join(', ')}</span
                    ></span
                  >
                </li>`,
            )}
          </ul>
        </section>
      </aside>
    </div>`;
  return frame(view, { title: 'Deliveries', here: 'deliveries', body });
}

function lookOf({ state, status }: Delivery): CheckLook {
  if (state === 'held') return { tone: 'busy', name: 'ring', words: 'held' };
  if (state === 'under way') return { tone: 'busy', name: 'spin', words: 'under way' };
  if (state === 'dropped') return { tone: 'idle', name: 'cloud', words: 'lost' };
  if (state === 'failed' || status === null) return { tone: 'bad', name: 'cross', words: 'no answer' };
  const good = status >= 200 && status < 300;
  return { tone: good ? 'good' : 'bad', name: good ? 'check' : 'cross', words: String(status) };
}

const sign = (delivery: Delivery): Html => {
  const look = lookOf(delivery);
  return html`<span class="sign ${look.tone}" title="${look.words}"
    >${icon(look.name, look.name === 'spin' ? 'spinning' : '')}</span
  >`;
};

const eventOf = ({ event, action }: Delivery): Html =>
  html`<b class="event">${event}</b>${action !== null && html`<span class="action">${action}</span>`}`;

function row(view: View, delivery: Delivery): Html {
  const look = lookOf(delivery);
  return html`<li class="row" id="delivery-${delivery.id}">
    ${sign(delivery)}
    <span class="grow">
      <a href="/deliveries/${delivery.id}" class="plain-link">${eventOf(delivery)}</a>
      ${delivery.redelivered && html`<span class="tag">again</span>`}
      <span class="quiet"
        ><span class="sha">${delivery.guid.slice(0, 8)}</span> ${delivery.repo} ·
        ${when(view, delivery.at)}</span
      >
    </span>
    <span class="num outcome"
      ><b class="${look.tone}-ink">${look.words}</b
      ><span class="quiet">${delivery.ms !== null && `${delivery.ms} ms`}</span></span
    >
    ${again(view, delivery, 'small')}
  </li>`;
}

const again = (view: View, delivery: Delivery, kind: string): Html =>
  form(
    view,
    `/deliveries/${delivery.id}/redeliver`,
    html`<button class="${kind}" title="Redeliver">${icon('again')}<span>Redeliver</span></button>`,
    'inline',
  );

export function deliveryPage(view: View, id: number): Answer | null {
  const delivery = view.post.deliveries.find((one) => one.id === id);
  if (!delivery) return null;
  const { request, response, error, ms, repo } = delivery;
  const look = lookOf(delivery);
  const body = html`<header class="pull-head plain">
      <h1><span class="mark ${look.tone}">${icon(look.name)}</span>${eventOf(delivery)}</h1>
      <p class="pull-line">
        <span class="pill ${look.tone}">${look.words}</span>
        ${ms !== null && html`<span>${ms} ms</span>`}
        <span class="quiet">${repo} ${when(view, delivery.at)}</span>
        <span class="sha long">${delivery.guid}</span>
      </p>
      ${error !== null && html`<p class="note bad">${error}</p>`} ${again(view, delivery, '')}
    </header>
    <div class="halves">
      <div>${headers('Request', request.headers)} ${content('request-body', request.body)}</div>
      <div>
        ${
          response === null
            ? html`<section class="card">${empty('cloud', 'There is no response.')}</section>`
            : html`${headers('Response', response.headers)} ${content('response-body', response.body)}`
        }
      </div>
    </div>`;
  const crumbs = [
    html`<a href="/deliveries">Deliveries</a>`,
    html`<span class="sha">${delivery.guid.slice(0, 8)}</span>`,
  ];
  return frame(view, { title: `${delivery.event} delivery`, crumbs, here: 'deliveries', body });
}

const headers = (title: string, all: Record<string, string>): Html =>
  html`<section class="card">
    <header><h2>${title}</h2></header>
    <dl class="headers">
      ${Object.entries(all).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;

function content(id: string, body: string): Part {
  if (body === '') return null;
  const text = indented(body);
  const more = text.length - LONGEST_BODY;
  return html`<details class="card" id="${id}" open>
    <summary>
      ${icon('chevron', 'fold')}<span class="grow">Body</span
      ><span class="quiet">${plural(body.length, 'character')}</span>
    </summary>
    <pre class="plain payload" tabindex="0">${text.slice(0, LONGEST_BODY)}</pre>
    ${more > 0 && html`<p class="cut-off">${plural(more, 'more character')}</p>`}
  </details>`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}

function weatherForm(view: View): Html {
  const weather: Weather = view.post.weather();
  const [least, most] = weather.delayMs ?? [0, 0];
  const drop = typeof weather.drop === 'number' ? Math.round(weather.drop * 100) : 0;
  const calm = drop === 0 && most === 0 && (weather.copies ?? 1) === 1 && !weather.shuffle && !weather.drop;
  const number = (name: string, label: string, value: number, max: number, unit: string): Html =>
    html`<label
      >${label}<span class="field"
        ><input
          type="number"
          name="${name}"
          value="${value}"
          min="${name === 'copies' ? 1 : 0}"
          max="${max}"
          required
        /><i>${unit}</i></span
      ></label
    >`;
  return html`<section class="card tryout" id="weather">
    <header>
      ${icon('cloud')}
      <h2>Weather</h2>
      <span class="tag">${calm ? 'calm' : 'rough'}</span>
    </header>
    <p class="quiet">How deliveries travel from now on.</p>
    ${form(
      view,
      '/weather',
      html`<div class="fields">
          ${number('drop', 'Lost', drop, 100, '%')}
          ${number('copies', 'Copies', weather.copies ?? 1, 10, '×')}
          ${number('least', 'Late by at least', least, 60_000, 'ms')}
          ${number('most', 'and at most', most, 60_000, 'ms')}
        </div>
        <label class="tick"
          ><input type="checkbox" name="shuffle" value="yes" ${weather.shuffle && html`checked`} /> In a
          random order</label
        >
        <div class="actions">
          <button class="solid">Set the weather</button
          ><button name="calm" value="yes" formnovalidate>Calm</button>
        </div>`,
    )}
  </section>`;
}
