/** Icons of the pages, on a 16 by 16 grid. */
import { trusted, type Html } from '../html.ts';

const PATHS = {
  forge:
    '<path d="M2 4.5h9.5c1.5 0 2.5-.6 2.5-.6v1.6c0 1.9-1.6 3-3.5 3H9.8l.6 2.5H12V13H4v-2h1.6l.6-2.5C3.6 8.5 2 7 2 4.5Z"/>',
  pull: '<circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="12.5" r="1.75"/><path d="M4 5.25v5.5M12 10.75V6.5a3 3 0 0 0-3-3H7.5m1.7-2-2 2 2 2"/>',
  merged:
    '<circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="8.5" r="1.75"/><path d="M4 5.25v5.5M4 5.5c.4 2 2.5 3 6.2 3"/>',
  closed:
    '<circle cx="4" cy="3.5" r="1.75"/><circle cx="4" cy="12.5" r="1.75"/><circle cx="12" cy="12.5" r="1.75"/><path d="M4 5.25v5.5M12 10.75V8m-2-5.5 4 4m0-4-4 4"/>',
  issue: '<circle cx="8" cy="8" r="5.75"/><circle cx="8" cy="8" r="1.25" fill="currentColor" stroke="none"/>',
  branch:
    '<circle cx="4.5" cy="3.5" r="1.75"/><circle cx="4.5" cy="12.5" r="1.75"/><circle cx="11.5" cy="4.5" r="1.75"/><path d="M4.5 5.25v5.5M11.5 6.25c0 2.5-2.5 2.75-4.5 3.25-1.500.4-2.500.8-2.5 1.5"/>',
  commit: '<circle cx="8" cy="8" r="2.75"/><path d="M1 8h4.25M10.75 8H15"/>',
  repo: '<path d="M3 12.5V3.25C3 2.3 3.7 1.75 4.5 1.75H13v12.5H4.75C3.7 14.25 3 13.5 3 12.6s.7-1.6 1.75-1.6H13M6.5 5h3.5"/>',
  check: '<path d="m3.25 8.5 3.25 3.25 6.25-7"/>',
  cross: '<path d="m4 4 8 8m0-8-8 8"/>',
  dot: '<circle cx="8" cy="8" r="3" fill="currentColor" stroke="none"/>',
  ring: '<circle cx="8" cy="8" r="5"/>',
  spin: '<path d="M8 2.5A5.5 5.5 0 1 1 2.5 8"/>',
  dash: '<path d="M4 8h8"/>',
  comment: '<path d="M2.25 3.25h11.5v8H8.5l-3.25 2.75v-2.75h-3Z"/>',
  eye: '<path d="M1.25 8S3.75 3.5 8 3.5 14.75 8 14.75 8 12.25 12.5 8 12.5 1.25 8 1.25 8Z"/><circle cx="8" cy="8" r="2"/>',
  file: '<path d="M9.25 1.75H3.75v12.5h8.5v-9.5Zm0 0v3h3"/>',
  bolt: '<path d="M9 1.5 3 9h4.5L7 14.5 13 7H8.5Z"/>',
  send: '<path d="M14 2 7.25 8.75M14 2l-4.25 12-2.5-5.25L2 6.25Z"/>',
  again: '<path d="M13.25 8a5.25 5.25 0 1 1-1.6-3.75M13.5 1.75v3h-3"/>',
  cloud: '<path d="M4.5 12.5a3 3 0 0 1-.3-6A4 4 0 0 1 12 7.25a2.65 2.65 0 0 1-.25 5.25Z"/>',
  seal: '<path d="M8 1.25 13.5 3.5v4.25c0 3.25-2.3 5.75-5.5 7-3.2-1.25-5.5-3.75-5.5-7V3.5Z"/><path d="m5.5 8 1.9 1.9L10.75 6.25"/>',
  lock: '<rect x="3" y="7" width="10" height="7" rx="1.5"/><path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2"/>',
  chevron: '<path d="m6 3.5 4.5 4.5L6 12.5"/>',
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName, kind = ''): Html =>
  trusted(
    `<svg class="i ${kind}" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${PATHS[name]}</svg>`,
  );
