/**
 * Which program a command really starts: behind settings of the environment, and behind programs
 * that only start another one.
 */
import type { SimpleCommand } from './parse-shell.ts';

export type StartedProgram = {
  /** Its place among the words. */
  at: number;
  /** `CI=1` and the like, by the shell or by `env`. */
  settings: string[];
  /** Whether more words come from what it reads (`xargs`). */
  fed: boolean;
};

/** Folders that only the system itself fills. */
const SYSTEM_PATH = /^\/(?:usr\/)?bin\/(?=[^/]+$)/;

/** The last part of a path, whatever lies there. */
export const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

/** The name of a program that the system finds for it; null where a path leads elsewhere. */
export const systemName = (word: string): string | null => {
  const name = word.replace(SYSTEM_PATH, '');
  return name === '' || name.includes('/') ? null : name;
};

/** Options of each starter in one word, and those with a value in the next one. */
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

export const startedBy = ({
  words,
  settings: count,
}: Pick<SimpleCommand, 'words' | 'settings'>): StartedProgram => {
  const settings = words.slice(0, count);
  let [at, fed] = [count, false];
  for (;;) {
    const name = systemName(words[at] ?? '') ?? '';
    const starter = Object.hasOwn(STARTERS, name) ? STARTERS[name] : undefined;
    // It says what a name is, and starts nothing.
    if (!starter || (name === 'command' && /^-[vV]/.test(words[at + 1] ?? ''))) return { at, settings, fed };
    at += 1;
    fed ||= name === 'xargs';
    for (;;) {
      if (starter.options.test(words[at] ?? '-')) at += 1;
      else if (starter.valued?.test(words[at] ?? '') && starter.value?.test(words[at + 1] ?? '')) at += 2;
      else break;
    }
    if (starter.duration && DURATION.test(words[at] ?? '')) at += 1;
    // Whatever has a sign of equality is a setting for it, also in quotes.
    for (; name === 'env' && (words[at] ?? '').includes('='); at += 1) settings.push(words[at] ?? '');
  }
};
