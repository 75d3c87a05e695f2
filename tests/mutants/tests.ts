/**
 * Stands in for vitest while mutants are tried: collects the tests of a file, and runs one as often
 * as it is asked to.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export { expect } from 'vitest';

type Go = (...args: never[]) => unknown;
type Suite = { name: string; outer: Suite | null; hooks: Record<Hook, Go[]> };
type Hook = 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';
export type Test = { id: string; run: () => Promise<void>; suite: Suite };

const collected: Test[] = [];
const ids = new Map<string, number>();
let file = '';
let now: Suite = { name: '', outer: null, hooks: emptyHooks() };

function emptyHooks(): Suite['hooks'] {
  return { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

const suitesOf = (suite: Suite): Suite[] => (suite.outer ? [...suitesOf(suite.outer), suite] : [suite]);
const titled = (name: string): string => {
  const title = `${file}#${[...suitesOf(now).map((s) => s.name), name].filter(Boolean).join(' > ')}`;
  const before = ids.get(title) ?? 0;
  ids.set(title, before + 1);
  return before === 0 ? title : `${title} (${before + 1})`;
};

const add = (name: string, go: Go): void => {
  const suite = now;
  const id = titled(name);
  const run = async (): Promise<void> => {
    const around = suitesOf(suite);
    for (const { hooks } of around) for (const hook of hooks.beforeEach) await hook();
    try {
      await go();
    } finally {
      for (const { hooks } of around.toReversed()) for (const hook of hooks.afterEach) await hook();
      for (const hook of finished.splice(0).toReversed()) await hook();
    }
  };
  collected.push({ id, run, suite });
};

const within = (name: string, go: Go): void => {
  const outer = now;
  now = { name, outer, hooks: emptyHooks() };
  go();
  now = outer;
};

/** `it` and `describe` with what our tests use of them. */
const withKin = (put: (name: string, go: Go) => void) => {
  const each =
    (rows: readonly unknown[]) =>
    (name: string, go: (...args: unknown[]) => unknown): void => {
      for (const row of rows) put(name, () => (Array.isArray(row) ? go(...(row as unknown[])) : go(row)));
    };
  const nothing = Object.assign(() => undefined, { each: () => () => undefined });
  const self = Object.assign((name: string, go: Go) => put(name, go), { each, skip: nothing });
  const kin = {
    skipIf: (no: unknown) => (no ? nothing : self),
    runIf: (yes: unknown) => (yes ? self : nothing),
  };
  return Object.assign(self, kin);
};

export const it = withKin(add);
export const test = it;
export const describe = withKin(within);

const hook =
  (kind: Hook) =>
  (go: Go): void =>
    void now.hooks[kind].push(go);
export const beforeAll = hook('beforeAll');
export const afterAll = hook('afterAll');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');

const finished: Go[] = [];
export const onTestFinished = (go: Go): void => void finished.push(go);

/** The tests of some files, in the order that they are written in. */
export const collect = async (files: readonly string[]): Promise<Test[]> => {
  collected.length = 0;
  for (const one of files) {
    file = one;
    now = { name: '', outer: null, hooks: emptyHooks() };
    await import(pathToFileURL(resolve(one)).href);
  }
  return [...collected];
};

/**
 * Runs what stands around a test once: before the first of its tests, and after the last of all.
 */
export const createAround = () => {
  const begun = new Set<Suite>();
  return {
    enter: async ({ suite }: Test): Promise<void> => {
      for (const one of suitesOf(suite)) {
        if (begun.has(one)) continue;
        begun.add(one);
        for (const go of one.hooks.beforeAll) await go();
      }
    },
    leave: async (): Promise<void> => {
      for (const one of [...begun].toReversed()) for (const go of one.hooks.afterAll) await go();
    },
  };
};
