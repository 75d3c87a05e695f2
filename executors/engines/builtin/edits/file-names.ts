/** Finds the file names that models write around a block. */

const BARE =
  /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|LICENSE|README|CHANGELOG|Justfile|Vagrantfile|Jenkinsfile|BUILD|WORKSPACE|CODEOWNERS|\.[a-z][\w.-]*)$/i;
const FENCE = /^\s*(?:`{3,}|~{3,})(.*)$/;
export const isFence = (line: string): boolean => FENCE.test(line);

const stripDecoration = (line: string): string =>
  line
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/^#+\s*/, '')
    .replace(/^\/\/\s*|^<!--\s*|\s*-->$/g, '')
    .replace(/^[*_`"'“”]+|(?<![*_`"'“”:])[*_`"'“”:]+$/g, '')
    .replace(/^(?:file(?:name|path)?|path|in|edit|update)\s*:\s*/i, '')
    .replace(/^[*_`"'“”\s]+|(?<![*_`"'“”:\s])[*_`"'“”:\s]+$/g, '');

const looksNamed = (name: string): boolean => {
  if (name === '' || name.length > 300 || /[<>|{}();=]/.test(name) || /:\/\//.test(name)) return false;
  if (BARE.test(name.slice(name.lastIndexOf('/') + 1))) return true;
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (!/\.[A-Za-z0-9_+-]{1,12}$/.test(last) && !/^[\w.@-]+(?:\/[\w.@-]+)+$/.test(name)) return false;
  return !/\s/.test(name) || (name.includes('/') && !/[.!?]\s/.test(name));
};

export const findFileName = (line: string): string | null => {
  const name = stripDecoration(line);
  return looksNamed(name) ? name : null;
};

/** Accepts ```js src/a.js, ```src/a.js, ```js:src/a.js and ```js title="src/a.js". */
export const findFenceFileName = (line: string): string | null => {
  const info = FENCE.exec(line)?.[1]?.trim() ?? '';
  if (info === '') return null;
  const titled = /(?:title|file(?:name|path)?|path)\s*=\s*["']?([^"'\s]+)/i.exec(info)?.[1];
  if (titled !== undefined) return findFileName(titled);
  const words = info.split(/\s+/);
  const last = words.at(-1) ?? '';
  const afterColon = /^[\w+-]+:(.+)$/.exec(last)?.[1];
  const name = findFileName(afterColon ?? last);
  return name !== null && (words.length > 1 || afterColon !== undefined || /[./]/.test(last)) ? name : null;
};
