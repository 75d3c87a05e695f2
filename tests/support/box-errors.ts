/** What bubblewrap prints where it cannot build a box. */
export const BOX_ERRORS = {
  absent: 'prlimit: failed to execute bwrap: No such file or directory',
  uidMap: 'bwrap: setting up uid map: Permission denied',
  loopback: 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
  tooMany: 'bwrap: Creating new namespace failed: No space left on device',
  denied: 'bwrap: Creating new namespace failed: Operation not permitted',
  proc: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
  setuid: 'bwrap: The --size option is not permitted in setuid mode',
  old: 'bwrap: Unknown option --perms',
  other: 'bwrap: Failed to make / slave: Device or resource busy',
} as const;
