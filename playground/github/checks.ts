/** Check runs, suites and statuses of commits, as apps report them. */
import type { CheckRun, Repo, State, Status, Suite } from './state.ts';

export type CheckReport = {
  name: string;
  status?: CheckRun['status'];
  conclusion?: string | null;
  /** The app's slug, `github-actions` by default. */
  app?: string;
  output?: Partial<CheckRun['output']>;
};

/** Reports on the newest run of that name; a run that is already completed is followed by a new one. */
export function reportCheck(state: State, repo: Repo, sha: string, report: CheckReport): CheckRun {
  const { name, app = 'github-actions' } = report;
  const status = report.status ?? (report.conclusion ? 'completed' : 'in_progress');
  const last = repo.runs.findLast(
    (run) => run.suite.sha === sha && run.suite.app === app && run.name === name,
  );
  const run =
    last && last.status !== 'completed' ? last : startRun(state, repo, suiteOf(state, repo, sha, app), name);
  run.status = status;
  run.conclusion = status === 'completed' ? (report.conclusion ?? 'success') : null;
  run.completedAt = status === 'completed' ? state.now() : null;
  Object.assign(run.output, report.output);
  const action = status === 'completed' ? 'completed' : 'created';
  state.tell({ event: 'check_run', action, repo, number: null, sha });
  return run;
}

export function reportStatus(
  state: State,
  repo: Repo,
  sha: string,
  report: Omit<Status, 'id' | 'sha' | 'at'>,
): void {
  repo.statuses.push({ id: state.nextId(), sha, at: state.now(), ...report });
  state.tell({ event: 'status', action: report.state, repo, number: null, sha });
}

/** Every check of the suite is queued anew. */
export function rerunSuite(state: State, repo: Repo, suite: Suite): void {
  suite.reruns += 1;
  const names = new Set(repo.runs.filter((run) => run.suite === suite).map((run) => run.name));
  for (const name of names) startRun(state, repo, suite, name);
  state.tell({ event: 'check_suite', action: 'rerequested', repo, number: null, sha: suite.sha });
}

export const suitesOf = (repo: Repo): Suite[] => [...new Set(repo.runs.map((run) => run.suite))];

/** Newest first; `latest` keeps one run for each name of each app. */
export function runsOf(repo: Repo, sha: string, filter: 'latest' | 'all'): CheckRun[] {
  const runs = repo.runs.filter((run) => run.suite.sha === sha).toReversed();
  if (filter === 'all') return runs;
  const newest = new Map(runs.toReversed().map((run) => [`${run.suite.id} ${run.name}`, run]));
  return runs.filter((run) => newest.get(`${run.suite.id} ${run.name}`) === run);
}

/** Newest of each context, and GitHub's summary of them: `pending` when there are none. */
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

function suiteOf(state: State, repo: Repo, sha: string, app: string): Suite {
  const found = suitesOf(repo).find((suite) => suite.sha === sha && suite.app === app);
  return found ?? { id: state.nextId(), sha, app, reruns: 0 };
}

function startRun(state: State, repo: Repo, suite: Suite, name: string): CheckRun {
  const run: CheckRun = {
    ...{ id: state.nextId(), suite, name, status: 'queued', conclusion: null },
    ...{ output: { title: null, summary: null, text: null }, startedAt: state.now(), completedAt: null },
  };
  repo.runs.push(run);
  return run;
}
