/** Finds the proxy or certificate behind a client's error; every adapter that connects asks it. */
export {
  setKnownProxies,
  networkFailureOf,
  networkFaultOf,
  networkWords,
  wasNeverConnected,
  findNetworkRefusal,
} from './network-fault.ts';
