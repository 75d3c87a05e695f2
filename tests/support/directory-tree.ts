/** A directory as the map of a repository reads it: plain files, known by the digest of their bytes. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MappedTree } from '../../executors/outline/map-repository.ts';

export const directoryTree = (root: string): MappedTree => {
  const places = new Map<string, string>();
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const place = path.join(entry.parentPath, entry.name);
    const relative = path.relative(root, place);
    if (!entry.isFile() || /(?:^|\/)(?:\.git|node_modules)\//.test(relative)) return [];
    const oid = createHash('sha1').update(readFileSync(place)).digest('hex');
    places.set(oid, place);
    return [{ path: relative, oid }];
  });
  return {
    list: () => Promise.resolve(files),
    read: (oids, maxBytes, take) => {
      for (const oid of oids) {
        const bytes = readFileSync(places.get(oid) ?? '');
        if (bytes.length <= maxBytes) take(oid, bytes);
      }
      return Promise.resolve();
    },
  };
};
