/** Runs the checks of a repository in boxes, and distils what they print. */
export { distillLog } from './distill-output.ts';
export { outputOf } from './log-calls.ts';
export { createChecks } from './run-check.ts';
export { readLog, toDisplayLog } from './shown-log.ts';
