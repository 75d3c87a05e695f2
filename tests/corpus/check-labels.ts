/**
 * `node tests/corpus/check-labels.ts <file>…`: says what is wrong with labels, before they are
 * used.
 */
import { readFileSync } from 'node:fs';
import { childTree, parseYamlTree } from '../../discovery/workflows/yaml-tree.ts';
import { Labelled, textOf } from './labels.ts';

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** A job whose quote lost the line `steps:` runs nothing, and what it asks for counts as missed. */
const emptyJobs = (files: Labelled['files']): string[] =>
  Object.entries(files).flatMap(([file, text]) =>
    WORKFLOW.test(file)
      ? [...(childTree(parseYamlTree(textOf(text)) ?? undefined, 'jobs')?.entries ?? [])].flatMap(
          ([job, tree]) =>
            tree.entries.has('steps') ||
            tree.entries.has('uses') ||
            tree.items.length + tree.entries.size === 0
              ? []
              : [`${file}: nothing of the job ${job} is run`],
        )
      : [],
  );

const problems = (path: string): string[] => {
  const parsed = Labelled.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) return parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`);
  const { files, ownerFiles = {}, paths, rules } = parsed.data;
  const out = Object.keys(files)
    .filter((file) => !paths.includes(file))
    .map((file) => `${file} is in files but not in paths`);
  out.push(...emptyJobs(files));
  for (const { kind, file, line, quote } of rules) {
    const read = files[file] ?? ownerFiles[file];
    if (read === undefined) {
      out.push(`${kind}: ${file} is not among the files`);
      continue;
    }
    const near = textOf(read)
      .split('\n')
      .slice(Math.max(0, line - 2), line + 7)
      .join(' ');
    if (!flat(near).includes(flat(quote).slice(0, 60)))
      out.push(`${kind}: the quote does not stand at ${file}:${line}`);
  }
  return out;
};

let wrong = 0;
for (const path of process.argv.slice(2))
  for (const problem of problems(path)) {
    wrong += 1;
    process.stdout.write(`${path}: ${problem}\n`);
  }
process.exitCode = wrong > 0 ? 1 : 0;
