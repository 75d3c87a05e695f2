/** Writes the settings of `init`: `.env`, and names in agentpr.config.json. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { endLineOf } from '../read-dot-env.ts';

const ENV = '.env';
const CONFIG = 'agentpr.config.json';

const withSettings = (text: string, settings: Readonly<Record<string, string>>): string => {
  const all = text.split('\n');
  const others: string[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const from = at;
    at = endLineOf(all, from);
    const [name = ''] = (all[from] ?? '').replace(/^\s*export\s+/, '').split('=', 1);
    if (!Object.hasOwn(settings, name.trim())) others.push(...all.slice(from, at + 1));
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return `${[others.join('\n').trimEnd(), ...lines].filter((part) => part !== '').join('\n')}\n`;
};

/** Security: the file contains keys, so its mode is 0600, even if it existed. */
export const writeDotEnvSettings = (settings: Readonly<Record<string, string>>): void => {
  const text = existsSync(ENV) ? readFileSync(ENV, 'utf8') : '';
  // guard: O2-env-private
  if (existsSync(ENV)) chmodSync(ENV, 0o600);
  writeFileSync(ENV, withSettings(text, settings), { mode: 0o600 });
};

type CommitAuthor = { name: string; email: string };

export const parseCommitAuthor = (typed: string): CommitAuthor | null => {
  const [, name = '', email = ''] =
    /^([^<>\p{Cc}]{1,100}?)\s*<([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>$/u.exec(typed) ?? [];
  return name === '' || email === '' ? null : { name: name.trim(), email };
};

export const writeConfigSettings = (
  settings: { author: CommitAuthor } | { publicNames: Record<string, string> } | { script: string },
): void => {
  const now: unknown = existsSync(CONFIG) ? JSON.parse(readFileSync(CONFIG, 'utf8')) : {};
  writeFileSync(CONFIG, `${JSON.stringify({ ...(now as object), ...settings }, null, 2)}\n`);
};
