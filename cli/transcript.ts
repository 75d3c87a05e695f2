/**
 * Prints the chat beside the timeline: what the machine went through on the left, what the phone
 * showed on the right.
 */
import type { Run } from '../orchestrator/core/machine/run.ts';

const LEFT = 36;
const RIGHT = 76;

const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const at = rest.lastIndexOf(' ', width);
      const cut = at > width / 3 ? at : width;
      lines.push(rest.slice(0, cut));
      rest = rest.slice(cut).trimStart();
    }
    return [...lines, rest];
  });

export type Transcript = {
  state(run: Run): void;
  says(who: string, text: string, buttons?: readonly (readonly string[])[]): void;
  note(text: string): void;
};

/** `write` gets whole lines; colours only where `color` is set. */
export const createTranscript = (write: (line: string) => void, color: boolean): Transcript => {
  const started = Date.now();
  let shown = '';
  const paint = (code: number, text: string): string => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const clock = (): string => `${((Date.now() - started) / 1_000).toFixed(1).padStart(5)}s`;
  const row = (left: string, right: string, tint = 0): void =>
    write(`${paint(36, left.padEnd(LEFT))} ${paint(90, '│')} ${tint ? paint(tint, right) : right}`.trimEnd());

  return {
    state(run) {
      if (run.state === shown) return;
      shown = run.state;
      row(`${clock()}  ${run.state}`, '');
    },
    says(who, text, buttons = []) {
      const indent = ' '.repeat(who.length + 2);
      const lines = wrap(text, RIGHT - indent.length);
      lines.forEach((line, i) => row(i === 0 ? clock() : '', `${i === 0 ? `${who}: ` : indent}${line}`));
      for (const line of buttons) row('', `${indent}${line.map((b) => `[ ${b} ]`).join(' ')}`, 33);
    },
    note: (text) => write(paint(90, text)),
  };
};
