/** Lists the programs and versions that a repository needs on the host. */
import { findNeededPrograms, canonicalProgramName, languageRuntimes, versionFiles } from '#tools';
import type { ContractTool } from '#model/contract';
import { sourceLocation } from './probe-types.ts';
import { withoutVariables } from './unwrap-command.ts';

type Read = (path: string) => string | null;

const LISTS = ['.tool-versions', 'mise.toml', '.mise.toml', '.config/mise.toml'];
export const mayNameTools = (path: string): boolean =>
  LISTS.includes(path) || versionFiles().some(({ file }) => file === path);

const programsIn = (command: string): string[] =>
  command.split(/&&|;|\|/).map((part) => {
    const words = withoutVariables(part.trim())
      .split(/\s+/)
      .filter((w) => !/^\w+=/.test(w) && w !== '(cd' && w !== 'sudo' && w !== 'env');
    return (words[0] ?? '').replace(/^.*\//, '');
  });

const readToolLists = (read: Read, dirs: readonly string[]): ContractTool[] => {
  const out: ContractTool[] = [];
  for (const dir of dirs) {
    const start = dir === '' ? '' : `${dir}/`;
    for (const list of LISTS) {
      const text = read(start + list);
      for (const [i, line] of (text ?? '').slice(0, 20_000).split('\n').entries()) {
        const match = /^\s*"?([\w:./-]{1,40})"?(?:\s*=\s*|\s+)["']?([\w.*/-]{1,40})["']?\s*(?:#.*)?$/.exec(
          line,
        );
        const name = match?.[1] ?? '';
        if (match)
          out.push({
            name: canonicalProgramName(name),
            asked: match[2] ?? null,
            source: `${start}${list}:${i + 1}`,
          });
      }
    }
    for (const { file, tool, pattern, atLeast } of versionFiles()) {
      const text = read(start + file)?.slice(0, 200_000) ?? null;
      const found = text === null ? undefined : pattern.exec(text.trimStart())?.[1];
      if (found !== undefined)
        out.push({
          name: tool,
          asked: atLeast ? `>=${found}` : found,
          source: sourceLocation(start + file, text, found),
        });
    }
  }
  return out;
};

/** `make test` may run any tool, `go test` runs Node nowhere. */
export const mayUseTool = (command: string, tool: string): boolean => {
  const used = programsIn(command).flatMap(findNeededPrograms);
  const { names } = languageRuntimes();
  return !names.has(tool) || !used.some((name) => names.has(name)) || used.includes(tool);
};

export const listRequiredTools = (
  commands: readonly { command: string; dir: string; source: string }[],
  read: Read,
  fromCi: readonly ContractTool[],
): ContractTool[] => {
  const dirs = ['', ...new Set(commands.map((c) => c.dir).filter((d) => d !== ''))].slice(0, 12);
  const versions = [...readToolLists(read, dirs), ...fromCi];
  const out = new Map<string, ContractTool>();
  for (const { command, source } of commands)
    for (const name of programsIn(command).flatMap(findNeededPrograms)) {
      const said = versions.find((v) => v.name === name && v.asked !== null);
      if (!out.has(name)) out.set(name, said ?? { name, asked: null, source });
    }
  return [...out.values()];
};
