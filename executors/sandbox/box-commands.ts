/** Builds the command lines of both kinds of box, bubblewrap and `unshare`. */
import { existsSync } from 'node:fs';
import type { BoxMount } from './box-layout.ts';
import type { CallFilter } from './seccomp-filter.ts';
import type { InheritedDescriptor } from '../process/spawn.ts';
import { KB, MB } from '#model/values';

export type BoxCommand = {
  argv: [string, ...string[]];
  inherit: InheritedDescriptor[];
};
export type BoxInput = {
  argv: readonly [string, ...string[]];
  cwd: string;
  places: readonly BoxMount[];
  network: boolean;
  scratchMb: number;
  /** False if an outer container forbids a new /proc. */
  ownProc: boolean;
  filter: CallFilter | null;
};

const [OPTIONS_FD, FILTER_FD] = [3, 4];

/** Kernel settings that uid 0 can write; core_pattern would run a program outside. */
const KERNEL = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'driver', 'scsi', 'mtrr'];
const kernelSettings = (): string[] => KERNEL.map((name) => `/proc/${name}`).filter((at) => existsSync(at));

const bwrapScratch = (at: string, mb: number): string[] => [
  ...['--perms', '1777', '--size', String(Math.round(mb * MB)), '--tmpfs', at],
];
const bwrapPlace = (place: BoxMount, scratchMb: number): string[] => {
  switch (place.kind) {
    case 'scratch':
      return bwrapScratch(place.path, scratchMb);
    case 'hide':
      return place.file ? ['--ro-bind', '/dev/null', place.path] : ['--tmpfs', place.path];
    case 'write':
      return ['--bind', place.from ?? place.path, place.path];
    case 'read':
      return ['--ro-bind', place.from ?? place.path, place.path];
    case 'link':
      return ['--symlink', place.target, place.path];
  }
};

const EMPTY = ['/home', '/root', '/run', '/sys', '/var', '/opt', '/srv', '/mnt', '/media', '/etc'];

/**
 * Options use a descriptor, because boxed programs could read them in /proc. Root would keep
 * capabilities that can undo the hiding, so all are dropped.
 */
export const createBwrapCommand = ({
  argv,
  cwd,
  places,
  network,
  scratchMb,
  ownProc,
  filter,
}: BoxInput): BoxCommand => {
  const options = [
    // guard: E3-own-session
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(network ? ['--share-net'] : []),
    // guard: E22-filter
    ...(filter ? ['--seccomp', String(FILTER_FD)] : []),
    ...EMPTY.flatMap((at) => ['--dir', at]),
    ...['--dev', '/dev', ...bwrapScratch('/dev/shm', scratchMb), '--remount-ro', '/dev'],
    ...(ownProc ? ['--proc', '/proc'] : ['--ro-bind', '/proc', '/proc']),
    ...(ownProc ? kernelSettings().flatMap((at) => ['--ro-bind', at, at]) : []),
    ...places.flatMap((place) => bwrapPlace(place, scratchMb)),
    // These come after all mount points inside them exist.
    // guard: E3-hidden-read-only
    ...places.flatMap((p) => (p.kind === 'hide' && !p.file ? ['--remount-ro', p.path] : [])),
    // guard: E3-root-read-only
    ...['--remount-ro', '/'],
    ...['--chdir', cwd],
  ];
  return {
    argv: ['bwrap', '--args', String(OPTIONS_FD), '--', ...argv],
    inherit: [
      { fd: OPTIONS_FD, content: options.map((option) => `${option}\0`).join('') },
      ...(filter ? [{ fd: FILTER_FD, content: filter.program }] : []),
    ],
  };
};

/** Only programs can call prctl, and unshare and setpriv (before util-linux 2.41) do not. */
export const FILTER_LOADER = '/usr/bin/perl';
/** PR_SET_SECCOMP is 22, SECCOMP_MODE_FILTER is 2; `struct sock_fprog` is a length and a pointer. */
const LOADER_SCRIPT = String.raw`my $call = shift() + 0; my $code = pack("H*", shift);
my $filter = pack("S x![P] P", length($code) / 8, $code);
delete $ENV{PERL_BADLANG};
syscall($call, 22, 2, $filter, 0, 0) == 0 or die "containment: the filter of system calls cannot be set: $!\n";
exec { $ARGV[0] } @ARGV or die "containment: $ARGV[0] cannot be started: $!\n";`;

/**
 * Runs as pid 1 of the namespaces and builds a new root below /sys. Arguments: `lo` for an own
 * network, directory, scratch (KB), number of prctl and filter (or two empty words), three words
 * per place (kind, path, target), `--`, directories to make read-only at the end, `--`, command.
 */
const UNSHARE_SCRIPT = String.raw`
set -eu
trap 'echo "containment: the box could not be built" >&2' EXIT
mask=$(umask); umask 022
lo=$1 cwd=$2 kb=$3 prctl=$4 filter=$5; shift 5
box=/sys/box
mount -n -t tmpfs -o mode=755 tmpfs /sys
mkdir /sys/at $box
mount -n -t tmpfs -o mode=755,nosuid,nodev tmpfs $box
cd $box
mkdir dev proc ${EMPTY.map((at) => at.slice(1)).join(' ')}
mount -n --rbind /proc proc
mount -n -t tmpfs -o mode=755 tmpfs dev
mkdir dev/shm dev/pts
for node in null zero full random urandom tty; do
  : >dev/$node; echo "/dev/$node $box/dev/$node none bind 0 0"
done >/sys/mounts
for name in ${KERNEL.join(' ')}; do
  [ ! -e proc/$name ] || echo "/proc/$name $box/proc/$name none bind,ro 0 0"
done >>/sys/mounts
echo "tmpfs $box/dev/shm tmpfs mode=1777,nosuid,nodev,size=${'$'}{kb}k 0 0" >>/sys/mounts
mount -n -a -T /sys/mounts
mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts 2>/dev/null || true
for link in fd:/proc/self/fd stdin:fd/0 stdout:fd/1 stderr:fd/2 ptmx:pts/ptmx; do ln -s "${'$'}{link#*:}" dev/"${'$'}{link%%:*}"; done
mount -n -o remount,bind,ro,nosuid dev
cd /sys/at
n=0 kind= word=0
for arg; do
  word=$((word+1))
  case $word in
    1) [ "$arg" != -- ] || break; kind=$arg ;;
    2) ;;
    3)
      word=0
      [ $kind = read ] || continue
      n=$((n+1))
      if [ -d "$arg" ]; then mkdir $n; else : >$n; fi
      mount -n --rbind "$arg" $n ;;
  esac
done
while read -r _ _ _ _ point flags _; do
  case $point in /sys/at/*) ;; *) continue; esac
  case $flags in ro|ro,*) continue; esac
  case $point in *\\*) point=$(printf %b "$(printf %s "$point" | sed 's/\\/\\0/g')"); esac
  mount -n -o "remount,bind,ro${'$'}{flags#rw}" "$point"
done </proc/self/mountinfo
folder() { [ -d "$1" ] || mkdir -p "$1"; }
point() {
  if [ -d "$1" ]; then folder "$2"; elif [ ! -e "$2" ]; then folder "${'$'}{2%/*}"; : >"$2"; fi
}
n=0
while [ "$1" != -- ]; do
  at=$box$2
  case $1 in
    link) folder "${'$'}{at%/*}"; ln -s "$3" "$at" ;;
    scratch) folder "$at"; mount -n -t tmpfs -o mode=1777,nosuid,nodev,size=${'$'}{kb}k tmpfs "$at" ;;
    hide) mount -n -t tmpfs -o mode=755,nosuid,nodev tmpfs "$at" ;;
    blank)
      mount -n --bind /dev/null "$at"
      mount -n -o remount,bind,ro,nosuid,nodev "$at" 2>/dev/null || true ;;
    write) point "$3" "$at"; mount -n --rbind "$3" "$at" ;;
    read) n=$((n+1)); point "$3" "$at"; mount -n --move /sys/at/$n "$at" ;;
  esac
  shift 3
done
shift
cd $box
mkdir .old
pivot_root . .old
umount -n -l /.old
rmdir /.old
cd /
while [ "$1" != -- ]; do mount -n -o remount,bind,ro,nosuid,nodev "$1"; shift; done
shift
mount -n -o remount,bind,ro,nosuid,nodev /
[ "$lo" != lo ] || ip link set lo up 2>/dev/null || true
cd "$cwd"
umask $mask; unset OLDPWD
trap - EXIT
[ -z "$filter" ] || set -- env PERL_BADLANG=0 ${FILTER_LOADER} -e '${LOADER_SCRIPT}' "$prctl" "$filter" "$@"
setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs -- "$@"
exit $?
`;

const unsharePlace = (place: BoxMount): string[] => {
  switch (place.kind) {
    case 'hide':
      return [place.file ? 'blank' : 'hide', place.path, ''];
    case 'link':
      return ['link', place.path, place.target];
    case 'read':
      return ['read', place.path, place.from ?? place.path];
    case 'write':
      return ['write', place.path, place.from ?? place.path];
    case 'scratch':
      return [place.kind, place.path, ''];
  }
};

/** The parent-death signal comes before the namespaces, so that the box dies with its parent. */
export const createUnshareCommand = ({
  argv,
  cwd,
  places,
  network,
  scratchMb,
  filter,
}: BoxInput): BoxCommand => ({
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
      String(Math.round(scratchMb * KB)),
      // guard: E22-filter-unshare
      ...(filter ? [String(filter.prctl), Buffer.from(filter.program).toString('hex')] : ['', '']),
    ],
    ...places.flatMap(unsharePlace),
    '--',
    // guard: E3-hidden-read-only-unshare
    ...places.flatMap((p) => (p.kind === 'hide' && !p.file ? [p.path] : [])),
    '--',
    ...argv,
  ],
  inherit: [],
});
