/** Runs the repository's CI jobs for each new head of an open pull request. */
import { completeRun, conclusionOf, holdSuite, newSuite, startRun, tellSuite } from './checks.ts';
import { runJob, type JobEnd } from './ci-job.ts';
import type { CheckRun, Happening, Pull, Repo, User, WorkflowRun, World } from './model.ts';

type Live = { repo: Repo; stop: AbortController; done: Promise<void> };
type Job = WorkflowRun['jobs'][number];
export type NoRerun = 'running' | 'nothing failed';

export type Ci = ReturnType<typeof createCi>;

const AT_ONCE = 2;
const LOG_CHARS = 4_000_000;

export function createCi(world: World) {
  const live = new Map<WorkflowRun, Live>();
  const slots = createSlots(AT_ONCE);
  let stopped = false;

  world.onHappening((happening) => {
    if (happening.event !== 'pull_request' || stopped) return;
    const { action, pull, repo } = happening;
    const heads = ['opened', 'synchronize', 'reopened'].includes(action ?? '');
    const known = repo.workflows.some((one) => one.pull === pull && one.suite.sha === pull.head.sha);
    if (!heads || repo.ci.length === 0 || (action === 'reopened' && known)) return;
    for (const [workflow, { stop }] of live) if (workflow.pull === pull) stop.abort();
    // Source: GitHub, "Approving workflow runs from public forks".
    const trusted = repo.pulls.some((one) => one.user === pull.user && one.merged !== null);
    if (repo.holdsForks && pull.head.repo !== repo && !trusted) holdSuite(world, repo, pull.head.sha);
    else begin(repo, pull, happening.by);
  });

  function tell(workflow: WorkflowRun, repo: Repo, action: string): void {
    const { suite, actor } = workflow;
    workflow.updatedAt = world.now();
    const about = { repo, number: null, sha: suite.sha, by: actor };
    world.tell({ ...about, event: 'workflow_run', action, workflow } satisfies Happening);
  }

  function begin(repo: Repo, pull: Pull, actor: User): void {
    const held = repo.suites.find((one) => one.sha === pull.head.sha && one.held);
    const suite = held ?? newSuite(world, repo, pull.head.sha, 'github-actions', actor);
    suite.held = false;
    const at = world.now();
    const workflow: WorkflowRun = {
      id: world.nextId(),
      suite,
      name: 'CI',
      number: repo.workflows.length + 1,
      attempt: 1,
      pull,
      actor,
      status: 'queued',
      conclusion: null,
      jobs: [],
      createdAt: at,
      startedAt: at,
      updatedAt: at,
    };
    repo.workflows.push(workflow);
    tell(workflow, repo, 'requested');
    workflow.jobs = repo.ci.map((job) => ({ job, run: startRun(world, repo, suite, job.name, actor) }));
    launch(workflow, repo, workflow.jobs);
  }

  function launch(workflow: WorkflowRun, repo: Repo, jobs: readonly Job[]): void {
    const stop = new AbortController();
    const work = async (): Promise<void> => {
      await Promise.all(jobs.map((job) => slots.take(() => run(workflow, repo, job, stop.signal))));
      live.delete(workflow);
      workflow.status = 'completed';
      workflow.conclusion = conclusionOf(workflow.jobs.map((job) => job.run)) as WorkflowRun['conclusion'];
      tellSuite(world, repo, workflow.suite, 'completed', workflow.actor);
      tell(workflow, repo, 'completed');
    };
    live.set(workflow, { repo, stop, done: work() });
  }

  async function run(
    workflow: WorkflowRun,
    repo: Repo,
    { job, run }: Job,
    signal: AbortSignal,
  ): Promise<void> {
    if (!signal.aborted) {
      run.status = 'in_progress';
      run.startedAt = world.now();
      if (workflow.status === 'queued') {
        workflow.status = 'in_progress';
        tell(workflow, repo, 'in_progress');
      }
      world.changed();
    }
    run.log = '';
    const end: JobEnd = signal.aborted
      ? { conclusion: 'cancelled' }
      : await runJob({ job, repo, sha: run.suite.sha, signal, print: (line) => print(run, line) }).catch(
          (error: unknown) => {
            print(run, `##[error]The job could not be run: ${String(error)}`);
            return { conclusion: 'failure' as const, exitCode: null };
          },
        );
    Object.assign(run.output, outputOf(job.command, end));
    if (end.conclusion === 'failure') {
      const message = `Process completed with exit code ${end.exitCode ?? 'unknown'}.`;
      const line = Math.max(run.log.split('\n').length - 1, 1);
      run.annotations.push({ path: '.github', line, level: 'failure', message });
    }
    completeRun(world, repo, run, end.conclusion, workflow.actor);
  }

  function print(run: CheckRun, line: string): void {
    if ((run.log?.length ?? 0) > LOG_CHARS) return;
    const time = new Date(world.now()).toISOString().replace('Z', '0000Z');
    run.log = `${run.log ?? ''}${time} ${line}\n`;
    world.changed();
  }

  return {
    /** Returns null if jobs were started. */
    rerun(repo: Repo, workflow: WorkflowRun, which: 'failed' | 'all', by: User): NoRerun | null {
      const { suite } = workflow;
      if (live.has(workflow)) return 'running';
      const again = workflow.jobs.filter(({ run }) => which === 'all' || conclusionOf([run]) !== 'success');
      if (again.length === 0) return 'nothing failed';
      suite.reruns += 1;
      workflow.attempt += 1;
      Object.assign(workflow, { status: 'queued', conclusion: null, startedAt: world.now(), actor: by });
      tell(workflow, repo, 'requested');
      for (const one of again) one.run = startRun(world, repo, suite, one.job.name, by);
      launch(workflow, repo, again);
      return null;
    },
    allow: (repo: Repo, pull: Pull): void => begin(repo, pull, pull.user),
    async idle(repo?: Repo): Promise<void> {
      const waited = (): Live[] => [...live.values()].filter((one) => !repo || one.repo === repo);
      while (waited().length > 0) await Promise.all(waited().map((one) => one.done));
    },
    async stop(): Promise<void> {
      stopped = true;
      for (const { stop } of live.values()) stop.abort();
      await Promise.all([...live.values()].map((one) => one.done));
    },
  };
}

function outputOf(command: string, end: JobEnd): { title: string; summary: string } {
  if (end.conclusion === 'success') return { title: 'Passed', summary: `\`${command}\` passed.` };
  if (end.conclusion === 'cancelled') {
    return { title: 'Cancelled', summary: 'A newer commit took its place, or the server stopped.' };
  }
  if (end.conclusion === 'timed_out') return { title: 'Timed out', summary: `\`${command}\` took too long.` };
  return { title: 'Failed', summary: `\`${command}\` ended with exit code ${end.exitCode ?? 'unknown'}.` };
}

function createSlots(size: number): { take(work: () => Promise<void>): Promise<void> } {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take(work) {
      if (taken >= size) await new Promise<void>((resolve) => waiting.push(resolve));
      else taken += 1;
      try {
        await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else taken -= 1;
      }
    },
  };
}
