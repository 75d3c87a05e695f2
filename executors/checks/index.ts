/** Runs the checks of a repository in boxes, and distils what they print. */
export { distillLog } from './distill-output.ts';
export { findCallOutput } from './parse-agent-log.ts';
export { createCheckExecutor } from './run-check.ts';
export { readLog, toDisplayLog } from './readable-log.ts';
