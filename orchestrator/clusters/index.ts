/** Which changes of a campaign are alike, and the card that they share. */
export {
  singleCardInboxItem,
  clusterInboxItem,
  hasSingleCard,
  mayJoinCluster,
  singleCardReply,
  notifyOfSingleCard,
  notifyOfCluster,
} from './cluster-inbox-items.io.ts';
export { likenessOf, type SampleLikeness } from './compare-changes.ts';
export { fillVaryingValues, varyingValuesOf, type VaryingValue } from './varying-values.ts';
