/** Lists checks and statuses of a commit. */
import { combinedStatus, runsOf } from '../../github/checks.ts';
import type { CheckRun, Pull, Repo } from '../../github/state.ts';
import { html, type Html, type Part } from '../html.ts';
import { icon, type IconName } from './icons.ts';
import { lasted, pathOf, plural, type View } from './view.ts';

export type CheckLook = { tone: 'good' | 'bad' | 'busy' | 'idle'; name: IconName; words: string };
type Entry = { look: CheckLook; name: string; words: string; href: string | null; ms: number | null };

const GOOD = ['success'];
const IDLE = ['neutral', 'skipped', 'cancelled', 'stale'];

export function lookOfRun(run: Pick<CheckRun, 'status' | 'conclusion'>): CheckLook {
  if (run.status === 'in_progress') return { tone: 'busy', name: 'spin', words: 'running' };
  if (run.status !== 'completed') return { tone: 'busy', name: 'ring', words: run.status.replace('_', ' ') };
  const conclusion = run.conclusion ?? 'success';
  const words = conclusion.replaceAll('_', ' ');
  if (GOOD.includes(conclusion)) return { tone: 'good', name: 'check', words };
  return IDLE.includes(conclusion)
    ? { tone: 'idle', name: 'dash', words }
    : { tone: 'bad', name: 'cross', words };
}

const statusLooks = {
  success: { tone: 'good', name: 'check', words: 'success' },
  pending: { tone: 'busy', name: 'ring', words: 'pending' },
  failure: { tone: 'bad', name: 'cross', words: 'failure' },
  error: { tone: 'bad', name: 'cross', words: 'error' },
} as const satisfies Record<string, CheckLook>;

function entriesOf(repo: Repo, sha: string, now: number): Entry[] {
  const runs = runsOf(repo, sha, 'latest')
    .toReversed()
    .map((run) => ({
      look: lookOfRun(run),
      name: run.name,
      words: run.output.title ?? '',
      href: `${pathOf(repo)}/checks/${run.id}`,
      ms: run.status === 'queued' ? null : (run.completedAt ?? now) - run.startedAt,
    }));
  const statuses = combinedStatus(repo, sha).statuses.map((status) => ({
    look: statusLooks[status.state],
    name: status.context,
    words: status.description ?? '',
    href: null,
    ms: null,
  }));
  return [...runs, ...statuses];
}

export function requiredChecks(repo: Repo, branch: string): Set<string> {
  const rules = repo.rules.filter((rule) => rule.type === 'required_status_checks' && rule.branch === branch);
  const lists = rules.flatMap(
    (rule) => (rule.parameters['required_status_checks'] ?? []) as { context: string }[],
  );
  return new Set(lists.map((one) => one.context));
}

export type Sum = { tone: CheckLook['tone']; words: string; counts: Record<CheckLook['tone'], number> };
export function sumOf(looks: readonly CheckLook[]): Sum {
  const counts = { good: 0, bad: 0, busy: 0, idle: 0 };
  for (const look of looks) counts[look.tone] += 1;
  if (looks.length === 0) return { tone: 'idle', words: 'No checks have reported', counts };
  if (counts.bad > 0)
    return { tone: 'bad', words: `${counts.bad} of ${plural(looks.length, 'check')} failed`, counts };
  if (counts.busy > 0)
    return { tone: 'busy', words: `${plural(counts.busy, 'check')} still running`, counts };
  return counts.good > 0
    ? {
        tone: 'good',
        words: looks.length === 1 ? 'The check passed' : `All ${looks.length} checks passed`,
        counts,
      }
    : { tone: 'idle', words: 'The checks were skipped', counts };
}

export const signOf = (look: CheckLook): Html =>
  html`<span class="sign ${look.tone}" role="img" aria-label="${look.words}" title="${look.words}"
    >${icon(look.name, look.name === 'spin' ? 'spinning' : '')}</span
  >`;

const signs: Record<CheckLook['tone'], IconName> = {
  good: 'check',
  bad: 'cross',
  busy: 'spin',
  idle: 'dash',
};
export const sumSign = ({ tone, words }: Sum): Html => signOf({ tone, words, name: signs[tone] });

export function newestChecks(pull: Pull): Part {
  const entries = entriesOf(pull.base.repo, pull.head.sha, 0);
  return entries.length > 0 && sumSign(sumOf(entries.map((entry) => entry.look)));
}

export function checksCard(view: View, pull: Pull): Html {
  const { repo } = pull.base;
  const entries = entriesOf(repo, pull.head.sha, view.state.now());
  const required = requiredChecks(repo, pull.base.ref);
  const missing = [...required].filter((name) => !entries.some((entry) => entry.name === name));
  const awaited = missing.map((name) => ({
    look: { tone: 'busy', name: 'ring', words: 'expected' } as const,
    name,
    words: 'Has not reported yet',
    href: null,
    ms: null,
  }));
  const all = [...entries, ...awaited];
  const sum = sumOf(all.map((entry) => entry.look));
  return html`<section class="card checks" id="checks">
    <header>
      ${sumSign(sum)}
      <h2>${sum.words}</h2>
    </header>
    ${all.length > 0 && strip(all)}
    ${
      all.length > 0 &&
      html`<ul class="rows">
        ${all.map((entry) => checkRow(entry, required.has(entry.name)))}
      </ul>`
    }
  </section>`;
}

const strip = (entries: readonly Entry[]): Html =>
  html`<div class="strip" aria-hidden="true">
    ${entries.map((entry) => html`<i class="${entry.look.tone}"></i>`)}
  </div>`;

const checkRow = ({ look, name, words, href, ms }: Entry, required: boolean): Html =>
  html`<li class="row">
    ${signOf(look)}
    <span class="grow">
      ${href === null ? html`<b><bdi>${name}</bdi></b>` : html`<a class="check-name" href="${href}"><bdi>${name}</bdi></a>`}
      ${words !== '' && html`<span class="quiet"><bdi>${words}</bdi></span>`}
    </span>
    ${required && html`<span class="tag">required</span>`}
    <span class="quiet num">${ms ? lasted(ms) : look.words}</span>
  </li>`;
