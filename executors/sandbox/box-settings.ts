/** The settings of boxes. They are read before any box is made. */
export const CONTAINER_ENGINES = ['docker', 'podman'] as const;
export type ContainerEngineName = (typeof CONTAINER_ENGINES)[number];

/** Groups of system calls that a setting may give back to the boxes. */
export const CALL_GROUPS = [
  'io_uring',
  'bpf',
  'keys',
  'ptrace',
  'namespaces',
  'perf',
  'userfaultfd',
] as const;
export type CallGroup = (typeof CALL_GROUPS)[number];

export type BoxLimits = {
  memoryMb: number;
  processes: number;
  diskMb: number;
  /** Output of one check or script to one stream (MB). */
  outputMb: number;
};
/** Output is kept in memory, and read in a thread of limited memory. */
export const MAX_OUTPUT_MB = 64;
/** Agents need about 200 MB and 60 tasks; large test suites need several times that. */
export const DEFAULT_LIMITS: BoxLimits = { memoryMb: 4096, processes: 512, diskMb: 8192, outputMb: 16 };
