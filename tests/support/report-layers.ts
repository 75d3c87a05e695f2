/** A reporter for long runs: what each layer took, and which files are slower than theirs allows. */
import type { Reporter, TestModule } from 'vitest/node';
import { findLayer, isSlow, LAYERS } from '../layers.ts';

/** Shorter runs need no table (files). */
const LONG_RUN_FILES = 20;
const MAX_FILES_NAMED = 20;

const toSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(7)} s`;

const timeOf = (module: TestModule): number => {
  const { duration, prepareDuration, environmentSetupDuration, collectDuration, setupDuration } =
    module.diagnostic();
  return duration + prepareDuration + environmentSetupDuration + collectDuration + setupDuration;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const describeLayer = (name: string, modules: readonly TestModule[]): string => {
  const tests = sum(modules.map((module) => [...module.children.allTests()].length));
  const processor = sum(modules.map((module) => module.meta().processorSeconds ?? 0));
  const counts = `${String(modules.length).padStart(4)} files ${String(tests).padStart(6)} tests`;
  return `  ${name.padEnd(16)}${counts} ${toSeconds(sum(modules.map(timeOf)))} ${toSeconds(processor * 1_000)} processor`;
};

export const reportLayers = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < LONG_RUN_FILES) return;
    console.log('\nLayers (time within its files, of several at once):');
    for (const { name } of LAYERS)
      for (const slow of [false, true]) {
        const lying = modules.filter(
          ({ relativeModuleId: file }) => findLayer(file)?.name === name && isSlow(file) === slow,
        );
        if (lying.length > 0) console.log(describeLayer(slow ? `slow/${name}` : name, lying));
      }
    const over = modules
      .map((module) => ({
        file: module.relativeModuleId,
        ms: timeOf(module),
        processor: module.meta().processorSeconds ?? 0,
      }))
      .filter(({ file, ms }) => !isSlow(file) && ms > (findLayer(file)?.ceilingMs ?? Infinity))
      .sort((a, b) => b.ms - a.ms);
    if (over.length === 0) return;
    console.log(
      '\nSlower than their layer allows on a quiet machine (split them, or move them to tests/slow):',
    );
    for (const { file, ms, processor } of over.slice(0, MAX_FILES_NAMED))
      console.log(`${toSeconds(ms)} ${toSeconds(processor * 1_000)} processor  ${file}`);
    if (over.length > MAX_FILES_NAMED) console.log(`  and ${over.length - MAX_FILES_NAMED} more`);
  },
} satisfies Reporter;
