/** Makes the failures of a chat service, and of the way to it, in the form that every chat adapter throws. */
import { networkFailureOf, wayRefused } from '#network-faults';
import { detailOfWay } from '#model/failure';
import { failureWithDetail, type OutsideFailure } from '#ports/forge';

/** Blames a proxy or a certificate on the way to the service; null when neither is to blame. */
export const findWayFailure = (service: string, error: unknown): OutsideFailure | null => {
  const fault = networkFailureOf(service, error, null, 'chat_unavailable');
  const way = fault === null ? null : wayRefused(error);
  const detail = way && detailOfWay('chat', way);
  return fault && detail ? failureWithDetail(fault.class, fault.message, detail) : null;
};
