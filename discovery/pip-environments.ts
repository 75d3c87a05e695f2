/** Makes pip install into a virtual environment, because a system's Python refuses packages. */
import type { FoundCommand } from './probe-types.ts';

const BY_PIP = /^(?:(?:python[\d.]*|py) -m )?pip3? install\b|^uv pip install\b/;
/** `pip install pytest` installs programs by name, and not what the project needs. */
const SINGLE =
  /^(?:\S+ -m )?(?:uv )?pip3? install (?!.*(?:-e\b|--editable|-r\b|--requirement|\s\.|\.\[|--group))|^go install [^\s@]+@|^luarocks (?!.*(?:--only-deps|--deps-only|\.rockspec))(?:--\S+ )*install\b/;
export const namesPackages = (install: string): boolean => SINGLE.test(install);
const OWN_RUNNER = /^(?:uv|poetry|pdm|pipenv|hatch|rye|pixi|conda)\b/;
const PYTHON = /^(?:python|)$/;

const relativeFolder = (from: string, to: string): string => {
  const [a, b] = [from.split('/').filter(Boolean), to.split('/').filter(Boolean)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return [...a.slice(same).map(() => '..'), ...b.slice(same)].map((p) => `${p}/`).join('');
};
const quotePath = (path: string): string =>
  /^[\w./-]*$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
const activationCommand = (from: string, to: string): string =>
  `. ${quotePath(`${relativeFolder(from, to) || './'}.venv/bin/activate`)}`;

export const withEnvironment = (
  installs: readonly FoundCommand[],
  checks: readonly FoundCommand[],
): { installs: FoundCommand[]; checks: FoundCommand[] } => {
  const homes: string[] = [];
  const ready = installs.map((install) => {
    const known = homes.find((h) => h === install.dir || h === '');
    // A task may call pip: `make install-deps`.
    const isWithin = known !== undefined && PYTHON.test(install.ecosystem);
    if (!BY_PIP.test(install.command) && (!isWithin || OWN_RUNNER.test(install.command))) return install;
    const home = known ?? install.dir;
    const first = homes.includes(home) ? [] : ['python3 -m venv .venv'];
    homes.push(home);
    return {
      ...install,
      before: [...first, activationCommand(install.dir, home), ...(install.before ?? [])],
    };
  });
  if (homes.length === 0) return { installs: ready, checks: [...checks] };
  return {
    installs: ready,
    checks: checks.map((check) => {
      if (!PYTHON.test(check.ecosystem) || OWN_RUNNER.test(check.command)) return check;
      const home = homes.find((h) => h === check.dir) ?? homes.find((h) => h === '') ?? homes[0] ?? '';
      return { ...check, before: [activationCommand(check.dir, home), ...(check.before ?? [])] };
    }),
  };
};
