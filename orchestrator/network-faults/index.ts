/** Finds the proxy or certificate behind a client's error; every adapter that connects asks it. */
export {
  nameProxies,
  networkFailureOf,
  networkFaultOf,
  networkWords,
  wasNeverConnected,
  wayRefused,
} from './network-fault.ts';
