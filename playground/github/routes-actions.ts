/** REST routes of GitHub Actions, check runs and line comments. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Answer } from '../server.ts';
import { replyTo, showHunks } from './comments.ts';
import { notFound, RestRefusal } from './refusal.ts';
import { ok, sinceOf, type Route, type RouteCall } from './route.ts';
import type { Show } from './show.ts';
import type { CheckRun, Identity, Pull, Repo, State, WorkflowRun } from './state.ts';

/** Random per process, so log addresses are unguessable and need no credentials. */
const KEY = randomBytes(16);
const signed = (path: string): string => createHmac('sha256', KEY).update(path).digest('hex');

export function createActionsRoutes(parts: {
  state: State;
  show: Show;
  origin: () => string;
  repoOf: (call: RouteCall) => Repo;
  pullAt: (call: RouteCall) => Pull;
  writer: (call: RouteCall, needs: 'read' | 'write') => Identity;
}): Record<string, Route> {
  const { state, show, origin, repoOf, pullAt, writer } = parts;
  const runAt = (call: RouteCall, name: string): CheckRun => {
    const run = repoOf(call).runs.find((one) => one.id === Number(call.at[name]));
    if (!run) throw notFound();
    return run;
  };
  const jobAt = (call: RouteCall): CheckRun => {
    const run = runAt(call, 'job_id');
    if (run.suite.app !== 'github-actions') throw notFound();
    return run;
  };
  const workflowAt = (call: RouteCall): WorkflowRun => {
    const found = repoOf(call).workflows.find((one) => one.id === Number(call.at['run_id']));
    if (!found) throw notFound();
    return found;
  };
  const rerun = (call: RouteCall, which: 'failed' | 'all') => {
    const { user } = writer(call, 'write');
    const refused = state.ci.rerun(repoOf(call), workflowAt(call), which, user);
    if (refused === 'running') throw new RestRefusal(403, 'This workflow is already running');
    if (refused) throw new RestRefusal(403, 'This workflow run cannot be retried');
    return { status: 201, value: {} };
  };

  return {
    'GET /repos/{owner}/{repo}/check-runs/{check_run_id}': (call) =>
      ok(show.checkRun(repoOf(call), runAt(call, 'check_run_id'))),
    'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations'(call) {
      const run = runAt(call, 'check_run_id');
      return ok(run.annotations.map((one) => show.annotation(repoOf(call), run, one)));
    },
    'GET /repos/{owner}/{repo}/actions/runs'({ query, ...call }) {
      const repo = repoOf({ query, ...call });
      const matches = (one: WorkflowRun): boolean =>
        Object.entries({ head_sha: [one.suite.sha], branch: [one.pull.head.ref], event: ['pull_request'] })
          .concat([['status', [one.status, one.conclusion ?? '']]])
          .every(([name, values]) => !query.get(name) || values.includes(query.get(name) ?? ''));
      const runs = repo.workflows.filter(matches).toReversed();
      return ok({ total_count: runs.length, workflow_runs: runs.map((one) => show.workflow(repo, one)) });
    },
    'GET /repos/{owner}/{repo}/actions/runs/{run_id}': (call) =>
      ok(show.workflow(repoOf(call), workflowAt(call))),
    'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs'(call) {
      const { jobs } = workflowAt(call);
      return ok({ total_count: jobs.length, jobs: jobs.map(({ run }) => show.job(repoOf(call), run)) });
    },
    'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs': (call) => rerun(call, 'failed'),
    'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun': (call) => rerun(call, 'all'),
    'GET /repos/{owner}/{repo}/actions/jobs/{job_id}': (call) => ok(show.job(repoOf(call), jobAt(call))),
    'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs'(call) {
      const run = jobAt(call);
      if (!call.identity) throw new RestRefusal(403, 'Must have admin rights to Repository.');
      if (run.status !== 'completed' || run.log === null) throw notFound();
      const path = `/_logs/${repoOf(call).id}/${run.id}.txt`;
      return { status: 302, value: null, headers: { location: `${origin()}${path}?sig=${signed(path)}` } };
    },
    async 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies'(call) {
      const pull = pullAt(call);
      const { repo } = pull.base;
      const { user } = writer(call, 'read');
      const root = repo.lineComments.find(
        (one) => one.pull === pull.number && one.id === Number(call.at['comment_id']),
      );
      if (!root) throw notFound();
      if (pull.locked) throw new RestRefusal(403, 'Unable to create comment because issue is locked.');
      // GitHub, "Create a reply for a review comment": replies to replies are not supported.
      if (root.inReplyTo !== null) throw notFound();
      const { body } = call.body;
      if (typeof body !== 'string' || body === '') throw new RestRefusal(422, 'Body cannot be blank');
      const made = replyTo(state, pull, user, root, body);
      await showHunks(pull);
      return { status: 201, value: show.lineComment(repo, made) };
    },
    async 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments'(call) {
      await showHunks(pullAt(call));
      const { number, base } = pullAt(call);
      const since = sinceOf(call);
      const comments = base.repo.lineComments.filter((one) => one.pull === number && one.at >= since);
      // GitHub ignores the direction without `sort`.
      const { query } = call;
      const newestFirst = query.get('sort') !== null && query.get('direction') === 'desc';
      const inOrder = newestFirst ? comments.toReversed() : comments;
      return ok(inOrder.map((one) => show.lineComment(base.repo, one)));
    },
  };
}

export function serveLog(state: State, url: URL): Answer | null {
  const [, repo, id] = /^\/_logs\/(\d+)\/(\d+)\.txt$/.exec(url.pathname) ?? [];
  if (!id) return null;
  const runs = [...state.repos.values()].find((one) => one.id === Number(repo))?.runs ?? [];
  const log = runs.find((one) => one.id === Number(id))?.log;
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  if (log === null || log === undefined || url.searchParams.get('sig') !== signed(url.pathname)) {
    return { status: 404, headers, body: 'There is no such log.', value: null };
  }
  return { status: 200, headers, body: log, value: log };
}
