/** Reads rows of tools from the YAML files of a folder, and refuses what no row may say. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { Tool, type ToolRow } from './tool-schema.ts';

const SUFFIX = '.yaml';

export const listRowFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(SUFFIX))
    .sort();

/** Throws with the file and the field that is wrong. */
export const readRows = (folder: string): ToolRow[] =>
  listRowFiles(folder).map((name) => {
    const read = Tool.safeParse(parse(readFileSync(join(folder, name), 'utf8')));
    if (!read.success) throw new Error(`${join(folder, name)}: ${z.prettifyError(read.error)}`);
    return { id: name.slice(0, -SUFFIX.length), ...read.data };
  });
