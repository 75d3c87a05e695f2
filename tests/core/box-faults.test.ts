/** E22, O2: why a box cannot be built, from what its program said and the kernel's settings. */
import { expect, it } from 'vitest';
import { BOX_FAULT_KINDS, classifyBoxFault, type KernelLimits } from '../../executors/sandbox/box-faults.ts';
import { LANGUAGE_TEXTS } from '#language';
import { explainBoxFault } from '../../app/sandbox-setup.ts';
import { BOX_ERRORS } from '../support/box-errors.ts';

const OPEN: KernelLimits = { appArmor: null, usersMayClone: null, maxNamespaces: '95000', isConfined: false };

const NO_NEW =
  'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.';

it.each<[string, Partial<KernelLimits>, (typeof BOX_FAULT_KINDS)[number], string]>([
  [BOX_ERRORS.absent, {}, 'box_absent', 'apt-get install bubblewrap'],
  ['"bwrap" was not found. Install it, or put it on the PATH.', {}, 'box_absent', 'bubblewrap'],
  [BOX_ERRORS.uidMap, { appArmor: '1' }, 'box_apparmor', 'apparmor_restrict_unprivileged_userns=0'],
  [BOX_ERRORS.loopback, {}, 'box_apparmor', 'AppArmor profile'],
  [NO_NEW, { appArmor: '1' }, 'box_apparmor', 'AppArmor profile'],
  [NO_NEW, { maxNamespaces: '0' }, 'box_userns_off', 'sysctl -w user.max_user_namespaces=15000'],
  [BOX_ERRORS.tooMany, {}, 'box_userns_off', 'sysctl -w user.max_user_namespaces=15000'],
  [NO_NEW, { usersMayClone: '0' }, 'box_userns_off', 'sysctl -w kernel.unprivileged_userns_clone=1'],
  [NO_NEW, { isConfined: true }, 'box_container', 'seccomp=deploy/seccomp.json'],
  [
    'bwrap: Creating new namespace failed: Operation not permitted',
    { isConfined: true },
    'box_container',
    'group',
  ],
  [BOX_ERRORS.loopback, { appArmor: '0', isConfined: true }, 'box_container', 'seccomp=deploy'],
  [BOX_ERRORS.proc, { isConfined: true }, 'box_proc_covered', 'systempaths=unconfined'],
  [BOX_ERRORS.setuid, {}, 'box_setuid', 'chmod u-s'],
  ['bwrap: Unexpected capabilities but not setuid, old file caps config?', {}, 'box_setuid', 'chmod u-s'],
  [BOX_ERRORS.old, {}, 'box_too_old', 'bubblewrap 0.8 or newer'],
  [BOX_ERRORS.other, {}, 'box_other', 'docs/operating.md'],
  [NO_NEW, {}, 'box_other', 'docs/operating.md'],
])('O2: %s (%j) is %s, with its own remedy', (said, limits, kind, remedy) => {
  const fault = classifyBoxFault('bwrap', said, { ...OPEN, ...limits });
  expect(fault.kind).toBe(kind);
  const { en, zh } = LANGUAGE_TEXTS;
  expect(explainBoxFault(en, fault)).toContain(remedy);
  if (kind !== 'box_absent') {
    expect(explainBoxFault(en, fault)).toContain(`“${said}”`);
    expect(explainBoxFault(en, fault)).not.toContain('apt-get install bubblewrap');
  }
  expect(explainBoxFault(zh, fault)).toMatch(/\p{Script=Han}/u);
});

it.each([
  ['unshare: unshare failed: Operation not permitted', { isConfined: true }, 'box_container'],
  ['unshare: write failed /proc/self/uid_map: Operation not permitted', { appArmor: '1' }, 'box_apparmor'],
  ['unshare: unshare failed: No space left on device', {}, 'box_userns_off'],
  ['unshare: mount /proc failed: Operation not permitted', {}, 'box_proc_covered'],
  ['setpriv: failed to execute unshare: No such file or directory', {}, 'box_absent'],
] as const)('O2: %s is judged as bubblewrap is', (said, limits, kind) => {
  expect(classifyBoxFault('unshare', said, { ...OPEN, ...limits }).kind).toBe(kind);
});

it('O2: no two causes have the same remedy', () => {
  const said = BOX_FAULT_KINDS.map(
    (kind) => LANGUAGE_TEXTS.en.hostFinding({ kind, program: 'bwrap', said: '', setting: 'x=1' }).fix,
  );
  expect(new Set(said).size).toBe(BOX_FAULT_KINDS.length);
});
