/** What one ecosystem's probe finds at the root of a repository; null when the repository is not of its kind. */

export type Check = { name: string; command: string; source: string };
export type Found = { packageManager: string | null; install: string | null; checks: Check[] };
export type Probe = (paths: ReadonlySet<string>, read: (path: string) => string | null) => Found | null;
