/** What is known of programs that check, test, lint and install, a YAML row each: see docs/tools.md. */
export { type CommandPurpose, findPurpose, isForAnyLanguage, languageOfProgram } from './command-purpose.ts';
export { commandWords, languageRuntimes } from './command-words.ts';
export { type HarmlessUse, findHarmlessUse } from './harmless-uses.ts';
export { type HostTool, findHostTool, hostTools, versionCommand } from './host-programs.ts';
export { type LinterRow, linterRows } from './linters.ts';
export {
  findOptionsOwner,
  isListOptionForwarded,
  isListOnlyUse,
  isNeverFailingUse,
  printsFindings,
} from './list-only-options.ts';
export { findNeededPrograms, canonicalProgramName, versionFiles } from './needed-programs.ts';
export { RowError } from './read-yaml.ts';
export { addRowsFrom, createRowTable } from './tool-rows.ts';
export { findTaskPlaces, toolFiles } from './settings-files.ts';
export { findToolImage } from './tool-images.ts';
export { knownTasks } from './known-tasks.ts';
