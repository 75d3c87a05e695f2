/** What our machine has and lacks: tools, versions, failed commands. */
export {
  CommandFailure,
  type StopFault,
  isEnvironmentFailure,
  registryFailureOf,
  registryWords,
} from './command-failure.ts';
export { CommandGroup } from './command-group.ts';
export {
  CheckNeed,
  CiVersions,
  EnvironmentGap,
  type LackedThing,
  findEnvironmentGap,
  unmeetableNeeds,
} from './environment-gap.ts';
export { satisfiesVersion, rangeText, parseVersion } from './tool-versions.ts';
export {
  BoxService,
  BoxWish,
  fullImageName,
  ImageName,
  isImageName,
  MachineLabel,
  splitImageName,
  UsedBox,
  type UsedImage,
  type WishedImage,
} from './box-wish.ts';
