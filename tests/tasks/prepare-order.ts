/** Makes the repository that an order is given in: the whole history up to the commit before the change. */
import { gzipSync } from 'node:zlib';
import path from 'node:path';
import type { Order } from './order-list.ts';
import { findClone, git } from './prepare-task.ts';

export type PreparedOrder = {
  order: Order;
  dir: string;
  base: string;
  goal: string;
  /** A shell command that makes the change, and may run twice. */
  script: string;
  /** The same change as a patch, for an engine. */
  patch: string;
};

const applying = (patch: string): string => {
  const packed = gzipSync(patch).toString('base64');
  const unpacked = `printf %s ${packed} | base64 -d | gzip -d`;
  return `${unpacked} | git apply -R --check 2>/dev/null || ${unpacked} | git apply --whitespace=nowarn`;
};

export const prepareOrder = (order: Order, clones: string, into: string): PreparedOrder => {
  const clone = findClone(clones, order.repo);
  if (clone === null) throw new Error(`no clone of ${order.repo} is in ${clones}`);
  const dir = path.join(into, `${order.repo.replace('/', '+')}.git`);
  git(clone, ['clone', '--quiet', '--bare', '--shared', '--single-branch', clone, dir]);
  const base = git(dir, ['rev-parse', `${order.fix}^`]).trim();
  const missing = git(dir, ['rev-list', '--objects', '--missing=print', base]).match(/^\?/gm)?.length ?? 0;
  if (missing > 0)
    throw new Error(
      `the clone of ${order.repo} lacks ${missing} objects of its history: it cannot be served`,
    );
  const branch = git(dir, ['symbolic-ref', 'HEAD']).trim();
  git(dir, ['update-ref', branch, base]);
  const target = order.hand.pull?.base;
  if (target !== undefined) git(dir, ['update-ref', `refs/heads/${target}`, base]);
  const subject = git(dir, ['log', '-1', '--format=%s', order.fix]).trim();
  return {
    order,
    dir,
    base,
    goal: order.goal ?? subject.replace(/\s*\(?(?:(?:closes|fixes) )?#\d+\)?/g, ''),
    script: applying(git(dir, ['diff', '--binary', '--full-index', base, order.fix])),
    patch: git(dir, ['diff', '-U3', base, order.fix]),
  };
};
