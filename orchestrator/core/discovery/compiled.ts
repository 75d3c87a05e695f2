/** Go, Rust, Java and Make: their tools know how to build and test from one file at the root. */
import type { ProbedCheck, Probe } from './probe.ts';

const check = (name: string, command: string, source: string): ProbedCheck => ({ name, command, source });

export const go: Probe = (paths, read) => {
  if (!paths.has('go.mod')) return null;
  const needs = /^[ \t]*require\b/m.test(read('go.mod') ?? '');
  return {
    packageManager: 'go',
    install: needs ? 'go mod download' : null,
    checks: [
      check('lint', 'go vet ./...', 'go.mod'),
      check('test', 'go test ./...', 'go.mod'),
      check('build', 'go build ./...', 'go.mod'),
    ],
  };
};

export const rust: Probe = (paths, read) => {
  if (!paths.has('Cargo.toml')) return null;
  const locked = paths.has('Cargo.lock') ? ' --locked' : '';
  const needs = /^\[(?:workspace\.|dev-|build-)?dependencies(?:\.[\w-]+)?\][ \t\r]*\n\s*[^[\s]/m.test(
    read('Cargo.toml') ?? '',
  );
  return {
    packageManager: 'cargo',
    install: needs ? `cargo fetch${locked}` : null,
    checks: [
      check('test', `cargo test${locked}`, 'Cargo.toml'),
      check('build', `cargo build${locked}`, 'Cargo.toml'),
    ],
  };
};

export const java: Probe = (paths) => {
  if (paths.has('pom.xml')) {
    const mvn = paths.has('mvnw') ? 'sh ./mvnw' : 'mvn';
    return {
      packageManager: 'maven',
      install: null,
      checks: [check('test', `${mvn} -q -B test`, 'pom.xml')],
    };
  }
  const build = ['build.gradle', 'build.gradle.kts'].find((p) => paths.has(p));
  if (build === undefined) return null;
  const gradle = paths.has('gradlew') ? 'sh ./gradlew' : 'gradle';
  return { packageManager: 'gradle', install: null, checks: [check('test', `${gradle} -q test`, build)] };
};

const TARGETS = ['lint', 'test', 'check'] as const;

export const make: Probe = (paths, read) => {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((p) => paths.has(p));
  if (file === undefined) return null;
  const text = read(file) ?? '';
  const has = (target: string): boolean => new RegExp(`^${target}\\s*:(?!=)`, 'm').test(text);
  // `check` is another word for `test`: one of them is run.
  const targets = TARGETS.filter((t) => has(t) && !(t === 'check' && has('test')));
  const checks = targets.map((t) => check(t === 'check' ? 'test' : t, `make ${t}`, `${file} ${t}`));
  return checks.length === 0 ? null : { packageManager: null, install: null, checks };
};
