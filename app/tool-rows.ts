/** Rows of tools that the operator adds, from the folder that agentpr.config.json names (O3). */
import { resolve } from 'node:path';
import { addRowsFrom, RowError } from '#tools';
import { ConfigError } from './config-error.ts';

/** Throws ConfigError. */
export const takeToolRows = (name: string): void => {
  const folder = resolve(name);
  try {
    addRowsFrom(folder);
  } catch (error) {
    if (error instanceof RowError) {
      const { file, line, says } = error;
      throw new ConfigError(({ settingsProblems: p }) => p.line(file, line, says), 'config');
    }
    const says = error instanceof Error ? error.message : String(error);
    throw new ConfigError(({ settingsProblems: p }) => p.noToolRows(folder, says), 'config');
  }
};
