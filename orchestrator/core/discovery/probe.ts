/** What one ecosystem's probe finds at the root of a repository; null when the repository is not of its kind. */

export type ProbedCheck = { name: string; command: string; source: string };
export type ProbeResult = { packageManager: string | null; install: string | null; checks: ProbedCheck[] };
export type Probe = (paths: ReadonlySet<string>, read: (path: string) => string | null) => ProbeResult | null;
