/** Limits the number of findings without hiding a kind or losing a count. */
import type { Finding } from '#model/change';

const foldFindings = (all: readonly Finding[]): Finding[] => {
  const [first] = all;
  if (first === undefined || all.length === 1) return [...all];
  const count = all.reduce((n, one) => n + (one.count ?? 1), 0);
  return [{ ...first, more: all.length - 1, count }];
};

export const foldExcessFindings = (findings: readonly Finding[], most: number): Finding[] => {
  const rest = Map.groupBy(findings.slice(most), ({ kind }) => kind);
  return [...findings.slice(0, most), ...[...rest.values()].flatMap(foldFindings)];
};
