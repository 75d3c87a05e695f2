/** Finds the program that a command starts, behind assignments and starters such as `env`. */
import type { SimpleCommand } from './parse-shell.ts';

export type StartedProgram = {
  at: number;
  settings: string[];
  /** More arguments come from its input (`xargs`). */
  fed: boolean;
};

/** Folders that only the system fills. */
const SYSTEM_PATH = /^\/(?:usr\/)?bin\/(?=[^/]+$)/;

export const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

export const findSystemProgram = (word: string): string | null => {
  const name = word.replace(SYSTEM_PATH, '');
  return name === '' || name.includes('/') ? null : name;
};

/** Options in one word, and options with a value in the next. */
type Starter = { options: RegExp; valued?: RegExp; value?: RegExp; duration?: true };
const NO_OPTIONS = /(?!)/;
const STARTERS: Readonly<Record<string, Starter>> = {
  env: { options: NO_OPTIONS },
  builtin: { options: NO_OPTIONS },
  command: { options: /^-p$/ },
  time: { options: /^-p$/ },
  nice: { options: /^-(?:n-?)?\d+$|^--adjustment=-?\d+$/, valued: /^-n$/, value: /^-?\d+$/ },
  stdbuf: { options: /^-[ioe](?:L|0|\d+[KMG]?)$/ },
  timeout: {
    options: /^-[ks]\w+$|^--(?:kill-after|signal)=\w+$|^--(?:foreground|preserve-status|verbose)$|^-v$/,
    valued: /^-[ks]$/,
    value: /^\w+$/,
    duration: true,
  },
  xargs: {
    options: /^-(?:[0rt]+|[nLP]\d+)$|^--(?:null|no-run-if-empty|max-(?:args|procs|lines)=\d+)$/,
    valued: /^-[nLP]$/,
    value: /^\d+$/,
  },
};
const DURATION = /^\d+(?:\.\d+)?[smhd]?$/;

export const parseStartedProgram = ({
  words,
  settings: count,
}: Pick<SimpleCommand, 'words' | 'settings'>): StartedProgram => {
  const settings = words.slice(0, count);
  let [at, fed] = [count, false];
  for (;;) {
    const name = findSystemProgram(words[at] ?? '') ?? '';
    const starter = Object.hasOwn(STARTERS, name) ? STARTERS[name] : undefined;
    // `command -v` starts nothing.
    if (!starter || (name === 'command' && /^-[vV]/.test(words[at + 1] ?? ''))) return { at, settings, fed };
    at += 1;
    fed ||= name === 'xargs';
    for (;;) {
      if (starter.options.test(words[at] ?? '-')) at += 1;
      else if (starter.valued?.test(words[at] ?? '') && starter.value?.test(words[at + 1] ?? '')) at += 2;
      else break;
    }
    if (starter.duration && DURATION.test(words[at] ?? '')) at += 1;
    // `env` takes any word with `=` as assignment, even quoted.
    for (; name === 'env' && (words[at] ?? '').includes('='); at += 1) settings.push(words[at] ?? '');
  }
};
