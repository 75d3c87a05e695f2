/** Which changes of a campaign are alike, and the card that they share. */
export {
  singleCardNote,
  clusterNote,
  hasSingleCard,
  mayJoin,
  singleCardReply,
  notifyOfSingleCard,
  notifyOfCluster,
} from './cluster-notes.io.ts';
export { likenessOf, type SampleLikeness } from './compare-changes.ts';
export { fillVaryingValues, varyingOf, type VaryingValue } from './varying-values.ts';
