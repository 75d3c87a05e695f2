/** Puts what the ecosystems at the root of a repository say into one list of checks. */
import type { Contract } from '../facts.ts';
import { go, java, make, rust } from './compiled.ts';
import { node } from './node.ts';
import type { ProbedCheck, Probe } from './probe.ts';
import { python } from './python.ts';

type Name = Contract['ecosystems'][number];

/** Files at the root that the probes read. */
export const MANIFEST_FILES =
  /^(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|pytest\.ini|requirements[^/]*\.txt|pipfile|go\.mod|cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|(?:gnu)?makefile|\.gitattributes|\.flake8|mypy\.ini|ruff\.toml|\.yarnrc\.yml)$/i;

const PROBES: readonly [Name, Probe][] = [
  ['node', node],
  ['python', python],
  ['go', go],
  ['rust', rust],
  ['java', java],
];

export const ecosystemsOf = (
  paths: readonly string[],
  read: (path: string) => string | null,
): Pick<Contract, 'ecosystems' | 'packageManager' | 'install' | 'checks'> => {
  const all = new Set(paths);
  const found = PROBES.flatMap(([name, probe]) => {
    const result = probe(all, read);
    return result ? [{ name, ...result }] : [];
  });
  const checks: ProbedCheck[] = [];
  for (const { name, checks: more } of found) {
    for (const check of more) {
      const taken = checks.some((c) => c.name === check.name);
      checks.push(taken ? { ...check, name: `${name} ${check.name}` } : check);
    }
  }
  // A Makefile beside another ecosystem usually calls the same tools: it only fills gaps.
  const made = make(all, read)?.checks.filter((c) => !checks.some((other) => other.name === c.name)) ?? [];
  const installs = found.flatMap((f) => (f.install === null ? [] : [f.install]));
  return {
    ecosystems: [...found.map((f) => f.name), ...(made.length > 0 ? (['make'] as const) : [])],
    packageManager: found.map((f) => f.packageManager).find((m) => m !== null) ?? null,
    install: installs.length > 0 ? installs.join(' && ') : null,
    checks: [...checks, ...made],
  };
};
