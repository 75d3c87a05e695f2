/** Prints the demo in two columns: the run's states, and the chat. */
import type { Run } from '#run';

const LEFT_COLUMNS = 36;
const RIGHT_COLUMNS = 76;

export const wrapLines = (text: string, width: number): string[] =>
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

type Shown = {
  messageId: number;
  text: string;
  buttons: readonly (readonly { text: string }[])[];
};
export type DemoTranscript = {
  showState(run: Run): void;
  says(who: string, text: string, buttons?: readonly (readonly string[])[]): void;
  /** Only new lines of an edited message are printed. */
  showMessage(message: Shown): void;
  note(text: string): void;
};

export const createDemoTranscript = (
  write: (line: string) => void,
  { color }: { color: boolean },
): DemoTranscript => {
  const started = Date.now();
  let shown = '';
  const messages = new Map<number, { lines: ReadonlySet<string>; buttons: string }>();
  const paintText = (code: number, text: string): string =>
    color ? `\u001b[${code}m${text}\u001b[0m` : text;
  const formatElapsed = (): string => `${((Date.now() - started) / 1_000).toFixed(1).padStart(5)}s`;
  const writeRow = (left: string, right: string, tint = 0): void =>
    write(
      `${paintText(36, left.padEnd(LEFT_COLUMNS))} ${paintText(90, '│')} ${tint ? paintText(tint, right) : right}`.trimEnd(),
    );

  const says: DemoTranscript['says'] = (who, text, buttons = []) => {
    const indent = ' '.repeat(who.length + 2);
    const lines = wrapLines(text, RIGHT_COLUMNS - indent.length);
    lines.forEach((line, i) =>
      writeRow(i === 0 ? formatElapsed() : '', `${i === 0 ? `${who}: ` : indent}${line}`),
    );
    for (const line of buttons) writeRow('', `${indent}${line.map((b) => `[ ${b} ]`).join(' ')}`, 33);
  };

  return {
    showState(run) {
      if (run.lifecycle.state === shown) return;
      shown = run.lifecycle.state;
      writeRow(`${formatElapsed()}  ${run.lifecycle.state}`, '');
    },
    says,
    showMessage({ messageId, text, buttons }) {
      const known = messages.get(messageId);
      const lines = text.split('\n');
      const rows = buttons.map((line) => line.map((b) => b.text));
      const now = JSON.stringify(rows);
      messages.set(messageId, { lines: new Set([...(known?.lines ?? []), ...lines]), buttons: now });
      const fresh = lines.filter((line) => !known?.lines.has(line));
      if (fresh.length > 0) says('bot', fresh.join('\n'), rows);
      else if (known?.buttons !== now && rows.length > 0) says('bot', lines[0] ?? '', rows);
    },
    note: (text) => write(paintText(90, text)),
  };
};
