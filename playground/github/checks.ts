/** Check runs, suites and statuses of commits, as apps report them. */
import type { Annotation, CheckRun, Repo, Status, Suite, User, World } from './model.ts';

export type CheckReport = {
  name: string;
  status?: CheckRun['status'];
  conclusion?: string | null;
  /** The app's slug; default: `github-actions`. */
  app?: string;
  output?: Partial<CheckRun['output']>;
  log?: string;
  annotations?: Annotation[];
};

/** Updates the newest run of that name, or adds one if it is completed. */
export function reportCheck(world: World, repo: Repo, sha: string, report: CheckReport): CheckRun {
  const { name, app = 'github-actions' } = report;
  const by = world.user(`${app}[bot]`);
  const last = repo.runs.findLast(
    (run) => run.suite.sha === sha && run.suite.app === app && run.name === name,
  );
  const run =
    last && last.status !== 'completed'
      ? last
      : startRun(world, repo, suiteOf(world, repo, sha, app), name, by);
  Object.assign(run.output, report.output);
  if (report.log !== undefined) run.log = report.log;
  if (report.annotations) run.annotations = report.annotations;
  const status = report.status ?? (report.conclusion ? 'completed' : 'in_progress');
  if (status === 'completed') completeRun(world, repo, run, report.conclusion ?? 'success', by);
  else run.status = status;
  const settled = repo.runs.every((one) => one.suite !== run.suite || one.status === 'completed');
  if (settled) tellSuite(world, repo, run.suite, 'completed', by);
  world.changed();
  return run;
}

/** A first contribution from a fork: the suite has no run until it is approved. */
export function holdSuite(world: World, repo: Repo, sha: string, app = 'github-actions'): void {
  const suite = suiteOf(world, repo, sha, app);
  suite.held = true;
  tellSuite(world, repo, suite, 'completed', world.user(`${app}[bot]`));
  world.changed();
}

export function newSuite(world: World, repo: Repo, sha: string, app: string, by: User): Suite {
  const suite: Suite = { id: world.nextId(), sha, app, reruns: 0, createdAt: world.now() };
  repo.suites.push(suite);
  tellSuite(world, repo, suite, 'requested', by);
  return suite;
}

export function startRun(world: World, repo: Repo, suite: Suite, name: string, by: User): CheckRun {
  suite.held = false;
  const run: CheckRun = {
    id: world.nextId(),
    suite,
    name,
    status: 'queued',
    conclusion: null,
    log: null,
    annotations: [],
    output: { title: null, summary: null, text: null },
    startedAt: world.now(),
    completedAt: null,
  };
  repo.runs.push(run);
  world.tell({ event: 'check_run', action: 'created', repo, number: null, sha: suite.sha, by, run });
  return run;
}

export function completeRun(world: World, repo: Repo, run: CheckRun, conclusion: string, by: User): void {
  Object.assign(run, { status: 'completed', conclusion, completedAt: world.now() });
  world.tell({ event: 'check_run', action: 'completed', repo, number: null, sha: run.suite.sha, by, run });
}

export function tellSuite(world: World, repo: Repo, suite: Suite, action: string, by: User): void {
  world.tell({ event: 'check_suite', action, repo, number: null, sha: suite.sha, by, suite });
}

export function reportStatus(
  world: World,
  repo: Repo,
  sha: string,
  report: Omit<Status, 'id' | 'sha' | 'at' | 'by'> & { by?: string },
): void {
  const by = report.by === undefined ? repo.owner : world.user(report.by);
  const status = { id: world.nextId(), sha, at: world.now(), ...report, by };
  repo.statuses.push(status);
  world.tell({ event: 'status', action: null, repo, number: null, sha, by: repo.owner, status });
}

export function rerunSuite(world: World, repo: Repo, suite: Suite, by: User): void {
  suite.reruns += 1;
  const names = new Set(repo.runs.filter((run) => run.suite === suite).map((run) => run.name));
  tellSuite(world, repo, suite, 'rerequested', by);
  for (const name of names) startRun(world, repo, suite, name, by);
}

export function conclusionOf(runs: readonly CheckRun[]): string | null {
  if (runs.some((run) => run.status !== 'completed')) return null;
  const fine = ['success', 'neutral', 'skipped'];
  const bad = runs.map((run) => run.conclusion ?? 'failure').filter((one) => !fine.includes(one));
  return ['failure', 'timed_out', 'cancelled'].find((one) => bad.includes(one)) ?? bad[0] ?? 'success';
}

export function runsOf(repo: Repo, sha: string, filter: 'latest' | 'all'): CheckRun[] {
  const runs = repo.runs.filter((run) => run.suite.sha === sha).toReversed();
  if (filter === 'all') return runs;
  const newest = new Map(runs.toReversed().map((run) => [`${run.suite.id} ${run.name}`, run]));
  return runs.filter((run) => newest.get(`${run.suite.id} ${run.name}`) === run);
}

/** The newest status of each context; the summary is `pending` if there are none. */
export function combinedStatus(repo: Repo, sha: string): { state: Status['state']; statuses: Status[] } {
  const of = repo.statuses.filter((status) => status.sha === sha);
  const statuses = [...new Map(of.map((status) => [status.context, status])).values()];
  const has = (...states: Status['state'][]): boolean => statuses.some((one) => states.includes(one.state));
  const summary = has('failure', 'error')
    ? 'failure'
    : statuses.length === 0 || has('pending')
      ? 'pending'
      : 'success';
  return { state: summary, statuses };
}

function suiteOf(world: World, repo: Repo, sha: string, app: string): Suite {
  const found = repo.suites.find((suite) => suite.sha === sha && suite.app === app);
  return found ?? newSuite(world, repo, sha, app, world.user(`${app}[bot]`));
}
