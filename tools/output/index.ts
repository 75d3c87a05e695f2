/** What tools print: results of tests, complaints, errors, reports. */
export { findToolError, httpStatusLines } from './tool-errors.ts';
export { findComplaints, findFailingTests } from './failing-tests.ts';
export { type LogFormat, SHARED_LINES, readLogFormats } from './log-formats.ts';
export { type TestResults, readTestResults } from './test-results.ts';
