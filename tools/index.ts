/** What the product knows of programs that check, test, lint and install, a YAML row each: see docs/tools.md. */
export { findPurpose, isForAnyLanguage, languageOfProgram, type CommandPurpose } from './command-purpose.ts';
export { commandWords, runtimes } from './command-words.ts';
export { findToolError, httpStatusLines, type ToolError } from './command-errors.ts';
export { dependencyChanges, namesDependencies } from './dependencies.ts';
export { findComplaints, findFailingTests } from './failing-tests.ts';
export { findHarmlessUse, takesAnyOption, type HarmlessUse } from './harmless.ts';
export { linterRows, type LinterRow } from './linters.ts';
export { findNeeds, programListedAs, versionFiles } from './needed-programs.ts';
export { findOptionsOwner, handsOnListing, listsWith } from './listing.ts';
export { addsPackages, fetchesPackages } from './package-commands.ts';
export { packageRegistries, registryHosts, type RegistryRow } from './registries.ts';
export { readReportFormats, SHARED_LINES, type LogFormat } from './reports.ts';
export { readAddedRows, RowError } from './read-rows.ts';
export { addToolRows, fromRows, toolRows } from './rows.ts';
export { findTaskPlaces, isSettingsFile, readFiles, shadowableModules } from './settings-files.ts';
export { taskTools } from './task-tools.ts';
export { readTestResults, type TestResults } from './test-results.ts';
export type { ToolRow } from './tool-schema.ts';
