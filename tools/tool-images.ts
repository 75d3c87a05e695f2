/** The image that brings a tool, whose tags are its versions (E20). */
import { createRowTable } from './tool-rows.ts';

const images = createRowTable(
  (rows) =>
    new Map(
      rows.flatMap(({ names = [], image }) =>
        image === undefined ? [] : names.map((name) => [name, image]),
      ),
    ),
);
export const findToolImage = (tool: string): string | null => images().get(tool) ?? null;
