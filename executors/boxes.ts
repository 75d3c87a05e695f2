/** Builds the command lines of the two kinds of box, bubblewrap and util-linux `unshare`, from one layout. */
import { existsSync } from 'node:fs';
import type { Place } from './box-layout.ts';

export type Boxed = { argv: [string, ...string[]]; inherit: { fd: number; content: string }[] };
export type BoxInput = {
  argv: readonly [string, ...string[]];
  cwd: string;
  places: readonly Place[];
  network: boolean;
  /** Of each private scratch directory: what is in it is memory. */
  scratchMb: number;
  /** False where the container around us forbids a fresh /proc: the host's is shown read-only instead. */
  ownProc: boolean;
};

const OPTIONS_FD = 3;

/** Settings of the kernel, open to uid 0 even without capabilities: one write to core_pattern would run a program outside. */
const KERNEL = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'driver', 'scsi', 'mtrr'];
const kernelSettings = (): string[] => KERNEL.map((name) => `/proc/${name}`).filter((at) => existsSync(at));

const bwrapScratch = (at: string, mb: number): string[] => [
  ...['--perms', '1777', '--size', String(Math.round(mb * 1024 * 1024)), '--tmpfs', at],
];
const bwrapPlace = (place: Place, scratchMb: number): string[] => {
  switch (place.kind) {
    case 'scratch':
      return bwrapScratch(place.path, scratchMb);
    case 'hide':
      return place.file ? ['--ro-bind', '/dev/null', place.path] : ['--tmpfs', place.path];
    case 'write':
      return ['--bind', place.path, place.path];
    case 'read':
      return ['--ro-bind', place.path, place.path];
  }
};

/**
 * Options travel through a descriptor: /proc/1/cmdline and /proc/1/environ inside the box are bubblewrap's own. As root it
 * would keep capabilities, and with them undo the hiding, so all are dropped.
 */
export const bwrapBox = ({ argv, cwd, places, network, scratchMb, ownProc }: BoxInput): Boxed => {
  const options = [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(network ? ['--share-net'] : []),
    ...[
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      ...bwrapScratch('/dev/shm', scratchMb),
      '--remount-ro',
      '/dev',
    ],
    ...(ownProc ? ['--proc', '/proc'] : ['--ro-bind', '/proc', '/proc']),
    ...(ownProc ? kernelSettings().flatMap((at) => ['--ro-bind', at, at]) : []),
    ...places.flatMap((place) => bwrapPlace(place, scratchMb)),
    // Last, when every mount point inside them exists.
    ...places.flatMap((p) => (p.kind === 'hide' && !p.file ? ['--remount-ro', p.path] : [])),
    ...['--chdir', cwd],
  ];
  return {
    argv: ['bwrap', '--args', String(OPTIONS_FD), '--', ...argv],
    inherit: [{ fd: OPTIONS_FD, content: options.map((option) => `${option}\0`).join('') }],
  };
};

/**
 * Runs as pid 1 of the new namespaces. What is to be shown is bound under /sys first, because hiding a parent would make
 * it unreachable; then every mount that is left is made read-only with the flags that the kernel has locked on it.
 * Arguments: `lo` when the network is our own, the directory, kilobytes of scratch, kind and path of each place, `--`, directories to make
 * read-only at the end, `--`, the command.
 */
const UNSHARE_SCRIPT = String.raw`
set -eu
trap 'echo "containment: the box could not be built" >&2' EXIT
mask=$(umask); umask 022
lo=$1 cwd=$2 kb=$3; shift 3
mount -n -t tmpfs -o mode=755 tmpfs /sys
mkdir /sys/dev /sys/at
mount -n -t tmpfs -o mode=755 tmpfs /sys/dev
cd /sys/dev
for node in null zero full random urandom tty; do : >$node; mount -n --bind /dev/$node $node; done
mkdir shm pts; mount -n -t tmpfs -o mode=1777,nosuid,nodev,size=${'$'}{kb}k tmpfs shm
ln -s /proc/self/fd fd; ln -s fd/0 stdin; ln -s fd/1 stdout; ln -s fd/2 stderr; ln -s pts/ptmx ptmx
mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts pts 2>/dev/null || true
cd /sys/at
n=0 kind=
for arg; do
  [ "$arg" != -- ] || break
  if [ -z "$kind" ]; then kind=$arg; continue; fi
  case $kind in write|read)
    n=$((n+1))
    if [ -d "$arg" ]; then mkdir $kind$n; else : >$kind$n; fi
    mount -n --rbind "$arg" $kind$n
  esac
  kind=
done
while read -r _ _ _ _ point flags _; do
  case $point in /sys/at/read*) ;; /proc|/proc/*|/sys|/sys/*|/dev|/dev/*) continue; esac
  case $flags in ro|ro,*) continue; esac
  case $point in *\\*) point=$(printf %b "$(printf %s "$point" | sed 's/\\/\\0/g')"); esac
  mount -n -o "remount,bind,ro${'$'}{flags#rw}" "$point"
done </proc/self/mountinfo
mount -n --move /sys/dev /dev
mount -n -o remount,bind,ro,nosuid /dev
for name in ${KERNEL.join(' ')}; do
  [ ! -e /proc/$name ] || mount -n -o bind,ro /proc/$name /proc/$name
done
n=0
while [ "$1" != -- ]; do
  case $1 in
    scratch) mount -n -t tmpfs -o mode=1777,nosuid,nodev,size=${'$'}{kb}k tmpfs "$2" ;;
    hide) mount -n -t tmpfs -o mode=755,nosuid,nodev tmpfs "$2" ;;
    blank)
      mount -n --bind /dev/null "$2"
      mount -n -o remount,bind,ro,nosuid,nodev "$2" 2>/dev/null || true ;;
    *)
      n=$((n+1))
      if [ -d /sys/at/$1$n ]; then mkdir -p "$2"; elif [ ! -e "$2" ]; then mkdir -p "$(dirname "$2")"; : >"$2"; fi
      mount -n --move /sys/at/$1$n "$2" ;;
  esac
  shift 2
done
shift
while [ "$1" != -- ]; do mount -n -o remount,bind,ro,nosuid,nodev "$1"; shift; done
shift
mount -n -o remount,bind,ro,nosuid,nodev /sys
[ "$lo" != lo ] || ip link set lo up 2>/dev/null || true
cd "$cwd"
umask $mask; unset OLDPWD
trap - EXIT
setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs -- "$@"
exit $?
`;

/** The parent-death signal is set before the namespaces, so that the box falls with whoever started it. */
export const unshareBox = ({ argv, cwd, places, network, scratchMb }: BoxInput): Boxed => ({
  argv: [
    ...(['setpriv', '--pdeathsig', 'SIGKILL', '--', 'unshare', '--user', '--map-root-user'] as const),
    ...['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'],
    ...['--ipc', '--uts', '--cgroup', ...(network ? [] : ['--net'])],
    ...[
      '--',
      '/bin/sh',
      '-c',
      UNSHARE_SCRIPT,
      'sh',
      network ? '' : 'lo',
      cwd,
      String(Math.round(scratchMb * 1024)),
    ],
    ...places.flatMap((p) => [p.kind === 'hide' && p.file ? 'blank' : p.kind, p.path]),
    '--',
    ...places.flatMap((p) => (p.kind === 'hide' && !p.file ? [p.path] : [])),
    '--',
    ...argv,
  ],
  inherit: [],
});
