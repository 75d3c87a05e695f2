/** Programs of the host: their usual places, what a box needs of them, and how to get them (E15). */
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

export type HostTool = NonNullable<ToolRow['host']> & { name: string };

export const hostTools = createRowTable((rows): readonly HostTool[] =>
  rows.flatMap(({ id, names: [name = id] = [], host }) =>
    host ? [{ ...host, name: host.name ?? name }] : [],
  ),
);

export const findHostTool = (program: string): HostTool | null => {
  const plain = program.replace(/^(python|pip|clang|gcc|php|ruby)-?\d[\d.]*$/, '$1');
  return (
    hostTools().find(({ name }) => name === plain) ??
    hostTools().find(({ programs }) => programs.includes(plain)) ??
    null
  );
};

export const versionCommand = (program: string): string => {
  const row = findHostTool(program);
  const asks = row?.programs[0] === program || row?.name === program ? row.asksVersion : undefined;
  return `${program} ${asks ?? '--version'}`;
};
