/** JSON of check runs, suites, statuses, workflow runs and jobs, as GitHub's REST API shows it. */
import { combinedStatus, conclusionOf, runsOf } from './checks.ts';
import { nodeId, time, timeOrNull } from './format.ts';
import type { Annotation, CheckRun, Pull, Repo, Status, Suite, User, WorkflowRun } from './state.ts';

const apps = new Map<string, number>([['github-actions', 15368]]);
const appId = (slug: string): number => {
  const id = apps.get(slug) ?? 20_000 + apps.size;
  apps.set(slug, id);
  return id;
};

export function createShowChecks(about: {
  api: (repo: Repo) => string;
  page: (repo: Repo) => string;
  user: (user: User) => object;
  repository: (repo: Repo) => object;
  origin: () => string;
}) {
  const { api, page, user, repository, origin } = about;
  const app = (slug: string) => ({
    id: appId(slug),
    slug,
    node_id: nodeId('App', appId(slug)),
    name: slug,
    client_id: '',
    owner: user({ id: appId(slug), login: slug }),
    description: '',
    events: [],
    permissions: {},
    external_url: `${origin()}/apps/${slug}`,
    html_url: `${origin()}/apps/${slug}`,
    created_at: time(0),
    updated_at: time(0),
  });
  const headCommit = ({ sha, createdAt }: Suite) => {
    const by = { name: 'Somebody', email: 'somebody@example.com' };
    return { id: sha, tree_id: sha, message: '', timestamp: time(createdAt), author: by, committer: by };
  };
  const pullsAt = (repo: Repo, sha: string): Pull[] =>
    repo.pulls.filter((pull) => pull.state === 'open' && pull.head.sha === sha && pull.head.repo === repo);
  /** GitHub omits pull requests from forks. */
  const pullsOf = (repo: Repo, sha: string) =>
    pullsAt(repo, sha).map((pull) => {
      const side = (one: Pull['head']) => ({
        ref: one.ref,
        sha: one.sha,
        repo: { id: one.repo.id, url: api(one.repo), name: one.repo.name },
      });
      const url = `${api(repo)}/pulls/${pull.number}`;
      return { url, id: pull.id, number: pull.number, head: side(pull.head), base: side(pull.base) };
    });

  const suite = (repo: Repo, one: Suite) => {
    const all = repo.runs.filter((run) => run.suite === one);
    const latest = runsOf(repo, one.sha, 'latest').filter((run) => run.suite === one);
    const queued = all.every((run) => run.status === 'queued');
    const ended = all.length > 0 ? conclusionOf(latest) : null;
    const conclusion = one.held ? 'action_required' : ended;
    return {
      id: one.id,
      node_id: nodeId('CheckSuite', one.id),
      head_sha: one.sha,
      app: app(one.app),
      head_branch: pullsAt(repo, one.sha)[0]?.head.ref ?? null,
      before: null,
      after: one.sha,
      status: conclusion !== null ? 'completed' : queued ? 'queued' : 'in_progress',
      conclusion,
      url: `${api(repo)}/check-suites/${one.id}`,
      pull_requests: pullsOf(repo, one.sha),
      head_commit: headCommit(one),
      repository: repository(repo),
      latest_check_runs_count: latest.length,
      rerequestable: true,
      runs_rerequestable: true,
      created_at: time(one.createdAt),
      updated_at: time(all.at(-1)?.completedAt ?? one.createdAt),
      check_runs_url: `${api(repo)}/check-suites/${one.id}/check-runs`,
    };
  };

  const workflowOf = (repo: Repo, run: CheckRun): WorkflowRun | undefined =>
    repo.workflows.find((one) => one.suite === run.suite);
  const runPage = (repo: Repo, run: CheckRun): string => `${page(repo)}/runs/${run.id}`;

  const status = (repo: Repo, { id, context, state, description, at, sha }: Status) => ({
    id,
    node_id: nodeId('Status', id),
    context,
    state,
    description,
    target_url: null,
    created_at: time(at),
    updated_at: time(at),
    avatar_url: null,
    url: `${api(repo)}/statuses/${sha}`,
  });

  return {
    suite,
    app,
    status: (repo: Repo, one: Status) => ({ ...status(repo, one), creator: user(one.by) }),
    checkRun: (repo: Repo, run: CheckRun) => ({
      id: run.id,
      node_id: nodeId('CheckRun', run.id),
      name: run.name,
      head_sha: run.suite.sha,
      external_id: '',
      status: run.status,
      conclusion: run.conclusion,
      started_at: time(run.startedAt),
      completed_at: timeOrNull(run.completedAt),
      output: {
        ...run.output,
        annotations_count: run.annotations.length,
        annotations_url: `${api(repo)}/check-runs/${run.id}/annotations`,
      },
      check_suite: { id: run.suite.id },
      app: app(run.suite.app),
      pull_requests: pullsOf(repo, run.suite.sha),
      url: `${api(repo)}/check-runs/${run.id}`,
      html_url: runPage(repo, run),
      details_url: runPage(repo, run),
    }),
    annotation: (repo: Repo, run: CheckRun, { path, line, level, message }: Annotation) => ({
      path,
      start_line: line,
      end_line: line,
      start_column: null,
      end_column: null,
      annotation_level: level,
      title: '',
      message,
      raw_details: '',
      blob_href: `${page(repo)}/blob/${run.suite.sha}/${path}`,
    }),
    workflow: (repo: Repo, one: WorkflowRun) => {
      const url = `${api(repo)}/actions/runs/${one.id}`;
      const { head } = one.pull;
      return {
        id: one.id,
        node_id: nodeId('WorkflowRun', one.id),
        name: one.name,
        path: '.github/workflows/ci.yml',
        head_branch: head.ref,
        head_sha: one.suite.sha,
        event: 'pull_request',
        display_title: one.pull.title,
        run_number: one.number,
        run_attempt: one.attempt,
        status: one.status,
        conclusion: one.conclusion,
        workflow_id: repo.id,
        check_suite_id: one.suite.id,
        pull_requests: pullsOf(repo, one.suite.sha),
        actor: user(one.actor),
        triggering_actor: user(one.actor),
        created_at: time(one.createdAt),
        updated_at: time(one.updatedAt),
        run_started_at: time(one.startedAt),
        html_url: `${page(repo)}/actions/runs/${one.id}`,
        url,
        jobs_url: `${url}/jobs`,
        logs_url: `${url}/logs`,
        rerun_url: `${url}/rerun`,
        check_suite_url: `${api(repo)}/check-suites/${one.suite.id}`,
        cancel_url: `${url}/cancel`,
        artifacts_url: `${url}/artifacts`,
        head_commit: headCommit(one.suite),
        workflow_url: `${api(repo)}/actions/workflows/${repo.id}`,
        repository: repository(repo),
        head_repository: repository(head.repo),
      };
    },
    job: (repo: Repo, run: CheckRun) => ({
      id: run.id,
      node_id: nodeId('CheckRun', run.id),
      name: run.name,
      head_sha: run.suite.sha,
      run_id: workflowOf(repo, run)?.id ?? null,
      run_attempt: workflowOf(repo, run)?.attempt ?? 1,
      status: run.status,
      conclusion: run.conclusion,
      steps: [],
      labels: [],
      workflow_name: 'CI',
      started_at: time(run.startedAt),
      completed_at: timeOrNull(run.completedAt),
      url: `${api(repo)}/actions/jobs/${run.id}`,
      html_url: runPage(repo, run),
      runner_id: 1,
      runner_name: 'local',
      runner_group_id: 1,
      runner_group_name: 'Default',
      head_branch: pullsAt(repo, run.suite.sha)[0]?.head.ref ?? null,
      created_at: time(run.startedAt),
      run_url: `${api(repo)}/actions/runs/${workflowOf(repo, run)?.id ?? 0}`,
      check_run_url: `${api(repo)}/check-runs/${run.id}`,
    }),
    combined(repo: Repo, sha: string) {
      const { state: summary, statuses } = combinedStatus(repo, sha);
      const shown = statuses.map((one) => status(repo, one));
      const url = `${api(repo)}/commits/${sha}`;
      const total = { total_count: shown.length, url: `${url}/status`, commit_url: url };
      return { state: summary, statuses: shown, sha, ...total, repository: repository(repo) };
    },
  };
}
